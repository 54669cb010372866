/**
 * The encodings between services. Messages that live for one round trip use msgpackr's inline records, so that a batch
 * names its fields once. Stored data (journal, snapshots) is plain msgpack, which any msgpack library reads.
 *
 * `decode` gives a message its type without a check. This is right between services of one build: the sender made the
 * message from the same type, NATS lets only the services publish there, and a direct link is proven first. A check of
 * every field would cost more than the command that the message carries. Every caller of `decode` catches an unreadable
 * message and logs the cause, so such a message ends no process.
 *
 * Stored bytes are another matter: an earlier build or a person may have written them. `stored.ts` checks them, and the
 * journal's room checks its layouts while it reads them (journal/messages.ts).
 */
import { Packr, RESERVE_START_SPACE } from 'msgpackr';
import { shapes } from './link/shapes.ts';

const transient = new Packr({ useRecords: true, moreTypes: false });
const shaped = new Packr({
  useRecords: true,
  moreTypes: false,
  structures: shapes.map((fields) => [...fields]),
  maxSharedStructures: shapes.length,
});
/** No message of msgpack begins so. */
const shapedMark = 0xc1;
const kept = new Packr({ useRecords: false, mapsAsObjects: true, moreTypes: false });

/** Encodes a message between services. The caller owns the bytes. */
export function encode(message: unknown): Uint8Array {
  return transient.pack(message);
}

/**
 * As `encode`, for the other end of a direct link, which knows the shapes. A message names no field of a known shape,
 * and is read in a third of the time.
 */
export function encodeShaped(message: unknown): Uint8Array {
  const bytes = shaped.pack(message, RESERVE_START_SPACE + 1);
  bytes[0] = shapedMark;
  return bytes;
}

/** A value in the bytes of `encode`, for messages that are made of it more than once or elsewhere. */
export class Encoded {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Encodes a list of one object, whose last field has an encoded value. `decode` reads it as every message. */
export function encodeEndingIn(object: object, lastField: string, { bytes }: Encoded): Uint8Array {
  // The null that stands for the value is the last byte.
  const head = transient.pack([{ ...object, [lastField]: null }]);
  const message = Buffer.allocUnsafeSlow(head.length - 1 + bytes.length);
  message.set(head.subarray(0, -1));
  message.set(bytes, head.length - 1);
  return message;
}

export function decode<T>(bytes: Uint8Array): T {
  return (bytes[0] === shapedMark ? shaped.unpack(bytes.subarray(1)) : transient.unpack(bytes)) as T;
}

/** Encodes data of the journal, the object store or a queue. */
export function encodeKept(value: unknown): Uint8Array {
  return kept.pack(value);
}

/** Unchecked: `stored.ts`, the journal's room, and the front door for viewers' messages check the value. */
export function decodeKept<T>(bytes: Uint8Array): T {
  return kept.unpack(bytes) as T;
}
