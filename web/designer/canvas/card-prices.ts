/** Prices for the cards of sections and areas. A section's categories are looked for once, until its places change. */
import type { Category } from '@parterre/shared/charts/document';
import type { Hall } from '../../src/rules/hall.ts';

export type PriceRange = { from: number; to: number };

export class CardPrices {
  areShown = false;
  /** By block. */
  #known: (PriceRange | null | undefined)[] = [];

  /** Places of these blocks have changed; without blocks everything has. */
  forget(blocks?: Iterable<number>): void {
    if (!blocks) this.#known = [];
    else for (const block of blocks) this.#known[block] = undefined;
  }

  /** Null while no prices are shown, and for places without a price. */
  ofBlock(hall: Hall, block: number): PriceRange | null {
    if (!this.areShown) return null;
    let known = this.#known[block];
    if (known === undefined) {
      const categories = new Set(hall.blocks[block]!.spots.map((spot) => hall.categoryOf[spot]!));
      known = rangeOf([...categories].map((category) => hall.categories[category]));
      this.#known[block] = known;
    }
    return known;
  }

  ofCategory(hall: Hall, category: number): PriceRange | null {
    return this.areShown ? rangeOf([hall.categories[category]]) : null;
  }
}

/** Equal for lists with the same prices. */
export function pricesIn(categories: readonly Category[]): string {
  return JSON.stringify(categories.map((category) => rangeOf([category])));
}

/** The lowest and the highest price; null where no category has one. */
export function rangeOf(categories: readonly (Category | undefined)[]): PriceRange | null {
  const prices = categories.flatMap((category) => (category ? pricesOf(category) : []));
  return prices.length === 0 ? null : { from: Math.min(...prices), to: Math.max(...prices) };
}

function pricesOf({ price, tiers = [], notForSale }: Category): number[] {
  if (notForSale) return [];
  if (tiers.length > 0) return tiers.map((tier) => tier.price);
  return price === undefined ? [] : [price];
}
