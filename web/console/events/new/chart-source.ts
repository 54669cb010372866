/**
 * The chart of a new event: a published chart, or a template in chosen sizes, with the prices that are missing. Pure.
 *
 * Buyers cannot buy a place whose category has neither price nor tiers. So the form asks for these prices, and for all
 * prices of a template.
 */
import type { Category, ChartDocument } from '@parterre/shared/charts/document';

export type ChartMeta = {
  id: string;
  name: string;
  status: string;
  workspaceId: string;
  seatTotal: number;
  priceUnit: 'major' | 'minor';
  publishedAt: number | null;
  updatedAt: number;
};

/** The categories that sell places and have no price yet. */
export function unpriced(
  { categories }: Pick<ChartDocument, 'categories'>,
  categorySeats: Record<string, number>,
): Category[] {
  return categories.filter(
    ({ key, price, tiers = [], notForSale }) =>
      price === undefined && tiers.length === 0 && !notForSale && (categorySeats[key] ?? 0) > 0,
  );
}

/** The document with these prices, by category key, in its price unit. */
export function withPrices(document: ChartDocument, prices: ReadonlyMap<string, number>): ChartDocument {
  const categories = document.categories.map((category) => {
    const price = prices.get(category.key);
    return price === undefined ? category : { ...category, price };
  });
  return { ...document, categories };
}

/** A chart that was drawn on after its last publish: a publish would put all of it on sale. */
export const hasDraft = ({ publishedAt, updatedAt }: ChartMeta): boolean =>
  publishedAt === null || updatedAt > publishedAt;
