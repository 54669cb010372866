/** The prices of a category's free units at all tiers. Pure. */

import type { Category } from '@parterre/shared/charts/document';
import type { ReleaseView } from '@parterre/shared/protocol/answers';
import type { Channel } from '@parterre/shared/protocol/records';
import type { Supply } from '../supply.ts';
import { usualPrice } from './usual-price.ts';

export type Pricing = Pick<Channel, 'pricingVersion' | 'priceOverrides'> & { channelId: string };

/**
 * The lowest price now, and the highest price of any of these units, in the event's unit. Units with an accessibility
 * kind count only where no plain unit is free. Ticket releases with few units left are followed by the price behind
 * them.
 */
export function priceRange(
  category: Category,
  supply: readonly Supply[],
  pricing: readonly Pricing[],
  selling: readonly ReleaseView[],
): { lowestPrice: number | null; highestPrice: number | null } {
  const counted = supply.some(({ plain }) => plain > 0) ? 'plain' : 'free';
  const open = supply.filter((each) => each[counted] > 0);
  const prices = open.map((each) => pricesOf(category, each, pricing, selling)).filter(({ length }) => length > 0);
  if (prices.length === 0) return { lowestPrice: null, highestPrice: null };
  const isTiered = (category.tiers ?? []).length > 0;
  const now = isTiered ? prices.flat() : prices.map(([first]) => first!);
  return { lowestPrice: Math.min(...now), highestPrice: Math.max(...prices.flat()) };
}

/** The price of each tier; without tiers the prices of the next units, the next one first. */
function pricesOf(
  category: Category,
  { channelId, free, tiers }: Supply,
  pricing: readonly Pricing[],
  selling: readonly ReleaseView[],
): number[] {
  const overrides = pricing.find((one) => one.channelId === channelId)?.priceOverrides ?? [];
  const own = overrides.filter(({ categoryKey }) => categoryKey === category.key);
  if ((category.tiers ?? []).length > 0) {
    return tiers.map(({ id, price }) => own.find(({ tierId }) => tierId === id)?.price ?? price);
  }
  return own[0] ? [own[0].price] : laddered(category, free, selling);
}

function laddered(category: Category, free: number, selling: readonly ReleaseView[]): number[] {
  const prices: number[] = [];
  let left = free;
  for (const release of selling) {
    if (left <= 0) return prices;
    if (!fits(release, category)) continue;
    prices.push(release.price);
    left -= release.remaining ?? left;
  }
  return left > 0 ? [...prices, usualPrice(category)] : prices;
}

/** Whether the ticket release prices units of this category. */
export function fits({ categoryKey }: ReleaseView, { key, tiers = [] }: Category): boolean {
  return tiers.length === 0 && (categoryKey === null || categoryKey === key);
}
