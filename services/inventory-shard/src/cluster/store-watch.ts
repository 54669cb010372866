/**
 * Watches what appends need: the storage of the journal in NATS, the room that NATS grants it, and the disk of the data
 * folder. The shard's beats tell them to the front doors, and the log tells each change once.
 *
 * States of the storage: ok ⇄ down. Every `storeLookMs` the stream of one owned partition, each in its turn, is asked
 * for its state. The leader of the stream names the copies that it hears. The awaits and their failures:
 * - The answer of the stream. No answer within `storeAnswerMsMax`, a server without JetStream (it switches JetStream
 *   off when its disk is full), or a leader that does not hear a majority of copies → a bad look.
 * - Looks at the room and at the disk (disk-watch.ts).
 * The storage is down once no look was good for `storeSilenceMs`. It is down as well while an append waits for its ack
 * as long, and no other partition has got an ack since: a stream whose disk is full may tell its state and take no
 * append. One stream of many that elects its leader is not down.
 *
 * NATS tells the room of an account that has a limit (`max_file`), and no limit of its servers. The deployment may name
 * the storage of its servers (PARTERRE_NATS_STORAGE_MB). Without either no room is measured.
 */
import type { JetStreamAccountStats, StreamInfo } from '@nats-io/jetstream';
import type { Beat } from '@parterre/shared/protocol/beat';
import type { Clock } from '@parterre/shared/runtime/clock';
import { type Disk, DiskWatch, fullerOf } from '@parterre/shared/runtime/disk-watch';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Partition } from '../partition/partition.ts';
import { copySilenceMsMax, storeLookMs, storeSilenceMs } from './bounds.ts';

export type StoreWatchPorts = {
  clock: Clock;
  log: Logger;
  /** Rejects when no answer comes in time. */
  infoOf(partition: number): Promise<Pick<StreamInfo, 'cluster'>>;
  owned(): { number: number; partition: Pick<Partition, 'unackedSince' | 'committedAt'> }[];
  /** Null: no disk is measured. */
  measureDisk: (() => Promise<Disk>) | null;
  /** The room that NATS grants; null where it grants any. */
  measureRoom(): Promise<Disk | null>;
};

const NANOS_PER_MS = 1_000_000;

export class StoreWatch {
  readonly #ports: StoreWatchPorts;
  #goodAt: number;
  #turn = 0;
  #told: 'ok' | 'down' = 'ok';
  #cancel = (): void => {};
  /** Of the data folder; null without one. */
  readonly disk: DiskWatch | null;
  readonly room: DiskWatch;

  constructor(ports: StoreWatchPorts) {
    const { measureDisk, measureRoom } = ports;
    this.#ports = ports;
    this.#goodAt = ports.clock.elapsed();
    this.disk = measureDisk && new DiskWatch(ports, 'the disk of the data folder', measureDisk);
    this.room = new DiskWatch(ports, 'the storage that NATS grants this deployment', measureRoom);
  }

  start(): void {
    this.disk?.start();
    this.room.start();
    void this.#look();
  }

  stop(): void {
    this.disk?.stop();
    this.room.stop();
    this.#cancel();
    this.#cancel = () => {};
  }

  /** For the shard's beat. */
  told(): Required<Pick<Beat, 'store' | 'disk'>> {
    return { store: this.#store(), disk: fullerOf(this.disk?.state ?? 'ok', this.room.state) };
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
    if (await this.#isGood()) this.#goodAt = Math.max(this.#goodAt, askedAt);
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
}

/**
 * The room of the account, or of the tiers of its streams. `serversBytes`: the storage of all servers together, 0 where
 * nobody names it. Null where the room has no limit.
 */
export function roomOf(
  account: Pick<JetStreamAccountStats, 'storage' | 'limits' | 'tiers'>,
  serversBytes: number,
): Disk | null {
  const tiers = Object.values(account.tiers ?? {}).filter((tier) => tier !== undefined);
  const limited = (tiers.length > 0 ? tiers : [account]).filter(({ limits }) => limits.max_storage > 0);
  const rooms = limited.map(({ storage, limits }) => ({
    usedShare: storage / limits.max_storage,
    bytesFree: Math.max(0, limits.max_storage - storage),
  }));
  if (rooms.length === 0 && serversBytes > 0) {
    const { storage } = account;
    return { usedShare: storage / serversBytes, bytesFree: Math.max(0, serversBytes - storage) };
  }
  return rooms.sort((one, other) => other.usedShare - one.usedShare)[0] ?? null;
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
