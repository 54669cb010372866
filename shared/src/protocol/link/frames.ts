/**
 * The frames of a direct link between a front door and a shard: the length of the rest (u32, little-endian), the kind
 * (u8), then the body. Numbers of a body are little-endian too.
 */
import type { Writable } from 'node:stream';
import { KIB } from '../../runtime/units.ts';
import { Fault } from '../errors.ts';

export const frameKind = {
  /** Shard → front door, first: the shard's challenge. */
  challenge: 1,
  /** Front door → shard: its name, and the proof that it knows the secret. */
  proof: 2,
  /** Shard → front door: the shard's proof. The link is open. */
  welcome: 3,
  /** Front door → shard: a batch of commands to an owner. */
  batch: 4,
  /** Shard → front door: replies, as in a message of NATS. */
  replies: 5,
  /** Shard → front door: no owner of that epoch is here, and the batch was not taken. */
  undelivered: 6,
  /** Shard → front door, again and again: the shard is alive. */
  alive: 7,
} as const;

const headBytes = 5;
/** The copy of a smaller body costs less than a second write. */
const copiedBytesMax = 16 * KIB;
/** A batch: partition (u32), epoch (f64), number of the batch (f64), then the encoded commands. */
const batchHeadBytes = 20;

export type BatchFrame = { partition: number; epoch: number; batch: number; payload: Uint8Array };

export function frameOf(kind: number, body: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(headBytes + body.length);
  frame.writeUInt32LE(1 + body.length, 0);
  frame[4] = kind;
  frame.set(body, headBytes);
  return frame;
}

/** Writes a frame. A large body leaves as it is, without a copy. */
export function writeFrame(socket: Writable, kind: number, body: Uint8Array): void {
  if (body.length < copiedBytesMax) {
    socket.write(frameOf(kind, body));
    return;
  }
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(1 + body.length, 0);
  head[4] = kind;
  socket.cork();
  socket.write(head);
  socket.write(body);
  socket.uncork();
}

export function batchFrame(partition: number, epoch: number, batch: number, payload: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(headBytes + batchHeadBytes + payload.length);
  frame.writeUInt32LE(1 + batchHeadBytes + payload.length, 0);
  frame[4] = frameKind.batch;
  frame.writeUInt32LE(partition, 5);
  frame.writeDoubleLE(epoch, 9);
  frame.writeDoubleLE(batch, 17);
  frame.set(payload, headBytes + batchHeadBytes);
  return frame;
}

export function readBatch(body: Buffer): BatchFrame {
  if (body.length < batchHeadBytes) throw new Fault('read a batch of a link: it is too short');
  return {
    partition: body.readUInt32LE(0),
    epoch: body.readDoubleLE(4),
    batch: body.readDoubleLE(12),
    payload: body.subarray(batchHeadBytes),
  };
}

export function undeliveredBody(batch: number): Uint8Array {
  const body = Buffer.allocUnsafe(8);
  body.writeDoubleLE(batch, 0);
  return body;
}

export function readUndelivered(body: Buffer): number {
  return body.readDoubleLE(0);
}

/**
 * Cuts a stream of bytes into frames. Throws a `Fault` for a frame longer than `bytesMax`. The bodies share memory with
 * the chunks.
 */
export class FrameReader {
  /** Settable: strangers may send little, known peers more. */
  bytesMax: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  read(chunk: Buffer, onFrame: (kind: number, body: Buffer) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length - at >= headBytes) {
      const length = bytes.readUInt32LE(at);
      if (length < 1 || length > this.bytesMax) throw new Fault(`read a frame of a link: ${length} bytes`);
      const end = at + 4 + length;
      if (end > bytes.length) break;
      onFrame(bytes[at + 4]!, bytes.subarray(at + headBytes, end));
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }
}
