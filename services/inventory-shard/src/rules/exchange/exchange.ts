/**
 * Opens the room of exchanges: a booking gives units up and has other units instead, in one step (I4). One record,
 * `exchanged`, has both sides. Its fold books the new units before it frees the old ones, so no state between shows an
 * old unit free or a booking without its place (I1).
 *
 * States of an exchange: unknown → done, once. The call's name stays in the event's calls, so a repetition gets the
 * first answer (I5), even if the units were exchanged back meanwhile. Nothing is awaited here: a command that is
 * refused, or whose append fails, leaves the booking as it was.
 */

import { labelsOf } from '@parterre/shared/charts/plan';
import type { ExchangeAnswer } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { passedBy } from '../availability/availability.ts';
import { externalRefsOf, overriddenOf } from '../reach/attribution.ts';
import { noSuchBooking, noteBlocked, removalsBefore, salesFolds } from '../sales/sales.ts';
import {
  answerNoted,
  type Booking,
  byOf,
  type CallRules,
  type Decision,
  type EventCall,
  type EventState,
  type Folds,
  freedOf,
  isShort,
  knownBooking,
  type NamedCall,
  noteCall,
  type ReadState,
  totalOfLines,
  unitsOfLines,
} from '../state/state.ts';
import { type Taken, unitsGivenUp, unitsTaken } from './sides.ts';

type Exchanged = JournalRecord & { type: 'exchanged' };

export const exchangeCalls: CallRules<'exchange'> = { exchange: { decide: exchange, again } };
export const exchangeFolds: Folds<'exchanged'> = { exchanged: foldExchanged };

/**
 * All units or none. An exchange is the organiser's own act: like a sale at a counter it goes on while sales to buyers
 * are closed, and on an event of any ownership.
 */
function exchange(
  state: ReadState,
  command: Command & { type: 'exchange' },
  caller: Caller,
  now: number,
): Decision<'exchange'> {
  const booking = knownBooking(state, command.bookingRef, now);
  if (!booking) return noSuchBooking;
  const given = unitsGivenUp(state, booking, command.from);
  if (!given.ok) return given;
  const taken = unitsTaken(state, booking, given.value, command.to, { caller, now });
  if (!taken.ok) return taken;
  const removals = removalsBefore(state, given.value, command.callId, caller);
  if (!removals.ok) return removals;
  const record = exchangedRecord(state, command, given.value, taken.value, caller);
  record.freed = freedOf(booking, given.value)!;
  return { ok: true, records: [...removals.records, record], answer: answerOf(state, booking, record) };
}

function exchangedRecord(
  state: ReadState,
  { exchangeId, bookingRef, callId, reason }: Command & { type: 'exchange' },
  units: number[],
  { lines, hold }: Taken,
  caller: Caller,
): Exchanged {
  const accessSource = hold?.accessSource ?? caller.accessSource;
  const sides = { units, holdId: hold?.id ?? null, accessSource, lines };
  const record: Exchanged = { type: 'exchanged', exchangeId, bookingRef, callId, ...sides, reason, by: byOf(caller) };
  // The new places belong to the buyer of the hold, else to the buyer of the places that are given up.
  const buyerRef = hold?.buyerRef ?? buyerAmong(state, units);
  if (buyerRef !== null) record.buyerRef = buyerRef;
  const channelRefs = externalRefsOf(state, lines);
  if (channelRefs) record.channelRefs = channelRefs;
  if (hold) {
    // The hold's own record has the rest.
    if (hold.partnerRef !== null) record.partnerRef = hold.partnerRef;
    return record;
  }
  noteBlocked(state, record, caller);
  const passed = passedBy(state, lines);
  if (passed) record.passed = passed;
  const overridden = overriddenOf(state, caller, unitsOfLines(lines));
  if (overridden) record.overridden = overridden;
  return record;
}

function buyerAmong({ buyers }: ReadState, units: readonly number[]): string | null {
  if (buyers.size === 0) return null;
  const unit = units.find((each) => buyers.buyerOf(each) !== null);
  return unit === undefined ? null : buyers.buyerOf(unit);
}

/** `booking` is the booking before the record. The values of its lines are those of their sale. */
function answerOf(state: ReadState, booking: Readonly<Booking>, record: Exchanged): ExchangeAnswer {
  const { exchangeId, bookingRef, units, lines, accessSource } = record;
  const { plan } = state;
  const { currency } = state.config;
  const given = new Set(units);
  const before = booking.lines.filter(({ unit }) => given.has(unit));
  return {
    exchangeId,
    bookingRef,
    from: labelsOf(plan, units),
    to: labelsOf(plan, unitsOfLines(lines)),
    items: lineItemsOf(plan, lines, { currency, accessSource }),
    priceDifference: totalOfLines(lines) - totalOfLines(before),
    currency,
  };
}

/**
 * A short answer is noted whole. A long answer is noted without its labels and items: `units` has both sides. Its
 * repetition shows the items that are left.
 */
type Noted = ExchangeAnswer | (Omit<ExchangeAnswer, 'from' | 'to' | 'items'> & { taken: number });

function again(state: ReadState, known: EventCall | NamedCall): ExchangeAnswer {
  const noted = answerNoted(known) as Noted;
  if (!('taken' in noted)) return noted;
  const { taken, exchangeId, bookingRef, priceDifference, currency } = noted;
  const { plan } = state;
  const units = known.units ?? [];
  const to = units.slice(-taken);
  const still = new Set(to);
  const { lines = [], accessSource = 'public' } = state.bookings.get(bookingRef) ?? {};
  return {
    exchangeId,
    bookingRef,
    from: labelsOf(plan, units.slice(0, -taken)),
    to: labelsOf(plan, to),
    items: lineItemsOf(
      plan,
      lines.filter(({ unit }) => still.has(unit)),
      { currency, accessSource },
    ),
    priceDifference,
    currency,
  };
}

/**
 * The calls that changed the booking before stay known with it. The exchange itself is known as a call to the event.
 */
function foldExchanged(state: EventState, record: Exchanged, at: number, plan: EventState['plan']): void {
  const { reason: _reason, ...sale } = record;
  const { bookingRef, callId, units, by } = record;
  const before = state.bookings.get(bookingRef)!;
  const answer = answerOf(state, before, record);
  salesFolds.booked(state, { ...sale, type: 'booked' }, at, plan);
  salesFolds.unbooked(state, { type: 'unbooked', bookingRef, callId, units, by }, at, plan);
  state.bookings.set({ ...state.bookings.get(bookingRef)!, lastCall: before.lastCall });
  if (isShort(answer)) {
    noteCall(state, callId, { units: null, answer });
    return;
  }
  const { from: _, to, items: __, ...rest } = answer;
  noteCall(state, callId, {
    units: [...units, ...unitsOfLines(record.lines)],
    answer: { ...rest, taken: to.length },
  });
}
