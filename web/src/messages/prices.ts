/** Prices in words, with their fees. Pure. */
import { type PriceFees, sumOf } from '@parterre/shared/protocol/money';
import type { Price } from '../rules/prices.ts';
import type { MoneyUnit, Words } from './words.ts';

/** “+ €1.50 fees”, or “incl. fees” for a price that has them in it; null without fees. */
export function feesText(words: Words, { fees, allIn }: PriceFees, unit: MoneyUnit): string | null {
  if (fees.length === 0) return null;
  return allIn ? words.text('fees.in') : words.text('fees.plus', { amount: words.money(sumOf(fees), unit) });
}

/** “+ Service €1.50”, or “incl. Service €1.50”; null without fees. */
export function namedFeesText(words: Words, { fees, allIn }: PriceFees, unit: MoneyUnit): string | null {
  if (fees.length === 0) return null;
  const each = fees.map(({ name, amount }) => `${name} ${words.money(amount, unit)}`);
  return words.text(allIn ? 'fees.inNamed' : 'fees.plusNamed', { fees: words.list(each) });
}

type Fees = typeof feesText;

/** “€12.50 + €1.50 fees”; with `namedFeesText` “€12.50 + Service €1.50”. */
export function priceText(
  words: Words,
  { price, fees }: Pick<Price, 'price' | 'fees'>,
  unit: MoneyUnit,
  told: Fees = feesText,
): string {
  return [words.money(price, unit), told(words, fees, unit)].filter((part) => part !== null).join(' ');
}
