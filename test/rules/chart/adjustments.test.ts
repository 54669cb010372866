/** An operator's changes to one event's chart: their effect on its document, and on the next version of the chart. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { categoryOf, objectOf } from '@parterre/shared/charts/plan';
import { expect, test } from 'vitest';
import { adjustmentsIn, carriedOver, withChange } from '../../../services/catalog/src/charts/rules/adjusted-chart.ts';
import { booth, chart, gaArea, point, row, seatCategory, table } from '../../support/charts.ts';

const categories = [seatCategory, { key: 'best', label: 'Best', color: '#000000', price: 90 }];
const hall = chart(
  [
    row({ overrides: [{ index: 1, categoryKey: 'seat', dx: 2 }] }),
    table({ center: point(0, 200) }),
    booth({ center: point(0, 300) }),
    gaArea({ id: 'floor', label: 'Floor', capacity: 3, points: [point(0, 400), point(9, 400), point(9, 409)] }),
  ],
  { categories },
);

function changed(document: ChartDocument, change: Parameters<typeof withChange>[1]): ChartDocument {
  const made = withChange(document, change);
  expect(made.dropped).toEqual([]);
  return made.document;
}

const categoriesOf = (document: ChartDocument, ...labels: string[]) => {
  const plan = compilePlan(document, 'hash');
  return labels.map((label) => categoryOf(plan, plan.labels.unitOf(label)!).key);
};
const place = (n: number) => `__sl_ga__floor__${n}`;

test('seats change their category and nothing else', () => {
  const booths = (hall.objects[2] as { label: string }).label;
  const best = changed(hall, { labels: ['A-2', 'T1-1', booths], categoryKey: 'best' });
  expect(categoriesOf(best, 'A-1', 'A-2', 'A-3', 'T1-1', 'T1-2', booths)).toEqual([
    'seat',
    'best',
    'seat',
    'best',
    'seat',
    'best',
  ]);
  expect((best.objects[0] as { overrides: unknown }).overrides).toEqual([{ index: 1, categoryKey: 'best', dx: 2 }]);
  expect(compilePlan(best, 'x').adjusted).toBe(true);
  expect(compilePlan(hall, 'x').adjusted).toBe(false);
});

test('an area changes by its label or by all of its places, not by some of them', () => {
  expect(categoriesOf(changed(hall, { labels: ['Floor'], categoryKey: 'best' }), place(1), place(3))).toEqual([
    'best',
    'best',
  ]);
  const all = changed(hall, { labels: [place(1), place(2), place(3)], categoryKey: 'best' });
  expect(categoriesOf(all, place(2))).toEqual(['best']);
  const part = withChange(hall, { labels: ['A-1', place(1)], categoryKey: 'best' });
  expect(part.dropped).toEqual([{ reason: 'part_of_area', count: 1, names: [place(1)] }]);
  expect(part.document).toBe(hall);
});

test('changes that do not fit the chart are reported, and nothing changes', () => {
  const reasonOf = (change: Parameters<typeof withChange>[1]) =>
    withChange(hall, change).dropped.map(({ reason }) => reason);
  expect(reasonOf({ labels: ['A-1', 'Z-9'], categoryKey: 'best' })).toEqual(['unknown_label']);
  expect(reasonOf({ labels: ['A-1'], categoryKey: 'royal' })).toEqual(['unknown_category']);
  expect(reasonOf({ tableIds: ['row-a'], booking: { mode: 'whole' } })).toEqual(['unknown_table']);
  expect(reasonOf({ tableIds: ['table-1'], booking: { mode: 'variable', maxOccupancy: 5 } })).toEqual(['occupancy']);
  expect(reasonOf({ tableIds: ['table-1'], booking: { mode: 'variable', minOccupancy: 4, maxOccupancy: 3 } })).toEqual([
    'occupancy',
  ]);
});

test('a table is sold by the chair, as a whole, or for some guests, and back', () => {
  const whole = changed(hall, { tableIds: ['table-1'], booking: { mode: 'whole' } });
  const some = changed(whole, {
    tableIds: ['table-1'],
    booking: { mode: 'variable', minOccupancy: 2, maxOccupancy: 3 },
  });
  const back = changed(some, { tableIds: ['table-1'], booking: { mode: 'individual' } });
  const sold = (document: ChartDocument, label: string) => {
    const plan = compilePlan(document, 'hash');
    const { bookingMode, minOccupancy, maxOccupancy } = objectOf(plan, plan.labels.unitOf(label)!);
    return [bookingMode, minOccupancy, maxOccupancy];
  };
  expect(sold(whole, 'T1')).toEqual(['whole', 4, 4]);
  expect(sold(some, 'T1')).toEqual(['variable', 2, 3]);
  expect(sold(back, 'T1-4')).toEqual(['individual', 1, 1]);
});

test('the next version gets the same changes, in floors too, and reports changes that do not fit', () => {
  const first = changed(changed(hall, { labels: ['A-1', 'A-2'], categoryKey: 'best' }), {
    tableIds: ['table-1'],
    booking: { mode: 'whole' },
  });
  const before = adjustmentsIn(JSON.parse(JSON.stringify(first)));
  const objects = [row({ seatCount: 1, origin: point(7, 7) })];
  const next = chart(objects, { categories, floors: [{ id: 'f', name: 'F', objects, focalPoint: point(0, 0) }] });
  const { document, dropped } = carriedOver(next, before);
  expect(categoriesOf(document, 'A-1')).toEqual(['best']);
  expect(document.objects).toEqual(document.floors![0]!.objects);
  expect(dropped).toEqual([
    { reason: 'unknown_table', count: 1, names: ['table-1'] },
    { reason: 'unknown_label', count: 1, names: ['A-2'] },
  ]);
  expect([...adjustmentsIn(document).categories]).toEqual([['A-1', 'best']]);
  const bare = chart([booth()], { categories });
  expect(carriedOver(bare, before).document).toBe(bare);
});
