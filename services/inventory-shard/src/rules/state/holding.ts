/** Reads of a unit's holder, and of resale listings. sales/resale.ts has the rules of listings. */

import type { Offered } from '@parterre/shared/protocol/feed-change';
import { cancelledBookingKeepMs, endedHoldKeepMs } from '@parterre/shared/protocol/limits';
import { type FreedLines, type Line, statusNames, unitStatus } from '@parterre/shared/protocol/records';
import type { EventState, Listing, ReadState } from './event-state.ts';
import type { Booking, Hold } from './holder.ts';

/** Whether the unit belongs to this holder, or is in a listing that this hold has in checkout. */
export function hasUnit(state: ReadState, { slot }: Readonly<Pick<Hold, 'slot'>>, unit: number): boolean {
  return state.slotOf[unit] === slot || (state.listings.size > 0 && state.listingOf.get(unit)?.heldBy === slot);
}

/** The lines whose units the holder still has. */
export function heldLines(state: ReadState, holder: Readonly<Pick<Hold, 'slot' | 'lines'>>): Line[] {
  return holder.lines.filter(({ unit }) => hasUnit(state, holder, unit));
}

/** The terms of the units that a hold or a booking gives up and that become free. Undefined without such units. */
export function freedOf(
  { accessSource, lines }: Readonly<Pick<Hold, 'accessSource' | 'lines'>>,
  units: readonly number[],
  kept: readonly number[] = [],
): FreedLines | undefined {
  if (units.length === kept.length) return undefined;
  const free = new Set(units);
  for (const unit of kept) free.delete(unit);
  return { accessSource, lines: lines.filter(({ unit }) => free.has(unit)) };
}

export function hasAnyUnit(state: ReadState, holder: Readonly<Hold> | Readonly<Booking>): boolean {
  return holder.lines.some(({ unit }) => hasUnit(state, holder, unit));
}

/**
 * The hold of this id. A hold that ended `endedHoldKeepMs` ago is forgotten. A part of an operation over several events
 * is no hold of its event's callers.
 */
export function knownHold(state: ReadState, holdId: string, now: number): Readonly<Hold> | undefined {
  const hold = state.holds.get(holdId);
  const isForgotten = hold !== undefined && hold.endedAt !== null && hold.endedAt + endedHoldKeepMs <= now;
  return isForgotten || state.parts.ofHold.has(holdId) ? undefined : hold;
}

/** The booking of this reference. A booking that was cancelled `cancelledBookingKeepMs` ago is forgotten. */
export function knownBooking(state: ReadState, ref: string, now: number): Readonly<Booking> | undefined {
  const booking = state.bookings.get(ref);
  const isForgotten =
    booking !== undefined && booking.lines.length === 0 && booking.updatedAt + cancelledBookingKeepMs <= now;
  return isForgotten ? undefined : booking;
}

/** Whether the event allows new holds and bookings. */
export function isOnSale(state: ReadState): boolean {
  return state.status === 'active' && !state.salesPaused;
}

export function isFree(state: ReadState, unit: number): boolean {
  return state.statuses[unit] === unitStatus.free;
}

/** Whether an offer or a reservation has the unit: the unit is blocked, and it has a holder. */
export function isReserved({ statuses, slotOf }: ReadState, unit: number): boolean {
  return statuses[unit] === unitStatus.blocked && slotOf[unit] !== 0;
}

/** Whether an offer has the unit, with a price that is frozen. */
export function isOfOffer(state: ReadState, unit: number): boolean {
  return isReserved(state, unit) && state.reservations.ofSlot(state.slotOf[unit]!) === undefined;
}

/** Whether the unit is blocked, and neither an offer nor a reservation has it. */
export function isBlocked({ statuses, slotOf }: ReadState, unit: number): boolean {
  return statuses[unit] === unitStatus.blocked && slotOf[unit] === 0;
}

export function unitStatusName(state: ReadState, unit: number): string {
  return statusNames[state.statuses[unit]!]!;
}

export function unitsOfLines(lines: readonly Line[]): number[] {
  return lines.map((line) => line.unit);
}

export function countsOf(state: ReadState): { free: number; held: number; booked: number; blocked: number } {
  const [free, held, booked, blocked] = state.counts;
  return { free, held, booked, blocked };
}

/** The listings that these units are in. */
export function listingsOf(state: ReadState, units: readonly number[]): Readonly<Listing>[] {
  if (state.listings.size === 0) return [];
  const listings = new Set<Readonly<Listing>>();
  for (const unit of units) {
    const listing = state.listingOf.get(unit);
    if (listing) listings.add(listing);
  }
  return [...listings];
}

/**
 * Whether a hold may take this unit from a listing: the listing is not in checkout, or is in checkout of the hold with
 * this slot.
 */
export function isOffered(state: ReadState, unit: number, slot: number): boolean {
  const listing = state.listingOf.get(unit);
  return listing !== undefined && (listing.heldBy === 0 || listing.heldBy === slot);
}

export function isInCheckout(state: ReadState, unit: number): boolean {
  return (state.listingOf.get(unit)?.heldBy ?? 0) !== 0;
}

/** For folds: adds a listing, or replaces the listing of the same id. */
export function putListing(state: EventState, listing: Listing): void {
  state.listings.set(listing.id, listing);
  for (const unit of listing.units) state.listingOf.set(unit, listing);
}

/** The units that would stay behind if these were taken. A listing is taken as a whole. */
export function leftBehind(state: ReadState, units: readonly number[]): number[] {
  const listings = listingsOf(state, units);
  if (listings.length === 0) return [];
  const going = new Set(units);
  return listings.flatMap((listing) => listing.units.filter((unit) => !going.has(unit)));
}

/** The listed units among these, which stay booked when a hold ends. Undefined if there are none. */
export function listedAmong(state: ReadState, units: readonly number[]): number[] | undefined {
  if (state.listings.size === 0) return undefined;
  const listed = units.filter((unit) => state.listingOf.has(unit));
  return listed.length === 0 ? undefined : listed;
}

/** The listed units among these, as buyers see them. Undefined if there are none. */
export function offeredAmong(state: ReadState, units: Iterable<number>): Offered | undefined {
  if (state.listings.size === 0) return undefined;
  const offered: Offered = { units: [], statuses: [] };
  for (const unit of units) {
    const listing = state.listingOf.get(unit);
    if (!listing) continue;
    offered.units.push(unit);
    offered.statuses.push(listing.heldBy === 0 ? unitStatus.free : unitStatus.held);
  }
  return offered.units.length === 0 ? undefined : offered;
}
