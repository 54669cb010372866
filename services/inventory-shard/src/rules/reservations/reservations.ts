/**
 * Opens the room of reservations: an operator keeps units for somebody, under a name, until a time. Examples: a school
 * class that pays later, house seats. The units are blocked for everybody else. Only a call that names the reservation
 * sells, frees or changes them (I1).
 *
 * States of a reservation: active → booked, when the last of its units is booked from it; active → ended, by an
 * operator or at `until`. A part may be booked, and the rest stays reserved. Every command is one commit of one event.
 * Nothing is awaited between: a command that is refused, or whose append fails, leaves the reservation as it was.
 * `callId` names a call, and the event remembers its answer, so that a late copy does nothing (I5). A booking is named
 * by its reference.
 *
 * No price is frozen: the units are sold at the prices of their booking. A reservation is the organiser's own act. It
 * goes on while sales to buyers are closed, and goes past channels; the audit of channels tells its name as the reason.
 */
import { labelsOf, type Plan } from '@parterre/shared/charts/plan';
import type { Answers, ReservationView } from '@parterre/shared/protocol/answers';
import type { Caller, Command, Selection } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  reservationLabelsPerPageMax,
  reservationMsMax,
  reservationsPerEventMax,
} from '@parterre/shared/protocol/limits';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import { type JournalRecord, type Line, unitStatus } from '@parterre/shared/protocol/records';
import { attributed } from '../reach/attribution.ts';
import { booked, labelsOfCall } from '../sales/sales.ts';
import {
  areaConflict,
  conflictOver,
  conflictsOf,
  conflictWith,
  groupPlaces,
  linesFor,
  placesAmong,
  unitsNamed,
} from '../selection/selection.ts';
import {
  answerNoted,
  byOf,
  type CallRules,
  type Decision,
  type EventCall,
  type EventState,
  type Folds,
  knownBooking,
  knownReservation,
  type NamedCall,
  noteCall,
  publicSale,
  type ReadState,
  type Reads,
  type Reservation,
  type Rules,
  schedule,
  setUnits,
} from '../state/state.ts';
import { placesToReserve } from './places.ts';

const notFound = refuse('reservation_not_found', 'The event has no reservation with this id. Check the id.');

const tooMany = refuse(
  'conflict',
  `The event has ${reservationsPerEventMax} active reservations, the most that it keeps. End some of them first.`,
  { reason: 'too_many_reservations' },
);

/** A call that the event remembers as a whole. */
export const reservationCalls: CallRules<'make-reservation' | 'change-reservation' | 'end-reservation'> = {
  'make-reservation': { decide: make, again },
  'change-reservation': { decide: change, again },
  'end-reservation': {
    decide: end,
    again: ({ plan }, { units }) => ({ freed: labelsOf(plan, units ?? []) }),
  },
};

/** A repetition of such a command finds the booking of its first run. */
export const reservationRules: Rules<'book-reservation'> = { 'book-reservation': book };

/** May be refused, but never writes. */
export const reservationInspections: Rules<'inspect-reservation'> = {
  'inspect-reservation': (state, { reservationId }, _caller, now) => {
    const known = knownReservation(state, reservationId, now);
    return known ? { ok: true, records: [], answer: { reservation: viewOf(state.plan, known) } } : notFound;
  },
};

export const reservationReads: Reads<'list-reservations' | 'reserved-places'> = {
  'list-reservations': list,
  'reserved-places': ({ plan, reservations }) => ({
    places: Array.from(reservations.active.values(), ({ id, name, units }) => ({
      id,
      name,
      labels: labelsOf(plan, units),
    })),
  }),
};

function viewOf(plan: Plan, reservation: Reservation): ReservationView {
  const { id, name, units, until, note, state, createdAt, createdBy } = reservation;
  return { id, name, labels: labelsOf(plan, units), until, note, state, createdAt, createdBy };
}

function make(
  state: ReadState,
  command: Command & { type: 'make-reservation' },
  caller: Caller,
  now: number,
): Decision<'make-reservation'> {
  const { callId, reservationId, name, until, note } = command;
  const inTime = checkUntil(until, now);
  if (!inTime.ok) return inTime;
  if (state.reservations.size >= reservationsPerEventMax) return tooMany;
  const places = placesToReserve(state, command.labels, null);
  if (!places.ok) return places;
  const by = byOf(caller);
  const terms = { callId, reservationId, name, note, until };
  const record: JournalRecord = { type: 'reservation-made', ...terms, units: places.value, by };
  const made = reservationMade(record, 0, now);
  return { ok: true, records: [record], answer: { reservation: viewOf(state.plan, made) } };
}

function checkUntil(until: number, now: number): Outcome<null> {
  if (until > now && until <= now + reservationMsMax) return done(null);
  const message = until > now ? 'Must be at most 400 days from now.' : 'Must be in the future.';
  return refuse(
    'invalid_request',
    'A reservation ends at a time in the future, at most 400 days from now. Send such a time as until.',
    {
      details: { issues: [{ path: 'until', message }] },
    },
  );
}

function reservationMade(
  { reservationId: id, name, note, until, units, by }: JournalRecord & { type: 'reservation-made' },
  slot: number,
  at: number,
): Reservation {
  const terms = { id, slot, name, note, until, createdAt: at, createdBy: by.actor };
  return { ...terms, state: 'active', units, booked: [], endedAt: null };
}

/** The refusal of a call for a reservation that is over. */
function whyOver(state: ReadState, { state: how, units }: Reservation): { ok: false; refusal: Conflictual } {
  return conflictOver(state, units, how === 'booked' ? 'reservation_booked' : 'reservation_ended');
}

type Conflictual = ReturnType<typeof conflictWith>;

/** `labels` replaces all units. Units that the reservation loses are free; units that it gains must be. */
function change(
  state: ReadState,
  command: Command & { type: 'change-reservation' },
  caller: Caller,
  now: number,
): Decision<'change-reservation'> {
  const known = knownReservation(state, command.reservationId, now);
  if (!known) return notFound;
  if (known.state !== 'active') return whyOver(state, known);
  const { callId, labels, name = known.name, note = known.note, until = known.until } = command;
  const inTime = until === known.until ? done(null) : checkUntil(until, now);
  if (!inTime.ok) return inTime;
  const places = labels ? placesToReserve(state, labels, known) : done([...known.units]);
  if (!places.ok) return places;
  const units = places.value;
  const kept = new Set(units);
  const givenUp = known.units.filter((unit) => !kept.has(unit));
  const terms = { callId, reservationId: known.id, name, note, until, units, givenUp };
  return {
    ok: true,
    records: [{ type: 'reservation-changed', ...terms, by: byOf(caller) }],
    answer: { reservation: viewOf(state.plan, { ...known, name, note, until, units }) },
  };
}

/** Harmless for a reservation that has ended. */
function end(
  state: ReadState,
  { callId, reservationId }: Command & { type: 'end-reservation' },
  caller: Caller,
  now: number,
): Decision<'end-reservation'> {
  const known = knownReservation(state, reservationId, now);
  if (!known) return notFound;
  if (known.state === 'booked') return whyOver(state, known);
  if (known.state === 'ended') return { ok: true, records: [], answer: { freed: [] } };
  return {
    ok: true,
    records: [endOf(known, callId, 'operator', byOf(caller))],
    answer: { freed: labelsOf(state.plan, known.units) },
  };
}

/** The record that ends an active reservation. The clock's has no call. */
export function endOf(
  { id: reservationId, name, units }: Reservation,
  callId: string | null,
  reason: 'operator' | 'scheduled',
  by: JournalRecord['by'],
): JournalRecord & { type: 'reservation-ended' } {
  const call = callId === null ? {} : { callId };
  return { type: 'reservation-ended', ...call, reservationId, name, units: [...units], reason, by };
}

/**
 * Books units of the reservation under a reference: the named ones, or all that it has. Units that the reference booked
 * from it before stay as they are.
 */
function book(
  state: ReadState,
  command: Command & { type: 'book-reservation' },
  caller: Caller,
  now: number,
): Decision<'book-reservation'> {
  const { reservationId, bookingRef, callId, labels } = command;
  const known = knownReservation(state, reservationId, now);
  if (!known) return notFound;
  const before = known.booked.flatMap(({ ref, units }) => (ref === bookingRef ? units : []));
  const repeated = labelsOfCall(knownBooking(state, bookingRef, now), state, callId);
  if (repeated) return bookedBefore(state, known, bookingRef, { booked: repeated, units: before });
  const mine = new Set(before);
  const all = known.state === 'active' ? known.units : before;
  const places = placesAmong(state.plan, () => [...before, ...known.units]);
  const named = labels ? unitsNamed(state.plan, labels, places) : done({ units: [...all], without: [] });
  if (!named.ok) return named;
  const { units, without } = named.value;
  const has = (unit: number): boolean => known.state === 'active' && state.slotOf[unit] === known.slot;
  const inTheWay = units.filter((unit) => !has(unit) && !mine.has(unit));
  const isNothing = units.length === 0 && without.length === 0;
  if (isNothing || (known.state !== 'active' && inTheWay.length > 0)) return whyOver(state, known);
  if (inTheWay.length > 0 || without.length > 0) {
    const conflicts = [...conflictsOf(state, inTheWay), ...without.map((label) => areaConflict(label, 0))];
    return { ok: false, refusal: conflictWith(conflicts, 'not_in_reservation') };
  }
  const open = units.filter(has);
  if (open.length === 0) return bookedBefore(state, known, bookingRef, { booked: [], units });
  const lines = linesOf(state, known, bookingRef, open, caller, now);
  if (!lines.ok) return lines;
  const seller = sellerFor(state, known, caller, open);
  const sale = booked(state, { bookingRef, callId, counter: true }, null, lines.value, seller);
  const given: JournalRecord = {
    type: 'reservation-booked',
    callId,
    reservationId,
    name: known.name,
    bookingRef,
    units: open,
    by: byOf(caller),
  };
  const had = units.filter((unit) => !has(unit));
  const after = afterBooking(known, given, now);
  const items = itemsOf(state, bookingRef, had, sale.records, seller);
  const reservation = viewOf(state.plan, after);
  return { ok: true, records: [given, ...sale.records], answer: { booked: sale.answer.booked, items, reservation } };
}

/** The lines at the prices of now. Places of one area that are sold alike form one line item. */
function linesOf(
  state: ReadState,
  reservation: Reservation,
  bookingRef: string,
  units: readonly number[],
  caller: Caller,
  now: number,
): Outcome<Line[]> {
  const seller = sellerFor(state, reservation, caller, units);
  const selections: Selection[] = labelsOf(state.plan, units).map((label) => ({ label }));
  const lines = linesFor(state, selections, (unit) => state.slotOf[unit] === reservation.slot, {
    caller: seller,
    now,
    had: state.bookings.get(bookingRef)?.lines ?? [],
  });
  if (lines.ok) groupPlaces(state.plan, lines.value);
  return lines;
}

/**
 * Units of channels are sold by an override. The reservation's name is the reason, as for a companion's place alone.
 */
function sellerFor({ channels }: ReadState, { name }: Reservation, caller: Caller, units: readonly number[]): Caller {
  const reason = `Reservation ${name}`;
  const isOfChannel = units.some((unit) => (channels.of?.[unit] ?? publicSale) !== publicSale);
  if (!isOfChannel) return { ...caller, reason };
  return { ...caller, reason, accessSource: 'staff_override', override: { reason } };
}

function bookedBefore(
  state: ReadState,
  reservation: Reservation,
  bookingRef: string,
  { booked: labels, units }: { booked: string[]; units: readonly number[] },
): Decision<'book-reservation'> {
  const items = itemsOf(state, bookingRef, units, [], null);
  return { ok: true, records: [], answer: { booked: labels, items, reservation: viewOf(state.plan, reservation) } };
}

/** The items of units that the reference has, and of the records of a sale, in the order of units. */
function itemsOf(
  { plan, config, bookings }: ReadState,
  bookingRef: string,
  units: readonly number[],
  records: readonly JournalRecord[],
  seller: Caller | null,
): Answers['book-reservation']['items'] {
  const booking = bookings.get(bookingRef);
  const linesIn = (record: JournalRecord): Line[] => {
    if (record.type !== 'booked') return [];
    return booking ? attributed(booking, record) : record.lines;
  };
  const wanted = new Set(units);
  const had = booking?.lines.filter(({ unit }) => wanted.has(unit)) ?? [];
  const accessSource = booking?.accessSource ?? seller?.accessSource ?? 'public';
  const all = [...had, ...records.flatMap(linesIn)].sort((a, b) => a.unit - b.unit);
  return lineItemsOf(plan, all, { currency: config.currency, accessSource });
}

/** A reservation that has lost its last unit is booked, and tells all units that were booked from it. */
function afterBooking(
  known: Reservation,
  { bookingRef, units }: { bookingRef: string; units: readonly number[] },
  at: number,
): Reservation {
  const gone = new Set(units);
  const left = known.units.filter((unit) => !gone.has(unit));
  const parts = [...known.booked, { ref: bookingRef, units }];
  if (left.length > 0) return { ...known, units: left, booked: parts };
  return { ...known, state: 'booked', units: parts.flatMap((part) => part.units), booked: parts, endedAt: at };
}

/** Newest first. `after` is the last entry of the page before. */
function list(
  { plan, reservations }: ReadState,
  { state: wanted, after, limit }: Command & { type: 'list-reservations' },
): Answers['list-reservations'] {
  const isBehind = ({ createdAt, id }: Reservation): boolean =>
    after === undefined || createdAt < after.createdAt || (createdAt === after.createdAt && id < after.id);
  const all = Array.from(reservations.values()).filter(
    (each) => (wanted === undefined || each.state === wanted) && isBehind(each),
  );
  all.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const page: ReservationView[] = [];
  let labels = 0;
  for (const each of all) {
    if (page.length === limit || labels > reservationLabelsPerPageMax) break;
    labels += each.units.length;
    page.push(viewOf(plan, each));
  }
  return { reservations: page, hasMore: page.length < all.length };
}

/** The answer to a call as the event remembers it. `units` follows the chart, and the labels come from `units`. */
type Noted = { reservation: Omit<ReservationView, 'labels'> };

function again({ plan }: ReadState, known: EventCall | NamedCall): { reservation: ReservationView } {
  const { reservation } = answerNoted(known) as Noted;
  return { reservation: { ...reservation, labels: labelsOf(plan, known.units ?? []) } };
}

function note(state: EventState, callId: string, reservation: Reservation): void {
  const { labels: _, ...answer } = viewOf(state.plan, reservation);
  noteCall(state, callId, { units: [...reservation.units], answer: { reservation: answer } });
}

type ReservationRecord = 'reservation-made' | 'reservation-changed' | 'reservation-ended' | 'reservation-booked';

export const reservationFolds: Folds<ReservationRecord> = {
  'reservation-made'(state, record, at) {
    const slot = state.nextSlot++;
    const reservation = reservationMade(record, slot, at);
    setUnits(state, record.units, unitStatus.blocked, slot);
    state.reservations.put(reservation);
    schedule(state, { at: record.until, what: { reservationId: reservation.id } });
    note(state, record.callId, reservation);
  },
  'reservation-changed'(state, { callId, reservationId, name, note: text, until, units, givenUp }) {
    const known = state.reservations.get(reservationId)!;
    const reservation: Reservation = { ...known, name, note: text, until, units };
    setUnits(state, givenUp, unitStatus.free, 0);
    setUnits(state, units, unitStatus.blocked, known.slot);
    state.reservations.put(reservation);
    if (until !== known.until) schedule(state, { at: until, what: { reservationId } });
    note(state, callId, reservation);
  },
  'reservation-ended'(state, { callId, reservationId, units }, at) {
    const known = state.reservations.get(reservationId)!;
    setUnits(state, units, unitStatus.free, 0);
    state.reservations.end({ ...known, state: 'ended', units, endedAt: at });
    noteCall(state, callId, { units, answer: null });
  },
  /** The units stay blocked without a holder until the next record of the group books them. */
  'reservation-booked'(state, { reservationId, bookingRef, units }, at) {
    const after = afterBooking(state.reservations.get(reservationId)!, { bookingRef, units }, at);
    for (const unit of units) state.slotOf[unit] = 0;
    if (after.state === 'active') state.reservations.put(after);
    else state.reservations.end(after);
  },
};
