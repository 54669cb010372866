/** What sells now and next of ticket releases, lists that are restored, and the divisions of a chart. */
import { expect, test } from 'vitest';
import { divisionsOf } from '../../../web/console/sale/divisions.ts';
import { isSameList, moved, placesOf, type Release, restored } from '../../../web/console/sale/release-plan.ts';

const release = (id: string, fields: Partial<Release> = {}): Release => ({
  id,
  name: id,
  price: 10,
  previousPrice: null,
  quota: null,
  startsAt: null,
  endsAt: null,
  categoryKey: 'stalls',
  action: 'buy',
  actionUrl: null,
  consumed: 0,
  remaining: null,
  state: 'active',
  ...fields,
});

test('the first active release of a category sells, the first that begins is next, and others wait', () => {
  const list = [
    release('early', { state: 'sold_out' }),
    release('advance'),
    release('last call'),
    release('boxes', { categoryKey: 'boxes' }),
    release('groups', { action: 'apply' }),
    release('autumn', { state: 'upcoming', startsAt: 3 }),
    release('summer', { state: 'upcoming', startsAt: 2 }),
  ];
  expect(Object.fromEntries(placesOf(list))).toEqual({
    early: 'over',
    advance: 'now',
    'last call': 'waiting',
    boxes: 'now',
    groups: 'now',
    autumn: 'later',
    summer: 'next',
  });
});

test('a list is the same while it says the same, whatever was sold', () => {
  expect(isSameList([release('a')], [release('a', { consumed: 5 })])).toBe(true);
  expect(isSameList([release('a')], [release('a', { price: 11 })])).toBe(false);
});

test('a restored list keeps the ids that are there, and makes the others anew', () => {
  const list = restored([release('a'), release('b')], [release('b')]);
  expect(list.map(({ id, name }) => [id, name])).toEqual([
    [undefined, 'a'],
    ['b', 'b'],
  ]);
});

test('a release moves by one place, and never past an end', () => {
  const list = [release('a'), release('b')];
  expect(moved(list, 'b', -1).map(({ id }) => id)).toEqual(['b', 'a']);
  expect(moved(list, 'b', 1).map(({ id }) => id)).toEqual(['a', 'b']);
});

test('the divisions of a chart are its sections, joint sections, zones and the rest, each id once', () => {
  const section = (id: string, more = {}) => ({ type: 'section', id, label: id.toUpperCase(), outline: [], ...more });
  const objects = [section('a', { logicalSectionId: 'stalls' }), section('b', { logicalSectionId: 'stalls' })];
  const zones = [{ id: 'upper', label: 'Upper' }, { id: 'a' }];
  const divisions = divisionsOf({ objects, zones } as never);
  expect(divisions.map(({ id, kind, name }) => [id, kind, name])).toEqual([
    ['a', 'section', 'A'],
    ['b', 'section', 'B'],
    ['stalls', 'logical', 'A, B'],
    ['upper', 'zone', 'Upper'],
    ['__ungrouped__', 'rest', ''],
  ]);
});
