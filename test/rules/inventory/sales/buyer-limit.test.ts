/** The most places of one buyer, over sessions, holds and bookings. The properties of states check the counts. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { internalIdOf } from '@parterre/shared/protocol/operations/operation';
import { expect, test } from 'vitest';
import { book, buyer, callId, direct, hold, house, list, server } from '../../../support/inventory/house.ts';

type House = ReturnType<typeof house>;

const limit = (perBuyer: number | null): Command => ({
  type: 'configure',
  callId: callId(),
  saleSettings: { buyerLimit: perBuyer === null ? null : { perBuyer } },
});
const anna: Caller = { ...server, buyerRef: 'anna' };
const session = (id: string, buyerRef = 'anna'): Caller => ({
  ...buyer,
  actor: id,
  session: { id, maxQuantity: null },
  buyerRef,
});
const leftAfter = (event: House, command: Command, caller: Caller) => {
  const { code, details } = event.refused(command, caller);
  return [code, details?.limit, details?.left];
};

function limited(perBuyer = 3): House {
  const event = house();
  event.ok(limit(perBuyer));
  return event;
}

test('sessions, holds and bookings of a buyer count together; a caller without a buyer does not count', () => {
  const event = limited();
  event.ok(hold('h1', 'A-1'), session('ses_1'));
  event.ok(hold('h2', 'A-2'), session('ses_2'));
  event.ok(book('h1', 'order-1'));
  expect(leftAfter(event, hold('h3', 'A-3', 'A-4'), session('ses_3'))).toEqual(['buyer_limit', 3, 1]);
  expect(leftAfter(event, direct('order-2', 'A-3', 'A-4'), anna)).toEqual(['buyer_limit', 3, 1]);
  const best = { type: 'hold-best' as const, holdId: 'h4', query: { qty: 2 } };
  expect(leftAfter(event, best, session('ses_1'))).toEqual(['buyer_limit', 3, 1]);
  const booked = { type: 'book-best' as const, callId: callId(), bookingRef: 'order-3', query: { qty: 2 } };
  expect(leftAfter(event, booked, anna)).toEqual(['buyer_limit', 3, 1]);
  const boxed = { type: 'box-book' as const, callId: callId(), bookingRef: 'order-4', selections: [{ label: 'T1' }] };
  expect(leftAfter(event, boxed, anna)).toEqual(['buyer_limit', 3, 1]);
  event.ok(hold('h5', 'B-1', 'B-2', 'B-3', 'B-4'));
  event.ok(hold('h6', 'A-3'), anna);
  expect(leftAfter(event, hold('h7', 'A-4'), anna)).toEqual(['buyer_limit', 3, 0]);
  event.ok(hold('h7', 'A-4'), session('ses_9', 'ben'));
  // A server books a hold without a buyer in the name of one.
  expect(leftAfter(event, book('h5', 'order-5'), anna)).toEqual(['buyer_limit', 3, 0]);
  expect(event.ok(book('h5', 'order-5'), server).booked).toHaveLength(4);
});

test('release, expiry, cancellation and a part of it give places back', () => {
  const event = limited(4);
  event.ok({ ...hold('h1', 'A-1', 'A-2'), ttlMs: 60_000 }, anna);
  event.ok(direct('order-1', 'B-1', 'B-2'), anna);
  expect(leftAfter(event, hold('h2', 'A-5'), anna)).toEqual(['buyer_limit', 4, 0]);
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: ['B-1'] });
  event.ok({ type: 'release', callId: callId(), holdId: 'h1', labels: ['A-1'] });
  expect(leftAfter(event, hold('h2', 'A-5', 'A-6', 'A-7'), anna)).toEqual(['buyer_limit', 4, 2]);
  event.pass(61_000);
  expect(leftAfter(event, direct('order-2', 'C-1', 'C-2', 'C-3', 'C-4'), anna)).toEqual(['buyer_limit', 4, 3]);
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' });
  event.ok({ ...direct('order-2'), selections: [{ label: 'T1' }] }, anna);
  expect(event.state.buyers.counts()).toEqual([['anna', 4]]);
});

test('a limit that shrinks takes nothing away: holds are extended, booked and replaced with no more places', () => {
  const event = limited(4);
  event.ok(hold('h1', 'A-1', 'A-2', 'A-3'), anna);
  event.ok(limit(1));
  expect(leftAfter(event, hold('h2', 'B-1'), anna)).toEqual(['buyer_limit', 1, 0]);
  event.ok({ type: 'extend', callId: callId(), holdId: 'h1' }, anna);
  const more = { ...hold('h3', 'A-1', 'A-2', 'A-3', 'A-4'), replaceHoldId: 'h1' };
  expect(leftAfter(event, more, anna)).toEqual(['buyer_limit', 1, 3]);
  event.ok({ ...hold('h3', 'A-1', 'A-2', 'A-4'), replaceHoldId: 'h1' }, anna);
  expect(event.ok(book('h3', 'order-1')).booked).toHaveLength(3);
  event.ok(limit(null));
  event.ok(hold('h4', 'B-1', 'B-2'), anna);
});

test('a server that replaces a hold keeps its buyer, or names another one', () => {
  const event = limited(2);
  event.ok(hold('h1', 'A-1', 'A-2'), session('ses_1'));
  expect(leftAfter(event, { ...hold('h2', 'A-1', 'A-2', 'A-3'), replaceHoldId: 'h1' }, server)).toEqual([
    'buyer_limit',
    2,
    2,
  ]);
  event.ok({ ...hold('h2', 'A-1', 'A-2'), replaceHoldId: 'h1' }, { ...server, buyerRef: 'ben' });
  expect(event.state.buyers.counts()).toEqual([['ben', 2]]);
});

test('an exchange keeps the buyer of its places, and a resale moves them to the new buyer', () => {
  const event = limited(2);
  event.ok(direct('order-1', 'A-1', 'A-2'), anna);
  const exchange = {
    type: 'exchange' as const,
    callId: callId(),
    exchangeId: 'exc_1',
    bookingRef: 'order-1',
    reason: null,
  };
  event.ok({ ...exchange, from: [{ label: 'A-1' }], to: { selections: [{ label: 'B-1' }] } });
  expect(leftAfter(event, hold('h1', 'A-5'), anna)).toEqual(['buyer_limit', 2, 0]);
  event.ok(list('lst_1', 'order-1', 'B-1'));
  const ben = { ...server, buyerRef: 'ben' };
  event.ok(hold('h2', 'B-1'), ben);
  expect(event.state.buyers.counts().sort()).toEqual([
    ['anna', 2],
    ['ben', 1],
  ]);
  event.ok(book('h2', 'order-2'));
  expect(event.state.buyers.counts().sort()).toEqual([
    ['anna', 1],
    ['ben', 1],
  ]);
  event.ok(hold('h3', 'A-5'), anna);
});

test('a part of a group obeys the limit of its event', () => {
  const event = limited(1);
  const owner = { kind: 'group' as const, key: 'pg_1' };
  event.ok({ type: 'lock', owner, lockId: 'lock-1', actsUntil: event.now() + 60_000 });
  const head = {
    id: internalIdOf(owner, 'op-1'),
    owner,
    operationId: 'op-1',
    eventKeys: ['test-night', 'other-night'],
  };
  const part = {
    type: 'hold-part' as const,
    head: head as never,
    selections: [{ label: 'A-1' }, { label: 'A-2' }],
    expiresAt: event.now() + 60_000,
    actsUntil: event.now() + 5_000,
    fingerprint: 'print',
  };
  expect(leftAfter(event, part, session('ses_1'))).toEqual(['buyer_limit', 1, 1]);
});
