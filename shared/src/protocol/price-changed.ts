/** The refusal of places that cost another total than their buyer has seen. */
import type { LineItem } from './answers.ts';
import { refuse } from './errors.ts';

/** `items` as they would be held now. The totals are in major units. */
export function priceChanged(changed: {
  items: readonly LineItem[];
  total: number;
  expectedTotal: number;
  currency: string;
}) {
  const { total, expectedTotal, currency } = changed;
  const why = `The places cost ${total} ${currency} now, not ${expectedTotal}. Nothing was held. Show the new prices and ask again.`;
  return refuse('price_changed', why, { details: changed });
}
