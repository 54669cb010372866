/** The counter: it ends abandoned holds by their seats, and sells blocked seats in one step. */
import type { Command } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { block, book, callId, direct, hold, house, MINUTE, START } from '../../../support/inventory/house.ts';

const operator = { source: 'operator', actor: 'usr_1', accessSource: 'public' } as const;

const endHolds = (...labels: string[]): Command & { type: 'end-holds' } => ({
  type: 'end-holds',
  callId: callId(),
  labels,
  reason: 'Abandoned',
});

test('places of several holds end, the holds keep the rest, and free units are passed over', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'A-2'));
  event.ok(hold('h2', 'B-1'));
  const call = endHolds('A-1', 'B-1', 'C-1');
  expect(event.ok(call, operator)).toEqual({ released: ['A-1', 'B-1'] });
  expect(event.ok({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({
    status: 'active',
    items: [{ label: 'A-2' }],
  });
  expect(event.ok({ type: 'inspect-hold', holdId: 'h2' }).status).toBe('released');
  expect(event.refused(book('h2', 'o-1'))).toMatchObject({ reason: 'hold_released' });
  expect(event.journal.slice(-3)).toMatchObject([
    { type: 'released', holdId: 'h1', reason: 'Abandoned' },
    { type: 'released', holdId: 'h2', reason: 'Abandoned' },
    { type: 'holds-ended', reason: 'Abandoned' },
  ]);
});

test.each([['fingerprint'], [undefined]])('a late copy does not end the hold of the next buyer (%s)', (fingerprint) => {
  const event = house();
  const call = { ...endHolds('A-1'), ...(fingerprint !== undefined && { fingerprint }) };
  const idle = { ...endHolds('A-2'), ...(fingerprint !== undefined && { fingerprint }) };
  event.ok(hold('h1', 'A-1'));
  expect(event.ok(call)).toEqual({ released: ['A-1'] });
  expect(event.ok(idle)).toEqual({ released: [] });
  event.ok(hold('h2', 'A-1', 'A-2'));
  expect(event.ok(call)).toEqual({ released: ['A-1'] });
  expect(event.ok(idle)).toEqual({ released: [] });
  expect(event.ok({ type: 'inspect-hold', holdId: 'h2' }).items).toHaveLength(2);
});

test('an area stands for all places that are held there', () => {
  const event = house();
  event.ok({ type: 'hold', holdId: 'h1', selections: [{ label: 'Standing', quantity: 2 }] });
  expect(event.ok(endHolds('Standing')).released).toHaveLength(2);
});

const fromBlock = { fromBlock: true } as const;

test('a blocked seat is sold in one step, with the reason, and its end forgets the block', () => {
  const event = house();
  event.ok({ ...block('A-1', 'A-2'), releaseAt: START + MINUTE });
  expect(event.refused(direct('o-1', 'A-1'))).toMatchObject({ code: 'conflict' });
  const caller = { ...operator, reason: 'Guest of the house' };
  expect(event.ok({ ...direct('o-1', 'A-1', 'A-3'), ...fromBlock }, caller).booked).toEqual(['A-1', 'A-3']);
  expect(event.journal.at(-1)).toMatchObject({ type: 'booked', blocked: [0], reason: 'Guest of the house' });
  event.pass(START + MINUTE - event.now());
  event.ok({ type: 'count' });
  expect(event.journal.at(-1)).toMatchObject({ type: 'unblocked', units: [1] });
  expect([...event.state.blockedUntil]).toEqual([]);
});

test('an area sells its blocked places with fromBlock, and a quantity above is a conflict', () => {
  const event = house();
  event.ok(block('Standing'));
  const sale = (quantity: number) => ({
    type: 'book-direct' as const,
    callId: callId(),
    bookingRef: 'o-1',
    selections: [{ label: 'Standing', quantity }],
  });
  expect(event.refused(sale(3))).toMatchObject({ details: { conflicts: [{ available: 0 }] } });
  expect(event.refused({ ...sale(11), ...fromBlock })).toMatchObject({ details: { conflicts: [{ available: 10 }] } });
  expect(event.ok({ ...sale(3), ...fromBlock }).booked).toHaveLength(3);
  expect(event.ok({ ...sale(3), ...fromBlock }).booked).toEqual([]);
});

test('an exchange goes to a blocked seat with fromBlock alone', () => {
  const event = house();
  event.ok(direct('o-1', 'A-1'));
  event.ok(block('B-1'));
  const exchange = (more: object): Command & { type: 'exchange' } => ({
    type: 'exchange',
    callId: callId(),
    exchangeId: 'exc_1',
    bookingRef: 'o-1',
    from: [{ label: 'A-1' }],
    to: { selections: [{ label: 'B-1' }], ...more },
    reason: 'A pillar',
  });
  expect(event.refused(exchange({}))).toMatchObject({ code: 'conflict' });
  expect(event.ok(exchange(fromBlock))).toMatchObject({ from: ['A-1'], to: ['B-1'] });
  expect(event.journal.at(-1)).toMatchObject({ type: 'exchanged', blocked: [8] });
});
