/**
 * Whether anything can be sold, and which part is missing if not: the answer of `GET /health/ready`.
 *
 * The shards' beats tell whether they can append to the journal (store-watch.ts of the shard). So a lost JetStream, a
 * journal without a majority, a full disk and shards that hang all show here within two seconds.
 *
 * States: sellable ⇄ not. Sellable while the link to NATS is up and a shard that can append, and that owns a partition
 * which is not halted, was heard within `shardSilenceMs`. Halted events are counted; they alone make nothing unready.
 * The catalog is no part of this: sales of known events by known keys go on without it.
 *
 * The one await is a question to the catalogs. No answer within `catalogAnswerMsMax` → the catalog is `down`.
 */
import type { Beat, DiskState } from '@parterre/shared/protocol/beat';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';

export type Health = {
  /** Of this front door's link. */
  nats: 'ok' | 'down';
  catalog: 'ok' | 'down';
  /** `down`: no shard can append to the journal, or none is heard. */
  store: 'ok' | 'down';
  /** The fullest disk that a shard measures. */
  disk: DiskState;
};

export type ReadinessPorts = {
  clock: Clock;
  catalog: CatalogClient;
  linked(): boolean;
};

const shardSilenceMs = 1_500;
const catalogAnswerMsMax = 1_500;
/** The shards that are remembered. */
const shardsMax = 1_024;
const fullness: readonly DiskState[] = ['ok', 'low', 'full'];

export class Readiness {
  readonly #ports: ReadinessPorts;
  readonly #shards = new Map<string, { beat: Beat; heardAt: number }>();

  constructor(ports: ReadinessPorts) {
    this.#ports = ports;
  }

  hear(beat: Beat): void {
    this.#forgetSilent();
    if (beat.leaving && beat.owns.length === 0) this.#shards.delete(beat.id);
    else if (this.#shards.has(beat.id) || this.#shards.size < shardsMax) {
      this.#shards.set(beat.id, { beat, heardAt: this.#ports.clock.elapsed() });
    }
  }

  async look(): Promise<{ sellable: boolean; health: Health; haltedEvents: number }> {
    const { clock, catalog, linked } = this.#ports;
    // No key has this hash: a running catalog refuses it at once.
    const probe = await catalog('credentials.resolve', { hash: 'readiness' }, clock.elapsed() + catalogAnswerMsMax);
    const hasCatalog = probe.ok || probe.refusal.code !== 'catalog_unavailable';
    this.#forgetSilent();
    const beats = [...this.#shards.values()].map(({ beat }) => beat);
    const isLinked = linked();
    const appending = isLinked ? beats.filter(({ owns, store }) => owns.length > 0 && store !== 'down') : [];
    const sellable = appending.some(({ owns, haltedPartitions = 0 }) => owns.length > haltedPartitions);
    const disks = beats.map(({ disk = 'ok' }) => fullness.indexOf(disk));
    const health: Health = {
      nats: isLinked ? 'ok' : 'down',
      catalog: hasCatalog ? 'ok' : 'down',
      store: appending.length > 0 ? 'ok' : 'down',
      disk: fullness[Math.max(0, ...disks)]!,
    };
    const haltedEvents = beats.reduce((sum, beat) => sum + (beat.haltedEvents ?? 0), 0);
    return { sellable, health, haltedEvents };
  }

  #forgetSilent(): void {
    const silentBefore = this.#ports.clock.elapsed() - shardSilenceMs;
    for (const [id, { heardAt }] of this.#shards) if (heardAt <= silentBefore) this.#shards.delete(id);
  }
}
