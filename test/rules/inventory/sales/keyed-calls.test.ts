/**
 * Calls under an Idempotency-Key: a repetition gets the first answer and has no second effect, whatever happened since
 * (I5). Each row: what comes before the call, the call, and what another caller does between the call and its
 * repetition.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { idempotencyKeepMs } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import {
  block,
  callId,
  direct,
  eventConfig,
  hold,
  house,
  list,
  MINUTE,
  smallPlan,
} from '../../../support/inventory/house.ts';

const key = { callId: 'call_key', fingerprint: 'body' };
const unblock = (...labels: string[]): Command => ({ type: 'unblock', callId: callId(), labels });
const release = (holdId: string, ...labels: string[]): Command => ({
  type: 'release',
  callId: callId(),
  holdId,
  labels,
});
const unbook = (bookingRef: string, ...labels: string[]): Command => ({
  type: 'unbook',
  callId: callId(),
  bookingRef,
  labels,
});

const table: [name: string, before: Command[], call: Command, between: Command[]][] = [
  ['extend', [hold('h', 'A-1')], { type: 'extend', holdId: 'h', ttlMs: 1_200_000, ...key }, []],
  ['extend that lengthens nothing', [hold('h', 'A-1')], { type: 'extend', holdId: 'h', ttlMs: 60_000, ...key }, []],
  [
    'extend, then another renewal',
    [hold('h', 'A-1')],
    { type: 'extend', holdId: 'h', ttlMs: 1_200_000, ...key },
    [{ type: 'extend', holdId: 'h', ttlMs: 1_500_000, callId: callId() }, release('h', 'A-1')],
  ],
  ['release', [hold('h', 'A-1', 'A-2')], { ...release('h', 'A-1'), ...key }, [hold('i', 'A-1')]],
  ['release of nothing', [hold('h', 'A-1')], { ...release('h', 'A-2'), ...key }, []],
  ['unbook', [direct('o', 'A-1', 'A-2')], { ...unbook('o', 'A-1'), ...key }, [direct('other', 'A-1')]],
  [
    'unbook of a seat that the same reference buys again',
    [direct('o', 'A-1')],
    { ...unbook('o', 'A-1'), ...key },
    [direct('o', 'A-1')],
  ],
  ['unbook of the whole', [direct('o', 'A-1')], { type: 'unbook', bookingRef: 'o', ...key }, [direct('o', 'A-2')]],
  ['unbook of nothing', [direct('o', 'A-1')], { ...unbook('o', 'A-2'), ...key }, [direct('o', 'A-2')]],
  ['block', [], { ...block('A-1'), ...key }, [unblock('A-1'), hold('h', 'A-1')]],
  ['unblock', [block('A-1')], { ...unblock('A-1'), ...key }, [block('A-1')]],
  ['unblock of all', [block('A-1')], { type: 'unblock', labels: null, ...key }, [block('A-2')]],
  ['unblock of nothing', [], { ...unblock('A-1'), ...key }, [block('A-1')]],
  [
    'list-resale',
    [direct('o', 'A-1')],
    { ...list('l', 'o', 'A-1'), ...key },
    [{ type: 'remove-resale', callId: callId(), listingId: 'l' }],
  ],
  [
    'remove-resale',
    [direct('o', 'A-1'), list('l', 'o', 'A-1')],
    { type: 'remove-resale', listingId: 'l', ...key },
    [list('m', 'o', 'A-1')],
  ],
  [
    'set-hold-ttl',
    [],
    { type: 'set-hold-ttl', holdTtlMs: 120_000, ...key },
    [{ type: 'set-hold-ttl', holdTtlMs: 180_000, callId: callId() }],
  ],
];

test.each(table)('%s', (_, before, call, between) => {
  const event = house();
  for (const command of before) event.ok(command);
  const first = event.ok(call);
  for (const command of between) event.ok(command);
  const { length } = event.journal;
  const statuses = [...event.state.statuses];
  expect(event.ok(call)).toEqual(first);
  expect(event.journal).toHaveLength(length);
  expect([...event.state.statuses]).toEqual(statuses);
  expect(event.refused({ ...call, fingerprint: 'another body' } as Command).reason).toBe('idempotency_key_reused');
  // The fold of the journal, and of a snapshot, know the call too.
  const replayed = newState(eventConfig(), smallPlan);
  for (const [index, record] of event.journal.entries()) apply(replayed, record, event.times[index]!);
  const restored = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
  for (const state of [replayed, restored]) expect([...state.namedCalls]).toEqual([...event.state.namedCalls]);
});

test.each(table)('%s, then the event is closed and archived', (_, before, call) => {
  const event = house();
  for (const command of before) event.ok(command);
  const first = event.ok(call);
  for (const move of ['close', 'archive'] as const) {
    event.ok({ type: 'move', callId: callId(), move });
    const { length } = event.journal;
    expect(event.ok(call)).toEqual(first);
    expect(event.journal).toHaveLength(length);
  }
});

/** Each row: what comes before the archive, the call, and what would give the call an effect behind the archive. */
const withoutEffect: [name: string, before: Command[], call: Command, between: Command[]][] = [
  ['extend', [hold('h', 'A-1')], { type: 'extend', holdId: 'h', ...key }, []],
  ['release', [hold('h', 'A-1'), release('h', 'A-1')], { ...release('h', 'A-1'), ...key }, []],
  ['unbook', [direct('o', 'A-1')], { ...unbook('o', 'A-2'), ...key }, [direct('o', 'A-2')]],
  [
    'import-bookings',
    [hold('h', 'A-1')],
    { type: 'import-bookings', sales: [{ label: 'A-1', bookingRef: 'old', price: 7 }], ...key },
    [release('h', 'A-1')],
  ],
];

test.each(withoutEffect)('%s without an effect on an archived event', (_, before, call, between) => {
  const event = house();
  for (const command of before) event.ok(command);
  event.ok({ type: 'move', callId: callId(), move: 'archive' });
  const first = event.ok(call);
  event.pass(MINUTE);
  expect(event.ok(call)).toEqual(first);
  for (const move of ['unarchive', 'reopen'] as const) event.ok({ type: 'move', callId: callId(), move });
  for (const command of between) event.ok(command);
  const { length } = event.journal;
  expect(event.ok(call)).toEqual(first);
  expect(event.journal).toHaveLength(length);
});

test('a refusal is not kept', () => {
  const event = house();
  event.ok(hold('h', 'A-1'));
  const call = { ...block('A-1'), ...key };
  event.refused(call);
  event.ok(release('h', 'A-1'));
  expect(event.ok(call)).toEqual({ blocked: ['A-1'] });
});

test('a name is free again after a day', () => {
  const event = house();
  event.ok(block('A-1'));
  event.ok({ ...unblock('A-1'), ...key } as Command);
  event.pass(idempotencyKeepMs);
  expect(event.ok({ ...unblock('A-2'), ...key, fingerprint: 'another body' } as Command)).toEqual({ unblocked: [] });
});

test.each([
  ['unblock', [block('A-1', 'A-2')], { ...unblock('A-1'), ...key }, { ...unblock('A-2'), ...key }, [block('A-2')]],
  [
    'unbook',
    [direct('o', 'A-1', 'A-2'), direct('p', 'A-4')],
    { ...unbook('o', 'A-1'), ...key },
    { ...unbook('p', 'A-3'), ...key },
    [direct('p', 'A-3')],
  ],
] as [string, Command[], Command, Command, Command[]][])(
  'a name that %s takes a second time after a day is remembered a second time',
  (_, before, call, second, between) => {
    const event = house();
    for (const command of before) event.ok(command);
    event.ok(call);
    event.pass(idempotencyKeepMs);
    const named = { ...second, fingerprint: 'another body' } as Command;
    const first = event.ok(named);
    for (const command of between) event.ok(command);
    expect(event.ok(named)).toEqual(first);
    expect(event.refused(call).reason).toBe('idempotency_key_reused');
  },
);
