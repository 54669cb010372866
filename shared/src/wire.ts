/**
 * The encodings between services. Messages that live for one round trip use msgpackr's inline records, so that a batch
 * names its fields once. Stored data (journal, snapshots) is plain msgpack, which any msgpack library reads.
 */
import { Packr } from 'msgpackr';

const transient = new Packr({ useRecords: true, moreTypes: false });
const kept = new Packr({ useRecords: false, mapsAsObjects: true, moreTypes: false });

/** Encodes a message between services. The caller owns the bytes. */
export function encode(message: unknown): Uint8Array {
  return transient.pack(message);
}

export function decode<T>(bytes: Uint8Array): T {
  return transient.unpack(bytes) as T;
}

/** Encodes data of the journal or the object store. */
export function encodeKept(value: unknown): Uint8Array {
  return kept.pack(value);
}

export function decodeKept<T>(bytes: Uint8Array): T {
  return kept.unpack(bytes) as T;
}
