/** Seat numbers and labels of many objects at once follow the server's own schemes. */
import type { ChartDocument, ChartObject, Row, SeatNumbering } from '@parterre/shared/charts/document';
import { seatNumberer } from '@parterre/shared/charts/numbering';
import { placesOf } from '@parterre/shared/charts/places';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../../web/designer/edits/rows/blocks.ts';
import {
  type Numbers,
  numbersOf,
  numbersProblem,
  renumber,
  withoutOwnLabels,
} from '../../../web/designer/labelling/numbers.ts';
import { newLabels, type Relabelling, relabel } from '../../../web/designer/labelling/relabel.ts';
import {
  type LabelScheme,
  labeller,
  schemeProblem,
  skipsOf,
  wholeSkips,
} from '../../../web/designer/labelling/schemes.ts';
import { booth, chart, gaArea, point, rectangle, row, section, table } from '../../support/charts.ts';
import { numberingSchemes } from '../../support/venues.ts';

const ids = (...names: string[]) => new Set(names);
const seatsOf = (document: ChartDocument, id: string) =>
  placesOf(document.objects.find((object) => object.id === id) as Row).map(({ label }) => label);

describe('seat numbers of a selection', () => {
  const cases: [what: string, change: Partial<Numbers>, numbers: string][] = [
    ['count from a number', { start: 7 }, '7 8 9 10 11'],
    ['are odd', { scheme: 'odd' }, '1 3 5 7 9'],
    ['are even from the last seat', { scheme: 'even', direction: 'rtl' }, '10 8 6 4 2'],
    ['count from the middle', { direction: 'center' }, '4 2 1 3 5'],
    ['go in twos', { step: 2 }, '1 3 5 7 9'],
    ['are Roman', { scheme: 'roman' }, 'I II III IV V'],
    ['are letters', { scheme: 'letters-upper', start: 25 }, 'Y Z AA AB AC'],
    ['are small letters', { scheme: 'letters-lower' }, 'a b c d e'],
    ['run up and down', { scheme: 'updown' }, '1 3 5 4 2'],
    ['run down and up', { scheme: 'updown-descending' }, '5 3 1 2 4'],
    ['end at a number', { endAt: 20 }, '16 17 18 19 20'],
    ['have a prefix', { prefix: 'L' }, 'L1 L2 L3 L4 L5'],
  ];
  test.each(cases)('%s', (_, change, numbers) => {
    const before = chart([row({ seatCount: 5 }), row({ id: 'row-b', label: 'B' })]);
    const after = renumber(ids('row-a'), change)(before);
    expect(seatsOf(after, 'row-a').join(' ')).toBe(numbers.replace(/(\S+)/g, 'A-$1'));
    expect(after.objects[1]).toBe(before.objects[1]);
  });

  test('leave no description of a row that counts from 1, and keep unknown fields of others', () => {
    const numbered = row({ seatNumbering: { direction: 'rtl', scheme: 'odd' }, seatLabelStart: 3 });
    const plain = { scheme: 'decimal', direction: 'ltr', start: 1 } as const;
    const after = renumber(ids('row-a'), plain)(chart([numbered])).objects[0];
    expect(after).toEqual(row());
    const odd = { direction: 'rtl', ours: 'kept' } as SeatNumbering;
    const kept = renumber(ids('row-a'), { direction: 'ltr' })(chart([row({ seatNumbering: odd })])).objects[0] as Row;
    expect(kept.seatNumbering).toEqual({ direction: 'ltr', ours: 'kept' });
  });

  test('are the same document where nothing changes', () => {
    const document = chart([row({ seatNumbering: { direction: 'ltr', scheme: 'decimal', step: 1 } }), booth()]);
    expect(renumber(ids('row-a', 'booth-1'), { scheme: 'decimal', step: 1 })(document)).toBe(document);
  });

  test('describe every row so that the server counts alike', () => {
    const numbers = fc.record({
      scheme: fc.constantFrom(...numberingSchemes),
      direction: fc.constantFrom('ltr', 'rtl', 'center'),
      step: fc.constantFrom(1, 2),
      prefix: fc.constantFrom('', 'P'),
      start: fc.integer({ min: -5, max: 60 }),
      endAt: fc.option(fc.integer({ min: 0, max: 99 })),
      countSkipped: fc.boolean(),
    }) as fc.Arbitrary<Numbers>;
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 0, max: 9 }), (first, second, seatCount) => {
        const document = renumber(ids('row-a'), first)(chart([row({ seatCount })]));
        const after = renumber(ids('row-a'), second)(document).objects[0] as Row;
        const { start, endAt, ...rest } = second;
        const seatNumbering = { ...rest, ...(endAt === null ? {} : { endAt }) };
        const expected = seatNumberer({ seatCount, seatLabelStart: start, seatNumbering });
        const number = seatNumberer(after);
        for (let index = 0; index < seatCount; index++) expect(number(index)).toBe(expected(index));
        expect(numbersOf(after)).toEqual(second);
      }),
    );
  });

  test('follow their row again when seats give up labels of their own', () => {
    const overrides = [
      { index: 0, label: 'Z' },
      { index: 1, label: 'Y', skip: true },
    ];
    const after = withoutOwnLabels(ids('row-a'))(chart([row({ overrides })])).objects[0] as Row;
    expect(after.overrides).toEqual([{ index: 1, skip: true }]);
  });

  test('are refused where they are none', () => {
    expect(numbersProblem({ start: 1.5 })?.key).toBe('numbers.badStart');
    expect(numbersProblem({ endAt: 10_000_000 })?.key).toBe('numbers.badStart');
    expect(numbersProblem({ start: -3, endAt: null })).toBeNull();
  });
});

describe('labels in a sequence', () => {
  const cases: [what: string, scheme: LabelScheme, expected: string][] = [
    ['are letters', { scheme: 'letters-upper' }, 'A B C D E'],
    ['leave out letters', { scheme: 'letters-upper', start: 'G', skips: ['I', 'O'] }, 'G H J K L'],
    ['leave out letters of long labels too', { scheme: 'letters-upper', start: 'AH', skips: ['i'] }, 'AH AJ AK AL AM'],
    ['begin after a start that is left out', { scheme: 'letters-upper', start: 'I', skips: ['I'] }, 'J K L M N'],
    ['go on after Z', { scheme: 'letters-lower', start: 'Y' }, 'y z aa ab ac'],
    ['are numbers without one', { scheme: 'numbers', start: '12', skips: ['13'] }, '12 14 15 16 17'],
    ['are Roman from a numeral', { scheme: 'roman', start: 'IX' }, 'IX X XI XII XIII'],
    ['have a prefix', { scheme: 'numbers', prefix: 'T' }, 'T1 T2 T3 T4 T5'],
  ];
  test.each(cases)('%s', (_, scheme, expected) => {
    const label = labeller(scheme);
    expect(Array.from({ length: 5 }, (_, at) => label(at)).join(' ')).toBe(expected);
    expect(label(1)).toBe(expected.split(' ')[1]);
  });

  test('say why a scheme names nothing', () => {
    expect(schemeProblem({ scheme: 'numbers', start: 'A' })?.key).toBe('labels.badStart.numbers');
    expect(schemeProblem({ scheme: 'letters-upper', start: '7' })?.key).toBe('labels.badStart.letters-upper');
    expect(schemeProblem({ scheme: 'roman', start: 'IIII' })?.key).toBe('labels.badStart.roman');
    const all = [...'abcdefghijklmnopqrstuvwxyz'];
    expect(schemeProblem({ scheme: 'letters-lower', skips: all })?.key).toBe('labels.allSkipped');
    expect(schemeProblem({ scheme: 'letters-upper', start: 'b', skips: all.slice(1) })).toBeNull();
    expect(skipsOf(' I, O;13 ')).toEqual(['I', 'O', '13']);
    // The form says so.
    expect(wholeSkips('letters-upper', ['IO', 'I', '13'])).toEqual(['IO']);
    expect(wholeSkips('numbers', ['IO'])).toEqual([]);
  });
});

describe('labels of many objects', () => {
  const wish = (more: Partial<Relabelling> = {}): Relabelling => ({
    scheme: 'letters-upper',
    order: 'down',
    withSection: false,
    joinsLines: false,
    ...more,
  });
  const three: ChartObject[] = [
    row({ id: 'low', label: 'x', origin: point(0, 60) }),
    row({ id: 'high', label: 'y', origin: point(0, 0) }),
    row({ id: 'middle', label: 'z', origin: point(0, 30) }),
  ];
  const labelled = (objects: ChartObject[], more: Partial<Relabelling> = {}) => {
    const document = chart(objects);
    const labels = newLabels(document, new Set(objects.map(({ id }) => id as string)), wish(more));
    const after = relabel(labels)(document);
    return Object.fromEntries(after.objects.map(({ id, label }) => [id, label]));
  };

  test('follow the map', () => {
    expect(labelled(three)).toEqual({ high: 'A', middle: 'B', low: 'C' });
    expect(labelled(three, { order: 'up' })).toEqual({ low: 'A', middle: 'B', high: 'C' });
    expect(labelled(three, { order: 'list' })).toEqual({ low: 'A', high: 'B', middle: 'C' });
    const side = [booth({ id: 'b', center: point(90, 0) }), table({ id: 'a', center: point(10, 5) })];
    expect(labelled(side, { order: 'right', scheme: 'numbers' })).toEqual({ a: '1', b: '2' });
    expect(labelled(side, { order: 'left', scheme: 'numbers' })).toEqual({ b: '1', a: '2' });
  });

  test('begin anew in each section, with the section in front, and buyers read the short label', () => {
    const left = section({ id: 's1', label: 'Left', outline: rectangle(-10, -10, 300, 100) });
    const right = section({ id: 's2', label: 'Right', outline: rectangle(290, -10, 300, 100) });
    const rows = [
      row({ id: 'l1' }),
      row({ id: 'l2', origin: point(0, 30) }),
      row({ id: 'r1', origin: point(300, 0) }),
      gaArea({ id: 'ga', points: rectangle(900, 0, 50, 50) }),
    ];
    const document = chart([left, right, ...rows]);
    const labels = newLabels(document, ids('l1', 'l2', 'r1', 'ga', 's1'), wish({ withSection: true }));
    expect(Object.fromEntries(labels)).toEqual({
      l1: { label: 'Left-A', displayLabel: 'A' },
      l2: { label: 'Left-B', displayLabel: 'B' },
      r1: { label: 'Right-A', displayLabel: 'A' },
      ga: { label: 'A', displayLabel: undefined },
    });
  });

  test('are one for rows on one line, if wished', () => {
    const sides = [
      row({ id: 'a1', origin: point(0, 0) }),
      row({ id: 'b1', origin: point(0, 20) }),
      row({ id: 'a2', origin: point(300, 4) }),
      row({ id: 'b2', origin: point(300, 20) }),
      booth({ id: 'booth', center: point(100, 20) }),
    ];
    expect(labelled(sides, { joinsLines: true })).toEqual({ a1: 'A', a2: 'A', b1: 'B', b2: 'B', booth: 'C' });
    expect(labelled(sides.slice(0, 4))).toEqual({ a1: 'A', a2: 'B', b1: 'C', b2: 'D' });
  });

  // Each row has three pieces. The outer pieces of a row stand higher than the middle piece of the row above.
  const curved = rowsOf(chart([]), {
    origin: point(0, 0),
    rowCount: 3,
    seatCount: 18,
    seatSpacing: 20,
    rowSpacing: 30,
    radius: 300,
    aisleEvery: 6,
    aisleWidth: 40,
    categoryKey: 'stalls',
    labelOf: (at: number) => `r${at}`,
  });

  test.each(['down', 'up'] as const)('are one for all pieces of a curved row, in the order %s', (order) => {
    const rowOf = new Map(curved.map(({ id, label }) => [id, label]));
    for (const joinsLines of [true, false]) {
      const pieces = Object.entries(labelled(curved, { order, joinsLines }));
      const found = new Set(pieces.map(([id, label]) => `${rowOf.get(id)} ${label}`));
      expect(pieces).toHaveLength(9);
      expect([...found].sort()).toEqual(order === 'down' ? ['r0 A', 'r1 B', 'r2 C'] : ['r0 C', 'r1 B', 'r2 A']);
    }
  });

  test('of single pieces follow the places of their whole rows', () => {
    const middleOfFirst = curved[1]!.id;
    const endOfSecond = curved[3]!.id;
    const labels = newLabels(chart(curved), ids(middleOfFirst, endOfSecond), wish());
    expect([...labels].map(([id, { label }]) => [id, label])).toEqual([
      [middleOfFirst, 'A'],
      [endOfSecond, 'B'],
    ]);
  });

  test('are one for all pieces of a row, whose name goes into each piece', () => {
    const piece = (id: string, componentIndex: number, x: number) =>
      row({
        id,
        label: 'Q',
        origin: point(x, 0),
        seatCount: 3,
        segmentedRow: { kind: 'segmented-row-v1', groupId: 'g', componentIndex, displayLabel: 'Q' },
      });
    const objects = [piece('p0', 0, 0), piece('p1', 1, 100), row({ id: 'next', origin: point(0, 40) })];
    const document = chart(objects);
    const after = relabel(newLabels(document, ids('p0', 'p1', 'next'), wish()))(document).objects as Row[];
    expect(after.map(({ label }) => label)).toEqual(['A', 'A', 'B']);
    expect(after[1]!.segmentedRow).toMatchObject({ displayLabel: 'A', componentIndex: 1 });
  });
});
