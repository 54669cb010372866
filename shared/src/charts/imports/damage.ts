/**
 * Notes on names that a spreadsheet program may have made of others: `1-1` becomes the date `01-Jan`, `1E1` the power
 * `1E+01`, 1 becomes `1.0`, and a broken formula `#REF!`. Nobody can tell the first name from the second, so the names
 * stay and the report shows them.
 */
import { countOf, type Notes, quoted } from './report.ts';
import type { FoundVenue } from './venue.ts';

/** In the languages of spreadsheets, without accents and dots. */
const MONTHS =
  'jan|janv|ene|gen|feb|fev|fevr|mar|marz|mrz|mars|maa|mrt|apr|avr|abr|may|mai|mag|mei|jun|juin|giu|jul|juil|lug|aug|aout|ago|' +
  'sep|sept|set|oct|okt|ott|out|nov|dec|dez|dic|des|янв|фев|мар|апр|маи|июн|июл|авг|сен|окт|ноя|дек';
const DATES = [
  new RegExp(`^\\d{1,4}[-./ ]+(?:${MONTHS})(?:[-./ ]+\\d{2,4})?$`),
  new RegExp(`^(?:${MONTHS})[-./ ]+\\d{1,4}$`),
  /^\d{4}[-./]\d{1,2}[-./]\d{1,2}(?:[ t]\d{1,2}:\d{2}(?::\d{2})?)?$/,
  /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/,
];
const DECIMAL = /^\d+[.,]0+$/;
const FAULT = /^(?:#+|#n\/a|#nv|#[\p{Letter}/\d]+[!?]|nan|null|undefined)$/u;
const POWER = /^\d(?:[.,]\d+)?e\+\d+$/;

export function noteDamage({ floors }: FoundVenue, notes: Notes): void {
  const names = new Set<string>();
  for (const item of floors.flatMap(({ items }) => items)) {
    if (item.type === 'section' || item.type === 'row' || item.type === 'table') names.add(item.label);
    if (item.type === 'row') for (const { number } of item.seats) names.add(number);
  }
  const all = [...names];
  const dates = all.filter(isDate);
  const decimals = all.filter((name) => DECIMAL.test(name));
  const powers = all.filter((name) => POWER.test(name.toLowerCase()));
  const faults = all.filter((name) => FAULT.test(name.toLowerCase()));
  const tell = (code: string, [first, ...more]: string[], form: string, example: string) => {
    if (first === undefined) return;
    const count = countOf(more.length + 1, 'name');
    const message = `${count}, the first ${quoted(first)}, ${more.length === 0 ? 'looks' : 'look'} like ${form} that a spreadsheet program made of another name, such as ${example}. The import kept the names of the file. Correct them there, in cells of the type text, and import it again.`;
    notes.ambiguous(code, message);
  };
  tell('looks_like_date', dates, 'a date', '1-1');
  tell('looks_like_decimal', decimals, 'a whole number with a fraction of zero', '1');
  tell('looks_like_fault', faults, 'a fault or an empty cell', 'a row');
  tell('looks_like_power', powers, 'a power of ten', '1E1 or a long number');
}

function isDate(name: string): boolean {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/\.(?=-|$)/g, '')
    .toLowerCase();
  return DATES.some((form) => form.test(plain));
}
