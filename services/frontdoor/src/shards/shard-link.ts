/**
 * A direct link to one shard, over which batches go and replies come.
 *
 * States: down → connecting (the socket opens) → proving (both sides prove that they know the deployment secret) → open
 * → down. A link that fails or ends at any time is down, and connects again after a pause that doubles up to
 * `pauseMsMax`. An open link that is silent for `linkSilenceMs` is ended: its shard says four times a second that it is
 * alive. Batches that were under way when an open link ended have an unknown outcome, and `onLost` says so.
 */
import { connect, type Socket } from 'node:net';
import { Fault } from '@parterre/shared/protocol/errors';
import {
  batchFrame,
  type Challenge,
  FrameReader,
  frameBytesMax,
  frameKind,
  frameOf,
  handshakeMs,
  isWelcome,
  type LinkKeys,
  linkBacklogBytesMax,
  linkSilenceMs,
  type Proof,
  prove,
  readUndelivered,
  type Welcome,
} from '@parterre/shared/protocol/link/link';
import { decode, encode } from '@parterre/shared/protocol/wire';
import type { Clock } from '@parterre/shared/runtime/clock';

export type ShardLinkPorts = {
  clock: Clock;
  keys: LinkKeys;
  /** The subject on which this front door hears replies, without the number of the batch. */
  frontDoor: string;
  /** Encoded `Reply[]`, perhaps of several batches. */
  onReplies(payload: Uint8Array): void;
  /** No owner listens there at present. No command of the batch was delivered. */
  onUndelivered(batch: number): void;
  /** The shard sent a frame that cannot be read. The link ends. */
  onFault(fault: Fault): void;
  /** The link was open and is down. */
  onLost(): void;
};

const pauseMsFirst = 100;
const pauseMsMax = 10_000;
const lookEveryMs = 250;

export class ShardLink {
  readonly #ports: ShardLinkPorts;
  readonly #address: string;
  #socket: Socket | null = null;
  #isOpen = false;
  #isEnded = false;
  #isCorked = false;
  #pauseMs = pauseMsFirst;
  #heardAt = 0;
  readonly #uncork = (): void => {
    this.#isCorked = false;
    this.#socket?.uncork();
  };

  /** `address`: `host:port`, or the path or abstract name of a Unix socket. */
  constructor(address: string, ports: ShardLinkPorts) {
    this.#address = address;
    this.#ports = ports;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Call this on an open link only. The batches of one turn leave in one write. */
  send(partition: number, epoch: number, batch: number, payload: Uint8Array): void {
    const socket = this.#socket!;
    if (!this.#isCorked) {
      this.#isCorked = true;
      socket.cork();
      process.nextTick(this.#uncork);
    }
    socket.write(batchFrame(partition, epoch, batch, payload));
    if (socket.writableLength > linkBacklogBytesMax) socket.destroy();
  }

  end(): void {
    this.#isEnded = true;
    this.#socket?.destroy();
  }

  #connect(): void {
    if (this.#isEnded) return;
    const { clock } = this.#ports;
    const socket = connect(targetOf(this.#address));
    this.#socket = socket;
    this.#isCorked = false;
    this.#heardAt = clock.elapsed();
    const reader = new FrameReader(frameBytesMax);
    const onFrame = this.#frames();
    socket.setNoDelay(true);
    socket.unref();
    socket.on('data', (chunk) => {
      this.#heardAt = clock.elapsed();
      try {
        reader.read(chunk, onFrame);
      } catch (error) {
        this.#ports.onFault(new Fault(`read the direct link to ${this.#address}`, error));
        socket.destroy();
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => this.#onClose());
    clock.after(lookEveryMs, () => this.#look(socket));
  }

  /** Reads the frames of one connection, whose first two open it. */
  #frames(): (kind: number, body: Buffer) => void {
    const { keys, frontDoor, onReplies, onUndelivered } = this.#ports;
    let asked: Challenge | null = null;
    let proof: Proof | null = null;
    return (kind, body) => {
      if (this.#isOpen && kind === frameKind.replies) onReplies(body);
      else if (this.#isOpen && kind === frameKind.undelivered) onUndelivered(readUndelivered(body));
      else if (kind === frameKind.challenge && asked === null) {
        asked = decode<Challenge>(body);
        proof = prove(keys, asked, frontDoor);
        this.#socket!.write(frameOf(frameKind.proof, encode(proof)));
      } else if (kind === frameKind.welcome && asked && proof && isWelcome(keys, asked, proof, decode<Welcome>(body))) {
        this.#isOpen = true;
        this.#pauseMs = pauseMsFirst;
      } else if (kind !== frameKind.alive) this.#socket!.destroy();
    };
  }

  #look(socket: Socket): void {
    if (this.#socket !== socket) return;
    const { clock } = this.#ports;
    if (clock.elapsed() - this.#heardAt > (this.#isOpen ? linkSilenceMs : handshakeMs)) socket.destroy();
    else clock.after(lookEveryMs, () => this.#look(socket));
  }

  #onClose(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#socket = null;
    if (!this.#isEnded) this.#ports.clock.after(this.#pauseMs, () => this.#connect());
    this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
    if (wasOpen) this.#ports.onLost();
  }
}

function targetOf(address: string): { path: string } | { host: string; port: number } {
  if (address.startsWith('/') || address.startsWith('\0')) return { path: address };
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
}
