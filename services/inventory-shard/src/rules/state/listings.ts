/** Reads of the listings of booked units for resale. Their rules are in sales/resale.ts. */
import { type Offered, unitStatus } from '@parterre/shared/records';
import type { Listing, ReadState } from './event-state.ts';

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
