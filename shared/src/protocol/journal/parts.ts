/**
 * A part of a commit as bytes: the change of one event at one sequence. The head stands before the records, so a
 * reader knows the event without decoding a record. A part is encoded when it is cut, before its commit is known.
 *
 *   schema u8 · event (u8 length, UTF-8) · from f64 · at f64 · plan (u8 length, UTF-8) · records
 *
 * Numbers are big-endian. `schema` names the encoding of the records: 1 is msgpack with field names, which was written
 * before the second form was the default, and 2 is by position (record-positions.ts). Both are read for ever.
 */
import { Fault } from '../errors.ts';
import type { EventGroup, JournalRecord, Part } from '../records.ts';
import {
  beginReading,
  endReading,
  readByte,
  readDouble,
  readNamed,
  repeatedText,
  skipBytes,
} from './msgpack-reader.ts';
import { beginWriting, takeWritten, writeByte, writeDouble, writeShortText } from './msgpack-writer.ts';
import { readRecords, writeRecords } from './record-positions.ts';

const namedRecords = 1;
const recordsByPosition = 2;

/** The caller owns the bytes. */
export function encodePart({ event, from, at, plan, records }: Part): Uint8Array {
  beginWriting();
  writeByte(recordsByPosition);
  writeShortText(event);
  writeDouble(from);
  writeDouble(at);
  writeShortText(plan);
  writeRecords(records);
  return takeWritten();
}

export function eventOf(part: Buffer): string {
  return part.toString('utf8', 2, 2 + part.readUInt8(1));
}

/** The events of a partition often have the same plan one after the other. */
const readPlan = repeatedText(readByte);

export function decodePart(part: Buffer): Required<EventGroup> {
  beginReading(part, 0);
  const schema = readByte();
  skipBytes(readByte());
  const from = readDouble();
  const at = readDouble();
  const plan = readPlan();
  const records = recordsOf(schema);
  endReading();
  return { from, at, plan, records };
}

function recordsOf(schema: number): JournalRecord[] {
  if (schema === recordsByPosition) return readRecords();
  if (schema === namedRecords) return readNamed<JournalRecord[]>();
  throw new Fault(`decode a part: a later version of Parterre writes records of the schema ${schema}`);
}

/** Decodes the head of a part alone. The records may have a schema that this program does not know. */
export function withoutRecords(part: Buffer): Part {
  const times = timesFrom(part);
  return {
    event: eventOf(part),
    from: part.readDoubleBE(times),
    at: part.readDoubleBE(times + 8),
    plan: part.toString('utf8', times + 17, recordsFrom(part)),
    records: [],
  };
}

function timesFrom(part: Buffer): number {
  return 2 + part.readUInt8(1);
}

function recordsFrom(part: Buffer): number {
  const planFrom = timesFrom(part) + 17;
  return planFrom + part.readUInt8(planFrom - 1);
}
