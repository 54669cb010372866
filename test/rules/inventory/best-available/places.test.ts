/**
 * Best-available when rows have nothing to give: chairs and booths, then the places of areas, each at its default tier.
 */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Command, SeatQuery } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { block, callId, house, smallChart } from '../../../support/inventory/house.ts';

type Category = { key: string; tiers?: object[] };

const [row] = smallChart.objects;
const category = (more: Category) => ({ label: more.key, color: '#123456', price: 10, ...more });
const rowOf = (label: string, categoryKey: string, seatCount = 2) => ({
  ...row!,
  id: `row-${label}`,
  label,
  seatCount,
  categoryKey,
});
const areaOf = (label: string, x: number, capacity: number, categoryKey = 'hall') => ({
  type: 'gaArea',
  id: `area-${label}`,
  label,
  points: [
    { x, y: 0 },
    { x: x + 10, y: 0 },
    { x, y: 10 },
  ],
  capacity,
  categoryKey,
});
const booth = {
  type: 'booth',
  id: 'booth',
  label: 'K1',
  center: { x: 0, y: 90 },
  width: 20,
  height: 20,
  rotation: 0,
  categoryKey: 'hall',
};
const table = {
  type: 'table',
  id: 'table',
  label: 'T',
  center: { x: 0, y: 200 },
  shape: 'round',
  seatCount: 4,
  rotation: 0,
  categoryKey: 'hall',
};

function houseOf(objects: object[], ...categories: Category[]) {
  const document = { ...smallChart, categories: categories.map(category), objects };
  return house('platform', compilePlan(document as unknown as ChartDocument, 'hall'));
}

const best = (query: SeatQuery): Command & { type: 'hold-best' } => ({ type: 'hold-best', holdId: callId(), query });
const placesOf = (label: string, ...numbers: number[]): string[] =>
  numbers.map((number) => `__sl_ga__area-${label}__${number}`);

const hall = { key: 'hall' };
const everySort = [rowOf('A', 'hall'), booth, table, areaOf('near', 0, 3), areaOf('far', 500, 9)];

test('chairs are as good as seats of rows; a booth follows, then areas', () => {
  const event = houseOf(everySort, hall);
  event.ok(block('A-1', 'A-2'));
  expect(event.ok(best({ qty: 2 })).labels).toEqual(['T-4', 'T-1']);
  expect(event.ok(best({ qty: 2 })).labels).toEqual(['T-2', 'T-3']);
  expect(event.ok(best({ qty: 4, categoryKeys: ['hall'] })).labels).toEqual(placesOf('far', 1, 2, 3, 4));
  expect(event.ok(best({ qty: 1 })).labels).toEqual(['K1']);
  expect(event.ok(best({ qty: 3 })).labels).toEqual(placesOf('near', 1, 2, 3));
  expect(event.ok(best({ qty: 5 })).labels).toEqual(placesOf('far', 5, 6, 7, 8, 9));
  expect(event.refused(best({ qty: 1 })).reason).toBe('sold_out');
});

test('a party that fits nowhere whole is seated in parts, and refused only if places are missing', () => {
  const event = houseOf(everySort, hall);
  event.ok(block('A-1', ...placesOf('far', 1, 2, 3, 4, 5, 6, 7)));
  // Free: A-2, the booth, four chairs, three places in one area and two in the other.
  expect(event.refused(best({ qty: 12 })).reason).toBe('not_enough_together');
  const { labels, parts } = event.ok(best({ qty: 11 }));
  expect([...labels].sort()).toEqual(
    ['A-2', 'K1', 'T-1', 'T-2', 'T-3', 'T-4', ...placesOf('near', 1, 2, 3), ...placesOf('far', 8, 9)].sort(),
  );
  expect(parts.map((part) => part.length).sort()).toEqual([1, 1, 2, 3, 4]);
});

test('a call that names an accessibility kind gets a chair if the rows have none, and never a place of an area', () => {
  const chairs = { ...table, overrides: [{ index: 1, accessibility: ['wheelchair'] }] };
  const event = houseOf([rowOf('A', 'hall'), chairs, areaOf('near', 0, 3)], hall);
  expect(event.ok(best({ qty: 2, accessible: ['wheelchair'] })).labels).toEqual(['T-1', 'T-2']);
  expect(event.refused(best({ qty: 1, accessible: ['wheelchair'] })).reason).toBe('sold_out');
});

test('an area gives only places that are sold at its default tier', () => {
  const member = { id: 'member', name: 'Member', price: 5 };
  const named = [...placesOf('one', 4, 9), 'two'];
  const event = houseOf([areaOf('one', 0, 10), areaOf('two', 500, 100)], {
    ...hall,
    tiers: [{ ...member, applicability: { seatLabels: named } }],
  });
  const { items } = event.ok(best({ qty: 5 }));
  expect(items).toMatchObject([{ label: 'two', quantity: 5, tierId: 'member' }]);
  expect(event.ok(best({ qty: 2 })).labels).toEqual(placesOf('one', 4, 9));
});

test('a companion place of an area is skipped, and exactly the chosen places are held', () => {
  const carer = { id: 'carer', name: 'Carer', price: 0, restriction: 'companion' };
  const event = houseOf([areaOf('one', 0, 4)], {
    ...hall,
    tiers: [
      { ...carer, applicability: { seatLabels: placesOf('one', 1, 3) } },
      { id: 'full', name: 'Full', price: 10, applicability: { seatLabels: placesOf('one', 2, 4) } },
    ],
  });
  const { labels, items } = event.ok(best({ qty: 2 }));
  expect(labels).toEqual(placesOf('one', 2, 4));
  expect(items).toMatchObject([{ tierId: 'full' }, { tierId: 'full' }]);
  expect(event.refused(best({ qty: 1 })).reason).toBe('sold_out');
});
