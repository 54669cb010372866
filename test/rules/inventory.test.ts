/** The rules of one event, case by case. Each case plays commands in order and looks at what came of them. */
import type { Answers, Command } from '@parterre/shared/commands';
import type { Refusal } from '@parterre/shared/errors';
import { endedHoldKeepMs, holdTtlMsDefault, holdTtlMsMax } from '@parterre/shared/limits';
import type { JournalRecord } from '@parterre/shared/records';
import { describe, expect, test } from 'vitest';
import { apply } from '../../services/inventory-shard/src/rules/apply.ts';
import { decide } from '../../services/inventory-shard/src/rules/decide.ts';
import { applyDue } from '../../services/inventory-shard/src/rules/due.ts';
import { fromSnapshot, toSnapshot } from '../../services/inventory-shard/src/rules/snapshot.ts';
import { type EventState, newState } from '../../services/inventory-shard/src/rules/state.ts';
import { eventConfig, server, smallPlan } from '../support/inventory.ts';

const START = 1_700_000_000_000;
const MINUTE = 60_000;

/** An event whose clock the test owns. */
function house(ownership: 'platform' | 'managed' = 'platform') {
  const state: EventState = newState(eventConfig({ ownership }), smallPlan);
  const journal: JournalRecord[] = [];
  let now = START;

  function run<C extends Command>(command: C) {
    journal.push(...applyDue(state, now));
    const decision = decide(state, command, server, now);
    if (decision.ok) {
      for (const record of decision.records) apply(state, record, now);
      journal.push(...decision.records);
    }
    return decision;
  }

  return {
    state,
    journal,
    pass: (ms: number) => {
      now += ms;
    },
    now: () => now,
    ok<C extends Command>(command: C): Answers[C['type']] {
      const decision = run(command);
      if (!decision.ok) throw new Error(`refused: ${JSON.stringify(decision.refusal)}`);
      return decision.answer as Answers[C['type']];
    },
    refused(command: Command): Refusal {
      const decision = run(command);
      if (decision.ok) throw new Error(`not refused: ${JSON.stringify(decision.answer)}`);
      return decision.refusal;
    },
    counts(): Answers['count']['counts'] {
      return this.ok({ type: 'count' }).counts;
    },
  };
}

const hold = (holdId: string, ...labels: string[]): Command & { type: 'hold' } => ({
  type: 'hold',
  holdId,
  selections: labels.map((label) => ({ label })),
});
const book = (holdId: string, bookingRef: string, labels?: string[]): Command & { type: 'book' } =>
  labels ? { type: 'book', holdId, bookingRef, labels } : { type: 'book', holdId, bookingRef };

describe('holding', () => {
  test('takes every named seat at the category price, for 15 minutes', () => {
    const event = house();
    const answer = event.ok(hold('h1', 'A-1', 'A-2'));
    expect(answer).toMatchObject({ holdId: 'h1', labels: ['A-1', 'A-2'], currency: 'EUR' });
    expect(answer.expiresAt).toBe(START + holdTtlMsDefault);
    expect(answer.items[0]).toEqual({
      label: 'A-1',
      objectId: 'row-A:0',
      objectType: 'seat',
      categoryKey: 'stalls',
      tierId: null,
      unitPrice: 40,
      currency: 'EUR',
      bookingMode: 'individual',
      channelId: null,
      accessSource: 'public',
      releaseId: null,
    });
    expect(event.counts()).toMatchObject({ held: 2 });
  });

  test('takes all or none, and tells every label in the way', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok({ type: 'block', labels: ['A-3'], releaseAt: null, reason: null });
    const refusal = event.refused(hold('h2', 'A-1', 'A-2', 'A-3'));
    expect(refusal.code).toBe('conflict');
    expect(refusal.details?.conflicts).toEqual([
      { label: 'A-1', status: 'held' },
      { label: 'A-3', status: 'blocked' },
    ]);
    expect(event.counts()).toMatchObject({ held: 1, blocked: 1 });
  });

  test.each<[string, Command & { type: 'hold' }, string]>([
    ['labels the chart lacks', hold('h', 'A-1', 'Z-9'), 'unknown_labels'],
    ['a tier the category lacks', { ...hold('h'), selections: [{ label: 'C-1', tierId: 'dog' }] }, 'unknown_tier'],
    ['a tier on a category without', { ...hold('h'), selections: [{ label: 'A-1', tierId: 'adult' }] }, 'unknown_tier'],
    ['a category that is not for sale', hold('h', 'H-1'), 'not_for_sale'],
    ['a seat named twice', hold('h', 'A-1', 'A-1'), 'invalid_request'],
    [
      'more than one guest on a seat',
      { ...hold('h'), selections: [{ label: 'A-1', quantity: 2 }] },
      'invalid_quantity',
    ],
    ['a whole table for fewer', { ...hold('h'), selections: [{ label: 'T1', quantity: 3 }] }, 'invalid_quantity'],
    [
      'more places than the area has',
      { ...hold('h'), selections: [{ label: 'Standing', quantity: 11 }] },
      'invalid_quantity',
    ],
  ])('refuses %s and changes nothing', (_name, command, code) => {
    const event = house();
    expect(event.refused(command).code).toBe(code);
    expect(event.journal).toEqual([]);
  });

  test('takes the first tier unless one is chosen', () => {
    const event = house();
    const answer = event.ok({ ...hold('h1'), selections: [{ label: 'C-1' }, { label: 'C-2', tierId: 'child' }] });
    expect(answer.items.map(({ tierId, unitPrice }) => [tierId, unitPrice])).toEqual([
      ['adult', 30],
      ['child', 15],
    ]);
  });

  test('takes the lowest free places of a GA area as one line', () => {
    const event = house();
    event.ok(hold('h1', '__sl_ga__ga__2'));
    const answer = event.ok({ ...hold('h2'), selections: [{ label: 'Standing', quantity: 3 }] });
    expect(answer.items).toHaveLength(1);
    expect(answer.items[0]).toMatchObject({
      label: 'Standing',
      objectType: 'ga',
      quantity: 3,
      labels: ['__sl_ga__ga__1', '__sl_ga__ga__3', '__sl_ga__ga__4'],
    });
  });

  test('takes a place named beside its area once', () => {
    const event = house();
    const selections = [{ label: 'Standing', quantity: 2 }, { label: '__sl_ga__ga__1' }];
    expect(event.ok({ ...hold('h1'), selections }).labels).toEqual([
      '__sl_ga__ga__2',
      '__sl_ga__ga__3',
      '__sl_ga__ga__1',
    ]);
  });

  test('tells how many GA places are left when they are too few', () => {
    const event = house();
    event.ok({ ...hold('h1'), selections: [{ label: 'Standing', quantity: 8 }] });
    const refusal = event.refused({ ...hold('h2'), selections: [{ label: 'Standing', quantity: 3 }] });
    expect(refusal.details?.conflicts).toEqual([{ label: 'Standing', status: 'not_enough', available: 2 }]);
  });

  test('sells a whole table as one unit with its guests', () => {
    const event = house();
    const answer = event.ok(hold('h1', 'T1'));
    expect(answer.items[0]).toMatchObject({
      label: 'T1',
      objectType: 'table',
      bookingMode: 'whole',
      quantity: 4,
      capacity: 4,
    });
  });

  test('repeated under its id gives the first answer and no second effect', () => {
    const event = house();
    const first = event.ok(hold('h1', 'A-1'));
    event.pass(MINUTE);
    expect(event.ok(hold('h1', 'A-1'))).toEqual(first);
    expect(event.journal).toHaveLength(1);
  });

  test('repeated with another body under the same Idempotency-Key is a conflict', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), fingerprint: 'one' });
    expect(event.refused({ ...hold('h1', 'A-2'), fingerprint: 'two' })).toMatchObject({
      code: 'conflict',
      reason: 'idempotency_key_reused',
    });
  });

  test('replaces another hold in one step, keeping what both name', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    event.ok({ ...hold('h2', 'A-2', 'A-3'), replaceHoldId: 'h1' });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).status).toBe('released');
    expect(event.counts()).toMatchObject({ held: 2 });
    expect(event.ok(hold('h3', 'A-1')).labels).toEqual(['A-1']);
  });

  test('leaves the replaced hold alone when the new one is refused', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok(hold('other', 'A-3'));
    event.refused({ ...hold('h2', 'A-2', 'A-3'), replaceHoldId: 'h1' });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).status).toBe('active');
  });

  test('is refused while sales are closed; booking what is held is not', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok({ type: 'set-status', status: 'closed' });
    expect(event.refused(hold('h2', 'A-2')).code).toBe('event_closed');
    expect(event.ok(book('h1', 'order-1')).booked).toEqual(['A-1']);
  });
});

describe('hold windows', () => {
  test.each([
    ['the explicit ttl', 5 * MINUTE, 10 * MINUTE, 5 * MINUTE],
    ['the event setting without one', undefined, 10 * MINUTE, 10 * MINUTE],
    ['the default without either', undefined, null, holdTtlMsDefault],
    ['an hour at the most', 3 * 60 * MINUTE, null, holdTtlMsMax],
  ])('last %s', (_name, ttlMs, holdTtlMs, expected) => {
    const event = house();
    event.ok({ type: 'set-hold-ttl', holdTtlMs });
    const command = hold('h1', 'A-1');
    expect(event.ok(ttlMs === undefined ? command : { ...command, ttlMs }).expiresAt).toBe(START + expected);
  });

  test('end to the millisecond, never early, once', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: MINUTE });
    event.pass(MINUTE - 1);
    expect(event.counts().held).toBe(1);
    event.pass(1);
    expect(event.counts()).toMatchObject({ held: 0, free: smallPlan.unitCount });
    expect(event.journal.filter(({ type }) => type === 'expired')).toHaveLength(1);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({ status: 'expired' });
  });

  test('are extended three times at most, and never past an hour from the start', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: 20 * MINUTE });
    for (const [n, expected] of [
      [1, 35],
      [2, 50],
      [3, 60],
    ] as const) {
      event.pass(15 * MINUTE);
      const answer = event.ok({ type: 'extend', holdId: 'h1', extendId: `e${n}`, ttlMs: 20 * MINUTE });
      expect([answer.extends, answer.expiresAt - START]).toEqual([n, expected * MINUTE]);
    }
    expect(event.refused({ type: 'extend', holdId: 'h1', extendId: 'e4' })).toMatchObject({ reason: 'extend_limit' });
  });

  test('are extended once by one renewal, however often it is repeated', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.pass(MINUTE);
    const first = event.ok({ type: 'extend', holdId: 'h1', extendId: 'e1' });
    expect(event.ok({ type: 'extend', holdId: 'h1', extendId: 'e1' })).toEqual(first);
    expect(first.extends).toBe(1);
  });

  test.each<[string, Command[], string]>([
    ['not_found', [], 'not_found'],
    ['released', [hold('h', 'A-1'), { type: 'release', holdId: 'h' }], 'not_active'],
    ['booked', [hold('h', 'A-1'), book('h', 'r')], 'not_active'],
  ])('cannot be extended when %s', (_name, before, reason) => {
    const event = house();
    for (const command of before) event.ok(command);
    expect(event.refused({ type: 'extend', holdId: 'h', extendId: 'e' })).toMatchObject({
      code: 'cannot_extend',
      reason,
    });
  });

  test('cannot be extended once expired; an ended hold is readable for 24 hours', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: MINUTE });
    event.pass(MINUTE);
    expect(event.refused({ type: 'extend', holdId: 'h1', extendId: 'e' })).toMatchObject({ reason: 'expired' });
    event.pass(endedHoldKeepMs - 1);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).items).toHaveLength(1);
    event.pass(1);
    expect(event.refused({ type: 'inspect-hold', holdId: 'h1' }).code).toBe('hold_not_found');
  });
});

describe('releasing', () => {
  test('frees a part, then the rest; again frees nothing', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    expect(event.ok({ type: 'release', holdId: 'h1', labels: ['A-1'] }).released).toEqual(['A-1']);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({
      status: 'active',
      items: [{ label: 'A-2' }],
    });
    expect(event.ok({ type: 'release', holdId: 'h1' }).released).toEqual(['A-2']);
    expect(event.ok({ type: 'release', holdId: 'h1' }).released).toEqual([]);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).status).toBe('released');
  });

  test('never frees a seat of another hold', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok(hold('h2', 'A-2'));
    expect(event.ok({ type: 'release', holdId: 'h1', labels: ['A-1', 'A-2'] }).released).toEqual(['A-1']);
    expect(event.counts().held).toBe(1);
  });
});

describe('booking', () => {
  test('books a hold once; a replay books nothing', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    expect(event.ok(book('h1', 'order-1')).booked).toEqual(['A-1', 'A-2']);
    expect(event.ok(book('h1', 'order-1')).booked).toEqual([]);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({ status: 'booked', bookingRef: 'order-1' });
    expect(event.counts()).toMatchObject({ booked: 2, held: 0 });
  });

  test('books part of a hold and leaves the rest held', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    expect(event.ok(book('h1', 'order-1', ['A-2'])).booked).toEqual(['A-2']);
    expect(event.counts()).toMatchObject({ booked: 1, held: 1 });
    expect(event.ok(book('h1', 'order-1')).booked).toEqual(['A-1']);
  });

  test('lets one reference book more seats with another hold', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok(book('h1', 'order-1'));
    event.ok(hold('h2', 'A-2'));
    expect(event.ok(book('h2', 'order-1')).booked).toEqual(['A-2']);
  });

  test('refuses an expired hold, and one booked under another reference', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: MINUTE });
    event.ok(hold('h2', 'A-2'));
    event.ok(book('h2', 'order-2'));
    event.pass(MINUTE);
    expect(event.refused(book('h1', 'order-1'))).toMatchObject({
      code: 'conflict',
      reason: 'hold_expired',
      details: { conflicts: [{ label: 'A-1', status: 'free' }] },
    });
    expect(event.refused(book('h2', 'order-1')).details?.conflicts).toEqual([{ label: 'A-2', status: 'booked' }]);
    expect(event.refused(book('nobody', 'order-1')).code).toBe('hold_not_found');
  });

  test('books labels directly, all or none, and replays', () => {
    const event = house();
    event.ok(hold('h1', 'A-3'));
    const direct = (...labels: string[]): Command => ({
      type: 'book-direct',
      bookingRef: 'order-1',
      selections: labels.map((label) => ({ label })),
    });
    expect(event.ok(direct('A-1', 'A-2'))).toEqual({ booked: ['A-1', 'A-2'] });
    expect(event.ok(direct('A-1', 'A-2'))).toEqual({ booked: [] });
    expect(event.refused(direct('A-2', 'A-3')).details?.conflicts).toEqual([{ label: 'A-3', status: 'held' }]);
    expect(event.ok(direct('A-2', 'A-4'))).toEqual({ booked: ['A-4'] });
  });

  test('is undone in part and whole by its reference only', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    event.ok(book('h1', 'order-1'));
    event.ok(hold('h2', 'A-3'));
    event.ok(book('h2', 'order-2'));
    expect(event.refused({ type: 'unbook', bookingRef: 'order-1', labels: ['A-3'] }).reason).toBe(
      'not_owned_by_booking_ref',
    );
    expect(event.ok({ type: 'unbook', bookingRef: 'order-1', labels: ['A-1'] }).unbooked).toEqual(['A-1']);
    expect(event.ok({ type: 'unbook', bookingRef: 'order-1' }).unbooked).toEqual(['A-2']);
    expect(event.ok({ type: 'unbook', bookingRef: 'order-1' }).unbooked).toEqual([]);
    expect(event.refused({ type: 'unbook', bookingRef: 'nobody' }).code).toBe('booking_not_found');
    expect(event.counts()).toMatchObject({ booked: 1 });
  });

  test('is undone only on events that a platform owns', () => {
    const event = house('managed');
    event.ok(hold('h1', 'A-1'));
    event.ok(book('h1', 'order-1'));
    expect(event.refused({ type: 'unbook', bookingRef: 'order-1' }).code).toBe('not_platform_owned');
  });
});

describe('blocking', () => {
  test('takes free seats off sale until they are freed or their time comes', () => {
    const event = house();
    event.ok({ type: 'block', labels: ['A-1', 'A-2'], releaseAt: START + MINUTE, reason: 'camera' });
    event.ok({ type: 'block', labels: ['A-2'], releaseAt: null, reason: null });
    event.pass(MINUTE);
    expect(event.counts().blocked).toBe(1);
    expect(event.ok({ type: 'unblock', labels: null }).unblocked).toEqual(['A-2']);
  });

  test('refuses held and booked seats and a moment that has passed', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    expect(event.refused({ type: 'block', labels: ['A-1'], releaseAt: null, reason: null }).code).toBe('conflict');
    expect(event.refused({ type: 'block', labels: ['A-2'], releaseAt: START, reason: null }).code).toBe(
      'invalid_request',
    );
  });
});

test('the report adds up by status, category and section', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'C-1'));
  event.ok(book('h1', 'order-1'));
  event.ok(hold('h2', 'T1'));
  event.ok(book('h2', 'order-2'));
  event.ok({ type: 'block', labels: ['B-1'], releaseAt: null, reason: null });
  const report = event.ok({ type: 'report' });
  expect(report.byStatus).toEqual({ free: smallPlan.unitCount - 5, held: 0, booked: 3, not_for_sale: 2 });
  expect(report.byCategory.find(({ category }) => category === 'stalls')?.bookedValue).toBe(40 + 4 * 40);
  expect(report.bySection.map(({ total }) => total)).toEqual([smallPlan.unitCount]);
});

test('a snapshot gives back the state it was taken of', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'A-2'));
  event.ok(book('h1', 'order-1', ['A-1']));
  event.ok({ type: 'block', labels: ['B-1'], releaseAt: START + MINUTE, reason: null });
  const snapshot = toSnapshot(event.state);
  const copy = fromSnapshot(structuredClone(snapshot), smallPlan);
  expect(toSnapshot(copy)).toEqual(snapshot);
  expect(copy.slotOf).toEqual(event.state.slotOf);
  expect(copy.counts).toEqual(event.state.counts);
  expect(applyDue(copy, START + MINUTE)).toHaveLength(1);
});
