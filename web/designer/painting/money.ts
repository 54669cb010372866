/**
 * Amounts of a chart as people write them. A chart that counts in minor units (`priceUnit`) keeps 12.50 as 1250. A
 * chart has no currency: the digits are those of the organisation's, in ISO 4217. Edits of fees. Pure.
 */
import type { Category, ChartDocument, Tier } from '@parterre/shared/charts/document';
import { digitsOf } from '@parterre/shared/protocol/currencies';
import { feesMax } from '@parterre/shared/protocol/limits';
import { type Fee, type PriceUnit, priceMaxIn, unitOf } from '@parterre/shared/protocol/money';
import type { Edit } from '../document/editor.ts';
import type { Sentence } from '../messages/words.ts';
import { withField } from './overrides.ts';

const DIGITS_USUAL = 2;

/** `digits` behind the point; 0 for a chart that counts in whole units. */
export type Amounts = { unit: PriceUnit; digits: number };

export function amountsOf(document: ChartDocument, currency: string | null): Amounts {
  const unit = unitOf(document);
  return { unit, digits: unit === 'major' ? 0 : minorDigits(currency) };
}

const minorDigits = (currency: string | null): number => (currency === null ? DIGITS_USUAL : digitsOf(currency));

/** 1250 as 12.50, in the numbers of the reader's language. */
export function amountText(locale: string, amount: number, { digits }: Amounts): string {
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, 2) };
  return new Intl.NumberFormat(locale, fraction).format(amount / 10 ** digits);
}

/** What a person has written, as the chart keeps it; or the sentence that refuses it. */
export function amountFrom(written: number, { unit, digits }: Amounts): number | Sentence {
  const amount = Math.round(written * 10 ** digits);
  const most = priceMaxIn(unit) / 10 ** digits;
  const isWhole = Math.abs(written * 10 ** digits - amount) < 1e-6;
  if (isWhole && amount >= 0 && amount <= priceMaxIn(unit)) return amount;
  return digits === 0
    ? { key: 'category.badPrice', values: { most } }
    : { key: 'category.badAmount', values: { most, count: digits } };
}

/** All amounts of the chart in another unit. A chart with decimals cannot count in whole units. */
export function changeUnit(document: ChartDocument, unit: PriceUnit, currency: string | null): Edit | Sentence {
  const factor = 10 ** minorDigits(currency);
  const converted = (amount: number) => (unit === 'minor' ? amount * factor : amount / factor);
  const amounts = document.categories.flatMap((category) => [category, ...(category.tiers ?? [])].flatMap(amountsIn));
  const isLost = unit === 'major' && amounts.some((amount) => Number.isInteger(amount) && amount % factor !== 0);
  if (isLost) return { key: 'categories.unit.decimals' };
  return (before) => {
    if (unitOf(before) === unit) return before;
    const categories = before.categories.map((category) => {
      const { tiers } = category;
      return { ...inUnit(category, converted), ...(tiers && { tiers: tiers.map((tier) => inUnit(tier, converted)) }) };
    });
    return withField({ ...before, categories }, 'priceUnit', unit === 'major' ? undefined : unit);
  };
}

function amountsIn({ price, previousPrice, fees = [] }: Category | Tier): number[] {
  return [price, previousPrice, ...fees.map(({ amount }) => amount)].filter((amount) => amount !== undefined);
}

function inUnit<Priced extends Category | Tier>(priced: Priced, converted: (amount: number) => number): Priced {
  const { price, previousPrice, fees } = priced;
  return {
    ...priced,
    ...(price !== undefined && { price: converted(price) }),
    ...(previousPrice !== undefined && { previousPrice: converted(previousPrice) }),
    ...(fees && { fees: fees.map((fee) => ({ ...fee, amount: converted(fee.amount) })) }),
  };
}

/** The new fee has a name that no other has. */
export function addFee<Priced extends Category | Tier>(priced: Priced, name: string): Priced {
  const fees = priced.fees ?? [];
  if (fees.length >= feesMax) return priced;
  const names = new Set(fees.map((fee) => fee.name));
  let named = name;
  for (let number = 2; names.has(named); number++) named = `${name} ${number}`;
  return { ...priced, fees: [...fees, { name: named, amount: 0 }] };
}

export function changeFee<Priced extends Category | Tier>(priced: Priced, at: number, change: Partial<Fee>): Priced {
  const fees = (priced.fees ?? []).map((fee, index) => (index === at ? { ...fee, ...change } : fee));
  return { ...priced, fees };
}

/** A category without fees says nothing of them. A tier's own list stays, without any fee. */
export function removeFee<Priced extends Category | Tier>(priced: Priced, at: number, isTier: boolean): Priced {
  const fees = (priced.fees ?? []).filter((_, index) => index !== at);
  if (fees.length > 0 || isTier) return { ...priced, fees };
  return withField(withField(priced, 'fees', undefined), 'allIn', undefined);
}

/** A tier has the fees of its category, or its own: at first the same. */
export function ownFees(tier: Tier, { fees = [], allIn }: Category, isOwn: boolean): Tier {
  if (!isOwn) return withField(withField(tier, 'fees', undefined), 'allIn', undefined);
  return withField({ ...tier, fees: fees.map((fee) => ({ ...fee })) }, 'allIn', allIn);
}

export function feeNameProblem(fees: readonly Fee[], at: number, name: string): Sentence | null {
  if (name.trim() === '') return { key: 'field.needsText' };
  return fees.some((fee, index) => index !== at && fee.name === name)
    ? { key: 'fee.nameTaken', values: { name } }
    : null;
}
