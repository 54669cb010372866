/**
 * The seat numbers of rows, as the document describes them: direction, step, scheme, prefix, and the first or the
 * highest number. A row that counts 1, 2, 3 … from its first seat has no description. Pure.
 */
import type { ChartDocument, Row, SeatNumbering } from '@parterre/shared/charts/document';
import type { Edit } from '../document/editor.ts';
import { changeObjects } from '../document/objects.ts';
import type { Sentence } from '../messages/words.ts';
import { changeOverrides, withField } from '../painting/overrides.ts';

export const directions = ['ltr', 'rtl', 'center'] as const;
export const numberSchemes = [
  'decimal',
  'odd',
  'even',
  'roman',
  'letters-upper',
  'letters-lower',
  'updown',
  'updown-descending',
] as const;

/** The whole description of a row's numbers. `endAt` null: the numbers begin at `start`. */
export type Numbers = {
  scheme: NonNullable<SeatNumbering['scheme']>;
  direction: SeatNumbering['direction'];
  step: 1 | 2;
  prefix: string;
  start: number;
  endAt: number | null;
  /** Removed seats take numbers too. */
  countSkipped: boolean;
};

const integerMax = 999_999;

export function numbersOf({ seatLabelStart = 1, seatNumbering }: Row): Numbers {
  const { scheme = 'decimal', direction = 'ltr', step = 1, prefix = '' } = seatNumbering ?? {};
  const { endAt = null, countSkipped = true } = seatNumbering ?? {};
  return { scheme, direction, step, prefix, start: seatLabelStart, endAt, countSkipped };
}

/** Fields that a change leaves out stay as each row has them. */
export function renumber(ids: ReadonlySet<string>, change: Partial<Numbers>): Edit {
  return (document: ChartDocument) =>
    changeObjects(document, ids, (object) => (object.type === 'row' ? renumbered(object, change) : object));
}

export function renumbered(row: Row, change: Partial<Numbers>): Row {
  const { start, endAt, ...rest } = { ...numbersOf(row), ...change };
  let numbering: SeatNumbering = row.seatNumbering ?? { direction: 'ltr' };
  numbering = withField(numbering, 'direction', rest.direction);
  numbering = withField(numbering, 'scheme', rest.scheme === 'decimal' ? undefined : rest.scheme);
  numbering = withField(numbering, 'step', rest.step === 1 ? undefined : rest.step);
  numbering = withField(numbering, 'prefix', rest.prefix || undefined);
  numbering = withField(numbering, 'endAt', endAt ?? undefined);
  numbering = withField(numbering, 'countSkipped', rest.countSkipped ? undefined : false);
  const isPlain = Object.keys(numbering).length === 1 && numbering.direction === 'ltr';
  const isSame = JSON.stringify(numbersOf(row)) === JSON.stringify({ ...numbersOf(row), ...change });
  if (isSame) return row;
  return withField(
    withField(row, 'seatNumbering', isPlain ? undefined : numbering),
    'seatLabelStart',
    startField(start),
  );
}

const startField = (start: number): number | undefined => (start === 1 ? undefined : start);

/** The reason why numbers are none; null for good ones. */
export function numbersProblem({ start, endAt }: Partial<Numbers>): Sentence | null {
  for (const value of [start, endAt]) {
    if (typeof value !== 'number') continue;
    if (!Number.isInteger(value) || Math.abs(value) > integerMax) return { key: 'numbers.badStart' };
  }
  return null;
}

/** The labels that single seats have of their own go, so that all seats follow the row. */
export function withoutOwnLabels(ids: ReadonlySet<string>): Edit {
  return (document) =>
    changeObjects(document, ids, (object) => {
      if (object.type !== 'row' && object.type !== 'table') return object;
      const seats = (object.overrides ?? []).map(({ index }) => index);
      return changeOverrides(object, seats, (override) => withField(override, 'label', undefined));
    });
}
