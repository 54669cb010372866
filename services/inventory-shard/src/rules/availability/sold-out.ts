/**
 * Whether an event is sold out: something is booked, and no unit that is for sale is free or held any more. Blocked units, and
 * units of a category that is not for sale, do not count as left. Hidden and closed units do: they will be sold later.
 */
import { unitStatus } from '@parterre/shared/records';
import type { Folds, ReadState } from '../state/state.ts';

/** Whether anything is left that is for sale. */
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
