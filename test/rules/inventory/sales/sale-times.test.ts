/** The settings of an event's sale, and the times between which buyers hold places. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { SaleSettings } from '@parterre/shared/protocol/records';
import { describe, expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { archive, assign, change, create, turn } from '../../../support/inventory/channels.ts';
import {
  book,
  buyer,
  callId,
  hold,
  house,
  MINUTE,
  START,
  server,
  smallPlan,
} from '../../../support/inventory/house.ts';

const set = (saleSettings: Partial<SaleSettings>): Command & { type: 'configure' } => ({
  type: 'configure',
  callId: callId(),
  saleSettings,
});

describe('the settings of a sale', () => {
  const all = { salesStartAt: 5_000, salesEndAt: 9_000, companionsUntil: 7_000, buyerLimit: { perBuyer: 4 } };

  test('are answered, counted, repeated and stored whole; an absent one stays, and null removes it', () => {
    const event = house();
    const both = { ...set(all), publicSale: { maxPerHold: 8 } };
    const answer = event.ok(both);
    expect(answer).toMatchObject({ saleSettings: all, publicSale: { maxPerHold: 8 } });
    expect(event.ok(both)).toEqual(answer);
    event.ok(set({ buyerLimit: null, companionsUntil: 8_000 }));
    const left = { salesStartAt: 5_000, salesEndAt: 9_000, companionsUntil: 8_000 };
    expect(event.ok({ type: 'count' }).saleSettings).toEqual(left);
    const restored = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
    expect(restored?.config).toMatchObject(left);
    event.ok(set({ salesStartAt: null, salesEndAt: null, companionsUntil: null }));
    expect(event.ok({ type: 'count' })).not.toHaveProperty('saleSettings');
    expect(event.journal.map(({ type }) => type)).toEqual([
      'public-sale-set',
      'sale-settings-set',
      'sale-settings-set',
      'sale-settings-set',
    ]);
  });

  test.each<[string, Partial<SaleSettings>, Partial<SaleSettings>, string | null]>([
    ['an end at the start', {}, { salesStartAt: 5, salesEndAt: 5 }, 'salesEndAt'],
    ['an end before the start that stands', { salesStartAt: 5 }, { salesEndAt: 4 }, 'salesEndAt'],
    ['a start behind the end that stands', { salesEndAt: 5 }, { salesStartAt: 6 }, 'salesStartAt'],
    ['a start behind an end that goes', { salesEndAt: 5 }, { salesStartAt: 6, salesEndAt: null }, null],
    ['an end alone', {}, { salesEndAt: 1 }, null],
  ])('%s', (_, before, change, path) => {
    const event = house();
    event.ok(set(before));
    if (path === null) return void event.ok(set(change));
    expect(event.refused(set(change))).toMatchObject({ code: 'invalid_request', details: { issues: [{ path }] } });
  });
});

const BEGIN = START + 5_000;
const END = BEGIN + 10 * MINUTE;
const operator: Caller = { source: 'operator', actor: 'usr_1', accessSource: 'public' };
const moveTo = (event: ReturnType<typeof house>, at: number) => event.pass(at - event.now());
const session = (...channelIds: string[]): Caller => ({ ...buyer, reach: { channelIds, includePublic: false } });
const both = (...channelIds: string[]): Caller => ({ ...buyer, reach: { channelIds, includePublic: true } });

/** A house of which the channel "early" begins before the public, "late" after it, and "plain" with it. */
function withTimes() {
  const event = house();
  event.ok(set({ salesStartAt: BEGIN, salesEndAt: END }));
  event.ok(create('early', { salesStartAt: BEGIN - 1_000 }));
  event.ok(create('late', { salesStartAt: BEGIN + 1_000 }));
  event.ok(create('plain'));
  event.ok(assign('early', 0, 'A-1', 'A-2'));
  event.ok(assign('late', 1, 'A-3', 'A-4'));
  event.ok(assign('plain', 2, 'A-5'));
  return event;
}

describe('the times of a sale', () => {
  test.each<[string, Caller, string, number]>([
    ['a visitor', buyer, 'B-1', BEGIN],
    ['a session of a channel without a time', session('plain'), 'A-5', BEGIN],
    ['a session of the early channel', session('early'), 'A-1', BEGIN - 1_000],
    ['a session of the late channel', session('late'), 'A-3', BEGIN + 1_000],
    ['a session of both channels, in the early one', session('late', 'early'), 'A-1', BEGIN - 1_000],
    ['a session of both channels, in the late one', session('late', 'early'), 'A-3', BEGIN + 1_000],
    ['a session of the early channel, on public sale', both('early'), 'B-1', BEGIN - 1_000],
    ['a session of the late channel, on public sale', both('late'), 'B-1', BEGIN],
  ])('%s holds from the moment on, and not before', (_, caller, label, opensAt) => {
    const event = withTimes();
    moveTo(event, opensAt - 1);
    expect(event.refused(hold('h1', label), caller)).toMatchObject({ code: 'sales_not_started', details: { opensAt } });
    moveTo(event, opensAt);
    event.ok(hold('h1', label), caller);
  });

  test('the best seats are refused alike, before the start and after the end', () => {
    const event = withTimes();
    const best = { type: 'hold-best', holdId: 'h1', query: { qty: 2 } } as const;
    expect(event.refused(best, buyer).code).toBe('sales_not_started');
    moveTo(event, END);
    expect(event.refused(best, buyer).code).toBe('sales_ended');
  });

  test('keys and counters hold and book at any time', () => {
    for (const now of [BEGIN - 2_000, END + 1]) {
      const event = withTimes();
      moveTo(event, now);
      event.ok(hold('h1', 'B-1'), server);
      event.ok(hold('h2', 'B-2'), operator);
    }
  });

  test('after the end a live hold is extended, resumed, released and booked; a repetition has its first answer', () => {
    const event = withTimes();
    moveTo(event, END - 1);
    const first = event.ok(hold('h1', 'B-1', 'B-2'), buyer);
    moveTo(event, END);
    expect(event.refused(hold('h2', 'B-3'), buyer).code).toBe('sales_ended');
    expect(event.refused({ ...hold('h2', 'B-1'), replaceHoldId: 'h1' }, buyer).code).toBe('sales_ended');
    expect(event.ok(hold('h1', 'B-1', 'B-2'), buyer)).toEqual(first);
    event.ok({ type: 'extend', holdId: 'h1', callId: callId() }, buyer);
    event.ok({ type: 'release', holdId: 'h1', callId: callId(), labels: ['B-1'] }, buyer);
    event.ok({ type: 'inspect-hold', holdId: 'h1' }, buyer);
    event.ok(book('h1', 'o-1'), server);
  });

  test('a later start closes the sale again, and no start opens it', () => {
    const event = withTimes();
    moveTo(event, BEGIN);
    event.ok(hold('h1', 'B-1'), buyer);
    event.ok(set({ salesStartAt: BEGIN + 500 }));
    expect(event.refused(hold('h2', 'B-2'), buyer)).toMatchObject({ details: { opensAt: BEGIN + 500 } });
    event.ok(set({ salesStartAt: null }));
    event.ok(hold('h2', 'B-2'), buyer);
    // The channel's own time stands.
    expect(event.refused(hold('h3', 'A-3'), session('late')).code).toBe('sales_not_started');
    event.ok(change('late', { salesStartAt: null }));
    event.ok(hold('h3', 'A-3'), session('late'));
  });

  test('a paused or archived channel opens nothing early', () => {
    const event = withTimes();
    moveTo(event, BEGIN - 1);
    event.ok(turn('early', 'paused'));
    expect(event.refused(hold('h1', 'B-1'), both('early')).code).toBe('sales_not_started');
    event.ok(archive('early', null));
    expect(event.refused(hold('h1', 'B-1'), both('early')).code).toBe('sales_not_started');
  });

  test('a channel begins before the end of the sale', () => {
    const event = withTimes();
    const issues = (path: string) => ({ code: 'invalid_request', details: { issues: [{ path }] } });
    expect(event.refused(create('x', { salesStartAt: END }))).toMatchObject(issues('salesStartAt'));
    expect(event.refused(change('plain', { salesStartAt: END }))).toMatchObject(issues('salesStartAt'));
    expect(event.refused(set({ salesStartAt: null, salesEndAt: BEGIN + 1_000 }))).toMatchObject(issues('salesEndAt'));
  });
});
