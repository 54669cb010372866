/** The one price that is shown of a category. Pure. */
import type { Category } from '@parterre/shared/chart/document';

/**
 * Of a category with tiers that of the tier a plain seat is sold at when none is named: the first without a restriction, else the
 * first that is not for companions, else the first. A category without a price costs nothing.
 */
export function usualPrice({ price = 0, tiers = [] }: Category): number {
  const notForCompanions = tiers.filter(({ restriction }) => restriction === undefined);
  const forAll = notForCompanions.find(({ applicability: { seatLabels = [], accessibility = [] } = {} }) => {
    return seatLabels.length === 0 && accessibility.length === 0;
  });
  return (forAll ?? notForCompanions[0] ?? tiers[0])?.price ?? price;
}
