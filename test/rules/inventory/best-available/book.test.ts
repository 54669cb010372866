/** Booking the best seats: the answers to repetitions under a reference, also after cancellations. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Command, SeatQuery } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { callId, direct, house, movedPlan, smallChart, smallPlan } from '../../../support/inventory/house.ts';

type Book = Command & { type: 'book-best' };

const bookBest = (bookingRef: string, query: SeatQuery): Book => ({
  type: 'book-best',
  callId: callId(),
  bookingRef,
  query,
});
const unbook = (bookingRef: string, ...labels: string[]): Command => ({
  type: 'unbook',
  callId: callId(),
  bookingRef,
  ...(labels.length > 0 && { labels }),
});

const pair = { qty: 2, categoryKey: 'stalls' };

test('a repeated query under its reference books nothing more and gets its first answer', () => {
  const event = house();
  const first = event.ok(bookBest('order', pair));
  expect(first.labels).toEqual(['A-4', 'A-5']);
  expect(event.ok(bookBest('order', { ...pair }))).toEqual(first);
  expect(event.counts().booked).toBe(2);
});

test('a different query under the reference is refused', () => {
  const event = house();
  event.ok(bookBest('order', pair));
  const inUse = { code: 'conflict', reason: 'booking_ref_in_use' };
  expect(event.refused(bookBest('order', { ...pair, qty: 3 }))).toMatchObject(inUse);
  expect(event.refused(bookBest('order', { qty: 2 }))).toMatchObject(inUse);
  expect(event.refused(bookBest('order', { qty: 2, categoryKey: 'circle' }))).toMatchObject(inUse);
  expect(event.refused(bookBest('order', { ...pair, accessible: ['hearing'] }))).toMatchObject(inUse);
  expect(event.counts().booked).toBe(2);
});

test('a query that the chart cannot serve is refused as unknown under every reference', () => {
  const event = house();
  event.ok(bookBest('order', pair));
  event.ok(direct('other', 'A-1'));
  for (const ref of ['order', 'other', 'new']) {
    expect(event.refused(bookBest(ref, { qty: 2, categoryKey: 'nope' })).code).toBe('invalid_request');
    expect(event.refused(bookBest(ref, { qty: 2, zoneId: 'nope' })).code).toBe('invalid_request');
    expect(event.refused(bookBest(ref, { qty: 2, categoryKey: 'house' })).code).toBe('not_for_sale');
  }
});

test('a reference with bookings of other calls books more, and the answer has the new seats alone', () => {
  const event = house();
  event.ok(direct('order', 'A-1'));
  const first = event.ok(bookBest('order', pair));
  expect(first.labels).toEqual(['A-4', 'A-5']);
  event.ok(direct('order', 'C-1'));
  expect(event.ok(bookBest('order', pair))).toEqual(first);
  expect(event.counts().booked).toBe(4);
});

test('a repetition leaves out cancelled seats; if none is left it is refused and books nothing', () => {
  const event = house();
  event.ok(bookBest('order', pair));
  event.ok(direct('order', 'C-1'));
  event.ok(unbook('order', 'A-4'));
  expect(event.ok(bookBest('order', pair)).labels).toEqual(['A-5']);
  // Seats that another call booked anew do not belong to this call.
  event.ok(direct('order', 'A-4'));
  expect(event.ok(bookBest('order', pair)).labels).toEqual(['A-5']);
  event.ok(unbook('order', 'A-5'));
  const cancelled = { code: 'conflict', reason: 'booking_cancelled' };
  expect(event.refused(bookBest('order', pair))).toMatchObject(cancelled);
  event.ok(unbook('order'));
  expect(event.refused(bookBest('order', pair))).toMatchObject(cancelled);
  expect(event.refused(bookBest('order', { qty: 1 })).reason).toBe('booking_ref_in_use');
  expect(event.counts().booked).toBe(0);
});

test('the choice is known after a snapshot, and on another chart by its labels', () => {
  const event = house();
  const first = event.ok(bookBest('order', pair));
  const again = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
  expect(again.bookings.get('order')).toEqual(event.state.bookings.get('order'));
  event.ok({
    type: 'update-chart',
    acknowledgeMoved: true,
    reason: 'A new chart',
    callId: callId(),
    planHash: movedPlan.hash,
    chartVersion: 2,
  });
  expect(event.ok(bookBest('order', pair)).labels).toEqual(first.labels);
});

test('the choice is known even if the chart no longer sells the category of the query', () => {
  const event = house();
  const first = event.ok(bookBest('order', pair));
  const categories = smallChart.categories.map((each) =>
    each.key === 'stalls' ? { ...each, notForSale: true } : each,
  );
  event.moveTo(compilePlan({ ...smallChart, categories } as unknown as ChartDocument, 'no-stalls'));
  expect(event.refused(bookBest('new', pair)).code).toBe('not_for_sale');
  expect(event.ok(bookBest('order', pair)).labels).toEqual(first.labels);
});
