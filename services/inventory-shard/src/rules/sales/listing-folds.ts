/** Folds the records of resale listings. */
import { type EventState, type Folds, noteCall, putListing } from '../state/state.ts';

export const listingFolds: Folds<'resale-listed' | 'resale-removed'> = {
  'resale-listed'(state, { listingId: id, callId, bookingRef, units }) {
    putListing(state, { id, bookingRef, units, heldBy: 0 });
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
