/**
 * A part of a commit as bytes: the change of one event at one sequence. The head stands before the records, so a
 * reader knows the event without decoding a record. A part is encoded when it is cut, before its commit is known.
 *
 *   schema u8 · event (u8 length, UTF-8) · from f64 · at f64 · plan (u8 length, UTF-8) · link (16 bytes) · records
 *
 * Numbers are big-endian. `schema` names the encoding of the records: 1 is by position (record-positions.ts), 2 is an
 * anchor, which has none. A part of another schema is refused. `link` is the event's (links.ts).
 */
import { Fault } from '../errors.ts';
import type { LinkedGroup, Part } from '../records.ts';
import { type Link, linkBytes, linkOf } from './links.ts';
import {
  beginReading,
  endReading,
  readByte,
  readBytes,
  readDouble,
  repeatedText,
  skipBytes,
} from './msgpack-reader.ts';
import { beginWriting, takeWritten, writeByte, writeBytes, writeDouble, writeShortText } from './msgpack-writer.ts';
import { readRecords, writeRecords } from './record-positions.ts';

const recordsByPosition = 1;
const anchor = 2;

/** The caller owns the bytes. */
export function encodePart({ event, from, at, plan, link, records }: Part): Uint8Array {
  beginWriting();
  writeByte(records.length === 0 ? anchor : recordsByPosition);
  writeShortText(event);
  writeDouble(from);
  writeDouble(at);
  writeShortText(plan);
  writeBytes(link);
  if (records.length > 0) writeRecords(records);
  return takeWritten();
}

/** The same part behind another part of its event. Its records stay byte for byte. The caller owns the bytes. */
export function movedPart(data: Uint8Array, from: number, link: Link): Uint8Array {
  const part = Buffer.from(data);
  part.writeDoubleBE(from, timesFrom(part));
  part.set(link, linkFrom(part));
  return part;
}

/** The event's link behind this part. Behind an anchor it is the link that the anchor carries. */
export function linkAfter(data: Uint8Array): Link {
  if (data[0] !== anchor) return linkOf(data);
  const part = data instanceof Buffer ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return part.subarray(linkFrom(part), linkFrom(part) + linkBytes);
}

export function eventOf(part: Buffer): string {
  return part.toString('utf8', 2, 2 + part.readUInt8(1));
}

/** The events of a partition often have the same plan one after the other. */
const readPlan = repeatedText(readByte);

export function decodePart(part: Buffer): LinkedGroup {
  beginReading(part, 0);
  const schema = readByte();
  if (schema !== recordsByPosition && schema !== anchor) {
    throw new Fault(`decode a part: a later version of Parterre writes records of the schema ${schema}`);
  }
  skipBytes(readByte());
  const from = readDouble();
  const at = readDouble();
  const plan = readPlan();
  const link = readBytes(linkBytes);
  const records = schema === anchor ? [] : readRecords();
  endReading();
  return { from, at, plan, link, records };
}

/** Decodes the head of a part alone. The records may have a schema that this program does not know. */
export function withoutRecords(part: Buffer): Part {
  const times = timesFrom(part);
  return {
    event: eventOf(part),
    from: part.readDoubleBE(times),
    at: part.readDoubleBE(times + 8),
    plan: part.toString('utf8', times + 17, linkFrom(part)),
    link: part.subarray(linkFrom(part), linkFrom(part) + linkBytes),
    records: [],
  };
}

function timesFrom(part: Buffer): number {
  return 2 + part.readUInt8(1);
}

function linkFrom(part: Buffer): number {
  const planFrom = timesFrom(part) + 17;
  return planFrom + part.readUInt8(planFrom - 1);
}
