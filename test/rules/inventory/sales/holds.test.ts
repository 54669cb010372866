/** The rules of one event, case by case: holds. Each case plays commands in order and checks the outcome. */
import type { Command } from '@parterre/shared/protocol/commands';
import { endedHoldKeepMs } from '@parterre/shared/protocol/limits';
import { holdTtlMsDefault, holdTtlMsMax } from '@parterre/shared/protocol/page-limits';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { describe, expect, test } from 'vitest';
import { staleDeadlinesMin } from '../../../../services/inventory-shard/src/rules/state/bounds.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { book, buyer, callId, hold, house, MINUTE, START, smallPlan } from '../../../support/inventory/house.ts';

test('deadlines of holds that ended early are removed before their time', () => {
  const event = house();
  for (let i = 0; i < 10 * staleDeadlinesMin; i++) {
    event.ok(hold(`h${i}`, 'A-1'));
    event.ok({ type: 'release', callId: callId(), holdId: `h${i}` });
  }
  event.ok(hold('last', 'A-1'));
  expect(event.state.deadlines.size).toBeLessThanOrEqual(2 + staleDeadlinesMin);
  event.pass(holdTtlMsDefault);
  expect(event.counts().held).toBe(0);
});

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

  test('takes all or none, and names every label in the way', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok({ type: 'block', callId: callId(), labels: ['A-3'], releaseAt: null, reason: null });
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
    ['more places than the area has', { ...hold('h'), selections: [{ label: 'Standing', quantity: 11 }] }, 'conflict'],
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

  test('takes a place once if the call names the place and its area', () => {
    const event = house();
    const selections = [{ label: 'Standing', quantity: 2 }, { label: '__sl_ga__ga__1' }];
    expect(event.ok({ ...hold('h1'), selections }).labels).toEqual([
      '__sl_ga__ga__2',
      '__sl_ga__ga__3',
      '__sl_ga__ga__1',
    ]);
  });

  test('tells the number of GA places left when they are too few', () => {
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

  test('replaces another hold in one step and keeps the seats that both name', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    event.ok({ ...hold('h2', 'A-2', 'A-3'), replaceHoldId: 'h1' });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).status).toBe('released');
    expect(event.journal.at(-2)).toMatchObject({ type: 'released', units: [0, 1], kept: [1] });
    expect(event.counts()).toMatchObject({ held: 2 });
    expect(event.ok(hold('h3', 'A-1')).labels).toEqual(['A-1']);
  });

  test('that replaces a hold of other seats keeps none of them', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    event.ok({ ...hold('h2', 'A-3'), replaceHoldId: 'h1' });
    expect(event.journal.at(-2)).not.toHaveProperty('kept');
  });

  test('leaves the replaced hold alone when the new one is refused', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok(hold('other', 'A-3'));
    event.refused({ ...hold('h2', 'A-2', 'A-3'), replaceHoldId: 'h1' });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).status).toBe('active');
  });

  test('is refused while sales are closed; booking held seats is not', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok({ type: 'move', callId: callId(), move: 'close' });
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
    event.ok({ type: 'set-hold-ttl', callId: callId(), holdTtlMs });
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

  test('are extended at most three times, and never beyond an hour from the start', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: 20 * MINUTE });
    for (const [n, expected] of [
      [1, 35],
      [2, 50],
      [3, 60],
    ] as const) {
      event.pass(15 * MINUTE);
      const answer = event.ok({ type: 'extend', holdId: 'h1', callId: `e${n}`, ttlMs: 20 * MINUTE });
      expect([answer.extends, answer.expiresAt - START]).toEqual([n, expected * MINUTE]);
    }
    expect(event.refused({ type: 'extend', holdId: 'h1', callId: 'e4' })).toMatchObject({ reason: 'extend_limit' });
  });

  test('carry on the first creation and the renewals of the holds that they replace', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: 20 * MINUTE });
    event.pass(15 * MINUTE);
    event.ok({ type: 'extend', holdId: 'h1', callId: 'e1', ttlMs: 20 * MINUTE });
    event.pass(15 * MINUTE);
    const second = event.ok({ ...hold('h2', 'A-1', 'A-2'), replaceHoldId: 'h1', ttlMs: 20 * MINUTE }, buyer);
    expect(second.expiresAt - START).toBe(50 * MINUTE);
    expect(event.journal.at(-1)).toMatchObject({ type: 'held', createdAt: START, extends: 1 });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h2' }).extends).toBe(1);
    event.pass(15 * MINUTE);
    const third = event.ok({ ...hold('h3', 'A-2'), replaceHoldId: 'h2', ttlMs: 6 * MINUTE });
    expect(third.expiresAt - START).toBe(51 * MINUTE);
    const extended = event.ok({ type: 'extend', holdId: 'h3', callId: 'e2', ttlMs: 8 * MINUTE });
    expect([extended.extends, extended.expiresAt - START]).toEqual([2, 53 * MINUTE]);
    event.ok({ type: 'extend', holdId: 'h3', callId: 'e3', ttlMs: 60 * MINUTE });
    expect(event.ok({ ...hold('h4', 'A-2'), replaceHoldId: 'h3' }).expiresAt - START).toBe(60 * MINUTE);
    expect(event.refused({ type: 'extend', holdId: 'h4', callId: 'e4' })).toMatchObject({ reason: 'extend_limit' });
    event.pass(15 * MINUTE);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h4' }).status).toBe('expired');
    expect(event.counts().held).toBe(0);
  });

  test('of the best seats count as the first of a chain too', () => {
    const event = house();
    event.ok({ type: 'hold-best', holdId: 'h1', query: { qty: 2 }, ttlMs: 60 * MINUTE });
    event.pass(50 * MINUTE);
    const second = event.ok({ ...hold('h2', 'A-1'), replaceHoldId: 'h1', ttlMs: 60 * MINUTE }, buyer);
    expect(second.expiresAt - START).toBe(60 * MINUTE);
  });

  test('that replace an ended hold are holds of their own', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: MINUTE });
    event.pass(MINUTE);
    const second = event.ok({ ...hold('h2', 'A-1'), replaceHoldId: 'h1', ttlMs: 60 * MINUTE });
    expect(second.expiresAt - START).toBe(61 * MINUTE);
    expect(event.journal.at(-1)).not.toHaveProperty('createdAt');
  });

  test('keep the first creation over a snapshot, and an old journal has none', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.pass(MINUTE);
    event.ok({ ...hold('h2', 'A-1'), replaceHoldId: 'h1', ttlMs: 5 * MINUTE });
    const kept = fromSnapshot(toSnapshot(capture(event.state)), smallPlan);
    expect(kept.holds.get('h2')).toMatchObject({ createdAt: START, extends: 0 });
    const { createdAt: _, ...old } = event.journal.at(-1) as JournalRecord & { type: 'held' };
    apply(kept, { ...old, holdId: 'old', lines: [{ unit: 3, price: 1 }] }, START + 2 * MINUTE);
    expect(kept.holds.get('old')).toMatchObject({ createdAt: START + 2 * MINUTE, extends: 0 });
  });

  test('use no renewal, and write nothing, for a call that would not lengthen them', () => {
    const event = house();
    const { expiresAt } = event.ok({ ...hold('h1', 'A-1'), ttlMs: 60 * MINUTE });
    const { length } = event.journal;
    // Shorter than the hold, as long as the hold, and beyond its hour.
    for (const [n, ttlMs] of [MINUTE, undefined, 59 * MINUTE, 90 * MINUTE, MINUTE].entries()) {
      const call = { type: 'extend', holdId: 'h1', callId: `e${n}` } as const;
      expect(event.ok(ttlMs === undefined ? call : { ...call, ttlMs })).toMatchObject({ expiresAt, extends: 0 });
    }
    expect(event.journal).toHaveLength(length);
  });

  test('are extended once by one renewal, however often it is repeated', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.pass(MINUTE);
    const first = event.ok({ type: 'extend', holdId: 'h1', callId: 'e1' });
    expect(event.ok({ type: 'extend', holdId: 'h1', callId: 'e1' })).toEqual(first);
    expect(first.extends).toBe(1);
    event.pass(first.expiresAt - event.now());
    expect(event.ok({ type: 'extend', holdId: 'h1', callId: 'e1' })).toEqual(first);
  });

  test.each<[string, Command[], string]>([
    ['not_found', [], 'not_found'],
    ['released', [hold('h', 'A-1'), { type: 'release', callId: callId(), holdId: 'h' }], 'not_active'],
    ['booked', [hold('h', 'A-1'), book('h', 'r')], 'not_active'],
  ])('cannot be extended when %s', (_name, before, reason) => {
    const event = house();
    for (const command of before) event.ok(command);
    expect(event.refused({ type: 'extend', holdId: 'h', callId: 'e' })).toMatchObject({
      code: 'cannot_extend',
      reason,
    });
  });

  test('cannot be extended once expired; an ended hold is readable for 24 hours', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: MINUTE });
    event.pass(MINUTE);
    expect(event.refused({ type: 'extend', holdId: 'h1', callId: 'e' })).toMatchObject({ reason: 'expired' });
    event.pass(endedHoldKeepMs - 1);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).items).toHaveLength(1);
    event.pass(1);
    expect(event.refused({ type: 'inspect-hold', holdId: 'h1' }).code).toBe('hold_not_found');
  });
});

describe('releasing', () => {
  test('releases a part, then the rest; a repetition releases nothing', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    expect(event.ok({ type: 'release', callId: callId(), holdId: 'h1', labels: ['A-1'] }).released).toEqual(['A-1']);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({
      status: 'active',
      items: [{ label: 'A-2' }],
    });
    expect(event.ok({ type: 'release', callId: callId(), holdId: 'h1' }).released).toEqual(['A-2']);
    expect(event.ok({ type: 'release', callId: callId(), holdId: 'h1' }).released).toEqual([]);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).status).toBe('released');
  });

  test('gives a call whose answer was lost its first answer', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    const release = { type: 'release', callId: callId(), holdId: 'h1', labels: ['A-1'] } as const;
    expect(event.ok({ ...release, labels: ['A-1'] }).released).toEqual(['A-1']);
    event.ok(hold('h2', 'A-1'));
    expect(event.ok({ ...release, labels: ['A-1'] }).released).toEqual(['A-1']);
    expect(event.counts().held).toBe(2);
  });

  test('never releases a seat of another hold', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok(hold('h2', 'A-2'));
    expect(event.ok({ type: 'release', callId: callId(), holdId: 'h1', labels: ['A-1', 'A-2'] }).released).toEqual([
      'A-1',
    ]);
    expect(event.counts().held).toBe(1);
  });
});
