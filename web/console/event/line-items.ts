/** Line items as the server tells them, and their sums. Pure. */
import type { PriceUnit } from '@parterre/shared/protocol/money';

export type Item = {
  label: string;
  place: { name: string };
  objectType: 'seat' | 'booth' | 'ga' | 'table';
  categoryKey: string;
  categoryLabel: string;
  tierId: string | null;
  tierName: string | null;
  /** Null for a reader who may not see money. */
  unitPrice: number | null;
  fees: readonly { name: string; amount: number | null }[];
  allIn: boolean;
  total: number | null;
  currency: string;
  priceUnit: PriceUnit;
  quantity?: number;
  labels?: readonly string[];
  bookingMode: 'individual' | 'whole' | 'variable';
};

/** A part of a call. */
export type Selection = { label: string; tierId?: string | null; quantity?: number };

/** The same units as a new call names them: an area by its number of places, a table by its guests. */
export function selectionOf({ label, tierId, quantity }: Item): Selection {
  return { label, ...(tierId !== null && { tierId }), ...(quantity !== undefined && { quantity }) };
}

/** The units of the items, one by one. */
export const labelsOfItems = (items: readonly Item[]): string[] => {
  return items.flatMap(({ label, labels }) => labels ?? [label]);
};

/** Places, and the guests of tables that are sold as a whole. */
export const placesOfItems = (items: readonly Item[]): number => {
  return items.reduce((sum, { quantity = 1 }) => sum + quantity, 0);
};

/** What the buyer pays, with all fees; null where the reader may not see it. */
export function totalOfItems(items: readonly Pick<Item, 'total'>[]): number | null {
  return items.reduce<number | null>((sum, { total }) => (sum === null || total === null ? null : sum + total), 0);
}

/** The fees of all items by name; `isInside` where the prices have them in them. */
export function feesOfItems(items: readonly Item[]): { name: string; amount: number; isInside: boolean }[] {
  const sums = new Map<string, { name: string; amount: number; isInside: boolean }>();
  for (const { fees, allIn, quantity = 1 } of items) {
    for (const { name, amount } of fees) {
      const key = `${allIn} ${name}`;
      const before = sums.get(key)?.amount ?? 0;
      sums.set(key, { name, amount: before + (amount ?? 0) * quantity, isInside: allIn });
    }
  }
  return [...sums.values()];
}
