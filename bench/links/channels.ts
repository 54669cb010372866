/** The ways between two event loops. Each way carries whole messages in both directions. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { MessagePort, Worker } from 'node:worker_threads';
import { FrameReader, frameKind, writeFrame } from '@parterre/shared/link/link';
import { RingReader, RingWriter } from './ring.ts';

export type Channel = { send(message: Uint8Array): void; hear(listener: (message: Uint8Array) => void): void };

export type WayName = 'socket' | 'port-copy' | 'port-transfer' | 'ring-port' | 'ring-wait';
export const wayNames: WayName[] = ['socket', 'port-copy', 'port-transfer', 'ring-port', 'ring-wait'];

/** What a worker is told at its start. */
export type WorkerSide = { way: WayName; toWorker: SharedArrayBuffer; fromWorker: SharedArrayBuffer };

const frameBytesMax = 16 * 1024 * 1024;

export async function listenAt(path: string): Promise<Channel> {
  const server = createServer().listen(path.replace('@', '\0'));
  const [socket] = (await once(server, 'connection')) as [Socket];
  return overSocket(socket);
}

export async function connectTo(path: string): Promise<Channel> {
  const socket = connect(path.replace('@', '\0'));
  await once(socket, 'connect');
  return overSocket(socket);
}

function overSocket(socket: Socket): Channel {
  const reader = new FrameReader(frameBytesMax);
  return {
    send: (message) => writeFrame(socket, frameKind.batch, message),
    hear: (listener) => void socket.on('data', (chunk) => reader.read(chunk, (_, body) => listener(body))),
  };
}

export function overPort(port: MessagePort | Worker, isTransferred: boolean): Channel {
  return {
    send: (message) => port.postMessage(message, isTransferred ? [message.buffer as ArrayBuffer] : undefined),
    hear: (listener) => void (port as Worker).on('message', listener),
  };
}

/** The writer wakes the reader by an empty message. */
export function overRings(port: MessagePort | Worker, out: SharedArrayBuffer, into: SharedArrayBuffer): Channel {
  const writer = new RingWriter(out, () => port.postMessage(0));
  return {
    send: (message) => writer.write(message),
    hear(listener) {
      const reader = new RingReader(into, listener);
      (port as Worker).on('message', reader.look);
      reader.look();
    },
  };
}

type WaitAsync = { waitAsync(head: Int32Array, index: number, value: number): { value: Promise<string> | string } };

/** The writer wakes the reader by `Atomics.notify`. */
export function overWaitedRings(out: SharedArrayBuffer, into: SharedArrayBuffer): Channel {
  const writer = new RingWriter(out, (head, index) => void Atomics.notify(head, index));
  return {
    send: (message) => writer.write(message),
    hear(listener) {
      const reader: RingReader = new RingReader(into, listener, (head, index) => {
        const { value } = (Atomics as unknown as WaitAsync).waitAsync(head, index, 1);
        if (typeof value === 'string') setImmediate(reader.look);
        else void value.then(reader.look);
      });
      reader.look();
    },
  };
}
