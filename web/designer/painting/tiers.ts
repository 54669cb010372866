/** Edits of the tiers of a category: several prices to choose from. Pure. */
import type { Category, Tier } from '@parterre/shared/charts/document';
import { freshKey, moved } from './categories.ts';
import { withField } from './overrides.ts';

/**
 * The first tier has the price of the category and the price before, of which the category has none beside its tiers.
 */
export function addTier(category: Category, name: string): Category {
  const tiers = category.tiers ?? [];
  const id = freshKey(name, new Set(tiers.map((tier) => tier.id)));
  const { previousPrice, ...others } = category;
  const before = tiers.length === 0 && previousPrice !== undefined ? { previousPrice } : {};
  const tier = { id, name, price: tiers.at(-1)?.price ?? category.price ?? 0, ...before };
  return withField({ ...others, tiers: [...tiers, tier] }, 'price', undefined);
}

export function changeTier(category: Category, id: string, change: (tier: Tier) => Tier): Category {
  const tiers = (category.tiers ?? []).map((tier) => (tier.id === id ? change(tier) : tier));
  return withField(category, 'tiers', tiers);
}

/** The last tier leaves its price, and the price before, to the category. */
export function removeTier(category: Category, id: string): Category {
  const all = category.tiers ?? [];
  const tiers = all.filter((tier) => tier.id !== id);
  if (tiers.length > 0) return { ...category, tiers };
  const bare = withField(withField(category, 'tiers', undefined), 'price', all[0]?.price);
  return withField(bare, 'previousPrice', all[0]?.previousPrice);
}

export function moveTier(category: Category, id: string, by: -1 | 1): Category {
  const tiers = category.tiers ?? [];
  const after = moved(
    tiers,
    tiers.findIndex((tier) => tier.id === id),
    by,
  );
  return after === tiers ? category : { ...category, tiers: after };
}
