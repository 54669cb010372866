/** A shard's stores outside its journal: snapshots, leases, plans; and the loader that folds an event from its stream. */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { ObjectStore } from '@nats-io/obj';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import { done, Fault } from '@parterre/shared/errors';
import type { PlanSource } from '@parterre/shared/plans/plans';
import type { Group } from '@parterre/shared/records';
import { decodeKept } from '@parterre/shared/wire';
import type { Lease, Leases } from '../../../services/inventory-shard/src/cluster/ownership.ts';
import type { EventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import type { SnapshotStore } from '../../../services/inventory-shard/src/journal/snapshots.ts';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { foldGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { fromSnapshot } from '../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { type AskNatsTime, createNatsTime } from '../../../services/inventory-shard/src/steady-clock/steady-clock.ts';
import { START } from '../../support/inventory/house.ts';
import { documentNamed } from '../../support/model/reference/chart.ts';
import type { Faults } from '../faults.ts';
import { ask, type SimulatedStream } from './log.ts';
import type { SimulatedProcess } from './process.ts';
import type { Scheduler } from './scheduler.ts';

type Put = { info: { name: string; metadata?: Record<string, string> }; bytes: Uint8Array };

export type SharedStore = { objects: Map<string, Put>; leases: Map<number, Lease> };

const slowMsMax = 4_000;

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

  /** A catalog that knows its documents alone. */
  readonly catalog = (async (_: 'plans.get', { hash }: { hash: string }) =>
    this.#reach(() => done({ doc: documentNamed(hash) }))) as unknown as CatalogClient;

  objectStore({ objects }: SharedStore): ObjectStore {
    const { random } = this.#scheduler;
    const store = {
      info: (name: string) => this.#reach(() => objects.get(name)?.info ?? null),
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

  /** `onSnapshot` is called when a fold begins with a snapshot. */
  loader(stream: SimulatedStream, plans: PlanSource, snapshots: SnapshotStore, onSnapshot: () => void): EventLoader {
    const askStream = <T>(answer: () => T): Promise<T> =>
      ask(this.#scheduler, this.#faults, this.#owner, stream, answer);
    return {
      prepared: () => [],
      async load(eventKey, from) {
        const end = askStream(() => stream.messages.findLast((stored) => stored.eventKey === eventKey)?.sequence ?? 0);
        const snapshot = from ? null : await snapshots.load(eventKey, end, () => {});
        const last = await end;
        if (last === 0) return null;
        if (snapshot) onSnapshot();
        let state: EventState | null = from?.state ?? null;
        if (snapshot) state = fromSnapshot(snapshot, await plans(snapshot.config.planHash));
        const storedVersion = from?.storedVersion ?? snapshot?.version ?? 0;
        const known = state?.version ?? 0;
        const rest = await askStream(() =>
          stream.messages.slice(known, last).filter((stored) => stored.eventKey === eventKey),
        );
        for (const { sequence, payload } of rest) {
          const group = decodeKept<Group>(payload);
          const first = group.records[0]!;
          const plan = await plans(group.plan);
          if (first.type === 'created') state = newState(first.config, plan);
          foldGroup(state!, group, sequence, plan);
        }
        return { state: state!, storedVersion, replayed: { groups: rest.length, bytes: 0 } };
      },
      events: () =>
        askStream(() => {
          const counted = new Map<string, number>();
          for (const { eventKey } of stream.messages) {
            if (eventKey !== null) counted.set(eventKey, (counted.get(eventKey) ?? 0) + 1);
          }
          return [...counted].map(([eventKey, groups]) => ({ eventKey, groups }));
        }),
      changed: (after, last) =>
        ask(this.#scheduler, this.#faults, this.#owner, stream, () => {
          const sequences = new Map<string, number>();
          for (const { eventKey, sequence } of stream.messages.slice(after, last)) {
            if (eventKey !== null) sequences.set(eventKey, sequence);
          }
          return [...sequences].map(([eventKey, sequence]) => ({ eventKey, sequence }));
        }),
    };
  }
}

/** An object as the library hands it out, in one piece. */
function readable(put: Put | undefined): object | null {
  return put ? { info: { size: put.bytes.length }, data: [put.bytes], error: Promise.resolve(null) } : null;
}
