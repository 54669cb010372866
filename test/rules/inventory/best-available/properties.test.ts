/**
 * Best-available against a reference that looks at every seat each time and is written from the documented rules. On
 * small random charts (curved and turned rows, skipped seats, mixed categories, zones, floors, accessibility, tables,
 * booths, areas), after any seats are taken and freed, both choose the same seats.
 */

import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
import { compilePlan } from '@parterre/shared/chart/compile';
import type { ChartDocument } from '@parterre/shared/chart/document';
import type { PlanObject, Point } from '@parterre/shared/chart/plan';
import type { SeatQuery } from '@parterre/shared/commands';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestAvailable } from '../../../../services/inventory-shard/src/rules/seat-search/seat-search.ts';
import { seatRowsOf } from '../../../../services/inventory-shard/src/rules/seat-search/seat-rows.ts';
import type { EventState } from '../../../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { eventConfig, START, server } from '../../../support/inventory/house.ts';

const RUNS = 1_500;

const categories = [
  { key: 'a', label: 'A', color: '#111111', price: 10 },
  {
    key: 'b',
    label: 'B',
    color: '#222222',
    tiers: [
      { id: 'carer', name: 'Carer', price: 0, restriction: 'companion' },
      { id: 'full', name: 'Full', price: 20 },
    ],
  },
  { key: 'house', label: 'House', color: '#333333', price: 0, notForSale: true },
  {
    key: 'care',
    label: 'Care',
    color: '#444444',
    tiers: [
      {
        id: 'with',
        name: 'With',
        price: 0,
        restriction: 'companion',
        applicability: { accessibility: ['hearing', 'companion'] },
      },
    ],
  },
];
const categoryKey = fc.constantFrom('a', 'a', 'a', 'b', 'house', 'care');
const kind = fc.constantFrom('wheelchair', 'companion', 'hearing');

const override = fc.record(
  {
    index: fc.nat(8),
    skip: fc.constantFrom(true, false),
    categoryKey,
    accessibility: fc.uniqueArray(kind, { maxLength: 2 }),
  },
  { requiredKeys: ['index'] },
);
const row = fc.record({
  type: fc.constant('row'),
  origin: fc.record({ x: fc.integer({ min: -6, max: 6 }).map((n) => n * 20), y: fc.nat(6).map((n) => n * 20) }),
  rotation: fc.constantFrom(0, 0, 0, 90, 37),
  curve: fc.constantFrom(0, 0, 40, -60),
  seatCount: fc.integer({ min: 1, max: 9 }),
  seatSpacing: fc.constant(20),
  categoryKey,
  overrides: fc.uniqueArray(override, { maxLength: 4, selector: ({ index }) => index }),
});
const center = fc.record({ x: fc.integer({ min: -100, max: 100 }), y: fc.nat(100) });
const table = fc.record({
  type: fc.constant('table'),
  center,
  shape: fc.constant('round'),
  seatCount: fc.integer({ min: 1, max: 6 }),
  rotation: fc.constant(0),
  categoryKey,
  bookAsWhole: fc.boolean(),
});
const booth = fc.record({
  type: fc.constant('booth'),
  center,
  width: fc.constant(20),
  height: fc.constant(20),
  rotation: fc.constant(0),
  categoryKey,
});
const area = fc.record({
  type: fc.constant('gaArea'),
  points: fc.constant([
    { x: 0, y: 0 },
    { x: 50, y: 0 },
    { x: 0, y: 50 },
  ]),
  capacity: fc.integer({ min: 1, max: 8 }),
  categoryKey,
});
const other = fc.oneof(table, booth, area);
/** The row ids are in another order than the rows. */
const objects = fc
  .tuple(fc.array(row, { maxLength: 5 }), fc.array(other, { maxLength: 3 }))
  .map(([rows, others]) =>
    [...rows, ...others].map((object, i) => ({ ...object, id: `${'hdfbgace'[i]}-${object.type}`, label: `L${i}` })),
  );
const section = (zone: string, left: number) => ({
  type: 'section',
  id: `section-${zone}`,
  label: zone,
  zone,
  outline: [
    { x: left, y: -1000 },
    { x: left + 1000, y: -1000 },
    { x: left + 1000, y: 1000 },
    { x: left, y: 1000 },
  ],
});

const chart = fc
  .record({
    objects,
    focalPoint: fc.constantFrom({ x: 70, y: -50 }, { x: 0, y: 0 }),
    zoned: fc.boolean(),
    floored: fc.boolean(),
  })
  .filter(({ objects }) => objects.length > 0)
  .map(({ objects, zoned, floored, ...rest }) => {
    const all = zoned ? [...objects, section('west', -1000)] : objects;
    const floors = [{ id: 'ground', name: 'Ground', objects: all, focalPoint: { x: 10, y: -20 } }];
    const zones = [
      { id: 'west', label: 'West', focalPoint: { x: -30, y: 10 } },
      { id: 'none', label: 'None' },
    ];
    const document = { version: 1, name: 'Random', venueType: 'MIXED', categories, zones, ...rest, objects: all };
    return compilePlan((floored ? { ...document, floors } : document) as unknown as ChartDocument, 'random');
  });

const query: fc.Arbitrary<SeatQuery> = fc.record(
  {
    qty: fc.integer({ min: 1, max: 7 }),
    categoryKey: fc.constantFrom('a', 'b', 'care'),
    zoneId: fc.constant('west'),
    accessible: fc.uniqueArray(kind, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['qty'] },
);
/** Units as fractions of the number of units. A free unit is taken, a taken unit is freed. */
const step = fc.record({ flip: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 12 }), query });

const apart = (from: Point, to: Point) => Math.sqrt((from.x - to.x) ** 2 + (from.y - to.y) ** 2);
const bit = (name: string): number => 1 << accessibilityKinds.indexOf(name as (typeof accessibilityKinds)[number]);

/** Every documented rule, seat by seat. */
function reference(
  state: EventState,
  { qty, categoryKey, zoneId, accessible = [] }: SeatQuery,
): number[] | 'too few' | 'none' {
  const { plan } = state;
  const { grain } = seatRowsOf(plan);
  const units = Array.from({ length: plan.unitCount }, (_, unit) => unit);
  const object = (unit: number): PlanObject => plan.objects[plan.objectOfUnit[unit]!]!;
  const kinds = (unit: number): number => plan.accessibilityOfUnit[unit]!;
  const category = (unit: number): string => plan.categories[plan.categoryOfUnit[unit]!]!.key;
  const isSellable = (unit: number): boolean =>
    category(unit) === 'care' ? (kinds(unit) & (bit('hearing') | bit('companion'))) !== 0 : category(unit) !== 'house';
  const isInScope = (unit: number): boolean =>
    isSellable(unit) &&
    (categoryKey === undefined || category(unit) === categoryKey) &&
    (zoneId === undefined || object(unit).zoneId === zoneId);
  const isCompanion = (unit: number): boolean =>
    category(unit) === 'care' || ((kinds(unit) & bit('companion')) !== 0 && (kinds(unit) & bit('wheelchair')) === 0);
  const isNamed = (unit: number): boolean => accessible.some((name) => (kinds(unit) & bit(name)) !== 0);
  const isFree = (unit: number): boolean => state.statuses[unit] === 0 && isSellable(unit);
  const isEligible = (unit: number): boolean =>
    isFree(unit) && isInScope(unit) && (kinds(unit) === 0 ? !isCompanion(unit) : isNamed(unit));

  const scope = units.filter(isInScope);
  const sorts: ((unit: number) => boolean)[] = [
    (unit) => object(unit).type === 'row',
    (unit) => object(unit).type !== 'gaArea' && object(unit).bookingMode === 'individual',
  ];
  const focusOf = (unit: number): Point =>
    plan.zones.find(({ id }) => id === object(unit).zoneId)?.focalPoint ??
    plan.floorFocalPoints[plan.objectOfUnit[unit]!] ??
    plan.focalPoint;
  const distance = (run: number[]): number => {
    const sum = (column: Float32Array): number => run.reduce((total, unit) => total + column[unit]!, 0) / run.length;
    return Math.round(apart({ x: sum(plan.x), y: sum(plan.y) }, focusOf(run[0]!)) / grain);
  };
  const inOrder = (a: number[], b: number[]): number => {
    const [one, two] = [object(a[0]!).id, object(b[0]!).id];
    return distance(a) - distance(b) || (one < two ? -1 : one > two ? 1 : a[0]! - b[0]!);
  };
  const areNeighbours = (a: number, b: number): boolean =>
    object(a) === object(b) && plan.indexOfUnit[b]! - plan.indexOfUnit[a]! === 1;
  for (const isOfSort of sorts) {
    const best = bestSeats(scope.filter((unit) => isOfSort(unit) && isEligible(unit)));
    if (best !== 'none') return best;
  }
  if (accessible.length > 0) return 'none';
  return lowestPlaces(scope.filter((unit) => object(unit).type === 'gaArea'));

  function bestSeats(seats: number[]): number[] | 'too few' | 'none' {
    const runs = seats
      .map((first) => Array.from({ length: qty }, (_, i) => first + i))
      .filter((run) => run.every((unit, i) => seats.includes(unit) && (i === 0 || areNeighbours(unit - 1, unit))))
      .filter(pairsUp);
    const isSingle = (unit: number, run: number[]): boolean =>
      isFree(unit) &&
      ![unit - 1, unit + 1].some((next) => {
        const beside = next < unit ? areNeighbours(next, unit) : next < plan.unitCount && areNeighbours(unit, next);
        return next >= 0 && beside && isFree(next) && !run.includes(next);
      });
    const stranded = (run: number[]): boolean => {
      const [before, after] = [run[0]! - 1, run.at(-1)! + 1];
      const left = before >= 0 && areNeighbours(before, run[0]!) && isSingle(before, run);
      return left || (after < plan.unitCount && areNeighbours(after - 1, after) && isSingle(after, run));
    };
    const hasNamed = (run: number[]): boolean => accessible.length === 0 || run.some(isNamed);
    for (const isSo of [(run: number[]) => !stranded(run), () => true]) {
      const [best] = runs.filter(hasNamed).filter(isSo).sort(inOrder);
      if (best) return best;
    }
    const nearest = seats
      .filter((unit) => !isCompanion(unit))
      .map((unit) => [unit])
      .sort(inOrder)
      .flat();
    const best = nearest.slice(0, qty);
    if (hasNamed(best)) return enough(best);
    const named = nearest.find(isNamed);
    return named === undefined ? 'none' : enough([named, ...best.slice(0, qty - 1)]);
  }

  /** Whether every companion can have a wheelchair place of its own beside it, by trying every pairing. */
  function pairsUp(run: number[]): boolean {
    const companions = run.filter(isCompanion);
    const wheelchairs = run.filter((unit) => !isCompanion(unit) && (kinds(unit) & bit('wheelchair')) !== 0);
    const seat = (left: number[], free: number[]): boolean => {
      const [next, ...rest] = left;
      if (next === undefined) return true;
      return free.some(
        (unit) =>
          Math.abs(unit - next) === 1 &&
          seat(
            rest,
            free.filter((each) => each !== unit),
          ),
      );
    };
    return seat(companions, wheelchairs);
  }

  function lowestPlaces(places: number[]): number[] | 'too few' | 'none' {
    const areas = [...new Set(places.map(object))].map((each) => places.filter((unit) => object(unit) === each));
    areas.sort((a, b) => inOrder([a[0]!], [b[0]!]));
    const free = areas.map((area) => area.filter(isFree));
    return enough((free.find((area) => area.length >= qty) ?? free.flat()).slice(0, qty));
  }

  function enough(found: number[]): number[] | 'too few' | 'none' {
    return found.length === qty ? found : found.length === 0 ? 'none' : 'too few';
  }
}

function chosen(state: EventState, asked: SeatQuery): ReturnType<typeof reference> {
  const units = bestAvailable(state, asked);
  if (units.ok) return units.value;
  expect(units.refusal.code).toBe('conflict');
  return units.refusal.reason === 'sold_out' ? 'none' : 'too few';
}

test('the chosen seats equal the choice of the reference, and can be held', () => {
  fc.assert(
    fc.property(chart, fc.array(step, { minLength: 1, maxLength: 5 }), (plan, steps) => {
      const state = newState(eventConfig({ planHash: plan.hash }), plan);
      const by = { source: 'server', actor: null } as const;
      for (const [i, { flip, query: asked }] of steps.entries()) {
        const units = [...new Set(flip.map((part) => Math.floor(part * plan.unitCount)))];
        const taken = units.filter((unit) => state.statuses[unit] === 0);
        const freed = units.filter((unit) => state.statuses[unit] === 3);
        apply(state, { type: 'blocked', units: taken, releaseAt: null, reason: null, by }, START);
        apply(state, { type: 'unblocked', units: freed, reason: 'operator', by }, START);
        const expected = reference(state, asked);
        expect(chosen(state, asked)).toEqual(expected);
        // The maintained summaries equal rebuilt ones.
        expect(chosen(fromSnapshot(structuredClone(toSnapshot(capture(state))), plan), asked)).toEqual(expected);
        if (typeof expected === 'string') continue;
        const held = decide(state, { type: 'hold-best', holdId: `h${i}`, query: asked }, server, START);
        if (!held.ok) throw new Error(JSON.stringify(held.refusal));
        for (const record of held.records) apply(state, record, START);
        expect(expected.every((unit) => state.statuses[unit] === 1)).toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
});
