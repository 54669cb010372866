/**
 * The messages of a partition's journal as bytes: the file that opens this room.
 *
 *   an epoch record                    form u8 · 0 · msgpack map
 *   a commit of parts of many events   form u8 · 1 · epoch f64 · n f64 · low f64 · link (16 bytes) · parts u16 · parts
 *   each part                          length u32 · part (parts.ts)
 *
 * A message of another form than `journalForm` is refused. Every reader takes messages through `headOf`, `groupsOf` and
 * `readGroup`. All three throw a `Fault` for bytes that are no message: lengths and kinds are checked while the layout
 * is read, and a fault of the bytes themselves (they end too early) is the cause.
 */
import { Fault } from '../errors.ts';
import type { JournalRecord, LinkedGroup, Part } from '../records.ts';
import { readStored, type StoredForm } from '../stored.ts';
import { eventKeyOf, isCommitSubject } from '../subjects.ts';
import { encodeKept } from '../wire.ts';
import { type CommitHead, type EpochRecord, journalForm } from './heads.ts';
import { linkBytes } from './links.ts';
import { decodePart, eventOf, withoutRecords } from './parts.ts';

export { encodePart, linkAfter, movedPart } from './parts.ts';

const epochKind = 0;
const commitKind = 1;
const epochPrefix = Buffer.of(journalForm, epochKind);
const linkFrom = 2 + 3 * 8;
const commitHeadBytes = linkFrom + linkBytes + 2;
const lengthBytes = 4;
const epochRecordForm: StoredForm<EpochRecord> = {
  epoch: 'number',
  owner: 'text',
  at: 'number',
  low: 'number',
  stream: 'text',
  link: 'bytes',
};

/** The most parts of a commit. */
export const partsMax = 0xffff;
/** The bytes that a commit adds to those of its parts: once, and for each part. */
export const commitOverhead = { once: commitHeadBytes, eachPart: lengthBytes } as const;

/** A group of one event, still encoded: `readGroup` decodes `data`, a part of a commit. */
export type PackedGroup = { eventKey: string; data: Uint8Array };

/** The caller owns the bytes. */
export function encodeEpochRecord(record: EpochRecord): Uint8Array {
  return Buffer.concat([epochPrefix, encodeKept(record)]);
}

/** `parts` come from `encodePart`, at most one for each event. The caller owns the bytes. */
export function encodeCommit({ epoch, n, low, link }: CommitHead, parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length > partsMax) throw new Fault(`encode a commit of ${parts.length} parts`);
  let length = commitHeadBytes;
  for (const part of parts) length += lengthBytes + part.length;
  const bytes = Buffer.allocUnsafe(length);
  bytes[0] = journalForm;
  bytes[1] = commitKind;
  let offset = bytes.writeDoubleBE(epoch, 2);
  offset = bytes.writeDoubleBE(n, offset);
  offset = bytes.writeDoubleBE(low, offset);
  bytes.set(link, offset);
  offset = bytes.writeUInt16BE(parts.length, offset + linkBytes);
  for (const part of parts) {
    offset = bytes.writeUInt32BE(part.length, offset);
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** The head of any message. No record of a commit is decoded. */
export function headOf(data: Uint8Array): EpochRecord | CommitHead {
  const bytes = ofKnownForm(data);
  if (bytes[1] === epochKind) {
    return readStored('read an epoch record', bytes.subarray(epochPrefix.length), epochRecordForm);
  }
  return reading('read the head of a commit', () => {
    assertCommit(bytes);
    return {
      epoch: bytes.readDoubleBE(2),
      n: bytes.readDoubleBE(10),
      low: bytes.readDoubleBE(18),
      link: bytes.subarray(linkFrom, linkFrom + linkBytes),
    };
  });
}

/** The parts of a commit, still encoded; none of an epoch record. Decodes the events of the parts alone. */
export function groupsOf(subject: string, data: Uint8Array): PackedGroup[] {
  if (isCommitSubject(subject)) return reading(`read ${subject}`, () => partsOf(data));
  if (eventKeyOf(subject) === null) return [];
  const parts = reading(`read ${subject}`, () => partsOf(data));
  if (parts.length !== 1) throw new Fault(`read ${subject}: a commit of ${parts.length} parts stands there`);
  return parts;
}

function partsOf(data: Uint8Array): PackedGroup[] {
  const bytes = ofKnownForm(data);
  assertCommit(bytes);
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
export function readGroup(data: Uint8Array): LinkedGroup {
  return reading('read a part of a commit', () => decodePart(buffered(data)));
}

/** Whether a part with these records may follow the event's part before a gap: an operator has decided (I9). */
export function followsGap([first]: readonly JournalRecord[]): boolean {
  return first?.type === 'accepted' || first?.type === 'restored' || first?.type === 'created';
}

/** `data` is a part of a commit, from `groupsOf`. Its records are left out, and not decoded. */
export function readPartHead(data: Uint8Array): Part {
  return reading('read the head of a part', () => withoutRecords(buffered(data)));
}

function assertCommit(bytes: Buffer): void {
  if (bytes[1] !== commitKind) throw new Fault(`read a commit: its kind is ${bytes[1]}`);
}

/** Names the operation of a fault of the bytes themselves. */
function reading<T>(operation: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Fault ? error : new Fault(operation, error);
  }
}

function ofKnownForm(data: Uint8Array): Buffer {
  if (data[0] === journalForm) return buffered(data);
  throw new Fault(
    `read a message of the journal: it has form ${data[0]}, and this version of Parterre reads form ${journalForm}`,
  );
}

/** The same bytes, with the reads of a buffer. */
function buffered(data: Uint8Array): Buffer {
  return data instanceof Buffer ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
