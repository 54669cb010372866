/**
 * Decides whether an event is sold out: a unit is booked, and no unit that is for sale is free or held. Blocked units
 * and units of a category that is not for sale do not count. Hidden and closed units count, since they will be sold
 * later.
 */
import { unitStatus } from '@parterre/shared/protocol/records';
import type { Folds, ReadState } from '../state/state.ts';

/** Whether a unit that is for sale is free or held. */
export function hasUnitsLeft({ counts, withheld }: ReadState): boolean {
  const left = counts[unitStatus.free] + counts[unitStatus.held];
  return left > (withheld === null ? 0 : withheld.units);
}

/** Whether the event is sold out, and no record says so yet. */
export function isNewlySoldOut(state: ReadState): boolean {
  return !hasUnitsLeft(state) && !state.soldOut && state.counts[unitStatus.booked] > 0;
}

export const soldOutFolds: Folds<'sold-out'> = {
  'sold-out'(state) {
    state.soldOut = true;
  },
};
