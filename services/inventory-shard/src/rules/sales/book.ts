/** Booking a hold or labels, and unbooking. bookingRef names the booking: repeating one is harmless (I5). */
import { labelsOf } from '@parterre/shared/chart/plan';
import type { Caller, Command, Selection } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { JournalRecord, Line } from '@parterre/shared/records';
import { passedBy } from '../availability/availability.ts';
import { externalRefsOf, noteAttribution } from '../reach/reach.ts';
import {
  areaConflict,
  type ConflictReason,
  conflictOver,
  conflictsOf,
  conflictWith,
  linesFor,
  listingIsWhole,
  type Named,
  oneByOne,
  placesAmong,
  type Terms,
  unitsNamed,
  unpairedCompanions,
} from '../selection/selection.ts';
import {
  byOf,
  type Decision,
  type Hold,
  hasUnit,
  heldLines,
  isFree,
  isOffered,
  isOnSale,
  knownHold,
  leftBehind,
  type ReadState,
  salesClosed,
  unitsOfLines,
} from '../state/state.ts';
import { splitByReference } from './booked-before.ts';
import { removalsBefore, salesBefore } from './resale.ts';

/** Books a hold, or the named part of it. All or nothing: every label in the way is told. */
export function book(
  state: ReadState,
  command: Command & { type: 'book' },
  caller: Caller,
  now: number,
): Decision<'book'> {
  const ref = command.bookingRef;
  const answered = labelsOfLastCall(state, ref, command.callId);
  if (answered) return { ok: true, records: [], answer: { booked: answered } };
  const hold = knownHold(state, command.holdId, now);
  if (!hold) return refuse('hold_not_found', 'There is no such hold on this event.');
  const before = bookedOf(hold, ref);
  const wanted = wantedOf(state, hold, command, before);
  if (!wanted.ok) return wanted;
  const { units, without } = wanted.value;
  const refSlot = state.bookings.get(ref)?.slot ?? -1;
  // What the reference has is left as it is, and what it had of this hold: a repetition books nothing that was cancelled since. What it
  // offers and this hold has in checkout is not booked by it once more: a sale to itself is refused.
  const isOpen = (unit: number): boolean =>
    hasUnit(state, hold, unit) || (state.slotOf[unit] !== refSlot && !before.has(unit));
  const open = units.filter(isOpen);
  // Of an ended hold nothing may be left, where its seats went with a chart: that is no booking.
  const isBooked = units.length > 0 || hasBooked(hold, ref);
  if (open.length === 0 && without.length === 0 && isBooked) return { ok: true, records: [], answer: { booked: [] } };
  const inTheWay = open.filter((unit) => !hasUnit(state, hold, unit) || hold.status !== 'active');
  if (inTheWay.length > 0 || without.length > 0 || !isBooked) {
    const conflicts = [...conflictsOf(state, inTheWay), ...without.map((label) => areaConflict(label, 0))];
    return { ok: false, refusal: conflictWith(conflicts, whyOver(hold)) };
  }
  const own = open.filter((unit) => state.slotOf[unit] === refSlot);
  if (own.length > 0) return conflictOver(state, own, 'own_resale_listing');
  const left = leftBehind(state, open);
  if (left.length > 0) return listingIsWhole(state, left, caller);
  const chosen = new Set(open);
  const lines = heldLines(state, hold).filter((line) => chosen.has(line.unit));
  const unpaired = unpairedOf(state, hold, lines, ref);
  if (unpaired.length > 0) {
    const why =
      'A companion is booked with the wheelchair place beside it: book both in one call, or the wheelchair place first under ' +
      'this bookingRef. Where the hold has it no more, release these labels.';
    return refuse('companion_pair_required', why, { details: { labels: labelsOf(state.plan, unpaired) } });
  }
  return booked(state, command, hold, lines, caller);
}

/** Companions without their wheelchair place, which neither the call nor the booking has; where a chart parted the pair, none. */
function unpairedOf(
  { plan, bookings }: ReadState,
  hold: Readonly<Hold>,
  lines: readonly Line[],
  ref: string,
): number[] {
  const unpaired = unpairedCompanions(plan, lines, bookings.get(ref)?.lines);
  return unpaired.length > 0 && unpairedCompanions(plan, hold.lines).length > 0 ? [] : unpaired;
}

/** What of a hold this reference booked, whatever has become of it since. */
function bookedOf({ parted, bookingRef, lines }: Readonly<Hold>, ref: string): ReadonlySet<number> {
  if (parted && parted.booked.length > 0) {
    return new Set(parted.booked.flatMap((part) => (part.ref === ref ? part.units : [])));
  }
  return bookingRef === ref ? new Set(unitsOfLines(lines)) : noUnits;
}

const noUnits: ReadonlySet<number> = new Set();

/** Whether this reference booked anything of a hold, though no unit of it may be left in the chart. */
function hasBooked({ parted, bookingRef }: Readonly<Hold>, ref: string): boolean {
  return bookingRef === ref || (parted?.booked.some((part) => part.ref === ref) ?? false);
}

/**
 * The units of a hold that are asked for. An area's label stands for what the hold has there, or had and this reference booked; else
 * for all that it had. A whole hold is what it has left; of an ended one it is what the reference booked, unless something of it
 * expired: then nobody booked all that was left.
 */
function wantedOf(
  state: ReadState,
  hold: Readonly<Hold>,
  { labels, bookingRef }: Pick<Command & { type: 'book' }, 'labels' | 'bookingRef'>,
  before: ReadonlySet<number>,
): Outcome<Pick<Named, 'units' | 'without'>> {
  const held = (): number[] => unitsOfLines(heldLines(state, hold));
  const had = (): number[] => {
    const released = new Set(hold.parted?.released);
    return unitsOfLines(hold.lines).filter((unit) => !released.has(unit));
  };
  if (labels) {
    const first = placesAmong(state.plan, () => [...before, ...held()]);
    const otherwise = placesAmong(state.plan, had);
    return unitsNamed(state.plan, labels, (area) => {
      const places = first(area);
      return places.length > 0 ? places : otherwise(area);
    });
  }
  if (hold.status === 'active') return done({ units: held(), without: [] });
  const isReplay = hasBooked(hold, bookingRef) && !hasExpired(hold);
  return done({ units: isReplay ? [...before] : had(), without: [] });
}

function whyOver(hold: Readonly<Hold>): ConflictReason | undefined {
  if (hasExpired(hold)) return 'hold_expired';
  return hold.status === 'released' ? 'hold_released' : undefined;
}

/** As a whole, or what was left of it when a part was booked. */
function hasExpired({ status, parted }: Readonly<Hold>): boolean {
  return status === 'expired' || (parted !== null && parted.expired.length > 0);
}

/** Books labels without a hold. Units that this reference has already are left as they are. */
export function bookDirect(
  state: ReadState,
  command: Command & { type: 'book-direct' },
  caller: Caller,
  now: number,
): Decision<'book-direct'> {
  return bookSelections(state, command, { caller, now }, isOnSale(state));
}

/** What of a sale goes into its record as it is. */
type Sale = { bookingRef: string; callId: string; counter?: true; note?: string; fingerprint?: string };

/** The same of every sale without a hold; `isOpen` says whether anything new may be sold. */
export function bookSelections(
  state: ReadState,
  command: Sale & { selections: Selection[] },
  terms: Terms,
  isOpen = true,
): Extract<Decision<'book'>, { ok: true }> | ReturnType<typeof refuse> {
  const { bookingRef, callId } = command;
  const answered = labelsOfLastCall(state, bookingRef, callId);
  if (answered) return { ok: true, records: [], answer: { booked: answered } };
  const { open, had } = splitByReference(state, bookingRef, oneByOne(state.plan, command.selections));
  if (open.length === 0) return { ok: true, records: [], answer: { booked: [] } };
  if (!isOpen) return salesClosed;
  const lines = linesFor(state, open, (unit) => isFree(state, unit) || isOffered(state, unit, 0), {
    ...terms,
    had,
  });
  if (!lines.ok) return lines;
  return booked(state, command, null, lines.value, terms.caller);
}

/** The labels that this very call was answered with before, or null when it is new. */
function labelsOfLastCall(state: ReadState, bookingRef: string, callId: string): string[] | null {
  const last = state.bookings.get(bookingRef)?.lastCall;
  return last?.callId === callId ? labelsOf(state.plan, last.units) : null;
}

/** These lines under a reference, new ones or those of a hold. */
export function booked(
  state: ReadState,
  { bookingRef, callId, note, counter, fingerprint }: Sale,
  hold: Readonly<Hold> | null,
  lines: Line[],
  caller: Caller,
): Extract<Decision<'book'>, { ok: true }> {
  const accessSource = hold?.accessSource ?? caller.accessSource;
  const holdId = hold?.id ?? null;
  const record: JournalRecord & { type: 'booked' } = {
    type: 'booked',
    bookingRef,
    callId,
    holdId,
    accessSource,
    lines,
    by: byOf(caller),
  };
  if (hold) {
    // The rest is said by the hold's own record.
    if (hold.partnerRef !== null) record.partnerRef = hold.partnerRef;
    if (hold.buyerRef !== null) record.buyerRef = hold.buyerRef;
  } else {
    const passed = passedBy(state, lines);
    if (passed) record.passed = passed;
    noteAttribution(state, record, caller, lines);
  }
  const channelRefs = externalRefsOf(state, lines);
  if (channelRefs) record.channelRefs = channelRefs;
  if (counter) record.counter = true;
  if (note) record.note = note;
  if (fingerprint !== undefined) record.fingerprint = fingerprint;
  const answer = { booked: labelsOf(state.plan, unitsOfLines(lines)) };
  if (state.listings.size === 0) return { ok: true, records: [record], answer };
  const sales = salesBefore(state, lines, { toBookingRef: bookingRef, callId, caller });
  return { ok: true, records: [...sales, record], answer };
}

/** Frees a booking, or the named part of it; only under the reference that hasUnit the seats. */
export function unbook(state: ReadState, command: Command & { type: 'unbook' }, caller: Caller): Decision<'unbook'> {
  if (state.config.ownership !== 'platform') {
    return refuse('not_platform_owned', 'Only events owned by a platform can be unbooked through this call.');
  }
  const booking = state.bookings.get(command.bookingRef);
  if (!booking) return refuse('booking_not_found', 'There is no such booking on this event.');
  const answered = labelsOfLastCall(state, command.bookingRef, command.callId);
  if (answered) return { ok: true, records: [], answer: { unbooked: answered } };
  let units = unitsOfLines(booking.lines);
  if (command.labels) {
    const has = units;
    const named = unitsNamed(
      state.plan,
      command.labels,
      placesAmong(state.plan, () => has),
    );
    if (!named.ok) return named;
    const foreign = named.value.units.filter((unit) => state.slotOf[unit] !== booking.slot && !isFree(state, unit));
    if (foreign.length > 0) return conflictOver(state, foreign, 'not_owned_by_booking_ref');
    units = named.value.units.filter((unit) => state.slotOf[unit] === booking.slot);
  }
  if (units.length === 0) return { ok: true, records: [], answer: { unbooked: [] } };
  const removals = removalsBefore(state, units, command.callId, caller);
  if (!removals.ok) return removals;
  return {
    ok: true,
    records: [
      ...removals.records,
      { type: 'unbooked', bookingRef: booking.ref, callId: command.callId, units, by: byOf(caller) },
    ],
    answer: { unbooked: labelsOf(state.plan, units) },
  };
}
