/** Best-available in place of a hold: better seats replace the hold, and without better seats it stays untouched. */
import type { Command, SeatQuery } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { buyer, direct, hold, house, MINUTE, smallPlan } from '../../../support/inventory/house.ts';

type HoldBest = Command & { type: 'hold-best' };

const best = (holdId: string, replaceHoldId: string, query: SeatQuery, more: Partial<HoldBest> = {}): HoldBest => ({
  type: 'hold-best',
  holdId,
  query,
  replaceHoldId,
  ...more,
});
const look = (holdId: string): Command & { type: 'inspect-hold' } => ({ type: 'inspect-hold', holdId });
const pair = { qty: 2, categoryKeys: ['stalls'] };

test('better seats replace the hold, whose own seats count as free', () => {
  const event = house();
  event.ok(hold('old', 'A-3', 'A-4'));
  const better = event.ok(best('new', 'old', pair));
  expect(better).toMatchObject({ holdId: 'new', labels: ['A-4', 'A-5'], parts: [['A-4', 'A-5']] });
  expect('kept' in better).toBe(false);
  expect(event.ok(look('old')).status).toBe('released');
  expect(event.counts().held).toBe(2);
  expect(event.journal.slice(-2)).toMatchObject([
    { type: 'released', holdId: 'old', kept: [3] },
    { type: 'held', holdId: 'new', createdAt: event.now() },
  ]);
});

test('the best seats stay: same id, same expiry, same prices', () => {
  const event = house();
  const first = event.ok({ type: 'hold-best', holdId: 'old', query: pair, ttlMs: MINUTE });
  event.pass(30_000);
  const answer = event.ok(best('new', 'old', pair, { ttlMs: 10 * MINUTE }));
  expect(answer).toEqual({ ...first, kept: true });
  expect(event.ok(look('old'))).toMatchObject({ status: 'active', expiresAt: first.expiresAt, extends: 0 });
  expect(event.refused(look('new')).code).toBe('hold_not_found');
  expect(event.counts().held).toBe(2);
});

test.each([
  ['too few seats', { qty: 9, categoryKeys: ['circle'] }, 'conflict', 'not_enough_together'],
  ['nothing left', { qty: 2, categoryKeys: ['floor'] }, 'conflict', 'sold_out'],
  ['an unknown category', { qty: 2, categoryKeys: ['attic'] }, 'invalid_request', undefined],
  ['an unknown label', { qty: 2, near: ['Z-1'] }, 'unknown_labels', undefined],
] as [string, SeatQuery, string, string | undefined][])('a refusal leaves the hold: %s', (_, query, code, reason) => {
  const event = house();
  event.ok({
    type: 'block',
    callId: 'b',
    labels: ['Standing'],
    releaseAt: null,
    reason: null,
  });
  const first = event.ok(hold('old', 'A-1', 'A-2'));
  const before = event.journal.length;
  expect(event.refused(best('new', 'old', query))).toMatchObject({ code, ...(reason && { reason }) });
  expect(event.journal).toHaveLength(before);
  expect(event.ok(look('old'))).toMatchObject({ status: 'active', expiresAt: first.expiresAt, items: first.items });
});

test('seats that another category or zone of the query lacks are no reason to stay', () => {
  const event = house();
  event.ok(hold('old', 'A-4', 'A-5'));
  expect(event.ok(best('new', 'old', { qty: 2, categoryKeys: ['circle'] })).labels).toEqual(['C-4', 'C-5']);
});

test('a party that is spread already stays if the choice spreads it as much and no nearer', () => {
  const event = house();
  event.ok(hold('old', 'A-4', 'B-4'));
  event.ok(direct('all', 'T1', ...['A', 'B'].flatMap((row) => [1, 2, 3, 5, 6, 7, 8].map((n) => `${row}-${n}`))));
  event.ok({ type: 'unbook', callId: 'u', bookingRef: 'all', labels: ['A-2', 'B-7'] });
  expect(event.ok(best('new', 'old', pair))).toMatchObject({ holdId: 'old', kept: true, parts: [['A-4'], ['B-4']] });
});

test('other tickets at the same seats make a new hold', () => {
  const event = house();
  const circle = { qty: 2, categoryKeys: ['circle'] };
  event.ok({ type: 'hold-best', holdId: 'old', query: circle });
  const tickets = [
    { tierId: 'adult', qty: 1 },
    { tierId: 'child', qty: 1 },
  ];
  const answer = event.ok(best('new', 'old', { ...circle, tickets }));
  expect(answer).toMatchObject({ holdId: 'new', labels: ['C-4', 'C-5'] });
  expect(answer.items.map(({ unitPrice }) => unitPrice)).toEqual([30, 15]);
  expect(event.ok(best('newer', 'new', { ...circle, tickets }))).toEqual({ ...answer, kept: true });
});

test('a copy of a call that kept the hold gets the first answer, whatever became free or ended since (I5)', () => {
  const event = house();
  event.ok(direct('front', 'A-4', 'A-5'));
  event.ok({ type: 'hold-best', holdId: 'old', query: pair });
  for (const fingerprint of [undefined, 'body']) {
    const holdId = `new ${fingerprint}`;
    const command = best(holdId, 'old', pair, fingerprint === undefined ? {} : { fingerprint });
    const first = event.ok(command);
    expect(first).toMatchObject({ holdId: 'old', kept: true });
    event.ok({ type: 'unbook', callId: `u ${holdId}`, bookingRef: 'front' });
    const before = event.journal.length;
    expect(event.ok(command)).toEqual(first);
    event.ok(direct('front', 'A-4', 'A-5'));
    expect(event.journal).toHaveLength(before + 1);
  }
  const named = best('new body', 'old', pair, { fingerprint: 'body' });
  const first = event.ok(named);
  event.ok({ type: 'release', holdId: 'old', callId: 'r' });
  expect(event.ok(named)).toEqual(first);
  const reused = { code: 'conflict', reason: 'idempotency_key_reused' };
  expect(event.refused({ ...named, fingerprint: 'other' })).toMatchObject(reused);
  expect(event.refused({ ...hold('new body', 'A-8'), fingerprint: 'other' })).toMatchObject(reused);
  const restored = fromSnapshot(toSnapshot(capture(event.state)), smallPlan);
  expect(toSnapshot(capture(restored))).toEqual(toSnapshot(capture(event.state)));
  expect(restored.namedCalls.get('new body')).toEqual(event.state.namedCalls.get('new body'));
});

test('a repeated choice tells the parts of the first answer, after a part was released too', () => {
  const event = house();
  event.ok(direct('gap', 'A-5'));
  const command: HoldBest = { type: 'hold-best', holdId: 'h', query: { qty: 8, categoryKey: 'stalls' } };
  event.ok(direct('row', ...[1, 2, 3, 4].map((n) => `B-${n}`)));
  const first = event.ok(command);
  expect(first.parts.length).toBeGreaterThan(1);
  expect(first.parts.flat()).toEqual(first.labels);
  event.ok({ type: 'release', holdId: 'h', callId: 'r', labels: [first.labels[0]!] });
  expect(event.ok(command)).toEqual(first);
});

test('a hold of another reach, or one that ended, is not replaced', () => {
  const event = house();
  event.ok(hold('old', 'A-1'));
  event.ok({ type: 'release', holdId: 'old', callId: 'r' });
  expect(event.ok(best('new', 'old', pair), buyer)).toMatchObject({ holdId: 'new' });
});
