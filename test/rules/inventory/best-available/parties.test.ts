/** States and choices: parties that are split, tables, areas, accessible places, aisles and far charts. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import type { Command, SeatQuery } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { booth, chart, gaArea, point, row, seatCategory, table } from '../../../support/charts.ts';
import { block, callId, house } from '../../../support/inventory/house.ts';

const rowOf = (label: string, seatCount: number, y = 0, more: object = {}) =>
  row({ id: `row-${label}`, label, seatCount, origin: point(0, y), ...more });
const hall = (objects: ChartObject[], more: Partial<ChartDocument> = {}) =>
  house('platform', compilePlan(chart(objects, { focalPoint: point(70, -50), ...more }), 'hall'));
const best = (query: SeatQuery): Command & { type: 'hold-best' } => ({ type: 'hold-best', holdId: callId(), query });
const seats = (label: string, ...numbers: number[]): string[] => numbers.map((number) => `${label}-${number}`);
const lawn = (...numbers: number[]): string[] => numbers.map((number) => `__sl_ga__lawn__${number}`);

type Case = [name: string, objects: ChartObject[], taken: string[], query: SeatQuery, parts: string[][] | string];

const twoRows = [rowOf('A', 8), rowOf('B', 8, 20)];
const accessible = (...kinds: (string | null)[]) => ({
  overrides: kinds.flatMap((kind, index) => (kind === null ? [] : [{ index, accessibility: [kind as 'wheelchair'] }])),
});

/** A wheelchair place and its companion's place, this far apart, then ordinary seats; a free row behind. */
const bay = (gap: number): ChartObject[] => [
  rowOf('A', 8, 0, {
    overrides: [
      { index: 0, accessibility: ['wheelchair'] },
      ...[1, 2, 3, 4, 5, 6, 7].map((index) => ({
        index,
        dx: gap - 20,
        ...(index === 1 && { accessibility: ['companion'] }),
      })),
    ],
  }),
  rowOf('B', 8, 20),
];
const behind = rowOf('C', 3, 40, {
  overrides: [
    { index: 0, accessibility: ['companion'], companionOf: 'A-1' },
    { index: 1, accessibility: ['companion'], companionOf: 'A-1' },
    { index: 2, skip: true },
  ],
});
const alone = rowOf('A', 2, 0, {
  overrides: [
    { index: 0, accessibility: ['wheelchair'] },
    { index: 1, skip: true },
  ],
});

const cases: Case[] = [
  ...[20, 31, 35, 40, 90].flatMap((gap): Case[] => [
    [`a bay of ${gap}`, bay(gap), [], { qty: 2, accessible: ['wheelchair'] }, [seats('A', 1, 2)]],
    [`three in a bay of ${gap}`, bay(gap), [], { qty: 3, accessible: ['wheelchair'] }, [seats('A', 1, 2, 3)]],
  ]),
  [
    'a wheelchair place without company gets the companions that name it, in another row',
    [alone, rowOf('B', 8, 20), behind],
    [],
    { qty: 3, accessible: ['wheelchair'] },
    [['A-1'], seats('C', 1, 2)],
  ],
  [
    'companions on both sides',
    [rowOf('A', 3, 0, accessible('companion', 'wheelchair', 'companion'))],
    [],
    { qty: 3, accessible: ['wheelchair'] },
    [seats('A', 1, 2, 3)],
  ],
  [
    'four people are two pairs rather than four singles',
    twoRows,
    [...seats('A', 2, 4, 6, 8), ...seats('B', 4, 5)],
    { qty: 4 },
    [seats('B', 2, 3), seats('B', 6, 7)],
  ],
  [
    'a party stays together in one area',
    [rowOf('A', 3), gaArea({ capacity: 500 })],
    [],
    { qty: 4 },
    [lawn(1, 2, 3, 4)],
  ],
  [
    'a party that no row takes sits in two rows with nobody alone, before one area',
    [rowOf('A', 2), rowOf('B', 3, 20), gaArea({ capacity: 500 })],
    [],
    { qty: 5 },
    [seats('B', 1, 2, 3), seats('A', 1, 2)],
  ],
  [
    'in one area before a split that leaves somebody alone, after a whole table',
    [rowOf('A', 1), rowOf('B', 3, 20), gaArea({ capacity: 500 })],
    [],
    { qty: 4 },
    [lawn(1, 2, 3, 4)],
  ],
  [
    'two people sit at a table rather than apart',
    [rowOf('A', 1), table({ seatCount: 6, center: point(0, 300) })],
    [],
    { qty: 2 },
    [seats('T1', 5, 6)],
  ],
  [
    'a table that is sold as a whole takes a party that no row takes',
    [rowOf('A', 1), table({ seatCount: 6, bookAsWhole: true, center: point(0, 300) })],
    [],
    { qty: 2 },
    [['T1']],
  ],
  [
    'of tables that fit, the one with the fewest empty chairs',
    [
      table({ id: 'near', label: 'T6', seatCount: 6, bookAsWhole: true }),
      table({ id: 'far', label: 'T4', seatCount: 4, bookAsWhole: true, center: point(0, 300) }),
    ],
    [],
    { qty: 3 },
    [['T4']],
  ],
  [
    'a table of variable occupancy takes no fewer guests than its least',
    [table({ variableOccupancy: true, minOccupancy: 3, maxOccupancy: 4 })],
    [],
    { qty: 2 },
    'sold_out',
  ],
  ['one person gets a booth before a place of an area', [gaArea(), booth()], [], { qty: 1 }, [['B1']]],
  [
    'nobody is left alone: of seven people five and two, not six and one',
    [rowOf('A', 6), rowOf('B', 6, 20)],
    [],
    { qty: 7 },
    [seats('A', 2, 3, 4, 5, 6), seats('B', 3, 4)],
  ],
  [
    'seats and places of an area are mixed last',
    [rowOf('A', 3), gaArea()],
    [],
    { qty: 5 },
    [seats('A', 1, 2, 3), lawn(1, 2)],
  ],
  ['too few places of every sort', [rowOf('A', 3), gaArea()], [], { qty: 7 }, 'not_enough_together'],
  [
    'a wheelchair place comes with the companion place beside it',
    [rowOf('A', 8, 0, accessible('wheelchair', 'companion'))],
    [],
    { qty: 2, accessible: ['wheelchair'] },
    [seats('A', 1, 2)],
  ],
  [
    'of two wheelchair places side by side, one is left to others',
    [rowOf('A', 8, 0, accessible('wheelchair', 'wheelchair'))],
    [],
    { qty: 2, accessible: ['wheelchair'] },
    [seats('A', 2, 3)],
  ],
  [
    'two people in wheelchairs each have somebody beside them',
    [rowOf('A', 8, 0, accessible('wheelchair', 'wheelchair', null, null, null, null, null, 'wheelchair'))],
    [],
    { qty: 4, accessible: ['wheelchair'], accessibleSeats: 2 },
    [seats('A', 7, 8), seats('A', 2, 3)],
  ],
  [
    'a party of wheelchair places alone needs nobody beside',
    [rowOf('A', 8, 0, accessible('wheelchair', 'wheelchair'))],
    [],
    { qty: 2, accessible: ['wheelchair'], accessibleSeats: 2 },
    [seats('A', 1, 2)],
  ],
  [
    'the rest of the party sits as near as it can',
    [rowOf('A', 2, 0, accessible('wheelchair', 'companion')), rowOf('B', 8, 20), rowOf('C', 8, 40)],
    [],
    { qty: 4, accessible: ['wheelchair'] },
    [seats('A', 1, 2), seats('B', 1, 2)],
  ],
  [
    'without the rule about singles the nearest run wins',
    [rowOf('A', 8), rowOf('B', 8, 20)],
    seats('A', 4),
    { qty: 2, preventOrphans: false },
    [seats('A', 5, 6)],
  ],
  [
    'an aisle that dx draws parts neighbours',
    [rowOf('A', 8, 0, { overrides: [4, 5, 6, 7].map((index) => ({ index, dx: 40 })) })],
    [],
    { qty: 6 },
    [seats('A', 1, 2, 3, 4), seats('A', 5, 6)],
  ],
  [
    'seats that stand one and a half spacings apart are still neighbours',
    [rowOf('A', 8, 0, { overrides: [4, 5, 6, 7].map((index) => ({ index, dx: 10 })) })],
    [],
    { qty: 6 },
    [seats('A', 1, 2, 3, 4, 5, 6)],
  ],
  [
    'a table with chairs all around comes before the row with the rest of the party',
    [table({ seatCount: 4 }), rowOf('A', 2, 300)],
    [],
    { qty: 6 },
    [seats('T1', 1, 2, 3, 4), seats('A', 1, 2)],
  ],
  [
    'the last chair of a round table is the neighbour of the first',
    [table({ seatCount: 6 })],
    seats('T1', 2, 3, 4, 5),
    { qty: 2 },
    [seats('T1', 6, 1)],
  ],
  [
    'five of six chairs around a table leave a single chair, so five chairs of another table come first',
    [table({ seatCount: 6 }), table({ id: 'table-2', label: 'T2', seatCount: 7, center: point(0, 500) })],
    [],
    { qty: 5 },
    [seats('T2', 4, 5, 6, 7, 1)],
  ],
];

test.each(cases)('%s', (_, objects, taken, query, expected) => {
  const event = hall(objects);
  if (taken.length > 0) event.ok(block(...taken));
  if (typeof expected === 'string') expect(event.refused(best(query))).toMatchObject({ reason: expected });
  else expect(event.ok(best(query)).parts).toEqual(expected);
});

test('several categories are one choice', () => {
  const categories = ['front', 'middle', 'back'].map((key) => ({ ...seatCategory, key }));
  const rows = [rowOf('A', 2, 0, { categoryKey: 'front' }), rowOf('B', 8, 20, { categoryKey: 'middle' })];
  const mixed = rowOf('C', 4, 40, { categoryKey: 'back', overrides: [{ index: 0, categoryKey: 'front' }] });
  const event = hall([...rows, mixed], { categories });
  const categoryKeys = ['front', 'back'];
  expect(event.ok(best({ qty: 4, categoryKeys })).parts).toEqual([seats('C', 1, 2, 3, 4)]);
  expect(event.ok(best({ qty: 2, categoryKeys })).parts).toEqual([seats('A', 1, 2)]);
  expect(event.refused(best({ qty: 1, categoryKeys })).reason).toBe('sold_out');
});

test('places beside named seats come before nearer places', () => {
  const event = hall([rowOf('A', 10), rowOf('B', 10, 20)]);
  event.ok(block(...seats('A', 1, 2)));
  expect(event.ok(best({ qty: 4, near: seats('A', 1, 2) })).parts).toEqual([seats('A', 3, 4, 5, 6)]);
});

test('a chart in metres of a map projection is ranked as the same chart at the origin', () => {
  const choices = [point(0, 0), point(5_000_000.5, 5_800_000.25)].map(({ x, y }) => {
    const rows = ['A', 'B', 'C'].map((label, i) =>
      rowOf(label, 12, 0, { origin: point(x, y + 0.9 * i), seatSpacing: 0.55 }),
    );
    const event = hall(rows, { focalPoint: point(x + 3, y - 5) });
    return [1, 3, 2, 5, 4].map((qty) => event.ok(best({ qty })).parts);
  });
  expect(choices[1]).toEqual(choices[0]);
});
