/**
 * Places of areas: the places that a call gets, the places that its reference already has, and the cost of large areas.
 */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { Command, Selection } from '@parterre/shared/protocol/commands';
import { describe, expect, test } from 'vitest';
import { chart, gaArea, row, section } from '../../../support/charts.ts';
import { buyer, callId, house } from '../../../support/inventory/house.ts';

const categories = [
  {
    key: 'floor',
    label: 'Floor',
    color: '#336699',
    tiers: [
      { id: 'adult', name: 'Adult', price: 30 },
      { id: 'child', name: 'Child', price: 15 },
    ],
  },
  { key: 'seat', label: 'Seat', color: '#336699', price: 20 },
];
const planOf = (capacity: number) => {
  const floor = gaArea({ id: 'floor', label: 'Floor', capacity, categoryKey: 'floor' });
  return compilePlan(chart([floor, row(), section()], { categories }), `floor-of-${capacity}`);
};
const small = planOf(30);
const large = planOf(100_000);

const floor = (quantity?: number, tierId?: string): Selection => ({
  label: 'Floor',
  ...(quantity !== undefined && { quantity }),
  ...(tierId !== undefined && { tierId }),
});
const place = (n: number): string => `__sl_ga__floor__${n}`;
const booking = (bookingRef: string, ...selections: Selection[]): Command & { type: 'book-direct' } => ({
  type: 'book-direct',
  callId: callId(),
  bookingRef,
  selections,
});
let holds = 0;
const holding = (...selections: Selection[]): Command & { type: 'hold' } => {
  holds++;
  return { type: 'hold', holdId: `h${holds}`, selections };
};
type Event = ReturnType<typeof house>;
const tiersOf = ({ state }: Event, ref: string) => state.bookings.get(ref)!.lines.map(({ tierId }) => tierId);
const many = (times: number, selection: Selection): Selection[] => Array.from({ length: times }, () => selection);

describe('the lowest spare places', () => {
  test('go to one selection after the other, without places that the call names itself', () => {
    const event = house('platform', small);
    event.ok(booking('r', { label: place(2) }));
    const { labels } = event.ok(holding(floor(2), { label: place(3) }, floor(1, 'child'), floor()));
    expect(labels).toEqual([1, 4, 3, 5, 6].map(place));
  });

  test('are found again after they come back from a hold, a booking or a block', () => {
    const event = house('platform', small);
    const first = event.ok(holding(floor(3)));
    event.ok(booking('r', floor(2)));
    event.ok({ type: 'block', callId: callId(), labels: [place(6)], releaseAt: null, reason: null });
    expect(event.ok(holding(floor())).labels).toEqual([place(7)]);
    event.ok({ type: 'unblock', callId: callId(), labels: null });
    expect(event.ok(holding(floor())).labels).toEqual([place(6)]);
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'r', labels: [place(4)] });
    expect(event.ok(holding(floor())).labels).toEqual([place(4)]);
    event.ok({ type: 'release', callId: callId(), holdId: first.holdId });
    expect(event.ok(holding(floor(4))).labels).toEqual([1, 2, 3, 8].map(place));
  });

  test('include the places of the replaced hold, also after its section was closed', () => {
    const event = house('platform', small);
    event.ok(booking('r', floor(1)));
    const first = event.ok(holding(floor(2)), buyer);
    event.ok(booking('r', floor(3)));
    const swapped = event.ok({ ...holding(floor(3)), replaceHoldId: first.holdId }, buyer);
    expect(swapped.labels).toEqual([2, 3, 6].map(place));
    event.ok({ type: 'configure', callId: callId(), sectionStates: { west: 'closed' } });
    expect(event.refused({ ...holding(floor(4)), replaceHoldId: swapped.holdId }, buyer).details).toEqual({
      conflicts: [{ label: 'Floor', status: 'not_enough', available: 3 }],
    });
    expect(event.ok({ ...holding(floor(2)), replaceHoldId: swapped.holdId }, buyer).labels).toEqual([2, 3].map(place));
  });

  test.each([
    ['more than the area has left', 25, { label: 'Floor', status: 'not_enough', available: 20 }],
    ['more than the area has', 31, { label: 'Floor', status: 'not_enough', available: 20 }],
    ['more than a call may take', 50_000, { label: 'Floor', status: 'not_enough', available: 20 }],
  ])('are a conflict for a call that asks for %s', (_name, quantity, conflict) => {
    const event = house('platform', small);
    event.ok(booking('r', floor(10)));
    const { code, details } = event.refused(holding(floor(quantity)));
    expect({ code, details }).toEqual({ code: 'conflict', details: { conflicts: [conflict] } });
  });
});

describe('quantities of an area under one reference are totals', () => {
  test.each<[string, Selection[], number, string[]]>([
    ['the same call', [floor(2, 'child'), floor(2)], 0, ['child', 'child', 'adult', 'adult']],
    ['the same in another order', [floor(2), floor(2, 'child')], 0, ['child', 'child', 'adult', 'adult']],
    ['the default tier by its name', [floor(2, 'adult'), floor(2, 'child')], 0, ['child', 'child', 'adult', 'adult']],
    ['a selection without a tier alone', [floor(2)], 0, ['child', 'child', 'adult', 'adult']],
    ['one more of each', [floor(3), floor(3, 'child')], 2, ['child', 'child', 'adult', 'adult', 'adult', 'child']],
    [
      'selections one by one',
      [floor(), floor(1, 'child'), floor(), floor(1, 'child')],
      0,
      ['child', 'child', 'adult', 'adult'],
    ],
    [
      'places beside the area',
      [floor(1, 'child'), { label: place(1) }, floor(2)],
      0,
      ['child', 'child', 'adult', 'adult'],
    ],
    ['more without a tier', [floor(4)], 2, ['child', 'child', 'adult', 'adult', 'adult', 'adult']],
  ])('%s', (_name, selections, sold, tiers) => {
    const event = house('platform', small);
    event.ok(booking('r', floor(2, 'child'), floor(2)));
    expect(event.ok(booking('r', ...selections)).booked).toHaveLength(sold);
    expect(tiersOf(event, 'r')).toEqual(tiers);
  });

  test.each<[string, Selection[], string[]]>([
    ['beside a selection of that tier', [floor(2), floor(2, 'child')], ['child', 'child', 'adult', 'adult']],
    ['alone', [floor(2)], ['child', 'child', 'adult', 'adult']],
  ])('and a selection without a tier does not claim places of another tier, %s', (_name, selections, tiers) => {
    const event = house('platform', small);
    event.ok(booking('r', floor(2, 'child')));
    expect(event.ok(booking('r', ...selections)).booked).toHaveLength(2);
    expect(tiersOf(event, 'r')).toEqual(tiers);
    expect(event.ok(booking('r', ...selections)).booked).toEqual([]);
  });

  test('at the box office, whose answer shows the items of the call and their total', () => {
    const event = house('managed', small);
    const sale = (...selections: Selection[]): Command & { type: 'box-office-sale' } => ({
      type: 'box-office-sale',
      callId: callId(),
      bookingRef: 'r',
      selections,
    });
    event.ok(sale(floor(2, 'child')));
    const sold = event.ok(sale(floor(2), floor(2, 'child')));
    expect(sold.total).toBe(2 * 30 + 2 * 15);
    expect(sold.items.map(({ tierId, quantity }) => [tierId, quantity])).toEqual([
      ['child', 2],
      ['adult', 2],
    ]);
    expect(event.ok(sale(floor(2, 'child'), floor(2)))).toEqual({ ...sold, booked: [] });
    expect(event.ok(sale(floor(2)))).toMatchObject({ booked: [], total: 60 });
  });
});

describe('in a large area', () => {
  /** Processor time, since the machine may do other work. */
  function cpuMsOf(work: () => void): number {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }

  /** An event with this many places booked, each under a reference of its own. */
  function soldUpTo(places: number): Event {
    const event = house('platform', large);
    for (let left = places; left > 0; left -= 20_000) event.ok(booking(`r${left}`, floor(Math.min(left, 20_000))));
    return event;
  }

  test('the last places of a call cost as little time as the first', () => {
    const event = soldUpTo(99_000);
    expect(cpuMsOf(() => event.ok(holding(...many(1_000, floor(1)))))).toBeLessThan(1_000);
    expect(event.refused(holding(...many(1_000, floor(1)))).code).toBe('conflict');
    expect(cpuMsOf(() => event.tries(holding(...many(1_000, floor(20)))))).toBeLessThan(1_000);
  });

  test('the places of a large reference are searched once', () => {
    const event = house('platform', large);
    event.ok(booking('r', floor(20_000)));
    event.ok(booking('r', floor(30_000)));
    expect(cpuMsOf(() => event.ok(booking('r', ...many(1_000, floor(20)))))).toBeLessThan(1_000);
  });
});

describe('an area’s own label, as answers give it', () => {
  const release = (holdId: string, ...labels: string[]): Command & { type: 'release' } => ({
    type: 'release',
    callId: callId(),
    holdId,
    labels,
  });
  const book = (holdId: string, bookingRef: string, ...labels: string[]): Command & { type: 'book' } => ({
    type: 'book',
    callId: callId(),
    holdId,
    bookingRef,
    labels,
  });
  const unbook = (bookingRef: string, ...labels: string[]): Command & { type: 'unbook' } => ({
    type: 'unbook',
    callId: callId(),
    bookingRef,
    labels,
  });
  const block = (...labels: string[]): Command & { type: 'block' } => ({
    type: 'block',
    callId: callId(),
    labels,
    releaseAt: null,
    reason: null,
  });

  test('stands for all places that a hold has there', () => {
    const event = house('platform', small);
    const { holdId, items } = event.ok(holding(floor(2), { label: 'A-1' }, floor(1, 'child')));
    const labels = items.map(({ label }) => label);
    expect(labels).toEqual(['Floor', 'A-1', 'Floor']);
    event.ok(holding(floor(2)));
    expect(event.ok(book(holdId, 'r', 'Floor')).booked).toEqual([1, 2, 3].map(place));
    expect(event.ok(book(holdId, 'r', ...labels)).booked).toEqual(['A-1']);
    expect(event.ok(book(holdId, 'r', ...labels)).booked).toEqual([]);
    expect(event.ok(unbook('r', 'Floor')).unbooked).toEqual([1, 2, 3].map(place));
    expect(event.ok(book(holdId, 'r', ...labels)).booked).toEqual([]);
    expect(event.counts()).toMatchObject({ booked: 1, held: 2 });
  });

  test('conflicts in a booking, and releases nothing, if the hold has no place there', () => {
    const event = house('platform', small);
    const { holdId } = event.ok(holding({ label: 'A-1' }, { label: 'A-2' }));
    expect(event.refused(book(holdId, 'r', 'A-1', 'Floor')).details).toEqual({
      conflicts: [{ label: 'Floor', status: 'sold_out', available: 0 }],
    });
    expect(event.ok(release(holdId, 'Floor', 'A-1')).released).toEqual(['A-1']);
    const other = event.ok(holding(floor(3))).holdId;
    event.ok(book(other, 'r', place(1)));
    expect(event.refused(book(other, 'r2', place(1), 'Floor')).details?.conflicts).toEqual([
      { label: place(1), status: 'booked' },
    ]);
    expect(event.ok(release(other, 'Floor')).released).toEqual([2, 3].map(place));
  });

  test('blocks the whole area or nothing, and unblocks the blocked places', () => {
    const event = house('platform', small);
    event.ok(block(place(4)));
    const { holdId } = event.ok(holding(floor(2), { label: 'A-1' }));
    expect(event.refused(block('A-1', 'Floor', place(1))).details?.conflicts).toEqual([
      { label: 'A-1', status: 'held' },
      { label: 'Floor', status: 'not_enough', available: 28 },
    ]);
    event.ok(release(holdId, 'Floor'));
    expect(event.ok(block('Floor')).blocked).toHaveLength(30);
    expect(event.ok({ type: 'unblock', callId: callId(), labels: ['Floor', 'A-1'] }).unblocked).toHaveLength(30);
    expect(event.counts()).toMatchObject({ blocked: 0, held: 1 });
  });

  test('lists all places that a booking has there for resale', () => {
    const event = house('platform', small);
    event.ok(booking('r', floor(2)));
    event.ok(booking('r2', { label: 'A-1' }));
    const list = (bookingRef: string): Command & { type: 'list-resale' } => ({
      type: 'list-resale',
      callId: callId(),
      listingId: 'l',
      bookingRef,
      labels: ['Floor'],
    });
    expect(event.refused(list('r2'))).toMatchObject({
      reason: 'not_owned_by_booking_ref',
      details: { conflicts: [{ label: 'Floor', status: 'sold_out', available: 0 }] },
    });
    expect(event.ok(list('r'))).toEqual({ listingId: 'l', labels: [1, 2].map(place) });
  });

  test('sells one place for each time it is named, and a seat sells once', () => {
    const event = house('platform', small);
    const listed: Selection[] = [
      { label: 'Floor', times: 2 },
      { label: 'A-1', times: 2 },
    ];
    const { items } = event.ok(holding(...listed));
    expect(items.map(({ label }) => label)).toEqual([place(1), place(2), 'A-1']);
    expect(event.ok(booking('r', { label: 'Floor', times: 3 })).booked).toEqual([3, 4, 5].map(place));
    expect(event.ok(booking('r', { label: 'Floor', times: 3 })).booked).toEqual([]);
  });

  test('is named once in the refusal if the chart lacks it', () => {
    const event = house('platform', small);
    const labels = ['Balcony', 'Floor', 'Balcony'];
    expect(event.refused({ type: 'unblock', callId: callId(), labels }).details).toEqual({ labels: ['Balcony'] });
    expect(event.refused(holding(...labels.map((label) => ({ label })))).details).toEqual({ labels: ['Balcony'] });
  });
});
