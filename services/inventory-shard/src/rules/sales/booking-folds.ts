/** Folds the records of bookings: booked, unbooked. */
import type { OperationTag } from '@parterre/shared/protocol/operations/operation';
import { type JournalRecord, unitStatus } from '@parterre/shared/protocol/records';
import { countFreed, countTaken } from '../pricing/pricing.ts';
import { attributed } from '../reach/attribution.ts';
import {
  type Booking,
  type EventState,
  type Folds,
  hasAnyUnit,
  heldLines,
  knownBooking,
  lineValue,
  noteReplaced,
  notParted,
  setUnits,
  unitsOfLines,
} from '../state/state.ts';
import { forgetReleases } from './block.ts';
import { countBooked, countOfBuyer, countUnbooked } from './buyer-limit.ts';
import { forgetCancelled } from './cancelled-bookings.ts';
import { endListing } from './listing-folds.ts';
import { countVisitLess } from './public-sale.ts';

export const bookingFolds: Folds<'booked' | 'unbooked'> = { booked: foldBooked, unbooked: foldUnbooked };

function foldBooked(state: EventState, record: JournalRecord & { type: 'booked' }, at: number): void {
  forgetCancelled(state, at);
  const known = knownBooking(state, record.bookingRef, at);
  // Units of a hold count from the time they were held.
  if (record.holdId === null) countTaken(state, record.lines, at);
  noteReplaced(state, known?.lastCall, record.callId);
  const { fingerprint } = record;
  const units = unitsOfLines(record.lines);
  const booking: Booking = {
    kind: 'booking',
    ref: record.bookingRef,
    slot: known?.slot ?? state.nextSlot++,
    bookedAt: known?.bookedAt ?? at,
    updatedAt: at,
    accessSource: known?.accessSource ?? record.accessSource,
    lastCall: { callId: record.callId, units },
    chosen: fingerprint === undefined ? (known?.chosen ?? null) : { fingerprint, units },
    lines: known ? [...known.lines, ...attributed(known, record)] : record.lines,
  };
  for (const line of record.lines) state.bookedValue += lineValue(line);
  countBooked(state, record);
  state.cancelled.delete(booking.ref);
  state.bookings.set(booking);
  if (record.blocked) forgetReleases(state, record.blocked);
  setUnits(state, units, unitStatus.booked, booking.slot);
  if (record.holdId !== null) partHold(state, record.holdId, record.bookingRef, units, at);
  if (record.operation !== undefined) bookPart(state, record.operation, record.bookingRef, at);
}

/** Notes in the hold which of its units were booked, and ends the hold when it has no unit left. */
function partHold(state: EventState, holdId: string, ref: string, units: number[], at: number): void {
  const hold = state.holds.toChange(holdId);
  if (!hold) return;
  countVisitLess(state, hold, units);
  countOfBuyer(state, hold, units, -1);
  hold.bookingRef = ref;
  const parted = hold.parted ?? notParted;
  // A change of chart may have dropped the lines of an earlier part. The hold is booked in parts all the same.
  if (units.length < hold.lines.length || parted.booked.length > 0) {
    hold.parted = { ...parted, booked: [...parted.booked, { ref, units }] };
  }
  if (!hasAnyUnit(state, hold)) state.holds.end(hold, 'booked', at);
}

function bookPart({ parts }: EventState, { id, actionId }: OperationTag, bookingRef: string, at: number): void {
  const action = actionId === undefined ? null : { id: actionId, kind: 'book' as const, bookingRef };
  parts.change(id, { state: 'booked', endedAt: at, action });
}

function foldUnbooked(state: EventState, record: JournalRecord & { type: 'unbooked' }, at: number): void {
  forgetCancelled(state, at);
  const booking = state.bookings.get(record.bookingRef)!;
  countFreed(state, booking, record.units, at);
  countUnbooked(state, booking.lines, record.units);
  let { lastCall, chosen } = booking;
  if (chosen) {
    const gone = new Set(record.units);
    chosen = { ...chosen, units: chosen.units.filter((unit) => !gone.has(unit)) };
  }
  if (record.resale) {
    // The units stay booked without a holder until the next record of the group books them for their buyer.
    endListing(state, record.resale.listingId);
    for (const unit of record.units) state.slotOf[unit] = 0;
  } else {
    setUnits(state, record.units, unitStatus.free, 0);
    noteReplaced(state, lastCall, record.callId);
    lastCall = { callId: record.callId, units: record.units };
  }
  const lines = heldLines(state, booking);
  for (const line of booking.lines) state.bookedValue -= lineValue(line);
  for (const line of lines) state.bookedValue += lineValue(line);
  state.bookings.set({ ...booking, lines, lastCall, chosen, updatedAt: at });
  if (lines.length === 0) state.cancelled.add(booking.ref, at);
}
