/**
 * The encodings between our services. Messages that live for one round trip use msgpackr's inline records, so that a
 * batch names its fields once; what is kept (journal, snapshots) is plain msgpack, readable by any msgpack library.
 */
import { Packr } from 'msgpackr';

const transient = new Packr({ useRecords: true, moreTypes: false });
const kept = new Packr({ useRecords: false, mapsAsObjects: true, moreTypes: false });

/** Encodes a message between services. The bytes are the caller's own. */
export function encode(message: unknown): Uint8Array {
  return transient.pack(message);
}

export function decode<T>(bytes: Uint8Array): T {
  return transient.unpack(bytes) as T;
}

/** Encodes what the journal or the object store keeps. */
export function encodeKept(value: unknown): Uint8Array {
  return kept.pack(value);
}

export function decodeKept<T>(bytes: Uint8Array): T {
  return kept.unpack(bytes) as T;
}
