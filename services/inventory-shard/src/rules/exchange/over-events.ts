/**
 * This event's side of an exchange over two events: a booking gives up units here and has units of another event
 * instead, or the other way round. operations/exchanges.ts has the coordinator and its failures. The event knows
 * nothing of the other event but the words of the commands.
 *
 * The event that gives: booked → pinned → booked again, or given. A pin is a listing of its booking that nobody can buy
 * (`pinnedSlot`): every rule that leaves a listing in checkout alone leaves pinned units alone too, and a change of
 * chart moves them. No clock ends a pin.
 *
 * The event that takes decides (I4): unknown → taken, once, or → this try (`pinId`) is refused, for a day. A try may
 * act for seconds only (`actsUntil`), so a refusal outlives every copy of it.
 *
 * Every command may come twice (I5). Among its named calls, the event that gave knows the exchange, and the event that
 * took knows the try, for a day. A late copy of a pin may pin once more. The catalog finds such a pin, and takes it
 * back behind a refusal.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { Answers, ExchangeAnswer } from '@parterre/shared/protocol/answers';
import type { Caller, Command, ExchangeGiven } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import { unitOf } from '@parterre/shared/protocol/money';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { invalidState, isMutable } from '../event/lifecycle.ts';
import { endListing, noSuchBooking, removalsBefore, salesFolds } from '../sales/sales.ts';
import {
  answerNoted,
  type Booking,
  byOf,
  type Decision,
  type EventState,
  type Folds,
  freedOf,
  isShort,
  knownBooking,
  knownNamedCall,
  type Listing,
  type NamedCall,
  noteNamedCall,
  pinnedSlot,
  putListing,
  quantityOfLines,
  type ReadState,
  type Rules,
  totalOfLines,
  unitsOfLines,
} from '../state/state.ts';
import { buyerAmong, chargesOf, exchangedRecord, saleOf } from './exchanged-record.ts';
import { takenFrom, unequal, unitsGivenUp } from './sides.ts';

type With = JournalRecord & { type: 'exchanged-with' };

export const overEventsRules: Rules<
  'pin-exchange' | 'take-exchange' | 'refuse-exchange' | 'give-exchange' | 'unpin-exchange'
> = {
  'pin-exchange': pin,
  'take-exchange': take,
  'refuse-exchange': refuseTry,
  'give-exchange': give,
  'unpin-exchange': unpin,
};

export const overEventsFolds: Folds<'exchange-pinned' | 'exchange-unpinned' | 'exchange-refused'> = {
  'exchange-pinned'(state, { pinId, bookingRef, units }) {
    putListing(state, { id: pinId, bookingRef, units, heldBy: pinnedSlot });
  },
  'exchange-unpinned'(state, { pinId }) {
    endListing(state, pinId);
  },
  'exchange-refused'(state, { pinId }, at) {
    noteNamedCall(state, pinId, { units: [], fingerprint: '', at });
  },
};

const tooLate = refuse('conflict', 'The command came too late, and did nothing. Repeat the call.', {
  reason: 'too_late',
});

/** This try is over. The caller may try again. */
const tryRefused = refuse('conflict', 'The exchange was given up before it was done. Repeat the call.', {
  reason: 'exchange_given_up',
});

const incompatible = refuse(
  'incompatible_events',
  'The other event has another currency or another unit of prices. Exchange within events of one currency and unit.',
);

const notPinned = refuse('conflict', 'This event has no units pinned for the exchange.', {
  reason: 'exchange_not_pinned',
});

/** The pin of the exchange, of any try. */
function pinOf(state: ReadState, exchangeId: string): Readonly<Listing> | undefined {
  for (const listing of state.listings.values()) {
    if (listing.heldBy === pinnedSlot && listing.id.startsWith(`${exchangeId}.`)) return listing;
  }
  return undefined;
}

/** Makes the checks of an exchange. The units that it pins can then be given up for good. */
function pin(
  state: ReadState,
  command: Command & { type: 'pin-exchange' },
  caller: Caller,
  now: number,
): Decision<'pin-exchange'> {
  const { exchangeId, pinId, bookingRef, from, toEventKey } = command;
  const done = knownNamedCall(state, exchangeId, now);
  if (done) return { ok: true, records: [], answer: answerNoted(done) as Answers['pin-exchange'] };
  const standing = pinOf(state, exchangeId);
  const booking = knownBooking(state, standing?.bookingRef ?? bookingRef, now);
  if (!booking) return noSuchBooking;
  if (standing) {
    const given = givenSide(state, booking, standing.units);
    return { ok: true, records: [], answer: { state: 'pinned', pinId: standing.id, given } };
  }
  if (now > command.actsUntil) return tooLate;
  const units = unitsGivenUp(state, booking, from);
  if (!units.ok) return units;
  const removals = removalsBefore(state, units.value, pinId, caller);
  if (!removals.ok) return removals;
  const given = givenSide(state, booking, units.value);
  if (command.isDry) {
    return isMutable(state) ? { ok: true, records: [], answer: { state: 'dry', pinId, given } } : invalidState(state);
  }
  const pinned: JournalRecord = {
    type: 'exchange-pinned',
    exchangeId,
    pinId,
    bookingRef,
    units: units.value,
    toEventKey,
    by: byOf(caller),
  };
  return { ok: true, records: [...removals.records, pinned], answer: { state: 'pinned', pinId, given } };
}

function givenSide(state: ReadState, { lines }: Readonly<Booking>, units: readonly number[]): ExchangeGiven {
  const { plan, config } = state;
  const buyerRef = buyerAmong(state, units);
  const gone = new Set(units);
  const given = lines.filter(({ unit }) => gone.has(unit));
  const { eventKey, currency } = config;
  return {
    eventKey,
    labels: labelsOf(plan, units),
    places: quantityOfLines(given),
    value: totalOfLines(given),
    currency,
    priceUnit: unitOf(config),
    ...(buyerRef !== null && { buyerRef }),
  };
}

function take(
  state: ReadState,
  command: Command & { type: 'take-exchange' },
  caller: Caller,
  now: number,
): Decision<'take-exchange'> {
  const { exchangeId, pinId, bookingRef, to, given, reason } = command;
  const known = knownNamedCall(state, pinId, now);
  const taken = takenBy(state, known);
  if (taken) return { ok: true, records: [], answer: taken };
  if (known) return tryRefused;
  if (now > command.actsUntil) return tooLate;
  const { currency } = state.config;
  if (currency !== given.currency || unitOf(state.config) !== (given.priceUnit ?? 'major')) return incompatible;
  const kept = knownBooking(state, bookingRef, now)?.lines ?? [];
  const lines = takenFrom(state, kept, to, { caller, now });
  if (!lines.ok) return lines;
  const places = quantityOfLines(lines.value.lines);
  if (places !== given.places) return { ok: false, refusal: unequal(given.places, places) };
  const priceDifference = totalOfLines(lines.value.lines) - given.value;
  const names = { exchangeId, bookingRef, callId: pinId, reason };
  const record: With = {
    ...exchangedRecord(state, names, [], lines.value, caller),
    ...(given.buyerRef !== undefined && { buyerRef: given.buyerRef }),
    type: 'exchanged-with',
    ...chargesOf(command, { priceDifference }),
    other: { side: 'from', eventKey: given.eventKey, labels: given.labels, priceDifference },
  };
  if (command.isDry && !isMutable(state)) return invalidState(state);
  return { ok: true, records: command.isDry ? [] : [record], answer: takenAnswer(state, record) };
}

/** The answer of an exchange: one side is this event's, the other side the other event's. */
function takenAnswer({ plan, config }: ReadState, record: With): ExchangeAnswer {
  const { exchangeId, bookingRef, lines, accessSource, fee, waived, other } = record;
  const { currency } = config;
  return {
    exchangeId,
    bookingRef,
    from: other!.labels,
    to: labelsOf(plan, unitsOfLines(lines)),
    items: lineItemsOf(plan, lines, { currency, accessSource }),
    priceDifference: other!.priceDifference,
    currency,
    ...(fee !== undefined && { fee }),
    ...(waived && { waived }),
  };
}

/** A long answer is noted without its own labels and items. */
type Noted = ExchangeAnswer | ({ to?: undefined } & Omit<ExchangeAnswer, 'to' | 'items'>);

/** Null for an unknown try, and for a try that was refused. */
function takenBy(state: ReadState, known: NamedCall | undefined): ExchangeAnswer | null {
  const noted = known ? (answerNoted(known) as Noted | null) : null;
  if (!known || !noted) return null;
  if (noted.to) return noted;
  const { plan, bookings, config } = state;
  const still = new Set(known.units);
  const { lines = [], accessSource = 'public' } = bookings.get(noted.bookingRef) ?? {};
  const left = lines.filter(({ unit }) => still.has(unit));
  const items = lineItemsOf(plan, left, { currency: config.currency, accessSource });
  return { ...noted, to: labelsOf(plan, known.units), items };
}

/** Recorded also where the event knows no such try: a late copy of it may follow. */
function refuseTry(
  state: ReadState,
  { exchangeId, pinId }: Command & { type: 'refuse-exchange' },
  caller: Caller,
  now: number,
): Decision<'refuse-exchange'> {
  const known = knownNamedCall(state, pinId, now);
  const refused: JournalRecord = { type: 'exchange-refused', exchangeId, pinId, by: byOf(caller) };
  return { ok: true, records: known ? [] : [refused], answer: { taken: takenBy(state, known) } };
}

function give(
  state: ReadState,
  { exchangeId, toEventKey, to, priceDifference, reason }: Command & { type: 'give-exchange' },
  caller: Caller,
  now: number,
): Decision<'give-exchange'> {
  const known = knownNamedCall(state, exchangeId, now);
  const pinned = pinOf(state, exchangeId);
  if (!pinned) {
    if (!known) return notPinned;
    const { given } = answerNoted(known) as Answers['pin-exchange'];
    return { ok: true, records: [], answer: { given: given.labels } };
  }
  const { bookingRef, units } = pinned;
  const booking = knownBooking(state, bookingRef, now)!;
  const record: With = {
    type: 'exchanged-with',
    exchangeId,
    bookingRef,
    callId: pinned.id,
    units,
    holdId: null,
    accessSource: booking.accessSource,
    lines: [],
    reason,
    freed: freedOf(booking, units)!,
    other: { side: 'to', eventKey: toEventKey, labels: to, priceDifference },
    by: byOf(caller),
  };
  return { ok: true, records: [record], answer: { given: labelsOf(state.plan, units) } };
}

/** Harmless without a pin of this try. */
function unpin(
  state: ReadState,
  { exchangeId, pinId }: Command & { type: 'unpin-exchange' },
  caller: Caller,
): Decision<'unpin-exchange'> {
  const pinned = pinOf(state, exchangeId);
  if (pinned?.id !== pinId) return { ok: true, records: [], answer: { unpinned: [] } };
  const { bookingRef, units } = pinned;
  return {
    ok: true,
    records: [{ type: 'exchange-unpinned', exchangeId, pinId, bookingRef, units, by: byOf(caller) }],
    answer: { unpinned: labelsOf(state.plan, units) },
  };
}

/** The booking has units of the other event from now on in this one. */
export function foldTaken(state: EventState, record: With, at: number, plan: EventState['plan']): void {
  const { callId, bookingRef, lines } = record;
  const before = knownBooking(state, bookingRef, at);
  const answer = takenAnswer(state, record);
  salesFolds.booked(state, saleOf(record), at, plan);
  // The calls that changed the booking before stay known with it.
  if (before) state.bookings.set({ ...state.bookings.get(bookingRef)!, lastCall: before.lastCall });
  const { to: _, items: __, ...short } = answer;
  const isWhole = isShort(answer);
  const units = isWhole ? [] : unitsOfLines(lines);
  noteNamedCall(state, callId, { units, fingerprint: '', at, answer: isWhole ? answer : short });
}

/** The booking has given units up for units of the other event. */
export function foldGiven(state: EventState, record: With, at: number, plan: EventState['plan']): void {
  const { exchangeId, bookingRef, callId, units, by } = record;
  const before = state.bookings.get(bookingRef)!;
  const given = givenSide(state, before, units);
  endListing(state, callId);
  salesFolds.unbooked(state, { type: 'unbooked', bookingRef, callId, units, by }, at, plan);
  state.bookings.set({ ...state.bookings.get(bookingRef)!, lastCall: before.lastCall });
  const told: Answers['pin-exchange'] = { state: 'gone', pinId: callId, given };
  const answer = isShort(told) ? told : { ...told, given: { ...given, labels: [] } };
  noteNamedCall(state, exchangeId, { units: [], fingerprint: '', at, answer });
}
