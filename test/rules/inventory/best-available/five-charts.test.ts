/**
 * Best-available against the judge on five charts of halls as they are built: long rows with an aisle, tables and
 * standing places, floors, wheelchair and companion places, zones with channels. Each state is random.
 */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { labelsOf } from '@parterre/shared/charts/plan';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Search } from '../../../../services/inventory-shard/src/rules/seat-search/search.ts';
import { seatRowsOf } from '../../../../services/inventory-shard/src/rules/seat-search/seat-rows.ts';
import { bestAvailable } from '../../../../services/inventory-shard/src/rules/seat-search/seat-search.ts';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { booth, chart, gaArea, point, rectangle, row, seatCategory, section, table } from '../../../support/charts.ts';
import { eventConfig } from '../../../support/inventory/house.ts';
import { judge } from '../../../support/judge/best-places.ts';
import { spotsOf } from '../../../support/judge/spots.ts';

const STATES_PER_CHART = 280;

const kinds = (index: number, kind: 'wheelchair' | 'companion' | 'hearing') => ({ index, accessibility: [kind] });
const aisle = (seatCount: number) =>
  Array.from({ length: seatCount >> 1 }, (_, i) => ({ index: (seatCount >> 1) + i, dx: 30 }));
const rows = (count: number, seatCount: number, y: number, more: object = {}): ChartObject[] =>
  Array.from({ length: count }, (_, i) =>
    row({ id: `r${9 - i}-${y}`, label: `R${y}${i}`, seatCount, origin: point(-10 * seatCount, y + 25 * i), ...more }),
  );
const tables = (count: number, y: number, more: object = {}): ChartObject[] =>
  Array.from({ length: count }, (_, i) =>
    table({ id: `t${i}-${y}`, label: `T${y}${i}`, seatCount: 4 + (i % 4), center: point(140 * i - 200, y), ...more }),
  );
const wheels = [
  kinds(0, 'wheelchair'),
  kinds(1, 'companion'),
  kinds(5, 'companion'),
  kinds(6, 'wheelchair'),
  kinds(7, 'wheelchair'),
];
const categories = [seatCategory, { ...seatCategory, key: 'other' }, { ...seatCategory, key: 'third' }];
const zones = [{ id: 'west', label: 'West', focalPoint: point(-40, 0) }];
const west = section({ id: 'west', label: 'West', zone: 'west', outline: rectangle(-500, -500, 500, 2_000) });
const standing = gaArea({ capacity: 7, points: rectangle(0, 300, 100, 100) });

const charts: [string, ChartDocument][] = [
  [
    'long rows with an aisle',
    chart(rows(5, 14, 0, { overrides: aisle(14) }), { categories, focalPoint: point(0, -60) }),
  ],
  [
    'tables and standing places',
    chart(
      [
        ...rows(1, 5, 0),
        ...tables(4, 100),
        ...tables(2, 400, { bookAsWhole: true, categoryKey: 'other' }),
        ...tables(2, 600, { variableOccupancy: true, minOccupancy: 2 }),
        standing,
        booth({ center: point(-90, 0) }),
      ],
      { categories },
    ),
  ],
  [
    'floors',
    chart([], {
      categories,
      floors: [
        { id: 'ground', name: 'Ground', focalPoint: point(0, -50), objects: rows(3, 9, 0) },
        {
          id: 'upper',
          name: 'Upper',
          focalPoint: point(20, -30),
          objects: [...rows(2, 7, 500, { categoryKey: 'other' }), ...tables(2, 30)],
        },
      ],
    }),
  ],
  [
    'wheelchair and companion places',
    chart([...rows(4, 10, 0, { overrides: wheels }), ...rows(2, 6, 200), ...tables(1, 400), standing], { categories }),
  ],
  [
    'zones and mixed categories',
    chart(
      [
        west,
        ...rows(3, 8, 0, { origin: point(-300, 10), categoryKey: 'other' }),
        ...rows(3, 10, 100, { overrides: [2, 3, 6].map((index) => ({ index, categoryKey: 'third' })) }),
        standing,
      ],
      { categories, zones },
    ),
  ],
];

const query = fc.record(
  {
    qty: fc.integer({ min: 1, max: 12 }),
    categoryKeys: fc.uniqueArray(fc.constantFrom('seat', 'other', 'third'), { minLength: 1, maxLength: 2 }),
    zoneId: fc.constant('west'),
    accessible: fc.constantFrom<Search['accessible'][]>(['wheelchair'], ['wheelchair', 'companion'], ['hearing']),
    accessibleSeats: fc.constantFrom(1, 2, 3),
    preventOrphans: fc.boolean(),
    near: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 2 }),
    own: fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 6 }),
  },
  { requiredKeys: ['qty'] },
) as fc.Arbitrary<Search>;

const inNoOrder = (parts: readonly string[][]): string[] => parts.map((part) => part.toSorted().join(' ')).toSorted();

test.each(charts)('%s', (_, document) => {
  const plan = compilePlan(document, 'hall');
  const { unitCount } = plan;
  const state = newState(eventConfig({ planHash: 'hall' }), plan);
  const everyUnit = fc.array(fc.nat(99), { minLength: unitCount, maxLength: unitCount });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), everyUnit, everyUnit, query, (fill, taken, access, asked) => {
      const statuses = Uint8Array.from(taken, (n) => (n < fill ? 1 : 0));
      const accessTo = Uint8Array.of(1, 0);
      const of = Uint16Array.from(access, (n) => (n < 10 ? 1 : 0));
      const mask = { key: 'public', accessTo, of, objects: null };
      const search = { ...asked, ...(asked.zoneId && plan.zones.length === 0 && { zoneId: undefined }) } as Search;
      if (search.zoneId === undefined) delete search.zoneId;
      const { qty, accessible = [], accessibleSeats = 1, preventOrphans = true, near = [], own = [] } = search;
      const isKept = (unit: number): boolean =>
        (plan.accessibilityOfUnit[unit]! & (1 << accessibilityKinds.indexOf('companion'))) !== 0;
      const spots = spotsOf(document, plan, {
        isFree: (unit) => (statuses[unit] === 0 || own.includes(unit)) && of[unit] === 0,
        isFreeForSome: (unit) => statuses[unit] === 0 || own.includes(unit),
        isForSale: () => true,
        isCompanion: isKept,
        categoryKeys: search.categoryKeys,
        zoneId: search.zoneId,
      });
      const names = labelsOf(plan, near);
      const { grain } = seatRowsOf(plan);
      const expected = judge(spots, { qty, kinds: accessible, accessibleSeats, preventOrphans, near: names, grain });
      const choice = bestAvailable({ ...state, statuses }, search, mask);
      const is = choice.ok
        ? inNoOrder(choice.value.parts.map((units) => labelsOf(plan, units)))
        : choice.refusal.reason;
      expect(is).toEqual(typeof expected === 'string' ? expected : inNoOrder(expected));
    }),
    { numRuns: STATES_PER_CHART },
  );
});
