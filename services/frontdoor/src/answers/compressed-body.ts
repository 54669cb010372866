/**
 * Compressed bodies of a large part that was compressed once, and a rest that differs from answer to answer. The rest
 * follows in the same stream as it is: as stored blocks of gzip (RFC 1951, 3.2.4; RFC 1952), or as uncompressed
 * meta-blocks of brotli (RFC 7932, 9.2). So nothing is compressed while a request waits.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, deflateRaw } from 'node:zlib';
import type { Encoding } from './encoding.ts';

/** Blocks that further blocks may follow. `crc` and `length` are those of the bytes before, for gzip. */
export type Compressed = { encoding: Encoding; bytes: Buffer; crc: number; length: number };

const deflateBytes = promisify(deflateRaw);
const brotliBytes = promisify(brotliCompress);
/** Two thirds of the bytes of gzip, in twice its time. Higher qualities take ten times as long. */
const BROTLI_QUALITY = 5;
const GZIP_BLOCK_BYTES = 65_535;
const BROTLI_BLOCK_BYTES = 65_536;
/** No name, no time, an unknown file system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const brotliEnd = Buffer.from([3]);

/** Compresses on a thread of the pool. */
export async function compressed(bytes: Buffer, encoding: Encoding): Promise<Compressed> {
  const { length } = bytes;
  if (encoding === 'gzip') {
    const blocks = await deflateBytes(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    return { encoding, bytes: blocks, crc: crc32(bytes), length };
  }
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: length };
  const blocks = await brotliBytes(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH, params });
  return { encoding, bytes: blocks, crc: 0, length };
}

/** Nothing yet, as gzip. */
const nothing: Compressed = { encoding: 'gzip', bytes: Buffer.alloc(0), crc: 0, length: 0 };

/**
 * `first` with further bytes behind it, which are compressed in a hurry, on a thread of the pool. For gzip alone:
 * blocks of brotli count on those before them.
 */
export async function extended(more: Buffer, first = nothing): Promise<Compressed> {
  const blocks = await deflateBytes(more, { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_SYNC_FLUSH });
  const bytes = Buffer.concat([first.bytes, blocks]);
  return { encoding: 'gzip', bytes, crc: crc32(more, first.crc), length: first.length + more.length };
}

/** The stream of `first` alone, in one piece. */
export function wholeBody(first: Compressed): Buffer {
  return Buffer.concat(compressedBody(first, Buffer.alloc(0)));
}

/** The stream of `first` and `rest`, one behind the other. */
export function compressedBody(first: Compressed, rest: Buffer): readonly Uint8Array[] {
  return first.encoding === 'gzip' ? gzipBody(first, rest) : brotliBody(first, rest);
}

function gzipBody({ bytes, crc, length }: Compressed, rest: Buffer): Uint8Array[] {
  const body: Uint8Array[] = [gzipHeader, bytes];
  let from = 0;
  do {
    const part = rest.subarray(from, from + GZIP_BLOCK_BYTES);
    from += GZIP_BLOCK_BYTES;
    const head = Buffer.allocUnsafe(5);
    head.writeUInt8(from >= rest.length ? 1 : 0);
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(~part.length & 0xffff, 3);
    body.push(head, part);
  } while (from < rest.length);
  const trailer = Buffer.allocUnsafe(8);
  // The library takes an empty part for a fresh start.
  trailer.writeUInt32LE(rest.length === 0 ? crc : crc32(rest, crc));
  trailer.writeUInt32LE((length + rest.length) % 2 ** 32, 4);
  return [...body, trailer];
}

function brotliBody({ bytes }: Compressed, rest: Buffer): Uint8Array[] {
  const body: Uint8Array[] = [bytes];
  for (let from = 0; from < rest.length; from += BROTLI_BLOCK_BYTES) {
    const part = rest.subarray(from, from + BROTLI_BLOCK_BYTES);
    const head = Buffer.allocUnsafe(3);
    // Not the last, a length of 16 bits, uncompressed.
    head.writeUIntLE(((part.length - 1) << 3) | (1 << 19), 0, 3);
    body.push(head, part);
  }
  return [...body, brotliEnd];
}
