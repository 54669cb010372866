/**
 * Reads msgpack values one after the other, as `msgpack-writer.ts` writes them. A value of another kind than the
 * expected kind is a fault.
 *
 * There is one reader, since nothing awaits within a part. `beginReading` forgets a part that could not be read.
 */
import { Fault } from '../errors.ts';
import { decodeKept } from '../wire.ts';

/** `repeatedText` remembers no longer text. */
const repeatedBytesMax = 64;
const nil = 0xc0;
const no = 0xc2;
const yes = 0xc3;
/** The bytes behind the marks 0xca to 0xd8: of numbers, and of extensions with a fixed length. */
const fixedFrom = 0xca;
const fixedBytes = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17];
const none = Buffer.alloc(0);

let source: Buffer = none;
let position = 0;

/** Reads `bytes` from `from` on. */
export function beginReading(bytes: Buffer, from: number): void {
  source = bytes;
  position = from;
}

/** Throws if bytes are left, or if more was read than there was. */
export function endReading(): void {
  const { length } = source;
  source = none;
  if (position !== length) throw new Fault(`decode ${length} bytes: ${position} were read`);
}

/** Not msgpack: one byte. */
export function readByte(): number {
  position++;
  return source.readUInt8(position - 1);
}

/** Not msgpack: so many bytes, which share the memory of what is read. */
export function readBytes(bytes: number): Uint8Array {
  position += bytes;
  return source.subarray(position - bytes, position);
}

/** Not msgpack: eight bytes. */
export function readDouble(): number {
  position += 8;
  return source.readDoubleBE(position - 8);
}

function unexpected(kind: string): Fault {
  return new Fault(`decode ${kind} at byte ${position} of ${source.length}: the byte is ${source[position]}`);
}

/** Whether the next value is nil, which is then behind. */
export function takeNil(): boolean {
  if (source[position] !== nil) return false;
  position++;
  return true;
}

export function readFlag(): boolean {
  const mark = source[position];
  if (mark !== yes && mark !== no) throw unexpected('a flag');
  position++;
  return mark === yes;
}

export function readNumber(): number {
  const mark = source[position]!;
  if (mark < 0x80) {
    position++;
    return mark;
  }
  const from = position + 1;
  switch (mark) {
    case 0xcb:
      position += 9;
      return source.readDoubleBE(from);
    case 0xcc:
      position += 2;
      return source.readUInt8(from);
    case 0xcd:
      position += 3;
      return source.readUInt16BE(from);
    case 0xce:
      position += 5;
      return source.readUInt32BE(from);
    default:
      throw unexpected('a number');
  }
}

export function readText(): string {
  const length = readTextHead();
  const from = position;
  position += length;
  return source.toString('utf8', from, position);
}

/** Returns the bytes of the text that follows. */
function readTextHead(): number {
  const mark = source[position]!;
  if ((mark & 0xe0) === 0xa0) {
    position++;
    return mark & 0x1f;
  }
  const head = position + 1;
  if (mark === 0xd9) {
    position += 2;
    return source.readUInt8(head);
  }
  if (mark === 0xda) {
    position += 3;
    return source.readUInt16BE(head);
  }
  if (mark !== 0xdb) throw unexpected('a text');
  position += 5;
  return source.readUInt32BE(head);
}

/** Reads texts of which many follow each other unchanged: the last one is compared instead of decoded. */
export function repeatedText(readHead = readTextHead): () => string {
  const known = new Uint8Array(repeatedBytesMax);
  let knownLength = 0;
  let knownText = '';
  return () => {
    const length = readHead();
    const from = position;
    position += length;
    if (length === knownLength) {
      let i = 0;
      while (i < length && known[i] === source[from + i]) i++;
      if (i === length) return knownText;
    }
    const text = source.toString('utf8', from, position);
    if (length > repeatedBytesMax || position > source.length) return text;
    for (let i = 0; i < length; i++) known[i] = source[from + i]!;
    knownLength = length;
    knownText = text;
    return text;
  };
}

/** The number of values that follow. */
export function readList(): number {
  const mark = source[position]!;
  const from = position + 1;
  if ((mark & 0xf0) === 0x90) {
    position++;
    return mark & 0x0f;
  }
  if (mark === 0xdc) {
    position += 3;
    return source.readUInt16BE(from);
  }
  if (mark !== 0xdd) throw unexpected('a list');
  position += 5;
  return source.readUInt32BE(from);
}

export function readNamed<T>(): T {
  const from = position;
  skipValues(1);
  return decodeKept<T>(source.subarray(from, position));
}

/** Passes over values of any kind. */
export function skipValues(count: number): void {
  for (let left = count; left > 0; left--) left += skipHead();
}

/** Passes over a value, without the values within. Returns their number. */
function skipHead(): number {
  const mark = source[position];
  if (mark === undefined || mark === 0xc1) throw unexpected('a value');
  const from = position + 1;
  position = from;
  if (mark < 0x80 || mark >= 0xe0) return 0;
  if (mark < 0x90) return 2 * (mark & 0x0f);
  if (mark < 0xa0) return mark & 0x0f;
  if (mark < 0xc0) return skipBytes(mark & 0x1f);
  switch (mark) {
    case 0xc0:
    case 0xc2:
    case 0xc3:
      return 0;
    case 0xc4:
    case 0xd9:
      return skipBytes(1 + source.readUInt8(from));
    case 0xc5:
    case 0xda:
      return skipBytes(2 + source.readUInt16BE(from));
    case 0xc6:
    case 0xdb:
      return skipBytes(4 + source.readUInt32BE(from));
    case 0xc7:
      return skipBytes(2 + source.readUInt8(from));
    case 0xc8:
      return skipBytes(3 + source.readUInt16BE(from));
    case 0xc9:
      return skipBytes(5 + source.readUInt32BE(from));
    case 0xdc:
      return source.readUInt16BE(from) + skipBytes(2);
    case 0xdd:
      return source.readUInt32BE(from) + skipBytes(4);
    case 0xde:
      return 2 * source.readUInt16BE(from) + skipBytes(2);
    case 0xdf:
      return 2 * source.readUInt32BE(from) + skipBytes(4);
    default:
      return skipBytes(fixedBytes[mark - fixedFrom]!);
  }
}

/** Passes over bytes of any meaning. */
export function skipBytes(bytes: number): 0 {
  position += bytes;
  return 0;
}
