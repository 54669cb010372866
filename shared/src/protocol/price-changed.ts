/** The refusal of places that cost another total than their buyer has seen. */
import type { LineItem } from './answers.ts';
import { refuse } from './errors.ts';
import { inMajorUnits, type PriceUnit } from './money.ts';

/** `items` as they would be held now. The totals have all fees in them. */
export function priceChanged(changed: {
  items: readonly LineItem[];
  total: number;
  expectedTotal: number;
  currency: string;
  priceUnit: PriceUnit;
}) {
  const { total, expectedTotal, currency, priceUnit } = changed;
  const [now, seen] = [total, expectedTotal].map((amount) => inMajorUnits(amount, currency, priceUnit));
  const why = `The places cost ${now} ${currency} now, not ${seen}. Nothing was held. Show the new prices and ask again.`;
  return refuse('price_changed', why, { details: changed });
}
