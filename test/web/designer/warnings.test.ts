/** What the list of issues warns about, though a publish lets it pass. */
import type { ChartObject } from '@parterre/shared/charts/document';
import { expect, test } from 'vitest';
import { warningsOf } from '../../../web/designer/checking/warnings.ts';
import { booth, chart, point, row, table } from '../../support/charts.ts';

const far = row({ origin: point(400, 300), seatCount: 11 });

test.each([
  ['a category without a price', {}, ['price']],
  ['a free category', { price: 0 }, []],
  ['a category that is not for sale', { notForSale: true }, []],
  ['a category with ticket types', { tiers: [{ id: 'adult', name: 'Adult', price: 5 }] }, []],
])('%s has the warning that a publish gives', (_, more, wanted) => {
  const categories = [
    { key: 'seat', label: 'Stalls', color: '#336699', ...more },
    { key: 'unused', label: 'U', color: '#000000' },
  ];
  expect(warningsOf(chart([far], { categories, focalPoint: point(500, 0) })).map(({ kind }) => kind)).toEqual(wanted);
});

const round = (id: string, x: number, more: object = {}) => table({ id, label: id, center: point(x, 0), ...more });
test.each([
  ['round tables apart', [round('a', 0), round('b', 140)], false],
  ['round tables on each other', [round('a', 0), round('b', 70)], true],
  ['chairs of two tables in one place', [round('a', 0), round('b', 112)], true],
  [
    'turned tables whose boxes meet alone',
    [
      round('a', 0, { shape: 'rect', width: 200, height: 20, rotation: 45, seatCount: 0 }),
      round('b', 90, { seatCount: 0, radius: 30 }),
    ],
    false,
  ],
  [
    'turned tables that meet',
    [
      round('a', 0, { shape: 'rect', width: 200, height: 20, rotation: 45, seatCount: 0 }),
      round('b', 60, { center: point(60, 60), seatCount: 0 }),
    ],
    true,
  ],
  ['a booth on a row', [far, booth({ center: point(440, 300) })], true],
  ['two rows in one place', [far, { ...far, id: 'b', label: 'B' }], true],
  ['rows behind each other', [far, { ...far, id: 'b', label: 'B', origin: point(400, 318) }], false],
] as [string, ChartObject[], boolean][])('%s are a warning: %s', (_, objects, isWarned) => {
  const warnings = warningsOf(chart(objects, { focalPoint: { x: 0, y: 0, supposed: true } }));
  expect(warnings.map(({ kind }) => kind)).toEqual(isWarned ? ['overlap'] : []);
});
