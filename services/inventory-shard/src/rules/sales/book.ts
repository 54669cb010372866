/** Books a hold or labels. `bookingRef` names the booking: repeating a call is harmless (I5). */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { Answers, LineItem } from '@parterre/shared/protocol/answers';
import type { Caller, Command, Selection } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';
import { passedBy } from '../availability/availability.ts';
import { currencyOf } from '../pricing/pricing.ts';
import { attributed, externalRefsOf, noteAttribution } from '../reach/attribution.ts';
import {
  areaConflict,
  type ConflictReason,
  companionsOfHoldAlone,
  conflictOver,
  conflictsOf,
  conflictWith,
  isCompanion,
  linesFor,
  listingIsWhole,
  type Named,
  oneByOne,
  placesAmong,
  type Terms,
  unitsNamed,
} from '../selection/selection.ts';
import {
  type Booking,
  byOf,
  type Decision,
  type Hold,
  hasUnit,
  heldLines,
  isBlocked,
  isFree,
  isOffered,
  isOnSale,
  knownBooking,
  knownHold,
  leftBehind,
  type ReadState,
  salesClosed,
  unitsOfCall,
  unitsOfLines,
} from '../state/state.ts';
import { splitByReference } from './booked-before.ts';
import { beyondBuyerLimit } from './buyer-limit.ts';
import { salesBefore } from './resale.ts';

/** Books a hold or the named part of it, all or nothing. The refusal names every label in the way. */
export function book(
  state: ReadState,
  command: Command & { type: 'book' },
  caller: Caller,
  now: number,
): Decision<'book'> {
  const ref = command.bookingRef;
  const known = knownBooking(state, ref, now);
  const hold = knownHold(state, command.holdId, now);
  const answered = unitsOfCall(state, known?.lastCall, command.callId);
  if (answered) {
    return {
      ok: true,
      records: [],
      answer: { booked: labelsOf(state.plan, answered), ...soldFrom(state, hold, answered) },
    };
  }
  if (!hold) return noSuchHold;
  const before = bookedOf(hold, ref);
  const wanted = wantedOf(state, hold, command, before);
  if (!wanted.ok) return wanted;
  const { units, without } = wanted.value;
  const refSlot = known?.slot ?? -1;
  // Units that the reference has, or once booked from this hold, stay as they are: a repetition does not book cancelled
  // units again. Units that the reference offers for resale and this hold has in checkout are refused below, as a sale
  // to itself.
  const isOpen = (unit: number): boolean =>
    hasUnit(state, hold, unit) || (state.slotOf[unit] !== refSlot && !before.has(unit));
  const open = units.filter(isOpen);
  // An ended hold may have no units left, if a change of chart removed them. Then nothing was booked.
  const isBooked = units.length > 0 || hasBooked(hold, ref);
  const sold = soldFrom(state, hold, units);
  if (open.length === 0 && without.length === 0 && isBooked) {
    return { ok: true, records: [], answer: { booked: [], ...sold } };
  }
  const inTheWay = open.filter((unit) => !hasUnit(state, hold, unit) || hold.status !== 'active');
  if (inTheWay.length > 0 || without.length > 0 || !isBooked) {
    const conflicts = [...conflictsOf(state, inTheWay), ...without.map((label) => areaConflict(label, 0))];
    return { ok: false, refusal: conflictWith(conflicts, ...whyNotHeld(hold, inTheWay)) };
  }
  const own = open.filter((unit) => state.slotOf[unit] === refSlot);
  if (own.length > 0) return conflictOver(state, own, 'own_resale_listing');
  const left = leftBehind(state, open);
  if (left.length > 0) return listingIsWhole(state, left, caller);
  const lines = linesOfUnits(heldLines(state, hold), open);
  const unpaired = companionsOfHoldAlone(state, hold, lines, { caller, had: known?.lines ?? [], now });
  if (unpaired.length > 0) {
    const why =
      'A companion place is booked only with its wheelchair place. Book both in one call, or book the ' +
      'wheelchair place first under this bookingRef. If the hold no longer has it, release these labels.';
    return refuse('companion_pair_required', why, { details: { labels: labelsOf(state.plan, unpaired) } });
  }
  const overLimit = hold.buyerRef === null ? beyondBuyerLimit(state, caller.buyerRef, lines) : null;
  if (overLimit) return overLimit;
  const sale = booked(state, command, hold, lines, caller);
  return { ...sale, answer: { ...sale.answer, ...sold } };
}

/** `units` has no unit twice, and none without a line. Most sales are of all lines, in their order. */
function linesOfUnits(lines: Line[], units: readonly number[]): Line[] {
  if (units.length === lines.length && lines.every(({ unit }, index) => unit === units[index])) return lines;
  const wanted = new Set(units);
  return lines.filter(({ unit }) => wanted.has(unit));
}

/** The items of these units as the hold has frozen them. None for a hold that the event has forgotten. */
function soldFrom(
  state: ReadState,
  hold: Readonly<Hold> | undefined,
  units: readonly number[],
): Pick<Answers['book'], 'items'> {
  if (!hold) return {};
  const lines = linesOfUnits(hold.lines, units);
  return {
    items: lineItemsOf(state.plan, lines, { currency: currencyOf(state, hold), accessSource: hold.accessSource }),
  };
}

export const noSuchHold = refuse('hold_not_found', 'The event has no hold with this id. Hold the seats again.');

/** The units of a hold that this reference booked, regardless of later changes. */
function bookedOf({ parted, bookingRef, lines }: Readonly<Hold>, ref: string): ReadonlySet<number> {
  if (parted && parted.booked.length > 0) {
    return new Set(parted.booked.flatMap((part) => (part.ref === ref ? part.units : [])));
  }
  return bookingRef === ref ? new Set(unitsOfLines(lines)) : noUnits;
}

const noUnits: ReadonlySet<number> = new Set();

/** Whether this reference booked a part of the hold, even if the chart has none of its units any more. */
function hasBooked({ parted, bookingRef }: Readonly<Hold>, ref: string): boolean {
  return bookingRef === ref || (parted?.booked.some((part) => part.ref === ref) ?? false);
}

/**
 * The units of a hold that the call names. An area's label stands for the places that the hold has there or that this
 * reference booked from it; without any such place, for all places that the hold had there. Without labels, an active
 * hold means the units that it still has. An ended hold means the units that the reference booked. If the reference
 * booked none of the hold, or part of the hold expired, the call means all units that the hold had and did not release.
 * No reference booked all of these units, so the refusal names them.
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

/** Why a hold, or these units that it had, are not booked: the reason, and further details of the refusal. */
export function whyNotHeld(
  hold: Readonly<Hold>,
  inTheWay: readonly number[],
): [reason?: ConflictReason, details?: { bookingRef: string }] {
  if (hasExpired(hold)) return ['hold_expired'];
  if (hold.status === 'released') return ['hold_released'];
  const parts = hold.parted?.booked ?? [];
  const part = parts.find(({ units }) => inTheWay.some((unit) => units.includes(unit)));
  const isWhole = hold.status === 'booked' && parts.length === 0;
  const isGone = part !== undefined || (isWhole && hold.lines.some(({ unit }) => inTheWay.includes(unit)));
  const bookingRef = part?.ref ?? hold.bookingRef;
  return isGone && bookingRef !== null ? ['hold_booked', { bookingRef }] : [];
}

/** Whether the hold expired, as a whole or in the part that was not booked. */
function hasExpired({ status, parted }: Readonly<Hold>): boolean {
  return status === 'expired' || (parted !== null && parted.expired.length > 0);
}

/** Books labels without a hold. Units that this reference already has stay as they are. */
export function bookDirect(
  state: ReadState,
  command: Command & { type: 'book-direct' },
  caller: Caller,
  now: number,
): Decision<'book-direct'> {
  const terms = { caller, now, ...(command.fromBlock && { fromBlock: true }) };
  const sale = bookSelections(state, command, terms, isOnSale(state));
  if (!sale.ok) return sale;
  return { ...sale, answer: { ...sale.answer, items: itemsOfSale(state, command, sale.records, { caller, now }) } };
}

/**
 * The items of all units that a sale without a hold names, those that its reference had before too. They are in unit
 * order, so that a repetition, which finds all units booked, gives the same answer.
 */
export function itemsOfSale(
  state: ReadState,
  { bookingRef, selections }: { bookingRef: string; selections: Selection[] },
  records: readonly JournalRecord[],
  { caller, now }: Pick<Terms, 'caller' | 'now'>,
): LineItem[] {
  const known = knownBooking(state, bookingRef, now);
  const linesOf = (record: JournalRecord): Line[] => {
    if (record.type !== 'booked') return [];
    return known ? attributed(known, record) : record.lines;
  };
  const { had } = splitByReference(state, bookingRef, oneByOne(state.plan, selections));
  const lines = records.flatMap(linesOf).concat(had);
  const facts = { currency: state.config.currency, accessSource: known?.accessSource ?? caller.accessSource };
  return lineItemsOf(
    state.plan,
    lines.sort((a, b) => a.unit - b.unit),
    facts,
  );
}

/** The fields of a sale that its record takes unchanged. */
type Sale = { bookingRef: string; callId: string; counter?: true; note?: string; fingerprint?: string };

/** The part that all sales without a hold share. `isOpen` says whether new sales are allowed. */
export function bookSelections(
  state: ReadState,
  command: Sale & { selections: Selection[] },
  terms: Terms,
  isOpen = true,
): Extract<Decision<'book'>, { ok: true }> | ReturnType<typeof refuse> {
  const { bookingRef, callId } = command;
  const answered = labelsOfCall(knownBooking(state, bookingRef, terms.now), state, callId);
  if (answered) return { ok: true, records: [], answer: { booked: answered } };
  const { open } = splitByReference(state, bookingRef, oneByOne(state.plan, command.selections));
  if (open.length === 0) return { ok: true, records: [], answer: { booked: [] } };
  if (!isOpen) return salesClosed;
  const { fromBlock = false } = terms;
  const mayTake = (unit: number): boolean =>
    isFree(state, unit) || isOffered(state, unit, 0) || (fromBlock && isBlocked(state, unit));
  const lines = linesFor(state, open, mayTake, {
    ...terms,
    had: state.bookings.get(bookingRef)?.lines ?? [],
  });
  if (!lines.ok) return lines;
  const overLimit = beyondBuyerLimit(state, terms.caller.buyerRef, lines.value);
  return overLimit ?? booked(state, command, null, lines.value, terms.caller, fromBlock);
}

/** The log tells why a companion's place was sold with a reason. */
export function noteReason(
  { plan }: ReadState,
  record: JournalRecord & { type: 'held' | 'booked' },
  { reason }: Caller,
): void {
  if (reason !== undefined && record.lines.some((line) => isCompanion(plan, line))) record.reason = reason;
}

/** The log tells which units were sold from a block, and why. */
export function noteBlocked(
  state: ReadState,
  record: JournalRecord & { type: 'booked' | 'exchanged' },
  { reason }: Caller,
): void {
  const units = unitsOfLines(record.lines).filter((unit) => isBlocked(state, unit));
  if (units.length === 0) return;
  record.blocked = units;
  if (record.type === 'booked' && reason !== undefined) record.reason = reason;
}

/** The labels of the first answer to this call, or null for a new call. */
export function labelsOfCall(
  booking: Readonly<Booking> | undefined,
  state: ReadState,
  callId: string,
): string[] | null {
  const units = unitsOfCall(state, booking?.lastCall, callId);
  return units && labelsOf(state.plan, units);
}

/** The records that book these lines under a reference. The lines are new or come from a hold. */
export function booked(
  state: ReadState,
  { bookingRef, callId, note, counter, fingerprint }: Sale,
  hold: Readonly<Hold> | null,
  lines: Line[],
  caller: Caller,
  fromBlock = false,
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
  noteReason(state, record, caller);
  if (fromBlock) noteBlocked(state, record, caller);
  if (hold) {
    // The hold's own record has the rest.
    if (hold.partnerRef !== null) record.partnerRef = hold.partnerRef;
    const buyerRef = hold.buyerRef ?? caller.buyerRef;
    if (buyerRef !== undefined) record.buyerRef = buyerRef;
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
