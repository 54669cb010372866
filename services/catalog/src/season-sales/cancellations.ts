/**
 * Cancellations of season bookings. The document of a cancellation is its decision, with the units of each event. The
 * events follow. They do not have to agree first: each event frees its own units.
 *
 * States: cancel_pending (events are asked) → cancelled; or, where events refuse for good, cancel_failed (all of them)
 * or partial_terminal (some). A failed cancellation may be tried again under a new name.
 *
 * Failure at each await: the store or an event does not answer → the outcome of that event stays pending, and the
 * engine (lifecycles/lifecycles.ts) asks again; two processes ask one event → its command is named by the action, so
 * the second copy has no effect (I5); this process dies → every other catalog sees the open document. The contract of a
 * cancelled booking and the note of the end are written before the end, and a repetition changes neither.
 */
import type { CancellationState, SeasonCancellation } from '@parterre/shared/protocol/catalog/season-sales';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { createCoordinator } from '@parterre/shared/protocol/operations/coordinator';
import { internalIdOf } from '@parterre/shared/protocol/operations/operation';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import type { BookingContracts } from '../rights/rights.ts';
import { noteSeason } from '../seasons/season-logs.ts';
import { change, type Ports } from '../store/operations.ts';
import { eventLockAskMs, lifecycleCallMs } from '../store/rules/bounds.ts';
import type { CancellationRecord } from '../store/rules/season-records.ts';
import { seasonCancellations } from '../store/season-collections.ts';
import type { Stored } from '../store/store.ts';
import { afterTry, begunCancellation, cancellationOf, judged, pendingLabels } from './rules/cancellation-state.ts';
import { noteOf } from './sale-notes.ts';

export type Cancellations = {
  cancel(input: CatalogInput<'seasons.cancel-booking'>): Promise<Outcome<{ cancellation: SeasonCancellation }>>;
  read(input: CatalogInput<'seasons.cancellations'>): Promise<Outcome<{ cancellations: SeasonCancellation[] }>>;
  engine: Lifecycles<CancellationRecord>;
};

/** `endContract` ends the contract of a booking, and its right as far as the caller disposes. */
export function createCancellations(ports: Ports, endContract: BookingContracts['end']): Cancellations {
  const { store, clock, log } = ports;
  const engine = createLifecycles<CancellationRecord>({
    store,
    clock,
    log,
    collection: seasonCancellations,
    advance: (document) => advance(ports, endContract, document),
    written: () => {},
  });

  return {
    async cancel(input) {
      const id = internalIdOf({ kind: 'season', key: input.seasonKey }, input.operationId);
      const asked = begunCancellation(input, clock.now());
      if ((await store.insert(seasonCancellations, id, asked)) === 'duplicate') {
        const standing = await change(store, seasonCancellations, id, gone, (record) => judged(record, asked));
        if (!standing.ok) return standing;
      }
      const after = await engine.carryOn(id, lifecycleCallMs);
      return after ? done({ cancellation: cancellationOf(after.value) }) : gone();
    },

    async read({ seasonKey, operationIds }) {
      const ids = operationIds.map((operationId) => internalIdOf({ kind: 'season', key: seasonKey }, operationId));
      const found = await store.getMany(seasonCancellations, ids);
      return done({ cancellations: found.map(({ value }) => cancellationOf(value)) });
    },

    engine,
  };
}

/** No cancellation is ever deleted. */
function gone(): Outcome<never> {
  return refuse('not_found', 'There is no such cancellation.');
}

async function advance(
  { store, clock, ask }: Ports,
  endContract: BookingContracts['end'],
  { id, value }: Stored<CancellationRecord>,
): Promise<CancellationRecord | null> {
  const { seasonKey, operationId, cancelActionId, bookingRef, outcomes, by } = value;
  const coordinator = createCoordinator({ ask, now: clock.now });
  const eventKeys = outcomes.map(({ eventKey }) => eventKey);
  const told = await coordinator.cancelBooking(
    { owner: { kind: 'season', key: seasonKey }, operationId, eventKeys },
    { cancelActionId, bookingRef, labels: pendingLabels(value) },
    by,
    clock.elapsed() + eventLockAskMs,
  );
  const next = afterTry(value, told, clock.now());
  if (next === null || next.open) return next;
  const { actionId, planActivationId, rightDisposition, endedAt } = next;
  const state = next.state as Exclude<CancellationState, 'cancel_pending'>;
  if (next.state === 'cancelled') await endContract(next);
  const ofBooking = { operationId, planActivationId, eventKeys, bookActionId: actionId, bookingRef };
  const action = `season.booking.${state}` as const;
  const data = { ...ofBooking, cancelActionId, rightDisposition };
  const note = noteOf(`cancelled ${id} ${cancelActionId}`, action, by.source, data, endedAt!);
  // A deleted season has no audit to write to.
  await noteSeason(store, { seasonKey, note });
  return next;
}
