/**
 * Finds the numbering of a row that gives the numbers of its seats. The numbers of a candidate come from the chart's
 * own numberer, so a match is exact. Seats that no numbering reaches get labels of their own.
 */
import type { SeatNumbering } from '../../document.ts';
import { seatNumberer } from '../../numbering.ts';

export type FittedNumbers = {
  seatLabelStart: number;
  seatNumbering: SeatNumbering | null;
  /** Whether the seat at this index gets its number from the numbering. */
  fits: boolean[];
};

type Candidate = { seatLabelStart: number; seatNumbering: SeatNumbering | null };

/** A number with letters before it, as `A12`. Longer numbers are no counts. */
const PREFIXED = /^(.*?)(0|[1-9]\d{0,8})$/su;
const ROMAN = /^[MDCLXVI]+$/;
const UPPER = /^[A-Z]{1,3}$/;
const LOWER = /^[a-z]{1,3}$/;
/** The share of seats that the first candidates must reach, so that the others are not tried. */
const ENOUGH = 0.9;

/** `numbers` by index; null where no seat stands. */
export function fitNumbers(numbers: readonly (string | null)[]): FittedNumbers {
  let best: FittedNumbers | null = null;
  let bestCount = -1;
  const seats = numbers.filter((each) => each !== null).length;
  for (const candidate of candidatesOf(numbers)) {
    const fits = fitsOf(numbers, candidate);
    const count = fits.filter(Boolean).length;
    if (count > bestCount) {
      best = { ...candidate, fits };
      bestCount = count;
    }
    if (count === seats) break;
  }
  return best ?? { seatLabelStart: 1, seatNumbering: null, fits: numbers.map(() => false) };
}

function fitsOf(numbers: readonly (string | null)[], { seatLabelStart, seatNumbering }: Candidate): boolean[] {
  const number = seatNumberer({
    seatCount: numbers.length,
    seatLabelStart,
    ...(seatNumbering && { seatNumbering }),
  });
  return numbers.map((wanted, index) => wanted !== null && number(index) === wanted);
}

/** From the usual to the rare. */
function* candidatesOf(numbers: readonly (string | null)[]): Generator<Candidate> {
  const prefix = prefixOf(numbers);
  const named = prefix === '' ? {} : { prefix };
  const values = numbers.map((text) => numberIn(text, prefix));
  for (const [slope, numbering] of [
    [1, { direction: 'ltr' }],
    [-1, { direction: 'rtl' }],
    [2, { direction: 'ltr', step: 2 }],
    [-2, { direction: 'rtl', step: 2 }],
  ] as const) {
    const usual = slope === 1 && prefix === '';
    const at = startOf(values, slope);
    if (at !== null) yield { seatLabelStart: at, seatNumbering: usual ? null : { ...numbering, ...named } };
  }
  if (share(values) >= ENOUGH) yield* patternsOf(values, named);
  yield* writtenOf(numbers);
}

function share(values: readonly (number | null)[]): number {
  return values.filter((value) => value !== null).length / Math.max(1, values.length);
}

/** Numbers from the middle outward, and up and down. */
function* patternsOf(values: readonly (number | null)[], named: { prefix?: string }): Generator<Candidate> {
  const least = values.reduce<number>((low, value) => (value === null ? low : Math.min(low, value)), Infinity);
  for (const numbering of [
    { direction: 'center' },
    { direction: 'center', step: 2 },
    { direction: 'ltr', scheme: 'updown' },
    { direction: 'ltr', scheme: 'updown-descending' },
  ] as const) {
    yield { seatLabelStart: least, seatNumbering: { ...numbering, ...named } };
  }
}

/** Letters and Roman numerals. */
function* writtenOf(numbers: readonly (string | null)[]): Generator<Candidate> {
  const texts = numbers.filter((text) => text !== null);
  for (const [scheme, form, read] of [
    ['letters-upper', UPPER, lettersValue],
    ['letters-lower', LOWER, (text: string) => lettersValue(text.toUpperCase())],
    ['roman', ROMAN, romanValue],
  ] as const) {
    if (!texts.some((text) => form.test(text))) continue;
    const values = numbers.map((text) => (text !== null && form.test(text) ? read(text) : null));
    for (const [slope, direction] of [
      [1, 'ltr'],
      [-1, 'rtl'],
    ] as const) {
      const at = startOf(values, slope);
      if (at !== null) yield { seatLabelStart: at, seatNumbering: { direction, scheme } };
    }
  }
}

/** The text before the number of most seats. */
function prefixOf(numbers: readonly (string | null)[]): string {
  return mostFrequent(numbers.map((text) => PREFIXED.exec(text ?? '')?.[1])) ?? '';
}

function numberIn(text: string | null, prefix: string): number | null {
  if (text === null || !text.startsWith(prefix)) return null;
  const digits = text.slice(prefix.length);
  return /^(0|[1-9]\d{0,8})$/.test(digits) ? Number(digits) : null;
}

/**
 * The lowest number of the count that most seats are in; null if no seat is. A downward count starts at its last seat.
 */
function startOf(values: readonly (number | null)[], slope: number): number | null {
  const first = mostFrequent(values.map((value, index) => (value === null ? undefined : value - slope * index)));
  if (first === undefined) return null;
  return slope > 0 ? first : first + slope * (values.length - 1);
}

function mostFrequent<T>(values: readonly (T | undefined)[]): T | undefined {
  const counts = new Map<T, number>();
  let best: T | undefined;
  let most = 0;
  for (const value of values) {
    if (value === undefined) continue;
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count <= most) continue;
    best = value;
    most = count;
  }
  return best;
}

function lettersValue(text: string): number {
  let value = 0;
  for (const letter of text) value = value * 26 + letter.charCodeAt(0) - 64;
  return value;
}

const romanWorth: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

/** Of any order of digits. The numberer decides whether the text is the usual spelling. */
function romanValue(text: string): number {
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const worth = romanWorth[text[i]!]!;
    value += worth < (romanWorth[text[i + 1] ?? ''] ?? 0) ? -worth : worth;
  }
  return value;
}
