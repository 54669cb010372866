/**
 * A part of a commit as bytes: the change of one event at one sequence. The head stands before the records, so a
 * reader knows the event without decoding a record. A part is encoded when it is cut, before its commit is known.
 *
 *   schema u8 · event (u8 length, UTF-8) · from f64 · at f64 · plan (u8 length, UTF-8) · records (msgpack)
 *
 * Numbers are big-endian. `schema` names the encoding of the records.
 */
import { Fault } from '../errors.ts';
import type { JournalRecord, Part } from '../records.ts';
import { decodeKept, encodeKept } from '../wire.ts';

/** Records as msgpack maps. */
const plainRecords = 1;
const textBytesMax = 0xff;
const fixedBytes = 1 + 1 + 8 + 8 + 1;

/** The caller owns the bytes. */
export function encodePart({ event, from, at, plan, records }: Part): Uint8Array {
  const packed = encodeKept(records);
  const eventBytes = textBytes(event);
  const planBytes = textBytes(plan);
  const bytes = Buffer.allocUnsafe(fixedBytes + eventBytes + planBytes + packed.length);
  let offset = bytes.writeUInt8(plainRecords, 0);
  offset = bytes.writeUInt8(eventBytes, offset);
  offset += bytes.write(event, offset, 'utf8');
  offset = bytes.writeDoubleBE(from, offset);
  offset = bytes.writeDoubleBE(at, offset);
  offset = bytes.writeUInt8(planBytes, offset);
  offset += bytes.write(plan, offset, 'utf8');
  bytes.set(packed, offset);
  return bytes;
}

function textBytes(text: string): number {
  const bytes = Buffer.byteLength(text);
  if (bytes > textBytesMax) throw new Fault(`encode a part: "${text}" has more than ${textBytesMax} bytes`);
  return bytes;
}

export function eventOf(part: Buffer): string {
  return part.toString('utf8', 2, 2 + part.readUInt8(1));
}

export function decodePart(part: Buffer): Part {
  const schema = part.readUInt8(0);
  if (schema !== plainRecords) throw new Fault(`decode a part: its records have the unknown schema ${schema}`);
  const decoded = withoutRecords(part);
  decoded.records = decodeKept<JournalRecord[]>(part.subarray(recordsFrom(part)));
  return decoded;
}

/** The part without its records, whatever their schema. */
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
