/** Listings of booked units for resale as part of the state, and what they say of a unit. The rules about them are in resale.ts. */
import { type JournalRecord, type Offered, unitStatus } from '@parterre/shared/records';
import { noteCall } from './calls.ts';
import type { EventState, Listing } from './state.ts';

/** The listings that these units are in. */
export function listingsOf(state: EventState, units: readonly number[]): Listing[] {
  if (state.listings.size === 0) return [];
  const listings = new Set<Listing>();
  for (const unit of units) {
    const listing = state.listingOf.get(unit);
    if (listing) listings.add(listing);
  }
  return [...listings];
}

/** Whether a hold may take this unit from a listing: nobody has it in checkout, or only the hold with this slot. */
export function isOffered(state: EventState, unit: number, slot: number): boolean {
  const listing = state.listingOf.get(unit);
  return listing !== undefined && (listing.heldBy === 0 || listing.heldBy === slot);
}

export function isInCheckout(state: EventState, unit: number): boolean {
  return (state.listingOf.get(unit)?.heldBy ?? 0) !== 0;
}

/** Units that would stay behind if these went: a listing goes whole. */
export function leftBehind(state: EventState, units: readonly number[]): number[] {
  const listings = listingsOf(state, units);
  if (listings.length === 0) return [];
  const going = new Set(units);
  return listings.flatMap((listing) => listing.units.filter((unit) => !going.has(unit)));
}

/** Those of these units that are listed, which a hold that ends leaves booked; undefined where none is. */
export function listedAmong(state: EventState, units: readonly number[]): number[] | undefined {
  if (state.listings.size === 0) return undefined;
  const listed = units.filter((unit) => state.listingOf.has(unit));
  return listed.length === 0 ? undefined : listed;
}

/** Those of these units that are listed, as buyers see them; undefined where none is. */
export function offeredAmong(state: EventState, units: Iterable<number>): Offered | undefined {
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

/** Part of the fold. */
export function startListing(state: EventState, record: JournalRecord & { type: 'resale-listed' }): void {
  const { listingId: id, callId, bookingRef, units } = record;
  const listing: Listing = { id, bookingRef, units, heldBy: 0 };
  state.listings.set(id, listing);
  for (const unit of units) state.listingOf.set(unit, listing);
  noteCall(state, callId, { units, answer: { listingId: id } });
}

/** Part of the fold. */
export function removeListing(state: EventState, record: JournalRecord & { type: 'resale-removed' }): void {
  endListing(state, record.listingId);
  noteCall(state, record.callId, { units: record.units, answer: null });
}

/** Part of the fold: it was sold, or removed. */
export function endListing(state: EventState, listingId: string): void {
  for (const unit of state.listings.get(listingId)!.units) state.listingOf.delete(unit);
  state.listings.delete(listingId);
}
