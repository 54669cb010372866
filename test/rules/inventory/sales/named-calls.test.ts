/** Calls that their caller named by an Idempotency-Key: known again for a day, with any number of calls in between. */
import type { Command } from '@parterre/shared/protocol/commands';
import { eventCallsKept, idempotencyKeepMs, namedCallsKept } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { block, callId, house, movedPlan, smallPlan } from '../../../support/inventory/house.ts';

const blockBest = (name: string, qty = 1): Command & { type: 'block-best' } => ({
  type: 'block-best',
  callId: name,
  fingerprint: `body ${qty}`,
  query: { qty },
  releaseAt: null,
  reason: null,
});
const unblock = (...labels: string[]): Command & { type: 'unblock' } => ({ type: 'unblock', callId: callId(), labels });

test('a repeated named block gets its first seats and blocks no other, after any number of calls', () => {
  const event = house();
  const first = event.ok(blockBest('press'));
  for (let i = 0; i < eventCallsKept + 76; i++) event.ok(unblock('C-1'));
  expect(event.ok(blockBest('press'))).toEqual(first);
  expect(event.refused(blockBest('press', 2)).reason).toBe('idempotency_key_reused');
  expect(event.counts().blocked).toBe(1);
});

test('the name is free after a day, to the millisecond, even without other calls', () => {
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

test('past the bound the oldest name is forgotten', () => {
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

test('a name is known after a snapshot, and on another chart by the labels of its seats', () => {
  const event = house();
  const { blocked } = event.ok(blockBest('press', 3));
  const again = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
  expect(again.namedCalls).toEqual(event.state.namedCalls);
  expect(again.namedCallUnits).toBe(3);
  event.ok({
    type: 'update-chart',
    acknowledgeMoved: true,
    reason: 'A new chart',
    callId: callId(),
    planHash: movedPlan.hash,
    chartVersion: 2,
  });
  expect(event.ok(blockBest('press', 3)).blocked).toEqual(blocked);
});

test('a late copy of an unblock without effect does not unblock later blocks', () => {
  const event = house();
  const early = unblock('A-1');
  expect(event.ok(early).unblocked).toEqual([]);
  event.ok(block('A-1'));
  expect(event.ok(early).unblocked).toEqual([]);
  expect(event.counts().blocked).toBe(1);
});
