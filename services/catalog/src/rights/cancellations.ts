/**
 * Cancels the booking of a contract. The right's document has the cancellation, so any catalog goes on with it.
 *
 * States: cancel_pending → cancelled | cancel_failed | partial_terminal. The write that ends a cancellation also ends the
 * contract, and with `release` the right. `cancel_failed` leaves both as they were, and another action may try again.
 *
 * Failure at each await: an event does not answer → its outcome stays `pending`, and the next look asks again under the
 * same name; the store fails or the process dies → the document is open still.
 */
import type { Contract, Right } from '@parterre/shared/catalog/rights';
import type { CatalogInput } from '@parterre/shared/catalog-api';
import type { Caller } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { createCoordinator } from '@parterre/shared/operations/coordinator';
import { internalIdOf } from '@parterre/shared/operations/operation';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import { currentViews } from '../projections/generations.ts';
import { findSeason } from '../seasons/season-access.ts';
import { change } from '../store/operations.ts';
import { rights } from '../store/right-collections.ts';
import { lifecycleCallMs, rightsAskMs } from '../store/rules/bounds.ts';
import type { RightDocument } from '../store/rules/right-records.ts';
import type { Stored } from '../store/store.ts';
import type { BookingContracts } from './booking-contracts.ts';
import type { RightsPorts } from './rights-ports.ts';
import { cancelling, rightOf, withCancellation, withOutcomes } from './rules/right-state.ts';

export type BookedContract = { right: Right; contract: Contract };

const byTimer: Caller = { source: 'timer', actor: null, accessSource: 'public' };

export function createCancellations(ports: RightsPorts): Lifecycles<RightDocument> {
  const { store, clock, log } = ports;
  return createLifecycles<RightDocument>({
    ...{ store, clock, log, collection: rights },
    advance: (document) => advance(ports, document),
    written() {},
  });
}

async function advance(ports: RightsPorts, { value }: Stored<RightDocument>): Promise<RightDocument | null> {
  const { clock, ask } = ports;
  const contract = cancelling(value);
  if (!contract) return { ...value, open: null };
  const { cancellation, bookingRef, labels, operationId } = contract;
  const eventKeys = cancellation.outcomes.map(({ eventKey }) => eventKey);
  const open = cancellation.outcomes.filter(({ state }) => state === 'pending').map(({ eventKey }) => eventKey);
  const ref = { owner: { kind: 'season' as const, key: value.seasonKey }, operationId: operationId!, eventKeys };
  const asked = { cancelActionId: cancellation.cancelActionId, bookingRef: bookingRef! };
  const own = Object.fromEntries(open.map((eventKey) => [eventKey, labels]));
  const coordinator = createCoordinator({ ask, now: clock.now });
  const told = await coordinator.cancelBooking(ref, { ...asked, labels: own }, byTimer, clock.elapsed() + rightsAskMs);
  const outcomes = cancellation.outcomes.map((outcome, at) => (outcome.state === 'pending' ? told[at]! : outcome));
  if (outcomes.every(({ state }, at) => state === cancellation.outcomes[at]!.state)) return null;
  return withOutcomes(value, contract, outcomes, clock.now());
}

export async function cancelBooking(
  ports: RightsPorts,
  made: BookingContracts,
  work: Lifecycles<RightDocument>,
  input: CatalogInput<'rights.cancel-booking'>,
): Promise<Outcome<BookedContract>> {
  const { store, clock } = ports;
  const { scope, seasonKey, operationId, versions } = input;
  const season = await findSeason(store, { scope, seasonKey });
  if (!season.ok) return season;
  const found = await made.of(seasonKey, operationId, versions);
  if (!found) return bookingUnknown();
  const { operations } = await currentViews(store);
  const operation = await store.get(operations, internalIdOf({ kind: 'season', key: seasonKey }, operationId));
  const eventKeys = operation?.value.head.eventKeys ?? [];
  const { contractId } = bookedIn(found, operationId)!;
  const written = await change(store, rights, found.id, bookingUnknown, (right) =>
    withCancellation(right, contractId, { ...input, eventKeys }, clock.now()),
  );
  if (!written.ok) return written;
  const after = written.value.value.open ? await work.carryOn(found.id, lifecycleCallMs) : written.value;
  return bookedContract(after ?? written.value, operationId);
}

/** The contract that the operation's booking has made, and its right. */
export function bookedContract(right: Stored<RightDocument>, operationId: string): Outcome<BookedContract> {
  const contract = bookedIn(right, operationId);
  return contract ? done({ right: rightOf(right.id, right.value), contract }) : bookingUnknown();
}

function bookedIn({ value }: Stored<RightDocument>, operationId: string): Contract | undefined {
  return value.contracts.find((each) => each.operationId === operationId);
}

export function bookingUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such booking of this season. Check its bookActionId.');
}
