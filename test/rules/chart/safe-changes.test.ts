/** The changes that safe mode allows a designer over a published chart. */
import type { ChartObject } from '@parterre/shared/charts/document';
import { expect, test } from 'vitest';
import { refusedBySafeMode } from '../../../services/catalog/src/charts/rules/safe-changes.ts';
import { booth, chart, gaArea, point, row, table } from '../../support/charts.ts';

const nothing = { allowDeletingObjects: false, allowEditingAreaCapacity: false };
const deleting = { ...nothing, allowDeletingObjects: true };
const resizing = { ...nothing, allowEditingAreaCapacity: true };

const published = [row(), table({ center: point(0, 100) }), booth({ center: point(0, 200) }), gaArea({ capacity: 30 })];

/** The labels that the refusal names, for each set of permissions. */
function inTheWay(objects: ChartObject[], safe = nothing): unknown {
  const refused = refusedBySafeMode(chart(published), chart(objects), safe);
  if (refused === null) return [];
  expect(refused.refusal).toMatchObject({ code: 'conflict', reason: 'safe_mode' });
  return refused.refusal.details?.labels;
}

const [hall, dining, stand, floor] = published as [ChartObject, ChartObject, ChartObject, ChartObject];

test('a change that moves no label to another seat is free', () => {
  const moved = [row({ origin: point(5, 5), curve: 10 }), dining, stand, floor];
  expect(inTheWay(moved)).toEqual([]);
  expect(inTheWay([...published, row({ id: 'row-b', label: 'B' })])).toEqual([]);
  expect(inTheWay([row({ seatCount: 12 }), dining, stand, floor])).toEqual([]);
  expect(
    inTheWay([row({ overrides: [{ index: 0, dx: 3, accessibility: ['wheelchair'] }] }), dining, stand, floor]),
  ).toEqual([]);
});

test('an object goes only where deleting is allowed', () => {
  expect(inTheWay([hall, dining, floor])).toEqual([(stand as { label: string }).label]);
  expect(inTheWay([hall, dining, floor], deleting)).toEqual([]);
  expect(inTheWay([hall, dining, floor], resizing)).toHaveLength(1);
});

test('seats that are removed from a row count as deleted', () => {
  const shorter = [row({ seatCount: 8 }), dining, stand, floor];
  expect(inTheWay(shorter)).toEqual(['A-9', 'A-10']);
  expect(inTheWay(shorter, deleting)).toEqual([]);
  expect(inTheWay([row({ overrides: [{ index: 3, skip: true }] }), dining, stand, floor])).toEqual(['A-4']);
});

test('an existing seat keeps its label under every permission', () => {
  for (const safe of [nothing, deleting]) {
    expect(inTheWay([row({ overrides: [{ index: 0, label: 'A-0' }] }), dining, stand, floor], safe)).toEqual(['A-1']);
    const turned = row({ seatNumbering: { direction: 'rtl' } });
    expect(inTheWay([turned, dining, stand, floor], safe)).toHaveLength(10);
    expect(inTheWay([hall, table({ center: point(0, 100), bookAsWhole: true }), stand, floor], safe)).not.toEqual([]);
  }
});

test('an area keeps its places, unless its capacity may be edited', () => {
  for (const capacity of [20, 40]) {
    const resized = [hall, dining, stand, gaArea({ capacity })];
    expect(inTheWay(resized)).toEqual([(floor as { label: string }).label]);
    expect(inTheWay(resized, deleting)).toHaveLength(1);
    expect(inTheWay(resized, resizing)).toEqual([]);
  }
  expect(inTheWay([hall, dining, stand], resizing)).toHaveLength(1);
  expect(inTheWay([hall, dining, stand], deleting)).toEqual([]);
});

test('a table that is sold as a whole keeps its chairs and its numbers of guests', () => {
  const whole = (more: object) => table({ bookAsWhole: true, seatCount: 8, ...more });
  const variable = (more: object) => table({ variableOccupancy: true, seatCount: 8, ...more });
  const both = { allowDeletingObjects: true, allowEditingAreaCapacity: true };
  const allowedFor = (before: ChartObject, after: ChartObject) =>
    [nothing, deleting, resizing, both].map(
      (safe) => refusedBySafeMode(chart([before]), chart([after]), safe) === null,
    );
  expect(allowedFor(whole({}), whole({ rotation: 30 }))).toEqual([true, true, true, true]);
  expect(allowedFor(whole({}), whole({ seatCount: 6 }))).toEqual([false, false, false, true]);
  expect(allowedFor(whole({}), whole({ seatCount: 9 }))).toEqual([false, false, true, true]);
  expect(allowedFor(whole({}), variable({}))).toEqual([false, false, true, true]);
  const bounded = variable({ minOccupancy: 2, maxOccupancy: 8 });
  for (const bounds of [{ minOccupancy: 3 }, { minOccupancy: 1 }, { maxOccupancy: 7 }]) {
    expect(allowedFor(bounded, variable({ minOccupancy: 2, maxOccupancy: 8, ...bounds }))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  }
  // A chair that no guest could have still counts as a chair.
  const spare = { minOccupancy: 2, maxOccupancy: 6 };
  expect(allowedFor(variable(spare), variable({ ...spare, seatCount: 7 }))).toEqual([false, false, false, true]);
  // A missing table was deleted, however many guests it took.
  expect(allowedFor(whole({}), row())).toEqual([false, true, false, true]);
});

test('a draft with more places than a chart may have is refused before its seats are made', () => {
  expect(inTheWay([...published, row({ id: 'endless', label: 'E', seatCount: 1e12 })])).toEqual([]);
  const refused = refusedBySafeMode(chart(published), chart([row({ seatCount: 1e12 })]), deleting);
  expect(refused?.refusal.reason).toBe('safe_mode');
});
