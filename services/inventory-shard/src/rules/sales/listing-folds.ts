/** Folds the records of resale listings. */
import { type EventState, type Folds, type Listing, noteCall } from '../state/state.ts';

export const listingFolds: Folds<'resale-listed' | 'resale-removed'> = {
  'resale-listed'(state, { listingId: id, callId, bookingRef, units }) {
    const listing: Listing = { id, bookingRef, units, heldBy: 0 };
    state.listings.set(id, listing);
    for (const unit of units) state.listingOf.set(unit, listing);
    noteCall(state, callId, { units, answer: { listingId: id } });
  },
  'resale-removed'(state, { listingId, callId, units }) {
    endListing(state, listingId);
    noteCall(state, callId, { units, answer: null });
  },
};

/** The listing was sold or removed. */
export function endListing(state: EventState, listingId: string): void {
  for (const unit of state.listings.get(listingId)!.units) state.listingOf.delete(unit);
  state.listings.delete(listingId);
}
