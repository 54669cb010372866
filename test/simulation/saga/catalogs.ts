/**
 * The catalogs of a saga's history: the projection of the operations, which all catalogs share, and in each catalog the
 * work that goes on with open operations. The product's own code folds the journals, and finds and resumes the open
 * operations. The store and the reading of the journals are simulated: streams are counted in any order among each
 * other, late, and sometimes twice.
 */

import type { Coordinator, CoordinatorPorts } from '@parterre/shared/protocol/operations/ports';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { startCarryOn } from '../../../services/catalog/src/operations/carry-on.ts';
import { createPinnedExchanges } from '../../../services/catalog/src/operations/pinned-exchanges.ts';
import {
  countOperation,
  type OperationChange,
  operationsIn,
} from '../../../services/catalog/src/projections/rules/operation-view.ts';
import { pinnedExchangeView } from '../../../services/catalog/src/projections/rules/pinned-exchanges.ts';
import { countNew } from '../../../services/catalog/src/projections/rules/views.ts';
import type { Ports } from '../../../services/catalog/src/store/operations.ts';
import type {
  OperationProjection,
  PinnedExchangeProjection,
} from '../../../services/catalog/src/store/rules/records.ts';
import type { Store, Stored } from '../../../services/catalog/src/store/store.ts';
import { START } from '../../support/inventory/house.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { SagaEvent } from './saga-event.ts';
import type { SagaProcess } from './wire.ts';

const log = createLog('saga', 'silent');

export class SagaProjection {
  readonly documents = new Map<string, Stored<OperationProjection>>();
  readonly pins = new Map<string, Stored<PinnedExchangeProjection>>();
  readonly #scheduler: Scheduler;
  readonly #events: readonly SagaEvent[];
  readonly #positions = new Map<string, number>();

  constructor(scheduler: Scheduler, events: readonly SagaEvent[]) {
    this.#scheduler = scheduler;
    this.#events = events;
  }

  get isCounted(): boolean {
    return this.#events.every(({ key, journal }) => (this.#positions.get(key) ?? 0) === journal.length);
  }

  /** Counts again and again. */
  follow(): void {
    const { random } = this.#scheduler;
    this.#scheduler.after(random.delay(20, 1_000), () => {
      this.#count(this.#events.filter(() => random.chance(0.7)));
      this.follow();
    });
  }

  #count(events: readonly SagaEvent[]): void {
    const { random } = this.#scheduler;
    const changes = new Map<string, OperationChange[]>();
    for (const { key, journal } of events) {
      const position = this.#positions.get(key) ?? 0;
      // Another catalog may be behind: its groups are counted already.
      const from = random.chance(0.1) ? Math.max(position - random.int(1, 3), 0) : position;
      const to = random.chance(0.3) ? random.int(position, journal.length) : journal.length;
      for (const { seq, ...group } of journal.slice(from, to)) {
        const counted = { stream: key, seq, eventKey: key, group, data: new Uint8Array(), payer: null, owner: null };
        for (const [id, part] of pinnedExchangeView.split(counted)) {
          const before = this.pins.get(id);
          const value = countNew(pinnedExchangeView, before?.value, [part])!;
          this.pins.set(id, { id, version: (before?.version ?? 0) + 1, value });
        }
        for (const [id, change] of operationsIn(counted)) changes.set(id, [...(changes.get(id) ?? []), change]);
      }
      this.#positions.set(key, Math.max(position, to));
    }
    for (const [id, some] of changes) {
      const before = this.documents.get(id);
      const value = countOperation(before?.value, some)!;
      if (value !== before?.value) this.documents.set(id, { id, version: (before?.version ?? 0) + 1, value });
    }
  }

  pinned(): Stored<PinnedExchangeProjection>[] {
    return [...this.pins.values()].filter(({ value }) => value.open);
  }

  open(): Stored<OperationProjection>[] {
    return [...this.documents.values()]
      .filter(({ value }) => value.isOpen)
      .sort((one, other) => one.value.changedAt - other.value.changedAt);
  }
}

/** One catalog that goes on with open operations until its process dies. */
export function startSagaCatalog(
  scheduler: Scheduler,
  process: SagaProcess,
  projection: SagaProjection,
  coordinator: Coordinator,
  ask: CoordinatorPorts['ask'],
): void {
  const clock: Clock = {
    now: () => START + scheduler.now,
    elapsed: () => scheduler.now,
    after: (delayMs, run) => scheduler.after(delayMs, () => process.isDead || run()),
  };
  const page = async ({ name }: { name: string }) => {
    const documents = name.startsWith('pinned-exchange') ? projection.pinned() : projection.open();
    return { documents, next: null };
  };
  const store = { get: async () => null, page } as unknown as Store;
  startCarryOn({ store, clock, log, coordinator });
  createPinnedExchanges({ store, clock, log, ask } as unknown as Ports).watch();
}
