/**
 * Whether anything can be sold, and which part is missing if not: the answer of `GET /health/ready`, lines in the log,
 * and the end of vain waits.
 *
 * The shards' beats tell whether they can append to the journal (store-watch.ts of the shard). So a lost JetStream, a
 * journal without a majority, a full disk and shards that hang all show here within two seconds.
 *
 * States: sellable ⇄ not. Sellable while the link to NATS is up and a shard that can append, and that owns a partition
 * which is not halted, was heard within `shardSilenceMs`. Halted events are counted; they alone make nothing unready.
 * The catalog is no part of this: sales of known events by known keys go on without it.
 *
 * The state is looked at every `lookMs`. The looks are counted, not the time: a front door that was stopped itself
 * hears the beats that wait for it before it counts on.
 * - After `looksToTell` looks without anything sellable the log tells, and tells once more when sales go on.
 * - After `looksWithoutShard` looks without any shard, or `looksWithoutStore` looks without one that can append, every
 *   command is hopeless: it is refused at once instead of at its deadline, until a beat says otherwise. Restarts,
 *   takeovers and elections take less time, and their callers wait. A front door whose own link was lost counts these
 *   looks anew once the link is back: it is ready then, and the next beats show what can be sold.
 *
 * The one await is a question to the catalogs. No answer within `catalogAnswerMsMax` → the catalog is `down`.
 */
import type { Beat, CatalogBeat, DiskState } from '@parterre/shared/protocol/beat';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import { fullerOf } from '@parterre/shared/runtime/disk-watch';
import type { Logger } from '@parterre/shared/runtime/log';
import { SECOND_MS } from '@parterre/shared/runtime/units';

export type Health = {
  /** Of this front door's link. */
  nats: 'ok' | 'down';
  catalog: 'ok' | 'down';
  /** `down`: no shard can append to the journal, or none is heard. */
  store: 'ok' | 'down';
  /** The fullest disk that a shard or a catalog measures, or the storage of NATS. */
  disk: DiskState;
};

export type ReadinessPorts = {
  clock: Clock;
  log: Logger;
  catalog: CatalogClient;
  linked(): boolean;
};

const shardSilenceMs = 1_500;
const catalogAnswerMsMax = 1_500;
/** The shards that are remembered, and the catalogs. */
const membersMax = 1_024;
const lookMs = 500;
const looksToTell = 4;
const looksWithoutShard = 10;
/** Longer than the servers' election after the death of a leader (4 to 9 s), and the way behind it. */
const looksWithoutStore = 30;

export class Readiness {
  readonly #ports: ReadinessPorts;
  readonly #shards = new Map<string, { beat: Beat; heardAt: number }>();
  readonly #catalogDisks = new Map<string, { disk: DiskState; heardAt: number }>();
  /** The looks in a row that found nothing sellable, and those that found no shard. */
  #looksInVain = 0;
  #looksAlone = 0;
  /** Those of `#looksInVain` that the lost link of this front door explains. */
  #looksUnlinked = 0;
  #wasLinked = true;

  constructor(ports: ReadinessPorts) {
    this.#ports = ports;
  }

  hear(beat: Beat): void {
    this.#forgetSilent();
    if (beat.leaving && beat.owns.length === 0) this.#shards.delete(beat.id);
    else if (this.#shards.has(beat.id) || this.#shards.size < membersMax) {
      this.#shards.set(beat.id, { beat, heardAt: this.#ports.clock.elapsed() });
    }
  }

  hearCatalog(id: string, { disk = 'ok' }: CatalogBeat): void {
    this.#forgetSilent();
    if (this.#catalogDisks.size < membersMax || this.#catalogDisks.has(id))
      this.#catalogDisks.set(id, { disk, heardAt: this.#ports.clock.elapsed() });
  }

  /** Looks from now on. */
  watch(): void {
    this.#ports.clock.after(lookMs, () => {
      this.#count();
      this.watch();
    });
  }

  /** Whether no command can be carried out for some time. */
  isHopeless(): boolean {
    this.#noteLink();
    const looksWithLink = this.#looksInVain - this.#looksUnlinked;
    const seemsSo = this.#looksAlone >= looksWithoutShard || looksWithLink >= looksWithoutStore;
    return seemsSo && !this.#sales().sellable;
  }

  #noteLink(): void {
    const isLinked = this.#ports.linked();
    if (isLinked && !this.#wasLinked) {
      this.#looksAlone = 0;
      this.#looksUnlinked = this.#looksInVain;
    }
    this.#wasLinked = isLinked;
  }

  #count(): void {
    this.#noteLink();
    const { sellable, beats } = this.#sales();
    this.#looksAlone = beats.length === 0 || !this.#ports.linked() ? this.#looksAlone + 1 : 0;
    if (sellable) {
      if (this.#looksInVain >= looksToTell) {
        const seconds = (this.#looksInVain * lookMs) / SECOND_MS;
        this.#ports.log.info({ seconds }, 'sales go on');
      }
      this.#looksInVain = 0;
      this.#looksUnlinked = 0;
      return;
    }
    this.#looksInVain++;
    if (this.#looksInVain !== looksToTell) return;
    const facts = { nats: this.#ports.linked() ? 'ok' : 'down', shardsHeard: beats.length };
    this.#ports.log.error(facts, `nothing can be sold: ${this.#whyNot(beats)}`);
  }

  #whyNot(beats: readonly Beat[]): string {
    if (!this.#ports.linked()) return 'the link to NATS is gone';
    if (beats.length === 0) return 'no inventory-shard is heard';
    if (beats.every(({ owns }) => owns.length === 0)) return 'no inventory-shard owns a partition';
    return beats.every(({ store }) => store === 'down')
      ? 'the journal takes no appends'
      : 'every partition is halted, or its inventory-shard cannot append';
  }

  #sales() {
    this.#forgetSilent();
    const beats = [...this.#shards.values()].map(({ beat }) => beat);
    const isLinked = this.#ports.linked();
    const appending = isLinked ? beats.filter(({ owns, store }) => owns.length > 0 && store !== 'down') : [];
    const sellable = appending.some(({ owns, haltedPartitions = 0 }) => owns.length > haltedPartitions);
    return { beats, isLinked, appending, sellable };
  }

  async look(): Promise<{ sellable: boolean; health: Health; haltedEvents: number }> {
    const { clock, catalog } = this.#ports;
    // No key has this hash: a running catalog refuses it at once.
    const probe = await catalog('credentials.resolve', { hash: 'readiness' }, clock.elapsed() + catalogAnswerMsMax);
    const hasCatalog = probe.ok || probe.refusal.code !== 'catalog_unavailable';
    const { beats, isLinked, appending, sellable } = this.#sales();
    const disks = [
      ...beats.map(({ disk = 'ok' }) => disk),
      ...[...this.#catalogDisks.values()].map(({ disk }) => disk),
    ];
    const health: Health = {
      nats: isLinked ? 'ok' : 'down',
      catalog: hasCatalog ? 'ok' : 'down',
      store: appending.length > 0 ? 'ok' : 'down',
      disk: disks.reduce(fullerOf, 'ok'),
    };
    const haltedEvents = beats.reduce((sum, beat) => sum + (beat.haltedEvents ?? 0), 0);
    return { sellable, health, haltedEvents };
  }

  #forgetSilent(): void {
    const silentBefore = this.#ports.clock.elapsed() - shardSilenceMs;
    for (const members of [this.#shards, this.#catalogDisks]) {
      for (const [id, { heardAt }] of members) if (heardAt <= silentBefore) members.delete(id);
    }
  }
}
