/**
 * Best-available against a judge that looks at every seat each time and is written from the contract. On
 * small random charts (curved and turned rows, skipped seats, mixed categories, zones, floors, accessibility, tables,
 * booths, areas), after any seats are taken and freed, both choose the same seats.
 */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { labelsOf, type Plan } from '@parterre/shared/charts/plan';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Search } from '../../../../services/inventory-shard/src/rules/seat-search/search.ts';
import { seatRowsOf } from '../../../../services/inventory-shard/src/rules/seat-search/seat-rows.ts';
import { bestAvailable } from '../../../../services/inventory-shard/src/rules/seat-search/seat-search.ts';
import type { EventState } from '../../../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { eventConfig, START, server } from '../../../support/inventory/house.ts';
import { type Judged, judge } from '../../../support/judge/best-places.ts';
import { spotsOf } from '../../../support/judge/spots.ts';

const RUNS = 600;

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
    dx: fc.constantFrom(0, 8, 15),
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
  seatArc: fc.constantFrom(360, 360, 270),
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
    const drawn = (floored ? { ...document, floors } : document) as unknown as ChartDocument;
    return { document: drawn, plan: compilePlan(drawn, 'random') };
  });

const query: fc.Arbitrary<Search> = fc.record(
  {
    qty: fc.integer({ min: 1, max: 8 }),
    categoryKeys: fc.uniqueArray(fc.constantFrom('a', 'b', 'care'), { minLength: 1, maxLength: 2 }),
    zoneId: fc.constant('west'),
    accessible: fc.uniqueArray(kind, { minLength: 1, maxLength: 2 }),
    accessibleSeats: fc.constantFrom(1, 1, 2, 3),
    preventOrphans: fc.boolean(),
    near: fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 3 }),
    rowLabels: fc.uniqueArray(fc.constantFrom('L0', 'L1', 'L2'), { minLength: 1, maxLength: 2 }),
    aisle: fc.boolean(),
    among: fc
      .uint8Array({ minLength: 10, maxLength: 10 })
      .map((bits) => ({ key: bits.join(), bits: bits.map((byte, i) => byte | (i % 2 === 0 ? 0b10110111 : 0)) })),
  },
  { requiredKeys: ['qty'] },
);
/** Units as fractions of the number of units. A free unit is taken, a taken unit is freed. */
const step = fc.record({ flip: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 25 }), query });

const bit = (name: string): number => 1 << accessibilityKinds.indexOf(name as (typeof accessibilityKinds)[number]);

function judged(document: ChartDocument, { plan, statuses }: EventState, asked: Search): unknown {
  const kinds = (unit: number): number => plan.accessibilityOfUnit[unit]!;
  const category = (unit: number): string => plan.categories[plan.categoryOfUnit[unit]!]!.key;
  const isMeant = (unit: number): boolean => {
    const { type, label } = plan.objects[plan.objectOfUnit[unit]!]!;
    const isInRows = type === 'row' && (asked.rowLabels?.includes(label) ?? true);
    if (!isInRows && (asked.aisle || asked.rowLabels)) return false;
    return !asked.among || (asked.among.bits[unit >> 3]! & (1 << (unit & 7))) !== 0;
  };
  const spots = spotsOf(document, plan, {
    isFree: (unit) => statuses[unit] === 0,
    isForSale: (unit) =>
      category(unit) === 'care'
        ? (kinds(unit) & (bit('hearing') | bit('companion'))) !== 0
        : category(unit) !== 'house',
    isCompanion: (unit) =>
      category(unit) === 'care' || ((kinds(unit) & bit('companion')) !== 0 && (kinds(unit) & bit('wheelchair')) === 0),
    categoryKeys: asked.categoryKeys,
    zoneId: asked.zoneId,
    isMeant,
  });
  const { qty, accessible = [], accessibleSeats = 1, preventOrphans = true, near = [], aisle = false } = asked;
  const { grain } = seatRowsOf(plan);
  const names = near.map((unit) => plan.labels.at(unit));
  return inNoOrder(
    judge(spots, { qty, kinds: accessible, accessibleSeats, preventOrphans, near: names, grain, aisle }),
  );
}

/** A party around a whole table may be named from any chair. */
function inNoOrder(parts: Judged): unknown {
  return typeof parts === 'string' ? parts : parts.map((part) => part.toSorted().join(' ')).toSorted();
}

function chosen(state: EventState, asked: Search): unknown {
  const choice = bestAvailable(state, asked);
  if (!choice.ok) {
    expect(choice.refusal.code).toBe('conflict');
    return choice.refusal.reason;
  }
  expect(choice.value.together).toBe(choice.value.parts.length === 1);
  expect(choice.value.guests.reduce((sum, guests) => sum + guests, 0)).toBe(asked.qty);
  return inNoOrder(choice.value.parts.map((units) => labelsOf(state.plan, units)));
}

const hasRow = ({ objects }: Plan, label: string): boolean =>
  objects.some((object) => object.type === 'row' && object.label === label);

test('the chosen seats equal the choice of the judge, and can be held', () => {
  fc.assert(
    fc.property(chart, fc.array(step, { minLength: 1, maxLength: 5 }), ({ document, plan }, steps) => {
      const state = newState(eventConfig({ planHash: plan.hash }), plan);
      const by = { source: 'server', actor: null } as const;
      for (const [i, { flip, query }] of steps.entries()) {
        const units = [...new Set(flip.map((part) => Math.floor(part * plan.unitCount)))];
        const taken = units.filter((unit) => state.statuses[unit] === 0);
        const freed = units.filter((unit) => state.statuses[unit] === 3);
        apply(state, { type: 'blocked', units: taken, releaseAt: null, reason: null, by }, START);
        apply(state, { type: 'unblocked', units: freed, reason: 'operator', by }, START);
        const asked = query.near ? { ...query, near: query.near.filter((unit) => unit < plan.unitCount) } : query;
        const expected = judged(document, state, asked);
        expect(chosen(state, asked)).toEqual(expected);
        // The maintained summaries equal rebuilt ones.
        expect(chosen(fromSnapshot(structuredClone(toSnapshot(capture(state))), plan), asked)).toEqual(expected);
        if (typeof expected === 'string') continue;
        const { near = [], categoryKeys, rowLabels, among, sectionIds: _, ...rest } = asked;
        // The units that the bounds of a price leave are the matter of another test (terms.test.ts).
        if (among) continue;
        const keys = categoryKeys && { categoryKeys: [...categoryKeys] };
        const rows = rowLabels && { rowLabels: rowLabels.filter((label) => hasRow(plan, label)) };
        const named = { ...rest, ...keys, ...rows, near: labelsOf(plan, near) };
        const held = decide(state, { type: 'hold-best', holdId: `h${i}`, query: named }, server, START);
        if (!held.ok) throw new Error(JSON.stringify(held.refusal));
        for (const record of held.records) apply(state, record, START);
        const labels = (expected as string[]).flatMap((part) => part.split(' '));
        expect(labels.every((label) => state.statuses[plan.labels.unitOf(label)!] === 1)).toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
});
