/** Calls that their caller named by an Idempotency-Key: known again for a day, whatever else the event is asked meanwhile. */
import type { Command } from '@parterre/shared/commands';
import { eventCallsKept, idempotencyKeepMs, namedCallsKept } from '@parterre/shared/limits';
import { expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { block, callId, house, movedPlan, smallPlan } from '../support/inventory.ts';

const blockBest = (name: string, qty = 1): Command & { type: 'block-best' } => ({
  ...{ type: 'block-best', callId: name, fingerprint: `body ${qty}` },
  ...{ query: { qty }, releaseAt: null, reason: null },
});
const unblock = (...labels: string[]): Command & { type: 'unblock' } => ({ type: 'unblock', callId: callId(), labels });

test('however many calls come after it, a named block is answered with its first seats and blocks no other', () => {
  const event = house();
  const first = event.ok(blockBest('press'));
  for (let i = 0; i < eventCallsKept + 76; i++) event.ok(unblock('C-1'));
  expect(event.ok(blockBest('press'))).toEqual(first);
  expect(event.refused(blockBest('press', 2)).reason).toBe('idempotency_key_reused');
  expect(event.counts().blocked).toBe(1);
});

test('the name is free after a day, to the millisecond, also where nothing was asked meanwhile', () => {
  const event = house();
  const first = event.ok(blockBest('press'));
  event.pass(idempotencyKeepMs - 1);
  expect(event.ok(blockBest('press'))).toEqual(first);
  event.pass(1);
  expect(event.ok(blockBest('press', 2)).blocked).toHaveLength(2);
  expect(event.ok(blockBest('press', 2)).blocked).toHaveLength(2);
  expect(event.counts().blocked).toBe(3);
  event.pass(idempotencyKeepMs);
  event.ok(blockBest('guests'));
  expect([...event.state.namedCalls.keys()]).toEqual(['guests']);
  expect(event.state.namedCallUnits).toBe(1);
});

test('past as many as are kept the oldest is forgotten', () => {
  const event = house();
  for (let i = 0; i <= namedCallsKept; i++) {
    const { blocked } = event.ok(blockBest(`press ${i}`));
    event.ok(unblock(...blocked));
  }
  expect(event.state.namedCalls.size).toBe(namedCallsKept);
  event.ok(blockBest('press 1'));
  expect(event.counts().blocked).toBe(0);
  event.ok(blockBest('press 0'));
  expect(event.counts().blocked).toBe(1);
});

test('a name is known from a snapshot, and on another chart by the labels of its seats', () => {
  const event = house();
  const { blocked } = event.ok(blockBest('press', 3));
  const again = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
  expect(again.namedCalls).toEqual(event.state.namedCalls);
  expect(again.namedCallUnits).toBe(3);
  event.ok({ type: 'update-chart', callId: callId(), planHash: movedPlan.hash, chartVersion: 2 });
  expect(event.ok(blockBest('press', 3)).blocked).toEqual(blocked);
});

test('a late copy of a call that freed nothing frees nothing that was blocked since', () => {
  const event = house();
  const early = unblock('A-1');
  expect(event.ok(early).unblocked).toEqual([]);
  event.ok(block('A-1'));
  expect(event.ok(early).unblocked).toEqual([]);
  expect(event.counts().blocked).toBe(1);
});
