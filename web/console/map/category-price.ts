/** The prices of a category in words: of each tier, or its one price. Pure. */
import type { Category } from '@parterre/shared/charts/document';
import type { EventMeta } from '../event/tab.ts';
import type { Words } from '../messages/words.ts';

/** Empty for a category without a price of its own. */
export function pricesOf({ money, list }: Words, { price, tiers = [] }: Category, event: EventMeta): string {
  if (tiers.length > 0)
    return list(
      tiers.map((tier) => `${tier.name} ${money(tier.price, event)}`),
      tiers.length,
    );
  return price === undefined ? '' : money(price, event);
}
