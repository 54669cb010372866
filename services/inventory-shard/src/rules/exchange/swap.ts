/**
 * Swaps: two bookings of one event give each other their units, in one group of records (I4). Each record is the
 * exchange of one booking, and names the other booking. The first record leaves its old units booked without a holder,
 * and the second record books them for the other booking, so no unit is free in between (I1).
 *
 * A line goes over as it was sold: its value, its tier, its channel and its ticket release. So the use of ticket
 * releases and the sum of the event's bookings stay, and the two price differences add up to 0. Nothing is sold, so the
 * rules of a sale do not ask: who sits beside a wheelchair place is the organiser's own decision.
 *
 * States as for an exchange (exchange.ts): unknown → done, once.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { SwapAnswer, SwappedSide } from '@parterre/shared/protocol/answers';
import type { Caller, Command, SwapSide } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';
import { invalidState, isMutable } from '../event/lifecycle.ts';
import { removalsBefore } from '../sales/sales.ts';
import {
  answerNoted,
  type Booking,
  byOf,
  type Decision,
  type EventCall,
  type EventState,
  freedOf,
  isShort,
  knownBooking,
  lineValue,
  type NamedCall,
  noteCall,
  quantityOfLines,
  type ReadState,
  totalOfLines,
  unitsOfLines,
} from '../state/state.ts';
import { buyerAmong } from './exchanged-record.ts';
import { unitsGivenUp } from './sides.ts';

type Swap = Command & { type: 'swap' };
type Swapped = JournalRecord & { type: 'exchanged-with' };
type Side = { booking: Readonly<Booking>; units: number[]; lines: Line[] };

export function swap(state: ReadState, command: Swap, caller: Caller, now: number): Decision<'swap'> {
  const a = sideOf(state, 'a', command.a, now);
  if (!a.ok) return a;
  const b = sideOf(state, 'b', command.b, now);
  if (!b.ok) return b;
  const refused = whyNot(a.value, b.value);
  if (refused) return refused;
  const units = [...a.value.units, ...b.value.units];
  const removals = removalsBefore(state, units, command.callId, caller);
  if (!removals.ok) return removals;
  const answer: SwapAnswer = {
    exchangeId: command.exchangeId,
    currency: state.config.currency,
    a: answerOf(state, a.value, b.value),
    b: answerOf(state, b.value, a.value),
  };
  if (command.isDry) return isMutable(state) ? { ok: true, records: [], answer } : invalidState(state);
  const records = [recordOf(command, a.value, b.value, caller), recordOf(command, b.value, a.value, caller)];
  return { ok: true, records: [...removals.records, ...records], answer };
}

function sideOf(state: ReadState, name: 'a' | 'b', { bookingRef, from }: SwapSide, now: number): Outcome<Side> {
  const booking = knownBooking(state, bookingRef, now);
  if (!booking) {
    return refuse(
      'booking_not_found',
      `The event has no booking with the bookingRef of ${name}. Check the bookingRef.`,
    );
  }
  const given = unitsGivenUp(state, booking, from);
  if (!given.ok) return given;
  const gone = new Set(given.value);
  return done({ booking, units: given.value, lines: booking.lines.filter(({ unit }) => gone.has(unit)) });
}

function whyNot(a: Side, b: Side): ReturnType<typeof refuse> | null {
  if (a.booking.ref === b.booking.ref) {
    return invalid('b', 'Both sides name the same booking. Seats of one booking need no swap.');
  }
  const [from, into] = [quantityOfLines(a.lines), quantityOfLines(b.lines)];
  return from === into
    ? null
    : invalid('b', `a has ${from} places and b has ${into}. Name as many places on both sides.`);
}

function invalid(path: string, message: string): ReturnType<typeof refuse> {
  return refuse('invalid_request', message, { details: { issues: [{ path, message }] } });
}

/** The booking of `side` after the swap: it has the lines of `other`. */
function answerOf({ plan, config }: ReadState, side: Side, other: Side): SwappedSide {
  const { accessSource } = other.booking;
  return {
    bookingRef: side.booking.ref,
    from: labelsOf(plan, side.units),
    items: lineItemsOf(plan, other.lines, { currency: config.currency, accessSource }),
    priceDifference: totalOfLines(other.lines) - totalOfLines(side.lines),
  };
}

function recordOf({ callId, exchangeId, reason }: Swap, side: Side, other: Side, caller: Caller): Swapped {
  const { ref: bookingRef } = side.booking;
  return {
    type: 'exchanged-with',
    exchangeId,
    bookingRef,
    callId,
    units: side.units,
    holdId: null,
    accessSource: other.booking.accessSource,
    lines: other.lines,
    reason,
    freed: freedOf(side.booking, side.units)!,
    swappedWith: other.booking.ref,
    by: byOf(caller),
  };
}

/** A long answer is noted without labels and items: `units` has those of a, then those of b. */
type Noted = SwapAnswer | { exchangeId: string; currency: string; a: NotedSide; b: NotedSide };
type NotedSide = { bookingRef: string; priceDifference: number; given: number };

export function swappedAgain(state: ReadState, known: EventCall | NamedCall): SwapAnswer {
  const noted = answerNoted(known) as Noted;
  if ('items' in noted.a) return noted as SwapAnswer;
  const { exchangeId, currency } = noted;
  const [a, b] = [noted.a, noted.b] as [NotedSide, NotedSide];
  const units = known.units ?? [];
  const ofA = units.slice(0, a.given);
  const ofB = units.slice(a.given);
  return { exchangeId, currency, a: sideAgain(state, a, ofA, ofB), b: sideAgain(state, b, ofB, ofA) };
}

/** The items that are left of the units that came. */
function sideAgain(
  { plan, bookings, config }: ReadState,
  { bookingRef, priceDifference }: NotedSide,
  given: readonly number[],
  came: readonly number[],
): SwappedSide {
  const still = new Set(came);
  const { lines = [], accessSource = 'public' } = bookings.get(bookingRef) ?? {};
  const left = lines.filter(({ unit }) => still.has(unit));
  return {
    bookingRef,
    from: labelsOf(plan, given),
    items: lineItemsOf(plan, left, { currency: config.currency, accessSource }),
    priceDifference,
  };
}

/** Of the pair of records, the first notes the call, since both bookings are as they were. */
export function foldSwapped(state: EventState, record: Swapped, at: number): void {
  const { bookingRef, units, lines, accessSource } = record;
  const booking = state.bookings.get(bookingRef)!;
  const other = state.bookings.get(record.swappedWith!)!;
  if (state.slotOf[lines[0]!.unit] === other.slot) {
    noteSwap(state, record, booking, other);
    swapBuyers(state, booking.lines, units, lines);
  }
  const gone = new Set(units);
  const given = booking.lines.filter(({ unit }) => gone.has(unit));
  // The units of the first record have the other booking's slot already.
  for (const unit of units) if (state.slotOf[unit] === booking.slot) state.slotOf[unit] = 0;
  for (const { unit } of lines) state.slotOf[unit] = booking.slot;
  const kept = booking.lines.filter(({ unit }) => !gone.has(unit));
  for (const line of lines) state.bookedValue += lineValue(line);
  for (const line of given) state.bookedValue -= lineValue(line);
  const came = lines.map((line) => withSource(line, accessSource, booking.accessSource));
  const chosen = booking.chosen && {
    ...booking.chosen,
    units: booking.chosen.units.filter((unit) => !gone.has(unit)),
  };
  state.bookings.set({ ...booking, chosen, lines: [...kept, ...came], updatedAt: at });
}

/** The places that come belong to the buyer of those that go. */
function swapBuyers(state: EventState, own: readonly Line[], units: readonly number[], came: readonly Line[]): void {
  const { buyers, plan } = state;
  if (buyers.size === 0) return;
  const gone = new Set(units);
  const given = own.filter(({ unit }) => gone.has(unit));
  const [one, other] = [buyerAmong(state, units), buyerAmong(state, unitsOfLines(came))];
  for (const { unit, quantity = 1 } of [...given, ...came]) buyers.free(unit, quantity);
  const book = (lines: readonly Line[], buyerRef: string | null): void => {
    if (buyerRef === null) return;
    for (const { unit, quantity = 1 } of lines) buyers.book(unit, buyerRef, quantity, plan.unitCount);
  };
  book(came, one);
  book(given, other);
}

/** A line of a channel keeps the source of its sale. */
function withSource(line: Line, source: Line['accessSource'], own: Line['accessSource']): Line {
  if (line.channelId === undefined) return line;
  const { accessSource = source, ...rest } = line;
  return accessSource === own || accessSource === undefined ? rest : { ...rest, accessSource };
}

function noteSwap(
  state: EventState,
  { callId, exchangeId, units, lines }: Swapped,
  a: Readonly<Booking>,
  b: Readonly<Booking>,
): void {
  const { currency } = state.config;
  const gone = new Set(units);
  const sideA: Side = { booking: a, units, lines: a.lines.filter(({ unit }) => gone.has(unit)) };
  const sideB: Side = { booking: b, units: unitsOfLines(lines), lines };
  const told = { a: answerOf(state, sideA, sideB), b: answerOf(state, sideB, sideA) };
  const answer: SwapAnswer = { exchangeId, currency, ...told };
  if (isShort(answer)) {
    noteCall(state, callId, { units: null, answer });
    return;
  }
  const short = ({ bookingRef, priceDifference }: SwappedSide, given: number): NotedSide => {
    return { bookingRef, priceDifference, given };
  };
  const noted: Noted = {
    exchangeId,
    currency,
    a: short(told.a, sideA.units.length),
    b: short(told.b, sideB.units.length),
  };
  noteCall(state, callId, { units: [...sideA.units, ...sideB.units], answer: noted });
}
