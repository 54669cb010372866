/**
 * A shard's stores outside its journal: snapshots, leases, plans; and the loader that folds an event from its stream.
 */
import type { JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { ObjectStore } from '@nats-io/obj';
import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import type { CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { subjects } from '@parterre/shared/protocol/subjects';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Lease, Leases } from '../../../services/inventory-shard/src/cluster/leases.ts';
import { nothingAccepted } from '../../../services/inventory-shard/src/journal/accepted-losses.ts';
import { nothingCounted } from '../../../services/inventory-shard/src/journal/counted-evidence.ts';
import type { Span } from '../../../services/inventory-shard/src/journal/journal-reader.ts';
import { Remembered } from '../../../services/inventory-shard/src/journal/lost-records.ts';
import { createEventLoader, type EventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import type { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';
import type { Turn } from '../../../services/inventory-shard/src/journal/slices.ts';
import type { SnapshotStore } from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { type AskNatsTime, createNatsTime } from '../../../services/inventory-shard/src/steady-clock/nats-time.ts';
import { START } from '../../support/inventory/house.ts';
import { documentNamed } from '../../support/model/reference/chart.ts';
import type { Faults } from '../faults.ts';
import { ask, type SimulatedStream, type Stored } from './log.ts';
import type { SimulatedProcess } from './process.ts';
import type { Scheduler } from './scheduler.ts';

type Put = { info: { name: string; metadata?: Record<string, string> }; bytes: Uint8Array };

export type SharedStore = { objects: Map<string, Put>; leases: Map<number, Lease> };

const slowMsMax = 4_000;
const noCatalog = refuse('catalog_unavailable', 'The simulated catalog does not answer.', { retryable: true });
/** Few, so that a replay takes several requests. */
const messagesPerRequest = 20;

/** One process' way to what is shared: slow at times, or closed. */
export class StoreAccess {
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  readonly #owner: SimulatedProcess;

  constructor(scheduler: Scheduler, faults: Faults, owner: SimulatedProcess) {
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.#owner = owner;
  }

  #reach<T>(run: () => T): Promise<T> {
    const { random } = this.#scheduler;
    const delayMs = this.#faults.strikes('storeSlow') ? random.delay(0, slowMsMax) : random.delay(0, 5);
    return new Promise((resolve, reject) => {
      this.#owner.clock.after(delayMs, () => {
        if (this.#faults.strikes('storeFails')) reject(new Fault('the store is not available'));
        else resolve(run());
      });
    });
  }

  /** Answers of the streams carry the true time. */
  natsTime(streams: readonly SimulatedStream[]): AskNatsTime {
    const info = (name: string): Promise<{ ts: string }> => {
      const stream = streams[Number(name.slice(name.lastIndexOf('-') + 1))]!;
      const told = (): { ts: string } => ({ ts: new Date(START + this.#scheduler.now).toISOString() });
      return ask(this.#scheduler, this.#faults, this.#owner, stream, told);
    };
    const manager = { streams: { info } } as unknown as JetStreamManager;
    return createNatsTime(manager, streams.length, this.#owner.clock);
  }

  /** The objects whose metadata were asked for and not told since the last `clear`. */
  readonly silentNames = new Set<string>();

  /** The catalog's answers to questions for its position in one stream. */
  projections(
    position: () => CatalogOutput<'projections.position'>,
    catalog: { isCatalogAway: boolean },
  ): CatalogClient {
    const { clock } = this.#owner;
    const ask = (_: 'projections.position', __: unknown, deadlineAt: number) =>
      new Promise((resolve) => {
        const cancel = clock.after(deadlineAt - clock.elapsed(), () => resolve(noCatalog));
        const settle = (answer: unknown): void => {
          cancel();
          resolve(answer);
        };
        if (catalog.isCatalogAway) return;
        this.#reach(() => done(position())).then(settle, () => settle(noCatalog));
      });
    return ask as unknown as CatalogClient;
  }

  /** As the product's `StreamIdentities` answers, on the identities of the deployment. */
  isAnother(identities: Map<number, string>, partition: number, identity: string): Promise<boolean> {
    return this.#reach(() => {
      const known = identities.get(partition);
      if (known === undefined) identities.set(partition, identity);
      return known !== undefined && known !== identity;
    });
  }

  /** A catalog that knows its documents alone. */
  readonly catalog = (async (_: 'plans.get', { hash }: { hash: string }) =>
    this.#reach(() => planAnswer(hash))) as unknown as CatalogClient;

  objectStore({ objects }: SharedStore): ObjectStore {
    const { random } = this.#scheduler;
    const store = {
      info: (name: string) =>
        this.#reach(() => objects.get(name)?.info ?? null).catch((error) => {
          this.silentNames.add(name);
          throw error;
        }),
      get: (name: string) => this.#reach(() => readable(objects.get(name))),
      getBlob: (name: string) => this.#reach(() => objects.get(name)?.bytes ?? null),
      putBlob: (info: Put['info'], given: Uint8Array) =>
        this.#reach(() => {
          if (this.#faults.strikes('snapshotLost')) return;
          const bytes = given.slice();
          if (this.#faults.strikes('snapshotRots')) bytes[random.int(0, bytes.length - 1)]! ^= 0xff;
          objects.set(info.name, { info, bytes });
        }),
    };
    return store as unknown as ObjectStore;
  }

  leases({ leases }: SharedStore, onPut: (partition: number, lease: Lease) => void): Leases {
    return {
      all: () => this.#reach(() => new Map(leases)),
      put: (partition, lease) =>
        this.#reach(() => {
          if ((leases.get(partition)?.epoch ?? 0) >= lease.epoch) return;
          leases.set(partition, lease);
          onPut(partition, lease);
        }).catch(() => {}),
    };
  }

  /** The service's own loader, on a simulated stream. */
  loader(
    stream: SimulatedStream,
    plans: PlanSource,
    snapshots: SnapshotStore,
    turn: Turn,
    shared?: SharedParts,
    remembered = new Remembered(),
  ): EventLoader {
    const askStream = <T>(answer: () => T): Promise<T> =>
      ask(this.#scheduler, this.#faults, this.#owner, stream, answer);
    const whole = subjects.journalOfPartition(stream.partition);
    const isIn = (subject: string, stored: Stored): boolean => subject === whole || stored.subject === subject;
    async function* read({ subject, from, last, headersOnly }: Span): AsyncGenerator<JsMsg[]> {
      for (let next = from; next <= last; ) {
        const found = await askStream(() =>
          stream
            .from(next)
            .filter((stored) => isIn(subject, stored))
            .slice(0, messagesPerRequest),
        );
        if (found.length === 0) throw new Fault(`read ${subject} to ${last}: nothing from ${next} on`);
        next = found.at(-1)!.sequence + 1;
        yield found.map(
          ({ sequence, subject, payload }) =>
            ({ seq: sequence, subject, data: headersOnly ? new Uint8Array(0) : payload }) as unknown as JsMsg,
        );
      }
    }
    const getMessage = (_: string, asked: { last_by_subj: string } | { seq: number }) =>
      askStream(() => {
        const stored = 'seq' in asked ? stream.at(asked.seq) : stream.lastOf(asked.last_by_subj);
        return stored ? { seq: stored.sequence, subject: stored.subject, data: stored.payload } : null;
      });
    const info = () =>
      askStream(() => {
        const counted: Record<string, number> = {};
        for (const { subject } of stream.from(1)) counted[subject] = (counted[subject] ?? 0) + 1;
        return { state: { subjects: counted } };
      });
    const manager = { streams: { getMessage, info } } as unknown as JetStreamManager;
    return createEventLoader({ read }, manager, snapshots, plans, stream.partition, turn, shared, {
      clock: this.#owner.clock,
      remembered,
      counted: nothingCounted,
      accepted: nothingAccepted,
    });
  }
}

/** A lie of the journal may name a plan that does not exist. */
function planAnswer(hash: string): Outcome<{ doc: unknown }> {
  try {
    return done({ doc: documentNamed(hash) });
  } catch {
    return refuse('not_found', `There is no plan ${hash}.`);
  }
}

/** An object as the library hands it out, in one piece. */
function readable(put: Put | undefined): object | null {
  return put ? { info: { size: put.bytes.length }, data: [put.bytes], error: Promise.resolve(null) } : null;
}
