/** The rules of one event, case by case: its life, its settings, and repeated calls. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { EventMove, EventStatus } from '@parterre/shared/protocol/records';
import { describe, expect, test } from 'vitest';
import { decide } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import { book, callId, hold, house, MINUTE, smallPlan } from '../../../support/inventory/house.ts';

const move = (step: EventMove): Command & { type: 'move' } => ({ type: 'move', callId: callId(), move: step });
const block = (...labels: string[]): Command & { type: 'block' } => ({
  type: 'block',
  callId: callId(),
  labels,
  releaseAt: null,
  reason: null,
});
const unblock = (labels: string[] | null): Command & { type: 'unblock' } => ({
  type: 'unblock',
  callId: callId(),
  labels,
});

const ways: Record<EventStatus, EventMove[]> = {
  active: [],
  closed: ['close'],
  archived: ['archive'],
  deleted: ['delete'],
};

function houseThat(is: EventStatus): ReturnType<typeof house> {
  const event = house();
  event.ok(hold('h1', 'A-1'));
  for (const step of ways[is]) event.ok(move(step));
  return event;
}

describe('moves', () => {
  test.each([
    ['active', 'close', { status: 'closed', salesPaused: false }],
    ['closed', 'reopen', { status: 'active', salesPaused: false }],
    ['active', 'archive', { status: 'archived', salesPaused: false }],
    ['closed', 'archive', { status: 'archived', salesPaused: false }],
    ['archived', 'unarchive', { status: 'active', salesPaused: true }],
    ['active', 'delete', { status: 'deleted', salesPaused: false }],
    ['closed', 'delete', { status: 'deleted', salesPaused: false }],
    ['archived', 'delete', { status: 'deleted', salesPaused: false }],
  ] as const)('an event that is %s can %s', (from, step, expected) => {
    const event = houseThat(from);
    const answer = event.ok(move(step));
    expect(answer).toMatchObject({ ...expected, counts: { held: 1 }, at: event.now() });
    expect(event.ok({ type: 'count' })).toMatchObject(expected);
  });

  test.each([
    ['active', 'reopen'],
    ['active', 'unarchive'],
    ['closed', 'close'],
    ['closed', 'unarchive'],
    ['archived', 'close'],
    ['archived', 'reopen'],
    ['archived', 'archive'],
    ['deleted', 'reopen'],
    ['deleted', 'unarchive'],
    ['deleted', 'delete'],
  ] as const)('an event that is %s cannot %s', (from, step) => {
    expect(houseThat(from).refused(move(step))).toMatchObject({
      code: 'invalid_event_state',
      details: { status: from },
    });
  });

  test('an unarchived event sells again after it is reopened', () => {
    const event = houseThat('archived');
    event.ok(move('unarchive'));
    expect(event.refused(hold('h2', 'A-2')).code).toBe('event_closed');
    event.ok(move('reopen'));
    event.ok(hold('h2', 'A-2'));
    expect(event.ok({ type: 'count' })).toMatchObject({ status: 'active', salesPaused: false, counts: { held: 2 } });
  });

  test.each(['archived', 'deleted'] as const)('an event that is %s refuses what would change it', (status) => {
    const event = houseThat(status);
    const refused: Command[] = [
      hold('h2', 'A-2'),
      book('h1', 'r1'),
      { type: 'book-direct', callId: callId(), bookingRef: 'r2', selections: [{ label: 'A-3' }] },
      { type: 'extend', callId: callId(), holdId: 'h1', ttlMs: 20 * MINUTE },
      { type: 'release', callId: callId(), holdId: 'h1' },
      block('A-2'),
      unblock(null),
      { type: 'set-hold-ttl', callId: callId(), holdTtlMs: null },
      { type: 'configure', callId: callId(), currency: 'EUR' },
      { type: 'configure', callId: callId(), sectionStates: {} },
    ];
    for (const command of refused) {
      expect(event.refused(command)).toMatchObject({ code: 'invalid_event_state', details: { status } });
    }
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).status).toBe('active');
    expect(event.ok({ type: 'report' }).byStatus.held).toBe(1);
  });

  test('a buyer learns only that an archived event does not sell', () => {
    const { state, now } = houseThat('archived');
    const buyer: Caller = { source: 'buyer', actor: null, accessSource: 'public' };
    expect(decide(state, hold('h2', 'A-2'), buyer, now())).toMatchObject({ refusal: { code: 'event_closed' } });
    expect(
      decide(state, { type: 'extend', callId: callId(), holdId: 'h1', ttlMs: 20 * MINUTE }, buyer, now()),
    ).toMatchObject({
      refusal: { code: 'event_closed' },
    });
  });

  test('the holds of an archived event end by themselves', () => {
    const event = houseThat('archived');
    event.pass(60 * MINUTE);
    expect(event.counts()).toMatchObject({ held: 0 });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' }).status).toBe('expired');
  });

  test('a repeated hold from before the archive gets its first answer', () => {
    const event = house();
    const first = event.ok(hold('h1', 'A-1'));
    event.ok(move('archive'));
    expect(event.ok(hold('h1', 'A-1'))).toEqual(first);
  });
});

describe('a repeated call to the event', () => {
  test('gets its first answer and has no second effect, whatever happened in between', () => {
    const event = house();
    const closing = move('close');
    const closed = event.ok(closing);
    event.ok(move('reopen'));
    const blocking = block('A-1', 'A-2');
    const blocked = event.ok(blocking);
    const freeing = unblock(['A-1']);
    const freed = event.ok(freeing);
    event.ok(unblock(null));
    const nothing = unblock(null);
    expect(event.ok(nothing).unblocked).toEqual([]);
    event.ok(block('A-3'));
    const records = event.journal.length;
    expect(event.ok(closing)).toEqual(closed);
    expect(event.ok(blocking)).toEqual(blocked);
    expect(event.ok(freeing)).toEqual(freed);
    expect(event.ok(nothing)).toEqual({ unblocked: [] });
    expect(event.journal).toHaveLength(records);
    expect(event.ok({ type: 'count' })).toMatchObject({ status: 'active', counts: { blocked: 1 } });
  });

  test('is forgotten after a thousand other calls', () => {
    const event = house();
    const first = block('A-1');
    event.ok(first);
    event.ok(unblock(null));
    for (let i = 0; i < 1_100; i++) event.ok({ type: 'set-hold-ttl', callId: callId(), holdTtlMs: null });
    event.ok(first);
    expect(event.counts().blocked).toBe(1);
    expect(event.state.callUnits).toBe(1);
  });
});

describe('settings', () => {
  test('the currency changes while nothing is held or booked', () => {
    const event = house();
    const configure = (currency: string): Command => ({ type: 'configure', callId: callId(), currency });
    event.ok(block('A-1'));
    expect(event.ok(configure('USD'))).toMatchObject({ currency: 'USD' });
    expect(event.ok({ ...hold('h1', 'A-2'), ttlMs: MINUTE }).currency).toBe('USD');
    expect(event.refused(configure('EUR'))).toMatchObject({ code: 'conflict', reason: 'event_has_sales' });
    event.ok(configure('USD'));
    event.pass(MINUTE);
    event.ok(configure('EUR'));
  });

  test('the currency stays after any booking, even a fully cancelled one', () => {
    const event = house();
    const configure = (currency: string): Command => ({ type: 'configure', callId: callId(), currency });
    event.ok({ type: 'book-direct', callId: callId(), bookingRef: 'order-1', selections: [{ label: 'A-1' }] });
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' });
    expect(event.counts()).toMatchObject({ held: 0, booked: 0 });
    expect(event.refused(configure('USD'))).toMatchObject({ code: 'conflict', reason: 'event_has_sales' });
    expect(event.ok(configure('EUR'))).toMatchObject({ currency: 'EUR' });
  });

  test('currency and section states are set together, or neither', () => {
    const event = house();
    const closed = { __ungrouped__: 'closed' } as const;
    const both = (currency: string, sectionStates: Record<string, 'closed'>): Command => ({
      type: 'configure',
      callId: callId(),
      currency,
      sectionStates,
    });
    const unset = { currency: 'EUR', sectionStates: {} };
    const set = () => ({ currency: event.state.config.currency, sectionStates: event.state.sectionStates });
    expect(event.refused(both('USD', { nowhere: 'closed' })).code).toBe('invalid_request');
    expect(set()).toEqual(unset);
    event.ok({ ...hold('h1', 'A-1'), ttlMs: MINUTE });
    expect(event.refused(both('USD', closed)).reason).toBe('event_has_sales');
    expect(set()).toEqual(unset);
    event.pass(MINUTE);
    const command = both('USD', closed);
    const first = event.ok(command);
    expect(first).toEqual({ currency: 'USD', sectionStates: closed, at: event.now() });
    expect(event.ok(command)).toEqual(first);
    expect(set()).toEqual({ currency: 'USD', sectionStates: closed });
  });

  test('section states are replaced as a whole, and name sections and zones of the chart', () => {
    const event = house();
    const set = (sectionStates: Record<string, 'open' | 'closed' | 'hidden'>): Command => ({
      type: 'configure',
      callId: callId(),
      sectionStates,
    });
    event.ok(set({ __ungrouped__: 'closed' }));
    expect(event.ok({ type: 'count' }).sectionStates).toEqual({ __ungrouped__: 'closed' });
    expect(event.refused(set({ __ungrouped__: 'open', nowhere: 'hidden' }))).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'sectionStates.nowhere' }] },
    });
    event.ok(set({}));
    expect(event.ok({ type: 'count' }).sectionStates).toEqual({});
  });

  test('count tells the state of the event and the chart that it sells from', () => {
    expect(house().ok({ type: 'count' })).toMatchObject({
      counts: { free: smallPlan.unitCount, held: 0, booked: 0, blocked: 0 },
      holdTtlMs: null,
      status: 'active',
      salesPaused: false,
      sectionStates: {},
      planHash: 'small-plan',
      chartVersion: null,
      version: 0,
    });
  });
});
