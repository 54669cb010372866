/**
 * Money of an event: the unit of its integers, the fees of its prices, and the rule that adds them up. Pages, services
 * and webhooks use this file, so a buyer, a box office and a back end count alike.
 *
 * The price of a place is what the category, tier, ticket release or channel says. Fees belong to the category, or to
 * the tier instead. A fee is on top of the price, or (`allIn`) inside it. The total of a place is the price and the
 * fees on top. Example: a price of 60 with a fee of 5 has the total 65, and with `allIn` the total 60.
 */
import { digitsOf } from './currencies.ts';
import { minorPriceMax, priceMax } from './page-limits.ts';

/** Whole units of the currency (60 is 60 EUR), or its minor units of ISO 4217 (6000 is 60 EUR). */
export const priceUnits = ['major', 'minor'] as const;
export type PriceUnit = (typeof priceUnits)[number];

/** For each place; for each guest of a table that is sold as a whole. */
export type Fee = { name: string; amount: number };

/** The fees of a price. `allIn`: the price has them in it. */
export type PriceFees = { fees: readonly Fee[]; allIn: boolean };

/**
 * The fees that a sold place has for good, as a text: JSON of `allIn` (1 or 0), then the name and the amount of each
 * fee. A text is compared, packed and sent like the place's tier. A place without fees has none.
 */
export type FrozenFees = string;

export const noFees: PriceFees = { fees: [], allIn: false };

/** A record without the field is older than units, or in major units. */
export const unitOf = ({ priceUnit }: { priceUnit?: PriceUnit | undefined }): PriceUnit => priceUnit ?? 'major';

/** The highest price and the highest fee. */
export const priceMaxIn = (priceUnit: PriceUnit): number => (priceUnit === 'minor' ? minorPriceMax : priceMax);

/** A category or a tier of a chart. */
type WithFees = { fees?: readonly Fee[] | undefined; allIn?: boolean | undefined };

/** The category's fees, or those of the tier: a tier that names fees has no others. */
export function feesFor(category: WithFees, tier?: WithFees | null): PriceFees {
  const fees = tier?.fees ?? category.fees;
  if (fees === undefined || fees.length === 0) return noFees;
  return { fees, allIn: tier?.allIn ?? category.allIn ?? false };
}

/** The fees of a place at this price. A cheaper price cannot have more fees in it than it is: the first fees stay. */
export function feesAt({ fees, allIn }: PriceFees, price: number): PriceFees {
  if (!allIn || sumOf(fees) <= price) return { fees, allIn };
  const fitting: Fee[] = [];
  let left = price;
  for (const { name, amount } of fees) {
    const part = Math.min(amount, left);
    if (part > 0) fitting.push({ name, amount: part });
    left -= part;
  }
  return { fees: fitting, allIn };
}

/** Undefined without a fee. */
export function frozenFees(fees: PriceFees, price: number): FrozenFees | undefined {
  const { fees: list, allIn } = feesAt(fees, price);
  if (list.length === 0) return undefined;
  return JSON.stringify([allIn ? 1 : 0, ...list.flatMap(({ name, amount }) => [name, amount])]);
}

export function thawedFees(frozen: FrozenFees | undefined): PriceFees {
  if (frozen === undefined) return noFees;
  const [allIn, ...rest] = JSON.parse(frozen) as [number, ...(string | number)[]];
  const fees: Fee[] = [];
  for (let at = 0; at < rest.length; at += 2) fees.push({ name: rest[at] as string, amount: rest[at + 1] as number });
  return { fees, allIn: allIn === 1 };
}

/** The fees that come on top of the price of one place. */
export const feesOnTop = ({ fees, allIn }: PriceFees): number => (allIn ? 0 : sumOf(fees));

/** The price of one place with all fees. */
export const priceWithFees = (price: number, fees: PriceFees): number => price + feesOnTop(fees);

/** All fees of one place, on top or inside. */
export const sumOf = (fees: readonly Fee[]): number => fees.reduce((sum, { amount }) => sum + amount, 0);

type PricedItem = { unitPrice: number; quantity?: number; fees?: readonly Fee[]; allIn?: boolean };

/** The price of a line item with all fees, for all its places or guests. */
export function totalOfItem({ unitPrice, quantity = 1, fees, allIn = false }: PricedItem): number {
  return (fees === undefined ? unitPrice : priceWithFees(unitPrice, { fees, allIn })) * quantity;
}

/** The price of all these items, with all fees. */
export const totalOfItems = (items: readonly PricedItem[]): number =>
  items.reduce((sum, item) => sum + totalOfItem(item), 0);

/** An event's amount in minor units of ISO 4217. In major units 12 EUR are 1200, 12 JPY 12, and 12 KWD 12000. */
export function inMinorUnits(amount: number, currency: string, priceUnit: PriceUnit): number {
  return priceUnit === 'minor' ? amount : amount * 10 ** digitsOf(currency);
}

/** An amount of an event for people and for `Intl.NumberFormat`: 1250 minor units of EUR are 12.5. */
export function inMajorUnits(amount: number, currency: string, priceUnit: PriceUnit): number {
  return priceUnit === 'major' ? amount : amount / 10 ** digitsOf(currency);
}
