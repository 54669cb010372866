/**
 * Bookings of a season, and their cancellations, as the season's platform makes and reads them. The journals have a
 * booking for good: the actors know it for a day only. So it is read from the catalog's projection, behind the present
 * versions of its events.
 *
 * Failure at each await: the season or the operation cannot be read → nothing was changed; an event does not answer the
 * booking by the deadline → the answer is `book_pending`, and a catalog goes on with it; an event's units cannot be read,
 * or the projection stays behind its event → nothing is cancelled, and the refusal is retryable; the catalog's answer to a cancellation is lost → the cancellation may stand, and a repetition
 * finds it.
 */
import type { KeptBookingAction, KeptOperation } from '@parterre/shared/catalog/operations';
import type { SeasonCancellation } from '@parterre/shared/catalog/season-sales';
import type { SeasonRecord } from '@parterre/shared/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { internalIdOf } from '@parterre/shared/operations/operation';
import type { OperationRef } from '@parterre/shared/operations/ports';
import type { z } from 'zod';
import { labelsOfOperation } from '../../logs/logs.ts';
import { type Call, callerOf } from '../calls/calls.ts';
import { plansOf } from '../history/history.ts';
import { coordinatorOf, deadlineOf, findOperation } from '../operations/operations.ts';
import {
  bookingOf,
  cancellationsOf,
  eventsOf,
  type SeasonBookingAnswer,
  type Versions,
} from '../season-bookings/season-bookings.ts';
import { target } from '../seasons/seasons.ts';
import type { seasonBookBody, seasonCancelBody } from './bodies.ts';
import { likelyEvents } from './season-plans.ts';

export type ServerCall<Body = unknown> = Call<'server', Body, null>;

type Known = { ref: OperationRef; planActivationId: string | null; kept: KeptOperation | null };

const unknownHold = refuse('not_found', 'There is no such hold of this season, or it ended more than a day ago.');
const unknownBooking = refuse('not_found', 'There is no such booking of this season. Check its bookActionId.');

/** The operation of the season, from the projection; from its events where nothing is counted yet. */
export async function operationNamed(
  call: ServerCall,
  season: SeasonRecord,
  operationId: string,
): Promise<Outcome<Known>> {
  const owner = { kind: 'season' as const, key: season.key };
  const kept = await call.ports.catalog('operations.get', { owner, operationId, versions: [] });
  if (kept.ok) {
    const { operation } = kept.value;
    const eventKeys = operation.parts.map(({ eventKey }) => eventKey);
    const { planActivationId } = operation;
    return done({ ref: { owner, operationId, eventKeys }, planActivationId, kept: operation });
  }
  const likely = likelyEvents(season);
  if (kept.refusal.code !== 'not_found') return kept;
  if (likely.length === 0) return unknownHold;
  const found = await findOperation(call, owner, operationId, likely);
  if (!found.ok) return found.refusal.code === 'not_found' ? unknownHold : found;
  const { ref, part } = found.value;
  return done({ ref, planActivationId: part.head.planActivationId ?? null, kept: null });
}

/** The actors have forgotten the operation, so its hold was over long ago. */
const overHold = refuse('conflict', 'This hold is over. Nothing is booked. Hold the seats again.', {
  reason: 'hold_expired',
});

/** Books every occurrence. The occurrences of the season's outbox stand before the answer. */
export async function bookHold(
  call: ServerCall<z.output<typeof seasonBookBody>>,
): Promise<Outcome<SeasonBookingAnswer>> {
  const season = await call.ports.catalog('seasons.get', target(call));
  if (!season.ok) return season;
  const known = await operationNamed(call, season.value.season, call.request.params[1]!);
  if (!known.ok) return known;
  const { ref, kept } = known.value;
  const { bookActionId: actionId, bookingRef } = call.body;
  const standing = kept?.actions.find((each) => each.actionId === actionId && each.state === 'booked');
  if (kept && standing?.bookingRef === bookingRef) return withCancellation(call, ref.owner.key, kept, standing);
  const booked = await coordinatorOf(call).book(
    ref,
    { actionId, bookingRef },
    callerOf(call.principal),
    deadlineOf(call),
  );
  if (!booked.ok) return booked.refusal.code === 'hold_not_found' ? overHold : booked;
  const { parts, booking } = booked.value;
  const isBooked = booking?.state === 'booked';
  if (isBooked) await settle(call, ref);
  const told = {
    operationId: ref.operationId,
    planActivationId: known.value.planActivationId,
    isOpen: !isBooked,
    parts: parts.map(({ eventKey, state }) => ({
      eventKey,
      holdId: null,
      state: state === 'unknown' ? 'none' : state,
    })),
  } as const;
  return done(bookingOf(told, { actionId, bookingRef, state: isBooked ? 'booked' : 'pending' }, null));
}

/** What follows from the booking may come later: the catalogs see it too. */
async function settle(call: ServerCall, { owner, operationId, eventKeys }: OperationRef): Promise<void> {
  const { versions } = await eventsOf(call, { eventKeys });
  await call.ports.catalog('operations.settle', { owner, operationId, versions });
}

/** `isCounted`: the journals have no later record of the operation. */
export type Booked = { kept: KeptOperation; action: KeptBookingAction; versions: Versions; isCounted: boolean };

/** The operation that the booking of the path has booked, tries to book, or failed to book. */
async function bookingOfPath(call: ServerCall, season: SeasonRecord): Promise<Outcome<Booked>> {
  const actionId = call.request.params[1]!;
  const owner = { kind: 'season' as const, key: season.key };
  const { versions } = await eventsOf(call, season);
  const found = await call.ports.catalog('operations.by-action', { owner, versions, actionId });
  const areAllAsked = versions.length === season.eventKeys.length;
  if (!found.ok && found.refusal.code === 'not_found') return areAllAsked ? unknownBooking : notCounted;
  if (!found.ok) return found;
  const { operation: kept } = found.value;
  const isCounted = found.value.isCounted && areAllAsked;
  const action = kept.actions.find((each) => each.actionId === actionId)!;
  return done({ kept, action, versions, isCounted });
}

export async function readBooking(call: ServerCall): Promise<Outcome<SeasonBookingAnswer>> {
  const found = await call.ports.catalog('seasons.get', target(call));
  if (!found.ok) return found;
  const { season } = found.value;
  const booked = await bookingOfPath(call, season);
  return booked.ok ? withCancellation(call, season.key, booked.value.kept, booked.value.action) : booked;
}

async function withCancellation(
  call: ServerCall,
  seasonKey: string,
  kept: KeptOperation,
  action: KeptBookingAction,
): Promise<Outcome<SeasonBookingAnswer>> {
  const standing = await cancellationOf(call, seasonKey, kept);
  return standing.ok ? done(bookingOf(kept, action, standing.value)) : standing;
}

async function cancellationOf(
  call: ServerCall,
  seasonKey: string,
  { operationId }: KeptOperation,
): Promise<Outcome<SeasonCancellation | null>> {
  const found = await cancellationsOf(call, seasonKey, [operationId]);
  return found.ok ? done(found.value.get(operationId) ?? null) : found;
}

const notBooked = refuse('conflict', 'The booking is not complete, so there is nothing to cancel yet.', {
  reason: 'not_booked',
});
const otherRef = refuse('conflict', 'The booking has another bookingRef. Send the reference of the booking.', {
  reason: 'booking_ref_mismatch',
});
const otherPlan = refuse('conflict', 'The booking is of another planActivationId. Send that of the booking.', {
  reason: 'plan_activation_mismatch',
});

export async function cancelBooking(
  call: ServerCall<z.output<typeof seasonCancelBody>>,
): Promise<Outcome<SeasonBookingAnswer>> {
  const found = await call.ports.catalog('seasons.get', target(call));
  if (!found.ok) return found;
  const { key: seasonKey } = found.value.season;
  const booked = await bookingOfPath(call, found.value.season);
  if (!booked.ok) return booked;
  const { kept, action, isCounted } = booked.value;
  const { bookingRef, planActivationId } = call.body;
  if (action.state !== 'booked') return isCounted ? notBooked : notCounted;
  if (action.bookingRef !== bookingRef) return otherRef;
  if (kept.planActivationId !== planActivationId) return otherPlan;
  const standing = await cancellationOf(call, seasonKey, kept);
  if (!standing.ok) return standing;
  // A repetition needs no labels: the first call has them.
  const isRepeated = standing.value?.cancelActionId === call.body.cancelActionId;
  const labels = isRepeated ? done({}) : await bookedLabels(call, booked.value);
  if (!labels.ok) return labels;
  const cancelled = await call.ports.catalog('seasons.cancel-booking', {
    ...{ seasonKey, operationId: kept.operationId, actionId: action.actionId, ...call.body },
    ...{ labels: labels.value, by: callerOf(call.principal) },
    eventKeys: kept.parts.map(({ eventKey }) => eventKey),
  });
  return cancelled.ok ? done(bookingOf(kept, action, cancelled.value.cancellation)) : cancelled;
}

const notCounted = refuse('catalog_unavailable', 'A booking cannot be read at present. Try again.', {
  retryable: true,
});

/** By event key: the labels that the operation has booked and still has. */
async function bookedLabels(
  call: ServerCall,
  { kept, action, versions }: Booked,
): Promise<Outcome<Record<string, string[]>>> {
  const id = internalIdOf(kept.owner, kept.operationId);
  const read = await Promise.all(
    kept.parts.map(async ({ eventKey }): Promise<Outcome<[eventKey: string, labels: string[]]>> => {
      const version = versions.find((each) => each.eventKey === eventKey)?.version;
      if (version === undefined) return notCounted;
      const asked = { eventKey, version, bookingRef: action.bookingRef! };
      const booking = await call.ports.catalog('history.booking', asked);
      // The journals have every booking, so this event counts its records again from the start.
      if (!booking.ok) return booking.refusal.code === 'booking_not_found' ? notCounted : booking;
      if (!booking.value.isCounted) return notCounted;
      const plans = await plansOf(call, booking.value.booking.entries);
      return plans.ok ? done([eventKey, labelsOfOperation(plans.value, booking.value.booking, id)]) : plans;
    }),
  );
  const labels: Record<string, string[]> = {};
  for (const each of read) {
    if (!each.ok) return each;
    const [eventKey, its] = each.value;
    labels[eventKey] = its;
  }
  return done(labels);
}
