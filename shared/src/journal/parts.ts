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
import type { JournalRecord, Part } from '../records.ts';
import { decodeKept } from '../wire.ts';
import { beginReading, endReading } from './msgpack-reader.ts';
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

export function decodePart(part: Buffer): Part {
  const schema = part.readUInt8(0);
  const event = eventOf(part);
  const times = 2 + part.readUInt8(1);
  const planFrom = times + 17;
  const planTo = planFrom + part.readUInt8(planFrom - 1);
  return {
    event,
    from: part.readDoubleBE(times),
    at: part.readDoubleBE(times + 8),
    plan: part.toString('utf8', planFrom, planTo),
    records: recordsOf(part, schema, planTo),
  };
}

function recordsOf(part: Buffer, schema: number, from: number): JournalRecord[] {
  if (schema === namedRecords) return decodeKept<JournalRecord[]>(part.subarray(from));
  if (schema !== recordsByPosition) throw new Fault(`decode a part: its records have the unknown schema ${schema}`);
  beginReading(part, from);
  const records = readRecords();
  endReading();
  return records;
}
