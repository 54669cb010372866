/**
 * A part of a commit as bytes: the change of one event at one sequence. The head stands before the records, so a
 * reader knows the event without decoding a record. A part is encoded when it is cut, before its commit is known.
 *
 *   schema u8 · event (u8 length, UTF-8) · from f64 · at f64 · plan (u8 length, UTF-8) · records
 *
 * Numbers are big-endian. `schema` names the encoding of the records: 1 is by position (record-positions.ts). A part of
 * another schema is refused.
 */
import { Fault } from '../errors.ts';
import type { EventGroup, Part } from '../records.ts';
import { beginReading, endReading, readByte, readDouble, repeatedText, skipBytes } from './msgpack-reader.ts';
import { beginWriting, takeWritten, writeByte, writeDouble, writeShortText } from './msgpack-writer.ts';
import { readRecords, writeRecords } from './record-positions.ts';

const recordsByPosition = 1;

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

export function decodePart(part: Buffer): EventGroup {
  beginReading(part, 0);
  const schema = readByte();
  if (schema !== recordsByPosition) {
    throw new Fault(`decode a part: a later version of Parterre writes records of the schema ${schema}`);
  }
  skipBytes(readByte());
  const from = readDouble();
  const at = readDouble();
  const plan = readPlan();
  const records = readRecords();
  endReading();
  return { from, at, plan, records };
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
