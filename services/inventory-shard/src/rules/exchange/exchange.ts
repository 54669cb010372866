/**
 * Opens the room of exchanges: a booking gives units up and has other units instead, in one step (I4). One record,
 * `exchanged`, has both sides. Its fold books the new units before it frees the old ones, so no state between shows an
 * old unit free or a booking without its place (I1). An exchange with charges has the record `exchanged-with`.
 * swap.ts has swaps of two bookings, and over-events.ts this event's side of an exchange with another event.
 *
 * States of an exchange: unknown → done, once. The call's name stays in the event's calls, so a repetition gets the
 * first answer (I5), even if the units were exchanged back meanwhile. Nothing is awaited here: a command that is
 * refused, or whose append fails, leaves the booking as it was.
 */

import { labelsOf } from '@parterre/shared/charts/plan';
import type { ExchangeAnswer } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import type { ExchangeCharges } from '@parterre/shared/protocol/records';
import { invalidState, isMutable } from '../event/lifecycle.ts';
import { noSuchBooking, removalsBefore, salesFolds } from '../sales/sales.ts';
import {
  answerNoted,
  type Booking,
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
  type Rules,
  totalOfLines,
  unitsOfLines,
} from '../state/state.ts';
import { chargesOf, type Exchanged, exchangedRecord, saleOf } from './exchanged-record.ts';
import { foldGiven, foldTaken, overEventsFolds, overEventsRules } from './over-events.ts';
import { movedBy, unitsGivenUp } from './sides.ts';
import { foldSwapped, swap, swappedAgain } from './swap.ts';

type ExchangeCommand = Command & { type: 'exchange' | 'exchange-on-terms' };

export const exchangeCalls: CallRules<'exchange' | 'exchange-on-terms' | 'swap'> = {
  exchange: { decide: exchange, again },
  'exchange-on-terms': { decide: exchange, again },
  swap: { decide: swap, again: swappedAgain },
};

export const exchangeRules: Rules<keyof typeof overEventsRules> = overEventsRules;

export const exchangeFolds: Folds<
  'exchanged' | 'exchanged-with' | 'exchange-pinned' | 'exchange-unpinned' | 'exchange-refused'
> = {
  ...overEventsFolds,
  exchanged: foldExchanged,
  'exchanged-with'(state, record, at, plan) {
    countCharges(state, record);
    if (record.swappedWith !== undefined) foldSwapped(state, record, at);
    else if (record.other?.side === 'from') foldTaken(state, record, at, plan);
    else if (record.other?.side === 'to') foldGiven(state, record, at, plan);
    else foldExchanged(state, record, at, plan);
  },
};

/**
 * All units or none. An exchange is the organiser's own act: like a sale at a counter it goes on while sales to buyers
 * are closed, and on an event of any ownership.
 */
function exchange<T extends ExchangeCommand>(
  state: ReadState,
  command: T,
  caller: Caller,
  now: number,
): Decision<'exchange' | 'exchange-on-terms'> {
  const booking = knownBooking(state, command.bookingRef, now);
  if (!booking) return noSuchBooking;
  const given = unitsGivenUp(state, booking, command.from);
  if (!given.ok) return given;
  const moved = movedBy(state, booking, given.value, command.to, { caller, now });
  if (!moved.ok) return moved;
  const { units, taken } = moved.value;
  const removals = removalsBefore(state, units, command.callId, caller);
  if (!removals.ok) return removals;
  const record = exchangedRecord(state, command, units, taken, caller);
  record.freed = freedOf(booking, units)!;
  const answer = answerOf(state, booking, record);
  if (command.type === 'exchange') return { ok: true, records: [...removals.records, record], answer };
  if (command.isDry && !isMutable(state)) return invalidState(state);
  if (command.isDry) return { ok: true, records: [], answer: { ...answer, ...chargesOf(command, answer) } };
  const charged = { ...record, type: 'exchanged-with' as const, ...chargesOf(command, answer) };
  return { ok: true, records: [...removals.records, charged], answer: answerOf(state, booking, charged) };
}

/** The sums that the event's report tells. */
function countCharges(state: EventState, { fee = 0, waived }: ExchangeCharges): void {
  if (fee === 0 && !waived) return;
  const before = state.exchangeCharges ?? { fees: 0, waived: 0 };
  state.exchangeCharges = { fees: before.fees + fee, waived: before.waived + (waived?.amount ?? 0) };
}

/** `booking` is the booking before the record. The values of its lines are those of their sale. */
function answerOf(state: ReadState, booking: Readonly<Booking>, record: Exchanged): ExchangeAnswer {
  const { exchangeId, bookingRef, units, lines, accessSource } = record;
  const { plan } = state;
  const { currency } = state.config;
  const given = new Set(units);
  const before = booking.lines.filter(({ unit }) => given.has(unit));
  const answer: ExchangeAnswer = {
    exchangeId,
    bookingRef,
    from: labelsOf(plan, units),
    to: labelsOf(plan, unitsOfLines(lines)),
    items: lineItemsOf(plan, lines, { currency, accessSource }),
    priceDifference: totalOfLines(lines) - totalOfLines(before),
    currency,
  };
  if (record.type === 'exchanged-with') {
    if (record.fee !== undefined) answer.fee = record.fee;
    if (record.waived) answer.waived = record.waived;
  }
  return answer;
}

/**
 * A short answer is noted whole. A long answer is noted without its labels and items: `units` has both sides. Its
 * repetition shows the items that are left.
 */
type Noted = ExchangeAnswer | (Omit<ExchangeAnswer, 'from' | 'to' | 'items'> & { taken: number });

function again(state: ReadState, known: EventCall | NamedCall): ExchangeAnswer {
  const noted = answerNoted(known) as Noted;
  if (!('taken' in noted)) return noted;
  const { taken, exchangeId, bookingRef, priceDifference, currency, fee, waived } = noted;
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
    ...(fee !== undefined && { fee }),
    ...(waived && { waived }),
  };
}

/**
 * The calls that changed the booking before stay known with it. The exchange itself is known as a call to the event.
 */
function foldExchanged(state: EventState, record: Exchanged, at: number, plan: EventState['plan']): void {
  const { bookingRef, callId, units, by } = record;
  const before = state.bookings.get(bookingRef)!;
  const answer = answerOf(state, before, record);
  salesFolds.booked(state, saleOf(record), at, plan);
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
