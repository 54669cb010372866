/**
 * The messages of a partition's journal as bytes, in both forms: the file that opens this room.
 *
 *   v1  a group of one event, or an epoch record   msgpack map
 *   v2  an epoch record                            0xc1 · 2 · 0 · msgpack map
 *       a commit of parts of many events           0xc1 · 2 · 1 · epoch f64 · n f64 · low f64 · parts u16 · parts
 *       each part                                  length u32 · part (parts.ts)
 *
 * No msgpack value begins with 0xc1, so a program of the first form fails at a v2 message instead of reading it as
 * something else. Both forms stand in one stream, and every reader takes them through `groupsOf` and `readGroup`.
 */
import { Fault } from '../errors.ts';
import type { EventGroup, Group, Part } from '../records.ts';
import { eventKeyOf, isCommitSubject } from '../subjects.ts';
import { decodeKept, encodeKept } from '../wire.ts';
import type { CommitHead, EpochRecord } from './heads.ts';
import { decodePart, eventOf, withoutRecords } from './parts.ts';

export { encodePart } from './parts.ts';

const secondForm = 0xc1;
const version = 2;
const epochKind = 0;
const commitKind = 1;
/** The markers of msgpack maps begin here. A part begins with its schema, a lower number. */
const mapMarkersFrom = 0x80;
const epochPrefix = Buffer.of(secondForm, version, epochKind);
const commitHeadBytes = 3 + 3 * 8 + 2;
const lengthBytes = 4;

/** The most parts of a commit. */
export const partsMax = 0xffff;
/** The bytes that a commit adds to those of its parts: once, and for each part. */
export const commitOverhead = { once: commitHeadBytes, eachPart: lengthBytes } as const;

/** A group of one event, still encoded: `readGroup` decodes `data`, which is a v1 message or a part of a commit. */
export type PackedGroup = { eventKey: string; data: Uint8Array };

/** The form of the record is its `v`. The caller owns the bytes. */
export function encodeEpochRecord(record: EpochRecord): Uint8Array {
  return record.v === 1 ? encodeKept(record) : Buffer.concat([epochPrefix, encodeKept(record)]);
}

/** `parts` come from `encodePart`, at most one for each event. The caller owns the bytes. */
export function encodeCommit({ epoch, n, low }: CommitHead, parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length > partsMax) throw new Fault(`encode a commit of ${parts.length} parts`);
  let length = commitHeadBytes;
  for (const part of parts) length += lengthBytes + part.length;
  const bytes = Buffer.allocUnsafe(length);
  bytes[0] = secondForm;
  bytes[1] = version;
  bytes[2] = commitKind;
  let offset = bytes.writeDoubleBE(epoch, 3);
  offset = bytes.writeDoubleBE(n, offset);
  offset = bytes.writeDoubleBE(low, offset);
  offset = bytes.writeUInt16BE(parts.length, offset);
  for (const part of parts) {
    offset = bytes.writeUInt32BE(part.length, offset);
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** The head of any message. No record of a commit is decoded. A v1 group has no low-water mark. */
export function headOf(data: Uint8Array): EpochRecord | CommitHead | Group {
  if (!isOfSecondForm(data)) return decodeKept<EpochRecord | Group>(data);
  const bytes = buffered(data);
  if (bytes[2] === epochKind) return decodeKept<EpochRecord>(bytes.subarray(epochPrefix.length));
  return { v: 2, epoch: bytes.readDoubleBE(3), n: bytes.readDoubleBE(11), low: bytes.readDoubleBE(19) };
}

/**
 * The groups of any message, still encoded: of a v1 group itself, of a commit each of its parts, of an epoch record
 * none. Decodes the events of parts alone.
 */
export function groupsOf(subject: string, data: Uint8Array): PackedGroup[] {
  const eventKey = eventKeyOf(subject);
  if (eventKey !== null) return [{ eventKey, data: isOfSecondForm(data) ? onlyPart(subject, data) : data }];
  return isCommitSubject(subject) ? partsOf(data) : [];
}

function onlyPart(subject: string, data: Uint8Array): Uint8Array {
  const parts = partsOf(data);
  if (parts.length !== 1) throw new Fault(`read ${subject}: a commit of ${parts.length} parts stands there`);
  return parts[0]!.data;
}

function partsOf(data: Uint8Array): PackedGroup[] {
  const bytes = buffered(data);
  const count = bytes.readUInt16BE(commitHeadBytes - 2);
  const parts: PackedGroup[] = [];
  let offset = commitHeadBytes;
  for (let i = 0; i < count; i++) {
    const from = offset + lengthBytes;
    offset = from + bytes.readUInt32BE(offset);
    const part = bytes.subarray(from, offset);
    parts.push({ eventKey: eventOf(part), data: part });
  }
  if (offset !== bytes.length) throw new Fault(`read a commit: ${bytes.length} bytes instead of ${offset}`);
  return parts;
}

/** `data` comes from `groupsOf`. */
export function readGroup(data: Uint8Array): EventGroup {
  return data[0]! >= mapMarkersFrom ? decodeKept<Group>(data) : decodePart(buffered(data));
}

/** `data` is a part of a commit, from `groupsOf`. Its records are left out, and not decoded. */
export function readPartHead(data: Uint8Array): Part {
  return withoutRecords(buffered(data));
}

function isOfSecondForm(data: Uint8Array): boolean {
  return data[0] === secondForm;
}

/** The same bytes, with the reads of a buffer. */
function buffered(data: Uint8Array): Buffer {
  return data instanceof Buffer ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
