/**
 * Calls on a hold or booking that a later call has changed since: a late copy gets the first answer and changes
 * nothing.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { eventCallsKept } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { callId, direct, hold, house, MINUTE, movedPlan, smallPlan } from '../../../support/inventory/house.ts';

const unbook = (bookingRef: string, ...labels: string[]): Command & { type: 'unbook' } => ({
  type: 'unbook',
  callId: callId(),
  bookingRef,
  ...(labels.length > 0 && { labels }),
});
const release = (...labels: string[]): Command & { type: 'release' } => ({
  type: 'release',
  callId: callId(),
  holdId: 'h',
  labels,
});
const extend = (ttlMs: number): Command & { type: 'extend' } => ({
  type: 'extend',
  callId: callId(),
  holdId: 'h',
  ttlMs,
});

test('a sale that was cancelled since is not made again', () => {
  const event = house();
  const sale = direct('order', 'A-1');
  event.ok(sale);
  event.ok(unbook('order'));
  expect(event.ok(sale).booked).toEqual(['A-1']);
  expect(event.counts().booked).toBe(0);
});

test('a counter sale that was cancelled since is not made again', () => {
  const event = house();
  const sale: Command & { type: 'box-book' } = { ...direct('order', 'A-1'), type: 'box-book' };
  event.ok(sale);
  event.ok(unbook('order'));
  expect(event.ok(sale).booked).toEqual(['A-1']);
  expect(event.counts().booked).toBe(0);
});

test('a cancellation does not cancel a sale that came since', () => {
  const event = house();
  event.ok(direct('order', 'A-1'));
  const cancellation = unbook('order');
  event.ok(cancellation);
  event.ok(direct('order', 'A-1', 'A-2'));
  expect(event.ok(cancellation).unbooked).toEqual(['A-1']);
  expect(event.counts().booked).toBe(2);
});

test('an extension behind another extension does not count again', () => {
  const event = house();
  event.ok(hold('h', 'A-1'));
  const first = extend(20 * MINUTE);
  event.ok(first);
  event.ok(extend(30 * MINUTE));
  expect(event.ok(first).extends).toBe(2);
  expect(event.state.holds.get('h')!.extends).toBe(2);
});

test('a release behind another release gets its own labels', () => {
  const event = house();
  event.ok(hold('h', 'A-1', 'A-2', 'A-3'));
  const first = release('A-1');
  event.ok(first);
  event.ok(release('A-2'));
  expect(event.ok(first).released).toEqual(['A-1']);
  expect(event.counts().held).toBe(1);
});

test('a replaced call is known after a snapshot, and on another chart', () => {
  const event = house();
  const sale = direct('order', 'A-1');
  event.ok(sale);
  event.ok(unbook('order'));
  const again = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
  expect(again.calls).toEqual(event.state.calls);
  event.ok({
    type: 'update-chart',
    acknowledgeMoved: true,
    reason: 'A new chart',
    callId: callId(),
    planHash: movedPlan.hash,
    chartVersion: 2,
  });
  expect(event.ok(sale).booked).toEqual(['A-1']);
});

test('sales leave nothing behind, and replaced calls are bounded', () => {
  const event = house();
  event.ok(direct('first', 'A-1'));
  event.ok(direct('second', 'A-2'));
  expect(event.state.calls.size).toBe(0);
  for (let n = 0; n < eventCallsKept; n++) {
    event.ok(direct('order', 'B-1'));
    event.ok(unbook('order'));
  }
  expect(event.state.calls.size).toBe(eventCallsKept);
});
