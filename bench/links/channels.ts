/** The ways between two event loops. Each way carries whole messages in both directions. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { MessagePort, Worker } from 'node:worker_threads';
import { FrameReader, frameBytesMax, frameKind, writeFrame } from '@parterre/shared/protocol/link/link';
import { RingReader, RingWriter } from './ring.ts';

export type Channel = { send(message: Uint8Array): void; hear(listener: (message: Uint8Array) => void): void };

export type WayName = 'socket' | 'copy' | 'transfer' | 'ring';
export const wayNames: WayName[] = ['socket', 'copy', 'transfer', 'ring'];

/** The order for a worker. */
export type WorkerSide = { way: WayName; toWorker: SharedArrayBuffer; fromWorker: SharedArrayBuffer };

/** `name`: of an abstract socket. */
export async function listenAt(name: string): Promise<Channel> {
  const server = createServer().listen(`\0${name}`);
  const [socket] = (await once(server, 'connection')) as [Socket];
  return overSocket(socket);
}

export async function connectTo(name: string): Promise<Channel> {
  const socket = connect(`\0${name}`);
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
