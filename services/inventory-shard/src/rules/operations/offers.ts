/**
 * EventOffers for offers of a season. From `reserve` on, only the offer sells its units (I1). The offer's document in
 * the catalog decides: it frees the units by `unreserve`, or sells them by `book-reserved`. The event does neither by
 * itself, and no clock ends a reservation.
 *
 * An offer goes `reserved` → unreserved or booked, once. Every command may come twice or late: the offer's id names it,
 * and an offer that has ended stays ended. `unreserve` of an unknown offer is recorded, since a late copy of its
 * `reserve` may follow. Only `reserve` may be refused for a reason of the event: its lines are frozen, and nothing else
 * changes its units. The event may be closed or archived meanwhile.
 */

import { labelsOf } from '@parterre/shared/charts/plan';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import { bookingCallOf } from '@parterre/shared/protocol/operations/operation';
import { type JournalRecord, type Line, unitStatus } from '@parterre/shared/protocol/records';
import { knownEnd } from '../parts/offers.ts';
import { lockIdOf } from '../parts/parts.ts';
import { countFreed, countTaken } from '../pricing/pricing.ts';
import { booked, labelsOfCall } from '../sales/sales.ts';
import { linesFor, oneByOne } from '../selection/selection.ts';
import {
  byOf,
  type Decision,
  type EventState,
  type Folds,
  isFree,
  knownBooking,
  type ReadState,
  setUnits,
  unitsOfLines,
} from '../state/state.ts';
import { notLocked, tooLate } from './part-answers.ts';

const offerOver = refuse('conflict', 'This offer has ended, and its seats are on sale again.', {
  reason: 'offer_over',
});
const offerBooked = refuse('conflict', 'The seats of this offer are booked.', { reason: 'offer_booked' });
const notReserved = refuse('conflict', 'This event has no seats reserved for the offer.', {
  reason: 'offer_not_reserved',
});

/** Every selection or none. A reservation takes free units alone. */
export function reserve(
  state: ReadState,
  { callId, offerId, owner, selections, actsUntil }: Command & { type: 'reserve' },
  caller: Caller,
  now: number,
): Decision<'reserve'> {
  const known = state.offers.live.get(offerId);
  if (known) return { ok: true, records: [], answer: reservedAnswer(state, known.lines) };
  const ended = knownEnd(state.offers, offerId, now);
  if (ended) return ended.bookingRef === null ? offerOver : offerBooked;
  if (now > actsUntil) return tooLate;
  const lock = state.parts.locks.get(lockIdOf(owner));
  if (!lock || lock.isDraining) return notLocked;
  const lines = linesFor(state, oneByOne(state.plan, selections), (unit) => isFree(state, unit), { caller, now });
  if (!lines.ok) return lines;
  return {
    ok: true,
    records: [{ type: 'reserved', offerId, owner, callId, lines: withSource(lines.value, caller), by: byOf(caller) }],
    answer: reservedAnswer(state, lines.value),
  };
}

/** The lines keep the source of the caller who reserves: another caller may book them. */
function withSource(lines: Line[], { accessSource }: Caller): Line[] {
  for (const line of lines) if (line.channelId !== undefined) line.accessSource = accessSource;
  return lines;
}

function reservedAnswer({ plan, config }: ReadState, lines: Line[]): Answers['reserve'] {
  const items = lineItemsOf(plan, lines, { currency: config.currency, accessSource: 'public' });
  return { reserved: labelsOf(plan, unitsOfLines(lines)), items };
}

export function unreserve(
  state: ReadState,
  { callId, offerId }: Command & { type: 'unreserve' },
  caller: Caller,
  now: number,
): Decision<'unreserve'> {
  const known = state.offers.live.get(offerId);
  const ended = known ? undefined : knownEnd(state.offers, offerId, now);
  if (ended && ended.bookingRef !== null) return offerBooked;
  if (ended) return { ok: true, records: [], answer: { unreserved: labelsOf(state.plan, ended.units) } };
  const units = known ? unitsOfLines(known.lines) : [];
  return {
    ok: true,
    records: [{ type: 'unreserved', offerId, callId, units, ...(known && { owner: known.owner }), by: byOf(caller) }],
    answer: { unreserved: labelsOf(state.plan, units) },
  };
}

/** Books the lines as they were frozen. Their ticket releases and prices may have ended since. */
export function bookReserved(
  state: ReadState,
  { callId, offerId, bookingRef }: Command & { type: 'book-reserved' },
  caller: Caller,
  now: number,
): Decision<'book-reserved'> {
  const known = state.offers.live.get(offerId);
  if (!known) return bookedBefore(state, offerId, bookingRef, now);
  const { lines, owner } = known;
  const sale = booked(state, { bookingRef, callId: bookingCallOf(offerId) }, null, lines, caller);
  const unreserved: JournalRecord = {
    type: 'unreserved',
    offerId,
    callId,
    units: unitsOfLines(lines),
    bookingRef,
    owner,
    by: byOf(caller),
  };
  return { ...sale, records: [unreserved, ...sale.records] };
}

/** The booking knows the offer longer than the event knows its end. */
function bookedBefore(state: ReadState, offerId: string, bookingRef: string, now: number): Decision<'book-reserved'> {
  const ended = knownEnd(state.offers, offerId, now);
  const isSame = ended?.bookingRef === bookingRef;
  const before = labelsOfCall(knownBooking(state, bookingRef, now), state, bookingCallOf(offerId));
  if (isSame || before) {
    return { ok: true, records: [], answer: { booked: before ?? labelsOf(state.plan, ended!.units) } };
  }
  if (!ended) return notReserved;
  return ended.bookingRef === null ? offerOver : offerBooked;
}

export const offerFolds: Folds<'reserved' | 'unreserved'> = {
  reserved(state, { offerId, owner, lines }, at) {
    const slot = state.nextSlot++;
    countTaken(state, lines, at);
    setUnits(state, unitsOfLines(lines), unitStatus.blocked, slot);
    state.offers.put({ offerId, owner, slot, lines });
  },
  unreserved(state, { offerId, units, bookingRef = null }, at) {
    const known = state.offers.live.get(offerId);
    if (known) countFreed(state, known, units, bookingRef === null ? at : null);
    if (bookingRef === null) setUnits(state, units, unitStatus.free, 0);
    else leaveToBooking(state, units);
    state.offers.end({ offerId, units, bookingRef, endedAt: at });
  },
};

/** The units stay blocked without a holder until the next record of the group books them. */
function leaveToBooking({ slotOf }: EventState, units: readonly number[]): void {
  for (const unit of units) slotOf[unit] = 0;
}
