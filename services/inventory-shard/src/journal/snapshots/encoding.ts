/**
 * A snapshot as bytes, made and hashed in steps. The bytes are plain msgpack: a map of the snapshot's fields. The
 * library encodes a value in one go, and grows its buffer on the way, which takes tens of milliseconds for a large
 * event. Here the library encodes field by field, and the fields that are bytes already are copied piece by piece.
 */
import { createHash } from 'node:crypto';
import { encodeKept } from '@parterre/shared/protocol/wire';
import type { Steps } from '../../rules/packed/packed.ts';
import type { Snapshot } from '../../rules/turn/turn.ts';
import { snapshotStepBytes } from '../bounds.ts';

/** The markers of msgpack for a map of up to 2^16 fields, and for up to 2^32 bytes. */
const map16 = 0xde;
const bin32 = 0xc6;

/** `decodeKept` reads the result. */
export function* encodeInSteps(snapshot: Snapshot): Steps<Uint8Array> {
  const fields = Object.entries(snapshot);
  const pieces: Uint8Array[] = [Uint8Array.of(map16, fields.length >> 8, fields.length & 0xff)];
  for (const [name, value] of fields) {
    pieces.push(encodeKept(name));
    if (value instanceof Uint8Array) {
      const head = Buffer.from([bin32, 0, 0, 0, 0]);
      head.writeUInt32BE(value.length, 1);
      pieces.push(head, value);
    } else pieces.push(encodeKept(value));
    yield;
  }
  return yield* joined(pieces);
}

function* joined(pieces: readonly Uint8Array[]): Steps<Uint8Array> {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let length = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += snapshotStepBytes) {
      const part = piece.subarray(at, at + snapshotStepBytes);
      bytes.set(part, length);
      length += part.length;
      if (part.length === snapshotStepBytes) yield;
    }
  }
  return bytes;
}

/** SHA-256, in base64url. */
export function* hashInSteps(bytes: Uint8Array): Steps<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += snapshotStepBytes) {
    hash.update(bytes.subarray(at, at + snapshotStepBytes));
    yield;
  }
  return hash.digest('base64url');
}
