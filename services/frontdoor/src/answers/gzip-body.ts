/**
 * Gzip bodies (RFC 1952) of a large part that was compressed once, and a rest that differs from answer to answer. The
 * rest follows as stored blocks of the same stream (RFC 1951, 3.2.4): nothing is compressed while a request waits.
 */
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

/** Compressed blocks that further blocks may follow; `crc` and `length` are those of the bytes before. */
export type Deflated = { bytes: Buffer; crc: number; length: number };

const deflateBytes = promisify(deflateRaw);
const STORED_BYTES_MAX = 65_535;
const STORED_HEAD_BYTES = 5;
const TRAILER_BYTES = 8;
/** No name, no time, an unknown file system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Compresses on a thread of the pool. */
export async function deflated(bytes: Buffer): Promise<Deflated> {
  const blocks = await deflateBytes(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes: blocks, crc: crc32(bytes), length: bytes.length };
}

/** The gzip stream of `first` and `rest`, one behind the other. */
export function gzipBody({ bytes, crc, length }: Deflated, rest: Buffer): readonly Uint8Array[] {
  const blocks = Math.max(1, Math.ceil(rest.length / STORED_BYTES_MAX));
  const end = Buffer.allocUnsafe(rest.length + blocks * STORED_HEAD_BYTES + TRAILER_BYTES);
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    const part = rest.subarray(block * STORED_BYTES_MAX, (block + 1) * STORED_BYTES_MAX);
    at = end.writeUInt8(block === blocks - 1 ? 1 : 0, at);
    at = end.writeUInt16LE(part.length, at);
    at = end.writeUInt16LE(~part.length & 0xffff, at);
    at += part.copy(end, at);
  }
  // The library takes an empty part for a fresh start.
  at = end.writeUInt32LE(rest.length === 0 ? crc : crc32(rest, crc), at);
  end.writeUInt32LE((length + rest.length) % 2 ** 32, at);
  return [header, bytes, end];
}
