/**
 * Names of rows, tables and booths in a sequence: A, B, C … with letters left out, 1, 2, 3 … or Roman numerals. Letters
 * and numerals are written as seat numbers are (shared/src/charts/numbering.ts). Pure.
 */
import { letters, roman } from '@parterre/shared/charts/numbering';
import type { Sentence } from '../messages/words.ts';

export const labelSchemes = ['letters-upper', 'letters-lower', 'numbers', 'roman'] as const;

export type LabelScheme = {
  scheme: (typeof labelSchemes)[number];
  /** The first label, as the scheme writes it; without it A, a, 1 or I. */
  start?: string;
  /** A letter leaves out every label that has the letter; any other text leaves out that label. */
  skips?: readonly string[];
  prefix?: string;
};

/** A sequence of labels is no longer than the list of numerals. */
const valueMax = 3_999;
const startsMax = 1_000_000;

/** The label at a place of the sequence, from 0. The scheme has no `schemeProblem`. */
export function labeller({ scheme, start = '', skips = [], prefix = '' }: LabelScheme): (place: number) => string {
  const write = writers[scheme];
  const isSkipped = skipperOf(scheme, skips);
  const made: string[] = [];
  let value = valueIn(scheme, start) ?? 1;
  return (place) => {
    while (made.length <= place) {
      const label = write(value++);
      if (!isSkipped(label)) made.push(prefix + label);
    }
    return made[place]!;
  };
}

/** The reason why a scheme names nothing; null for a scheme that does. */
export function schemeProblem({ scheme, start = '', skips = [] }: LabelScheme): Sentence | null {
  if (valueIn(scheme, start) === null) return { key: `labels.badStart.${scheme}`, values: { start } };
  if (isLettered(scheme) && new Set(lettersOf(skips)).size === 26) return { key: 'labels.allSkipped' };
  return null;
}

/** The labels that a text leaves out: separated by commas or spaces. */
export function skipsOf(text: string): string[] {
  return text.split(/[\s,;]+/u).filter((each) => each !== '');
}

/** Texts of several letters, which leave out one label each: “IO” does not leave out I and O. */
export function wholeSkips(scheme: LabelScheme['scheme'], skips: readonly string[]): string[] {
  return isLettered(scheme) ? skips.filter((each) => /^[a-z]{2,}$/i.test(each)) : [];
}

const writers: Record<LabelScheme['scheme'], (value: number) => string> = {
  'letters-upper': letters,
  'letters-lower': (value) => letters(value).toLowerCase(),
  numbers: String,
  roman,
};

const isLettered = (scheme: LabelScheme['scheme']): boolean => scheme === 'letters-upper' || scheme === 'letters-lower';

const lettersOf = (skips: readonly string[]): string[] =>
  skips.filter((each) => /^[a-z]$/i.test(each)).map((each) => each.toUpperCase());

function skipperOf(scheme: LabelScheme['scheme'], skips: readonly string[]): (label: string) => boolean {
  const whole = new Set(skips);
  if (!isLettered(scheme)) return (label) => whole.has(label);
  const single = new Set(lettersOf(skips));
  return (label) => whole.has(label) || [...label.toUpperCase()].some((letter) => single.has(letter));
}

/** The value that the scheme writes as this text; 1 for an empty text, null for a text of another scheme. */
function valueIn(scheme: LabelScheme['scheme'], start: string): number | null {
  if (start === '') return 1;
  if (scheme === 'numbers') return /^\d{1,6}$/.test(start) ? Number(start) : null;
  if (scheme === 'roman') return romanValue(start.toUpperCase());
  if (!/^[a-z]{1,4}$/i.test(start)) return null;
  const value = [...start.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return value <= startsMax ? value : null;
}

function romanValue(text: string): number | null {
  for (let value = 1; value <= valueMax; value++) if (roman(value) === text) return value;
  return null;
}
