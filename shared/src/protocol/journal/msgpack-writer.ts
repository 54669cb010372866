/**
 * Writes msgpack values one after the other, without a tree of lists between the records and the bytes. Any msgpack
 * library reads the values. A whole number takes the fewest bytes, and any other number takes 8.
 *
 * There is one writer, since nothing awaits within a part. `beginWriting` drops what a failed part left behind.
 */
import { Fault } from '../errors.ts';
import { encodeKept } from '../wire.ts';

/** Messages share the memory of a slab: a small allocation of its own would cost as much as a text. */
const slabBytes = 65_536;
/** Shorter texts are written letter by letter, up to the first letter that is not ASCII. */
const lettersMax = 64;
const bytesOfLetterMax = 3;
const shortTextBytesMax = 0xff;

const nil = 0xc0;
const no = 0xc2;
const yes = 0xc3;
const none = Buffer.alloc(0);

let target = none;
let start = 0;
let end = 0;

export function beginWriting(): void {
  end = start;
}

/** The bytes since `beginWriting`. The caller owns them. */
export function takeWritten(): Buffer {
  const written = target.subarray(start, end);
  start = end;
  if (target.length > slabBytes) {
    target = none;
    start = 0;
    end = 0;
  }
  return written;
}

function makeRoom(bytes: number): void {
  if (end + bytes <= target.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(slabBytes, 2 * (end - start + bytes)));
  target.copy(larger, 0, start, end);
  target = larger;
  end -= start;
  start = 0;
}

/** Not msgpack: one byte. */
export function writeByte(value: number): void {
  makeRoom(1);
  target[end++] = value;
}

/** Not msgpack: these bytes. */
export function writeBytes(bytes: Uint8Array): void {
  makeRoom(bytes.length);
  target.set(bytes, end);
  end += bytes.length;
}

/** Not msgpack: eight bytes. */
export function writeDouble(value: number): void {
  makeRoom(8);
  end = target.writeDoubleBE(value, end);
}

/** Not msgpack: the length in one byte, and the text. */
export function writeShortText(text: string): void {
  makeRoom(1 + bytesOfLetterMax * text.length);
  const bytes = putText(text, end + 1);
  if (bytes > shortTextBytesMax) throw new Fault(`encode "${text}": it has more than ${shortTextBytesMax} bytes`);
  target[end] = bytes;
  end += 1 + bytes;
}

export function writeNil(): void {
  writeByte(nil);
}

export function writeFlag(value: boolean): void {
  writeByte(value ? yes : no);
}

export function writeNumber(value: number): void {
  makeRoom(9);
  if (value >>> 0 !== value) {
    if (typeof value !== 'number') throw new Fault(`encode ${String(value)} as a number`);
    target[end] = 0xcb;
    end = target.writeDoubleBE(value, end + 1);
  } else if (value < 0x80) target[end++] = value;
  else if (value < 0x100) {
    target[end++] = 0xcc;
    target[end++] = value;
  } else if (value < 0x1_0000) {
    target[end++] = 0xcd;
    target[end++] = value >> 8;
    target[end++] = value & 0xff;
  } else {
    target[end] = 0xce;
    end = target.writeUInt32BE(value, end + 1);
  }
}

export function writeText(text: string): void {
  if (typeof text !== 'string') throw new Fault(`encode ${String(text)} as a text`);
  makeRoom(5 + bytesOfLetterMax * text.length);
  const expected = bytesOfTextHead(text.length);
  const bytes = putText(text, end + expected);
  const head = bytesOfTextHead(bytes);
  if (head !== expected) target.copyWithin(end + head, end + expected, end + expected + bytes);
  if (head === 1) target[end] = 0xa0 | bytes;
  else if (head === 2) {
    target[end] = 0xd9;
    target[end + 1] = bytes;
  } else if (head === 3) {
    target[end] = 0xda;
    target.writeUInt16BE(bytes, end + 1);
  } else {
    target[end] = 0xdb;
    target.writeUInt32BE(bytes, end + 1);
  }
  end += head + bytes;
}

function bytesOfTextHead(bytes: number): number {
  if (bytes < 0x20) return 1;
  if (bytes < 0x100) return 2;
  return bytes < 0x1_0000 ? 3 : 5;
}

/** Returns the bytes of the text. */
function putText(text: string, at: number): number {
  const { length } = text;
  const bytes = target;
  if (length >= lettersMax) return bytes.write(text, at);
  for (let i = 0; i < length; i++) {
    const letter = text.charCodeAt(i);
    if (letter >= 0x80) return bytes.write(text, at);
    bytes[at + i] = letter;
  }
  return length;
}

/** `length` values follow. */
export function writeList(length: number): void {
  makeRoom(5);
  if (length < 0x10) target[end++] = 0x90 | length;
  else if (length < 0x1_0000) {
    target[end] = 0xdc;
    end = target.writeUInt16BE(length, end + 1);
  } else {
    target[end] = 0xdd;
    end = target.writeUInt32BE(length, end + 1);
  }
}

/** Any value, with the names of its fields. */
export function writeNamed(value: unknown): void {
  const bytes = encodeKept(value);
  makeRoom(bytes.length);
  target.set(bytes, end);
  end += bytes.length;
}
