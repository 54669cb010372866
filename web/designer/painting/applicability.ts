/** The places that a tier is for: those with its labels and its kinds, or all places of its category. Pure. */
import type { Category, ChartDocument, Tier } from '@parterre/shared/charts/document';
import { withField } from './overrides.ts';

/** Every tier of the chart with its category. */
export function tiersIn({ categories }: Pick<ChartDocument, 'categories'>): { category: Category; tier: Tier }[] {
  return categories.flatMap((category) => (category.tiers ?? []).map((tier) => ({ category, tier })));
}

/** Empty: all places of the category. An area's own label stands for its places. */
export function labelsOf({ applicability }: Tier): readonly string[] {
  return applicability?.seatLabels ?? [];
}

/** A list of seats or kinds that is empty restricts nothing, so it goes. */
export function restrictTier(tier: Tier, name: 'seatLabels' | 'accessibility', values: readonly string[]): Tier {
  const applicability = withField(tier.applicability ?? {}, name, values.length > 0 ? [...values] : undefined);
  return withField(tier, 'applicability', Object.keys(applicability).length > 0 ? applicability : undefined);
}
