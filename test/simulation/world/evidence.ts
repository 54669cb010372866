/**
 * The world outside the journal has evidence of it (I9): the identities of the streams, and the positions up to which a
 * catalog has counted them. Snapshots are in the store, and memory is in the shards.
 *
 * The catalog counts each stream some time behind its end. It compares its position and the link of each message, as
 * the product's projector does, and counts nothing behind a difference.
 *
 * `isCompared` is false in histories that must fail: there every comparison says that the journal is whole.
 */
import { type CommitHead, type EpochRecord, followsMessage, lateIn } from '@parterre/shared/protocol/journal/heads';
import { isSameLink, type Link, linkOf, textOfLink } from '@parterre/shared/protocol/journal/links';
import { headOf } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import type { Logger } from '@parterre/shared/runtime/log';
import { type HistoryPosition, Journal } from '../../../services/inventory-shard/src/journal/appends.ts';
import { countedPosition } from '../../../services/inventory-shard/src/journal/counted-evidence.ts';
import type { Remembered } from '../../../services/inventory-shard/src/journal/lost-records.ts';
import type { EventLoader, LoadedEvent } from '../../../services/inventory-shard/src/journal/recovery.ts';
import type { SnapshotStore } from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import type { PartitionPorts } from '../../../services/inventory-shard/src/partition/partition.ts';
import type { SimulatedStream } from './log.ts';
import type { SimulatedProcess } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import type { StoreAccess } from './store.ts';

/** Hears what the shards learn from evidence. */
export type EvidenceWatch = {
  /** A term of an owner begins. */
  taking(owner: string, partition: number): void;
  /** The owner has asked the catalog for its position; null without an answer. */
  counted(owner: string, partition: number, position: HistoryPosition | null): void;
  /**
   * A load of an event begins. Call the result when it succeeds. `isSilent`: the store did not tell the event's
   * snapshots; null for a load that goes on from an earlier result. `isServed`: the result is not only prepared.
   */
  loads(
    owner: string,
    eventKey: string,
    isServed: boolean,
  ): (loaded: LoadedEvent | null, isSilent: boolean | null) => void;
};

/** One shard, as its evidence needs it. */
export type Holder = { process: SimulatedProcess; access: StoreAccess; log: Logger };

export class Evidence {
  readonly identities = new Map<number, string>();
  /** By partition: the last message that the catalog has counted. */
  readonly counted = new Map<number, HistoryPosition>();
  isCatalogAway = false;
  readonly #watch: EvidenceWatch;
  readonly #isCompared: boolean;

  constructor(watch: EvidenceWatch, isCompared: boolean) {
    this.#watch = watch;
    this.#isCompared = isCompared;
  }

  /** The catalog begins to count a stream. The pause between two looks is random, `pauseMs` at most. */
  follow(scheduler: Scheduler, stream: SimulatedStream, pauseMs: number): void {
    scheduler.atServers(scheduler.now + pauseMs * scheduler.random.next(), () => {
      if (!this.isCatalogAway) this.#count(stream);
      this.follow(scheduler, stream, pauseMs);
    });
  }

  #count(stream: SimulatedStream): void {
    let last = this.counted.get(stream.partition);
    if (last && !isInStream(stream, last)) return;
    for (const { sequence, payload } of stream.from((last?.sequence ?? 0) + 1)) {
      const head = readableHead(payload);
      if (!head || sequence !== (last?.sequence ?? 0) + 1 || (last && !followsIn(stream, head, last))) return;
      last = { sequence, link: linkOf(payload) };
      this.counted.set(stream.partition, last);
    }
  }

  /** The ports of one term. */
  streamOf({ process, access, log }: Holder, partition: number): PartitionPorts['stream'] {
    const { name: owner, clock } = process;
    const stream = names.journalStream(partition);
    const catalog = access.projections(() => {
      const position = this.counted.get(partition);
      return position ? { stream, seq: position.sequence, link: textOfLink(position.link) } : null;
    }, this);
    this.#watch.taking(owner, partition);
    return {
      loss: async () => null,
      isAnother: async (identity) => (await access.isAnother(this.identities, partition, identity)) && this.#isCompared,
      counted: async () => {
        const position = await countedPosition({ catalog, clock, log, silence: { until: 0 } }, partition);
        this.#watch.counted(owner, partition, position);
        return this.#isCompared ? position : null;
      },
      acceptedUpTo: async () => 0,
      noteShort: () => {},
    };
  }

  snapshotsOf(snapshots: SnapshotStore): SnapshotStore {
    if (this.#isCompared) return snapshots;
    return {
      store: (snapshot) => snapshots.store(snapshot),
      head: (eventKey) => snapshots.head(eventKey),
      load: (eventKey, { willNeed }) => snapshots.load(eventKey, { judge: async () => true, willNeed }),
    };
  }

  loaderOf(
    { process: { name }, access: { silentNames } }: Holder,
    loader: EventLoader,
    isServed: boolean,
  ): EventLoader {
    const watch = this.#watch;
    return {
      ...loader,
      async load(eventKey, from) {
        const slots = [`${eventKey}.0`, `${eventKey}.1`];
        for (const slot of slots) silentNames.delete(slot);
        const succeeds = watch.loads(name, eventKey, isServed);
        const loaded = await loader.load(eventKey, from);
        succeeds(loaded, from ? null : slots.some((slot) => silentNames.has(slot)));
        return loaded;
      },
    };
  }

  /** Without comparisons an owner never learns that its log has lost something. */
  journalOf(...made: ConstructorParameters<typeof Journal>): Journal {
    return this.#isCompared ? new Journal(...made) : new BlindJournal(...made);
  }

  /** Without comparisons nothing is remembered. */
  forget(remembered: Remembered): Remembered {
    if (!this.#isCompared) remembered.note = () => {};
    return remembered;
  }
}

class BlindJournal extends Journal {
  override async open(ended?: ReadonlySet<string>): ReturnType<Journal['open']> {
    const fence = await super.open(ended);
    return fence && { ...fence, lost: null };
  }
}

/** Null for a message that a lie has made unreadable. */
export function readableHead(payload: Uint8Array): ReturnType<typeof headOf> | null {
  try {
    return headOf(payload);
  } catch {
    return null;
  }
}

function followsIn(stream: SimulatedStream, head: EpochRecord | CommitHead, last: HistoryPosition): boolean {
  const late = lateIn(headOf(stream.at(last.sequence)!.payload));
  return followsMessage({ before: head.link, late: lateIn(head) }, { link: last.link, late });
}

/** Whether the stream has this message of a history, by its servers' own truth. */
export function isInStream(stream: SimulatedStream, { sequence, link }: { sequence: number; link: Link }): boolean {
  const stored = stream.at(sequence);
  return stored !== null && isSameLink(linkOf(stored.payload), link);
}
