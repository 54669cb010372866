/** The one price that stands for a category. Pure. */
import type { Category, Tier } from '@parterre/shared/charts/document';

/** A category without a price costs nothing. */
export function usualPrice(category: Category): number {
  return usualTier(category)?.price ?? category.price ?? 0;
}

/**
 * The tier at which a plain seat is sold if the buyer names none: the first tier without a restriction, else the first
 * that is not for companions, else the first. Undefined for a category without tiers.
 */
export function usualTier({ tiers = [] }: Category): Tier | undefined {
  const notForCompanions = tiers.filter(({ restriction }) => restriction === undefined);
  const forAll = notForCompanions.find(({ applicability: { seatLabels = [], accessibility = [] } = {} }) => {
    return seatLabels.length === 0 && accessibility.length === 0;
  });
  return forAll ?? notForCompanions[0] ?? tiers[0];
}
