/** Prices as spreadsheets write them: `45`, `45,00 €`, `€1,200.00`, `12,-`, `1'200 CHF`. */
import { countOf, type Notes, quoted } from '../report.ts';
import { plainWord } from './words.ts';

const FREE = new Set(
  'free gratis kostenlos frei gratuit gratuito libre zdarma бесплатно ücretsiz'.split(' ').map(plainWord),
);

type UnreadPrices = { count: number; first: string; line: number };

/** `null`: no price that a chart can have. */
export class Prices {
  readonly #fractions: UnreadPrices = { count: 0, first: '', line: 0 };
  readonly #unread: UnreadPrices = { count: 0, first: '', line: 0 };

  read(text: string | null, line: number): number | null {
    if (text === null) return null;
    const price = priceIn(text);
    if (typeof price === 'number') return price;
    const told = price === 'fraction' ? this.#fractions : this.#unread;
    if (told.count++ === 0) Object.assign(told, { first: text, line });
    return null;
  }

  finish(notes: Notes): void {
    const tell = (code: string, { count, first, line }: UnreadPrices, reason: string) => {
      if (count === 0) return;
      const message = `${countOf(count, 'price')}, the first ${quoted(first)} in line ${line}: ${reason}. These places have no price yet; set the prices of their categories.`;
      notes.leftOut(code, message, { source: `line ${line}` });
    };
    tell('fraction_of_price', this.#fractions, 'a price of a chart is a whole number');
    tell('unreadable_price', this.#unread, 'the import reads no price in it');
  }
}

function priceIn(text: string): number | 'fraction' | null {
  if (FREE.has(plainWord(text))) return 0;
  const digits = text
    .replace(/[^\d.,'’\s–—-]/gu, '')
    .replace(/^[.,\s]+|(?:[.,]?\s*[–—-]+|[.,\s]+)$/gu, '')
    .replace(/(?<=\d)[\s'’](?=\d)/gu, '');
  if (/^(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+)$/.test(digits)) return safe(digits);
  const [, whole, cents] = /^(\d+|\d{1,3}(?:\.\d{3})+(?=,)|\d{1,3}(?:,\d{3})+(?=\.))[.,](\d{1,2})$/.exec(digits) ?? [];
  if (whole === undefined) return null;
  return Number(cents) === 0 ? safe(whole) : 'fraction';
}

function safe(digits: string): number | null {
  const price = Number(digits.replace(/[.,]/g, ''));
  return Number.isSafeInteger(price) ? price : null;
}
