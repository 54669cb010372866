/** The entries of a packed map, as they stand one behind the other in a chunk of bytes. */
import type { Steps } from './steps.ts';

/** The head of an entry: its length, and whether it is dead. */
export const headBytes = 4;

/** The chunks of a map as they were at one time. No entry before `from` is live. `live` counts bytes. */
export type CapturedMap = { chunks: readonly { bytes: Buffer; used: number; from: number }[]; live: number };

export function lengthOf(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) >>> 1;
}

export function isDead(bytes: Buffer, at: number): boolean {
  return (bytes[at]! & 1) === 1;
}

/** Copies the live entries without gaps, a chunk a step. */
export function* livingOf({ chunks, live }: CapturedMap): Steps<Uint8Array> {
  const living = Buffer.allocUnsafeSlow(live);
  let length = 0;
  for (const { bytes, used, from } of chunks) {
    for (let at = from; at < used; ) {
      let end = at;
      while (end < used && !isDead(bytes, end)) end += lengthOf(bytes, end);
      length += bytes.copy(living, length, at, end);
      for (at = end; at < used && isDead(bytes, at); ) at += lengthOf(bytes, at);
    }
    yield;
  }
  return living;
}
