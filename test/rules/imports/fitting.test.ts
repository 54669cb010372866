/** Rows of any form keep their positions and their labels. */

import type { Row } from '@parterre/shared/charts/document';
import { fitNumbers } from '@parterre/shared/charts/imports/fitting/fit-numbers';
import { fitRow } from '@parterre/shared/charts/imports/fitting/fit-row';
import type { FoundRow } from '@parterre/shared/charts/imports/venue';
import { seatNumberer } from '@parterre/shared/charts/numbering';
import { placesOf } from '@parterre/shared/charts/places';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

type At = { x: number; y: number };

const found = (places: At[], number: (index: number) => string): FoundRow => ({
  type: 'row',
  source: 'row',
  section: null,
  label: 'A',
  displayLabel: null,
  extra: {},
  seats: places.map((place, index) => ({
    x: Math.round(place.x * 100) / 100,
    y: Math.round(place.y * 100) / 100,
    number: number(index),
    label: null,
    categoryKey: 'all',
    kinds: [],
    displayLabel: null,
    viewUrl: null,
    isRestrictedView: false,
  })),
});

/** Expects every seat within half a unit of its place, under its label. Returns the rows. */
function expectKept(row: FoundRow): Row[] {
  const rows = fitRow(row, 'A', (piece) => `row-${piece}`);
  const places = new Map(rows.flatMap(placesOf).map((place) => [place.label, place]));
  expect(places.size).toBe(row.seats.length);
  for (const seat of row.seats) {
    const place = places.get(`A-${seat.number}`);
    expect(place, seat.number).toBeDefined();
    expect(Math.hypot(place!.x - seat.x, place!.y - seat.y)).toBeLessThan(0.5);
  }
  return rows;
}

const arcs = fc.record({
  radius: fc.double({ min: 30, max: 5_000, noNaN: true }),
  start: fc.double({ min: 0, max: 360, noNaN: true }),
  spacing: fc.double({ min: 14, max: 30, noNaN: true }),
  count: fc.integer({ min: 2, max: 60 }),
  isBackward: fc.boolean(),
});

const along = ({ radius, start, spacing, count, isBackward }: Record<string, number | boolean>): At[] => {
  const step =
    (isBackward ? -1 : 1) * Math.min(2 * Math.asin(Number(spacing) / 2 / Number(radius)), 5.5 / Number(count));
  return Array.from({ length: Number(count) }, (_, i) => {
    const angle = (Number(start) * Math.PI) / 180 + i * step;
    return { x: 500 + Number(radius) * Math.cos(angle), y: 400 + Number(radius) * Math.sin(angle) };
  });
};

test('rows on arcs of any circle become one row without moved seats', () => {
  void fc.assert(
    fc.property(arcs, (arc) => {
      const rows = expectKept(found(along(arc), (i) => String(i + 1)));
      expect(rows).toHaveLength(1);
      expect(rows[0]!.overrides).toBeUndefined();
    }),
  );
});

test('seats anywhere keep their places and labels', () => {
  const place = fc.record({
    x: fc.double({ min: -500, max: 500, noNaN: true }),
    y: fc.double({ min: -500, max: 500, noNaN: true }),
  });
  void fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 30 }), fc.boolean(), (places, isMixed) => {
      expectKept(found(places, (i) => (isMixed ? `${i % 3 === 0 ? 'x' : ''}${i}` : String(i + 1))));
    }),
  );
});

test('rows on a cubic curve need no moved seats', () => {
  const path = {
    start: { x: 0, y: 0 },
    control1: { x: 60, y: -80 },
    control2: { x: 220, y: 90 },
    end: { x: 300, y: 0 },
  };
  const row = {
    type: 'row',
    id: 'r',
    label: 'A',
    origin: path.start,
    seatCount: 16,
    seatSpacing: 20,
    categoryKey: 'all',
    path,
  } as Row;
  const [fitted] = expectKept(found(placesOf(row), (i) => String(i + 1)));
  expect(fitted!.path).toBeDefined();
  expect(fitted!.overrides ?? []).toHaveLength(0);
});

const numberings: [string, Pick<Row, 'seatLabelStart' | 'seatNumbering'>][] = [
  ['plain', {}],
  ['from 100', { seatLabelStart: 100 }],
  ['from the right', { seatNumbering: { direction: 'rtl' } }],
  ['odd', { seatNumbering: { direction: 'ltr', scheme: 'odd' } }],
  ['even, from the right', { seatNumbering: { direction: 'rtl', scheme: 'even' } }],
  ['from the middle', { seatNumbering: { direction: 'center' } }],
  ['up and down', { seatNumbering: { direction: 'ltr', scheme: 'updown' } }],
  ['down and up', { seatNumbering: { direction: 'ltr', scheme: 'updown-descending' } }],
  ['letters', { seatNumbering: { direction: 'ltr', scheme: 'letters-upper' } }],
  ['small letters, from the right', { seatNumbering: { direction: 'rtl', scheme: 'letters-lower' } }],
  ['Roman', { seatLabelStart: 3, seatNumbering: { direction: 'ltr', scheme: 'roman' } }],
  ['with a prefix', { seatLabelStart: 7, seatNumbering: { direction: 'ltr', prefix: 'L' } }],
];

test.each(numberings)('the numbering %s is found', (_, numbering) => {
  for (const seatCount of [1, 2, 7, 12, 31]) {
    const number = seatNumberer({ seatCount, ...numbering });
    const { fits } = fitNumbers(Array.from({ length: seatCount }, (_, i) => number(i)));
    expect(fits).toEqual(Array.from({ length: seatCount }, () => true));
  }
});

test('a single odd number costs one label, and the rest stays a count', () => {
  const { fits, seatLabelStart, seatNumbering } = fitNumbers(['1', '2', '3', '3a', '5', '6']);
  expect([seatLabelStart, seatNumbering, fits]).toEqual([1, null, [true, true, true, false, true, true]]);
});
