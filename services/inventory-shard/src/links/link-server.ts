/**
 * Direct links: front doors connect to this shard, send batches of commands, and get their replies over the same
 * socket. NATS remains the way for everything else, for front doors without a link, and for replies whose link is gone.
 * A link decides nothing about ownership: a batch names the epoch of its owner, as its subject does on NATS.
 *
 * States of a connection: proving (the challenge is sent; ends without a proof after `handshakeMs`) → open → closed. A
 * connection is closed at any time by its other side, by a frame that cannot be read, or by a backlog above
 * `linkBacklogBytesMax`. A front door has one open link here: a second takes the place of the first. Closing loses the
 * replies under way; the front door then asks again over NATS (I5), under the same name, and so its second copy is
 * recognised.
 *
 * Nothing here is awaited but the opening of the port. If that fails, the shard works without links.
 */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  aliveEveryMs,
  challenge,
  FrameReader,
  frameBytesMax,
  frameKind,
  handshakeFrameBytesMax,
  handshakeMs,
  type LinkKeys,
  linkBacklogBytesMax,
  type Proof,
  provenKey,
  readBatch,
  undeliveredBody,
  welcome,
  writeFrame,
} from '@parterre/shared/protocol/link/link';
import { decode, encode } from '@parterre/shared/protocol/wire';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Take } from '../partition/partition.ts';

export type LinkServerPorts = { keys: LinkKeys; clock: Clock; log: Logger };

/** The port of the links: a host and a port, or null for a Unix socket. */
export type LinkPort = { host: string; port: number } | null;

const nothing = new Uint8Array(0);

type Connection = { socket: Socket; frontDoor: string | null };

/**
 * The bounds of direct links (I8). Bounds that front doors share are in shared/link.
 *
 * Connections of front doors, open and proving.
 */
const linksMax = 1_024;

export class LinkServer {
  readonly #ports: LinkServerPorts;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  /** Open links by the subject on which their front door hears replies. */
  readonly #links = new Map<string, Connection>();
  /** By partition: the term that takes batches here. */
  readonly #takers = new Map<number, { epoch: number; take: Take }>();
  #path: string | null = null;

  constructor(ports: LinkServerPorts) {
    this.#ports = ports;
    this.#server = createServer({ noDelay: true, keepAlive: true }, (socket) => this.#onConnection(socket));
    this.#server.maxConnections = linksMax;
  }

  get size(): number {
    return this.#links.size;
  }

  /** Resolves with the address for front doors, or with null if the port cannot be opened. */
  async listen(port: LinkPort): Promise<string | null> {
    try {
      if (port === null) this.#path = newPath();
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject);
        this.#server.listen(port ?? { path: this.#path! }, () => resolve());
      });
    } catch (error) {
      this.#ports.log.warn({ err: error }, 'direct links cannot be opened: commands come over NATS alone');
      return null;
    }
    this.#server.unref();
    this.#tellAlive();
    return this.#path ?? `${reachable(port!.host)}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on, batches to this term of the partition are given to `take`. The returned function ends that. */
  deliver(partition: number, epoch: number, take: Take): () => void {
    const taker = { epoch, take };
    this.#takers.set(partition, taker);
    return () => {
      if (this.#takers.get(partition) === taker) this.#takers.delete(partition);
    };
  }

  /** The front door's link, for this turn. Null without one. */
  linkOf(frontDoor: string): { answer(payload: Uint8Array): void } | null {
    const link = this.#links.get(frontDoor);
    return link ? { answer: (payload) => this.#send(link, frameKind.replies, payload) } : null;
  }

  close(): void {
    this.#server.close();
    for (const { socket } of this.#connections) socket.destroySoon();
    if (this.#path?.startsWith('/')) rmSync(dirname(this.#path), { recursive: true, force: true });
  }

  #tellAlive(): void {
    for (const link of this.#links.values()) this.#send(link, frameKind.alive, nothing);
    if (this.#server.listening) this.#ports.clock.after(aliveEveryMs, () => this.#tellAlive());
  }

  #onConnection(socket: Socket): void {
    const { clock, log } = this.#ports;
    const connection: Connection = { socket, frontDoor: null };
    const asked = challenge();
    const reader = new FrameReader(handshakeFrameBytesMax);
    const onFrame = (kind: number, body: Buffer): void => {
      if (connection.frontDoor !== null) this.#onFrame(connection, kind, body);
      else if (!this.#open(connection, asked, kind, body)) socket.destroy();
      else reader.bytesMax = frameBytesMax;
    };
    this.#connections.add(connection);
    clock.after(handshakeMs, () => connection.frontDoor === null && socket.destroy());
    socket.on('data', (chunk) => {
      try {
        reader.read(chunk, onFrame);
      } catch (error) {
        log.warn({ err: error }, 'a direct link is closed: its frames cannot be read');
        socket.destroy();
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose(connection));
    this.#send(connection, frameKind.challenge, encode(asked));
  }

  #open(connection: Connection, asked: ReturnType<typeof challenge>, kind: number, body: Buffer): boolean {
    const { keys, log } = this.#ports;
    const proof = kind === frameKind.proof ? decode<Proof>(body) : null;
    const key = proof && provenKey(keys, asked, proof);
    if (!key) {
      log.warn('a direct link is refused: its front door has another deployment secret or another version');
      return false;
    }
    connection.frontDoor = proof.frontDoor;
    this.#links.get(proof.frontDoor)?.socket.destroy();
    this.#links.set(proof.frontDoor, connection);
    this.#send(connection, frameKind.welcome, encode(welcome(key, asked, proof)));
    return true;
  }

  #onFrame(connection: Connection, kind: number, body: Buffer): void {
    if (kind !== frameKind.batch) return;
    const { partition, epoch, batch, payload } = readBatch(body);
    const taker = this.#takers.get(partition);
    if (taker?.epoch === epoch) taker.take(payload, `${connection.frontDoor}.${batch}`);
    else this.#send(connection, frameKind.undelivered, undeliveredBody(batch));
  }

  #send({ socket }: Connection, kind: number, body: Uint8Array): void {
    if (socket.writableLength > linkBacklogBytesMax) socket.destroy();
    else writeFrame(socket, kind, body);
  }

  #onClose(connection: Connection): void {
    this.#connections.delete(connection);
    const { frontDoor } = connection;
    if (frontDoor !== null && this.#links.get(frontDoor) === connection) this.#links.delete(frontDoor);
  }
}

/**
 * An abstract name on Linux. The name goes with its process, also after a kill. It has no permissions: any local
 * process may connect, and the handshake refuses strangers. Elsewhere a file in a folder of this user.
 */
function newPath(): string {
  return process.platform === 'linux'
    ? `\0parterre-link-${randomUUID()}`
    : join(mkdtempSync(join(tmpdir(), 'parterre-link-')), 'socket');
}

/** A server that listens on every address is reached by the name of its machine. */
function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? hostname() : host;
}
