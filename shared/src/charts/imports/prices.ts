/**
 * Prices of files: `45`, `45,00 €`, `€1,200.00`, `12,50`, `12,-`, `1'200 CHF`, `12.500 KWD`. A chart counts in whole
 * units of its currency, or in minor units where a price of its file has a fraction (`priceUnit`). Only the whole file
 * tells the unit, so prices are read in whole units with a fraction, and converted together at the end. A chart has no
 * currency: a minor unit is a hundredth, unless a price names a currency of other digits.
 */
import { digitsOf, isCurrency } from '../../protocol/currencies.ts';
import { plainWord } from './formats/words.ts';
import { countOf, type Notes, quoted } from './report.ts';

const FREE = new Set(
  'free gratis kostenlos frei gratuit gratuito libre zdarma бесплатно ücretsiz'.split(' ').map(plainWord),
);
const DIGITS_USUAL = 2;

type ToldPrice = { text: string; source: string };
type ReadPrice = { price: number; fractionDigits: number; digits: number };

/** Reads the prices of one file. */
export class Prices {
  readonly #unread = { count: 0, first: null as ToldPrice | null };
  #fraction: ToldPrice | null = null;
  #isMinor = false;
  #digits = DIGITS_USUAL;

  /** In whole units, with a fraction; null for no price that a chart can have. `source` names the place in the file. */
  read(told: string | number | null, source: string): number | null {
    if (told === null) return null;
    const read = typeof told === 'number' ? fromNumber(told) : fromText(told);
    if (read === null) {
      this.#unread.count++;
      this.#unread.first ??= { text: String(told), source };
      return null;
    }
    if (read.fractionDigits > 0) this.#fraction ??= { text: String(told), source };
    if (read.fractionDigits > 0) this.#digits = Math.max(this.#digits, read.digits);
    return read.price;
  }

  /** The file says that its chart counts in minor units. */
  isMinor(): void {
    this.#isMinor = true;
  }

  /** The digits of a minor unit; null where all prices are whole. */
  finish(notes: Notes): number | null {
    const { count, first } = this.#unread;
    if (first !== null) {
      const message = `${countOf(count, 'price')}, the first ${quoted(first.text)} in ${first.source}: the import reads no price in it. These places have no price yet; set the prices of their categories.`;
      notes.leftOut('unreadable_price', message, { source: first.source });
    }
    if (this.#fraction === null) return this.#isMinor ? this.#digits : null;
    const { text, source } = this.#fraction;
    const example = (12.5).toFixed(this.#digits);
    const message = `Prices have decimals, the first ${quoted(text)} in ${source}. The chart counts in minor units (priceUnit: minor): ${example} is ${inUnits(12.5, this.#digits)}. Sell it in a currency with ${this.#digits} digits.`;
    notes.changed('prices_in_minor_units', message, { source });
    return this.#digits;
  }
}

/** A price of a JSON file, as `Prices.read` takes it. */
export function priceFrom(value: unknown): string | number | null {
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

/** `digits` null: a chart that counts in whole units. */
export function inUnits(price: number, digits: number | null): number {
  return digits === null ? price : Math.round(price * 10 ** digits);
}

const PRICE = /^\d{1,15}(?:\.(\d{1,4}))?$/;

export const isPrice = (value: number): boolean => PRICE.test(String(value));

function fromNumber(price: number): ReadPrice | null {
  const [whole, fraction = ''] = PRICE.exec(String(price)) ?? [];
  return whole === undefined ? null : { price, fractionDigits: fraction.length, digits: fraction.length };
}

function fromText(text: string): ReadPrice | null {
  if (FREE.has(plainWord(text))) return { price: 0, fractionDigits: 0, digits: DIGITS_USUAL };
  const currency = text.match(/\b[A-Z]{3}\b/g)?.find(isCurrency);
  const digits = currency === undefined ? DIGITS_USUAL : digitsOf(currency);
  const number = text
    .replace(/[^\d.,'’\s–—-]/gu, '')
    .replace(/^[.,\s]+|(?:[.,]?\s*[–—-]+|[.,\s]+)$/gu, '')
    .replace(/(?<=\d)[\s'’](?=\d)/gu, '');
  const [, whole, fraction = ''] =
    /^(\d+|\d{1,3}(?:\.\d{3})+(?=,)|\d{1,3}(?:,\d{3})+(?=\.))[.,](\d{1,4})$/.exec(number) ?? [];
  const isFraction = whole !== undefined && fraction.length <= Math.max(digits, DIGITS_USUAL);
  if (!isFraction && !/^(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+)$/.test(number)) return null;
  const said = isFraction ? fraction.replace(/0+$/, '') : '';
  if (said.length > digits) return null;
  const price = Number(`${(isFraction ? whole : number).replace(/[.,]/g, '')}.${said || '0'}`);
  return Number.isSafeInteger(Math.trunc(price)) ? { price, fractionDigits: said.length, digits } : null;
}
