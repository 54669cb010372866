/**
 * Watches what appends need: the storage of the journal in NATS, and room on the disk of the data folder. The shard's
 * beats tell both to the front doors, and the log tells each change once.
 *
 * States of the storage: ok ⇄ down. Every `storeLookMs` the stream of one owned partition, each in its turn, is asked
 * for its state. The leader of the stream names the copies that it hears. The awaits and their failures:
 * - The answer of the stream. No answer within `storeAnswerMsMax`, a server without JetStream (it switches JetStream
 *   off
 *   when its disk is full), or a leader that does not hear a majority of copies → a bad look.
 * - A look at the disk. An error → the disk counts as ok: the look is a warning beforehand, and decides nothing.
 * The storage is down once no look was good for `storeSilenceMs`. It is down as well while an append waits for its ack
 * as long, and no other partition has got an ack since: a stream whose disk is full may tell its state and take no
 * append. One stream of many that elects its leader is not down.
 *
 * States of the disk: ok → low (90 % used) → full (`diskBytesMin` left), and back. 80 % used is a line in the log.
 */
import { statfs } from 'node:fs/promises';
import type { StreamInfo } from '@nats-io/jetstream';
import type { Beat, DiskState } from '@parterre/shared/protocol/beat';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Partition } from '../partition/partition.ts';
import {
  copySilenceMsMax,
  diskBytesMin,
  diskFillingShare,
  diskLowShare,
  storeLookMs,
  storeSilenceMs,
} from './bounds.ts';

export type StoreWatchPorts = {
  clock: Clock;
  log: Logger;
  /** Rejects when no answer comes in time. */
  infoOf(partition: number): Promise<Pick<StreamInfo, 'cluster'>>;
  owned(): { number: number; partition: Pick<Partition, 'unackedSince' | 'committedAt'> }[];
  /** Null: no disk is measured. */
  measureDisk: (() => Promise<Disk>) | null;
};

type Disk = { usedShare: number; bytesFree: number };

const NANOS_PER_MS = 1_000_000;

export class StoreWatch {
  readonly #ports: StoreWatchPorts;
  #goodAt: number;
  #turn = 0;
  #told: 'ok' | 'down' = 'ok';
  #warnedShare = 0;
  #cancel = (): void => {};
  /** Null until the first look, and without a folder. */
  disk: Disk | null = null;

  constructor(ports: StoreWatchPorts) {
    this.#ports = ports;
    this.#goodAt = ports.clock.elapsed();
  }

  start(): void {
    void this.#look();
  }

  stop(): void {
    this.#cancel();
    this.#cancel = () => {};
  }

  /** For the shard's beat. */
  told(): Required<Pick<Beat, 'store' | 'disk'>> {
    return { store: this.#store(), disk: diskState(this.disk) };
  }

  #store(): 'ok' | 'down' {
    const now = this.#ports.clock.elapsed();
    if (now >= this.#goodAt + storeSilenceMs) return 'down';
    const owned = this.#ports.owned().map(({ partition }) => partition);
    const since = Math.min(...owned.map(({ unackedSince }) => unackedSince ?? Number.POSITIVE_INFINITY));
    if (now < since + storeSilenceMs) return 'ok';
    return owned.some(({ committedAt }) => committedAt > since) ? 'ok' : 'down';
  }

  async #look(): Promise<void> {
    const { clock } = this.#ports;
    this.#cancel = clock.after(storeLookMs, () => void this.#look());
    const askedAt = clock.elapsed();
    const [isGood] = await Promise.all([this.#isGood(), this.#lookAtDisk()]);
    if (isGood) this.#goodAt = Math.max(this.#goodAt, askedAt);
    this.#tellChange();
  }

  /** Whether the next stream in turn could take an append. */
  async #isGood(): Promise<boolean> {
    const owned = this.#ports.owned();
    const partition = owned.length === 0 ? 0 : owned[this.#turn++ % owned.length]!.number;
    try {
      return hasMajority(await this.#ports.infoOf(partition));
    } catch (error) {
      this.#ports.log.debug({ err: error, partition }, 'the stream did not tell its state');
      return false;
    }
  }

  #tellChange(): void {
    const store = this.#store();
    if (store === this.#told) return;
    this.#told = store;
    if (store === 'ok') this.#ports.log.info('the journal takes appends again');
    else this.#ports.log.error('the journal takes no appends: JetStream is off, has no majority, or has no room');
  }

  async #lookAtDisk(): Promise<void> {
    const { measureDisk, log } = this.#ports;
    this.disk = (await measureDisk?.().catch(() => null)) ?? null;
    if (this.disk === null) return;
    const { usedShare, bytesFree } = this.disk;
    const reached = [diskLowShare, diskFillingShare].find((share) => usedShare >= share) ?? 0;
    if (reached > this.#warnedShare) {
      log.warn({ bytesFree }, `the disk of the data folder is more than ${reached * 100} % full`);
    }
    this.#warnedShare = reached;
  }
}

/** The disk of a folder. Blocks that only the superuser may use count as used. */
export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { usedShare: 1 - bavail / Math.max(1, blocks), bytesFree: bavail * bsize };
}

/** The leader hears more than half of the copies, its own included. A server alone has no copies elsewhere. */
function hasMajority({ cluster }: Pick<StreamInfo, 'cluster'>): boolean {
  if (!cluster?.replicas) return true;
  if (!cluster.leader) return false;
  const heard = cluster.replicas.filter(
    ({ offline, active }) => !offline && active < copySilenceMsMax * NANOS_PER_MS,
  ).length;
  return (heard + 1) * 2 > cluster.replicas.length + 1;
}

function diskState(disk: Disk | null): DiskState {
  if (disk === null) return 'ok';
  if (disk.bytesFree < diskBytesMin) return 'full';
  return disk.usedShare >= diskLowShare ? 'low' : 'ok';
}
