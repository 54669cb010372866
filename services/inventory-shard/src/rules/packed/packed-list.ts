/** Lists of plain values as bytes, written and read in steps. */
import { Packer, Unpacker } from './packing.ts';
import type { Steps } from './steps.ts';

const valuesPerStep = 250;

/** The values one behind the other. */
export function* packedInSteps<V>(values: Iterable<V>, pack: (to: Packer, value: V) => void): Steps<Uint8Array> {
  const to = new Packer();
  let n = 0;
  for (const value of values) {
    pack(to, value);
    if (++n % valuesPerStep === 0) yield;
  }
  return Uint8Array.prototype.slice.call(to.bytes, 0, to.length);
}

/** Calls `read` until the bytes end. */
export function* unpackedInSteps(bytes: Uint8Array, read: (from: Unpacker) => void): Steps<void> {
  const from = new Unpacker();
  from.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let n = 1; from.at < bytes.length; n++) {
    read(from);
    if (n % valuesPerStep === 0) yield;
  }
}
