/**
 * Exchanges, case by case: each state of both sides, quantities, holds, the choice of the event, repetitions, money.
 */
import type { Command, ExchangeTarget } from '@parterre/shared/protocol/commands';
import { unitStatus } from '@parterre/shared/protocol/records';
import { describe, expect, test } from 'vitest';
import { feedChangeOf } from '../../../../services/inventory-shard/src/rules/turn/changes.ts';
import { capture, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { block, book, callId, direct, hold, house, list } from '../../../support/inventory/house.ts';

type Exchange = Command & { type: 'exchange' };
type House = ReturnType<typeof house>;

const exchange = (bookingRef: string, from: string[], to: string[] | ExchangeTarget): Exchange => ({
  type: 'exchange',
  callId: callId(),
  exchangeId: 'exc_1',
  bookingRef,
  reason: null,
  from: from.map((label) => ({ label })),
  to: Array.isArray(to) ? { selections: to.map((label) => ({ label })) } : to,
});
const unbook = (bookingRef: string, ...labels: string[]): Command => {
  return { type: 'unbook', callId: callId(), bookingRef, ...(labels.length > 0 && { labels }) };
};

const has = (event: House, ref: string): string[] => {
  const { plan, slotOf, bookings } = event.state;
  return [...slotOf.entries()].flatMap(([unit, slot]) =>
    slot === bookings.get(ref)!.slot ? [plan.labels.at(unit)] : [],
  );
};

describe('each state of a unit on both sides', () => {
  /** Row A has a unit of each state to give up, row B a unit of each state to take. */
  function everyState(): House {
    const event = house();
    event.ok(direct('mine', 'A-2', 'A-3', 'A-8', 'B-8'));
    event.ok(direct('other', 'A-4', 'B-4', 'B-5'));
    event.ok(hold('h1', 'A-5', 'B-6'));
    event.ok(block('A-6', 'B-7'));
    event.ok(list('l1', 'mine', 'A-3'));
    event.ok(direct('seller', 'A-7'));
    event.ok(list('l2', 'other', 'B-5'));
    return event;
  }

  const from: [state: string, label: string, status: string | null][] = [
    ['booked under the reference', 'A-2', null],
    ['offered for resale by the reference', 'A-3', null],
    ['free', 'A-1', 'free'],
    ['booked by another', 'A-4', 'booked'],
    ['held', 'A-5', 'held'],
    ['blocked', 'A-6', 'blocked'],
  ];
  const to: [state: string, label: string, status: string | null][] = [
    ['free', 'B-1', null],
    ['held', 'B-6', 'held'],
    ['booked by another', 'B-4', 'booked'],
    ['booked under the reference', 'B-8', 'booked'],
    ['offered for resale', 'B-5', 'held'],
    ['blocked', 'B-7', 'blocked'],
  ];
  const cases = from.flatMap((given) => to.map((taken) => [given, taken] as const));

  test.each(cases)('from %o to %o', ([, gives, whyNotGiven], [, takes, whyNotTaken]) => {
    const event = everyState();
    const before = structuredClone(event.state.statuses);
    const records = event.journal.length;
    const command = exchange('mine', [gives], [takes]);
    if (whyNotGiven !== null || whyNotTaken !== null) {
      const [label, status] = whyNotGiven === null ? [takes, whyNotTaken] : [gives, whyNotGiven];
      expect(event.refused(command)).toMatchObject({ code: 'conflict', details: { conflicts: [{ label, status }] } });
      expect(event.state.statuses).toEqual(before);
      expect(event.journal).toHaveLength(records);
      return;
    }
    event.ok(command);
    expect(has(event, 'mine')).toEqual(['A-2', 'A-3', 'A-8', 'B-8', takes].filter((label) => label !== gives).sort());
    expect(event.counts().booked).toBe([...before].filter((status) => status === unitStatus.booked).length);
    const records_ = event.journal.slice(records).map(({ type }) => type);
    expect(records_).toEqual(gives === 'A-3' ? ['resale-removed', 'exchanged'] : ['exchanged']);
  });

  test('A refusal names every label in the way', () => {
    const event = everyState();
    expect(event.refused(exchange('mine', ['A-2', 'A-4', 'A-1'], ['B-1', 'B-2', 'B-3']))).toMatchObject({
      reason: 'not_owned_by_booking_ref',
      details: {
        conflicts: [
          { label: 'A-4', status: 'booked' },
          { label: 'A-1', status: 'free' },
        ],
      },
    });
    expect(event.refused(exchange('mine', ['A-2', 'A-8'], ['B-4', 'B-6'])).details).toEqual({
      conflicts: [
        { label: 'B-4', status: 'booked' },
        { label: 'B-6', status: 'held' },
      ],
    });
    expect(event.refused(exchange('mine', ['A-2', 'X-1', 'X-2'], ['B-1'])).details).toEqual({ labels: ['X-1', 'X-2'] });
    expect(event.refused(exchange('mine', ['A-2'], ['X-1'])).code).toBe('unknown_labels');
    expect(event.refused(exchange('nobody', ['A-2'], ['B-1'])).code).toBe('booking_not_found');
  });

  test('A unit on both sides, and sides of another size, are refused', () => {
    const event = everyState();
    const both = event.refused(exchange('mine', ['A-2', 'A-8'], ['A-8', 'A-2']));
    expect(both).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: 'to' }, { path: 'to' }] } });
    expect(event.refused(exchange('mine', ['A-2'], ['B-1', 'B-2'])).code).toBe('invalid_request');
    expect(event.refused(exchange('mine', ['A-2', 'A-8'], ['B-1'])).message).toContain('gives up 2 and to takes 1');
    expect(has(event, 'mine')).toEqual(['A-2', 'A-3', 'A-8', 'B-8']);
  });

  test('A listing in checkout stays with its booking', () => {
    const event = everyState();
    event.ok(hold('buyer', 'A-3'));
    expect(event.refused(exchange('mine', ['A-3'], ['B-1'])).reason).toBe('resale_in_checkout');
  });
});

describe('an exchange', () => {
  test('tells both sides and the difference, and stays as it was told', () => {
    const event = house();
    event.ok(direct('r1', 'A-1', 'A-2'));
    const command = exchange('r1', ['A-1', 'A-2'], {
      selections: [{ label: 'C-1' }, { label: 'C-2', tierId: 'child' }],
    });
    const first = event.ok(command);
    expect(first).toMatchObject({ exchangeId: 'exc_1', bookingRef: 'r1', from: ['A-1', 'A-2'], to: ['C-1', 'C-2'] });
    expect(first).toMatchObject({ priceDifference: 30 + 15 - 80, currency: 'EUR' });
    expect(first.items.map(({ tierId, unitPrice }) => [tierId, unitPrice])).toEqual([
      ['adult', 30],
      ['child', 15],
    ]);
    expect(event.state.bookedValue).toBe(45);
    event.ok(unbook('r1', 'C-2'));
    event.ok(exchange('r1', ['C-1'], ['A-1']));
    const records = event.journal.length;
    expect(event.ok(command)).toEqual(first);
    expect(event.journal).toHaveLength(records);
  });

  test('leaves earlier calls known: a late copy of the sale books nothing', () => {
    const event = house();
    const sale = direct('r1', 'A-1');
    event.ok(sale);
    event.ok(exchange('r1', ['A-1'], ['A-2']));
    expect(event.ok(sale)).toMatchObject({ booked: ['A-1'] });
    event.ok(unbook('r1', 'A-2'));
    expect(event.ok(sale)).toMatchObject({ booked: ['A-1'] });
    expect(event.counts().booked).toBe(0);
  });

  test('of a long list is answered again from the present booking', () => {
    const event = house();
    const row = (name: string): string[] => Array.from({ length: 8 }, (_, n) => `${name}${n + 1}`);
    event.ok(direct('r1', ...row('A-'), ...row('C-')));
    const command = exchange('r1', [...row('A-'), ...row('C-')], [...row('B-'), ...row('__sl_ga__ga__')]);
    const first = event.ok(command);
    expect(event.ok(command)).toEqual(first);
    event.ok(unbook('r1', 'B-8'));
    expect(event.ok(command)).toEqual({ ...first, items: first.items.filter(({ label }) => label !== 'B-8') });
  });

  test('goes on while sales are closed and for managed events, not in the archive', () => {
    const event = house('managed');
    event.ok(direct('r1', 'A-1'));
    event.ok({ type: 'move', callId: callId(), move: 'close' });
    event.ok(exchange('r1', ['A-1'], ['A-2']));
    event.ok({ type: 'move', callId: callId(), move: 'archive' });
    expect(event.refused(exchange('r1', ['A-2'], ['A-3'])).code).toBe('invalid_event_state');
  });

  test('shows viewers both sides in one change', () => {
    const event = house();
    event.ok(direct('r1', 'A-1'));
    event.ok(exchange('r1', ['A-1'], ['B-1']));
    const change = feedChangeOf(event.state, event.journal.slice(-1), { from: 1, to: 2, at: event.now() });
    expect([change.units, change.statuses]).toEqual([
      [event.state.plan.labels.unitOf('B-1'), event.state.plan.labels.unitOf('A-1')],
      [unitStatus.booked, unitStatus.free],
    ]);
    expect(change.bookedValue).toBe(40);
  });

  test('has no place under a ticket release that the old unit filled', () => {
    const event = house();
    const plain = { isNew: true, previousPrice: null, startsAt: null, endsAt: null, actionUrl: null };
    const early = { ...plain, id: 'early', name: 'Early', price: 20, quota: 1, categoryKey: 'stalls', action: 'buy' };
    event.ok({ type: 'set-releases', callId: callId(), releases: [early as never] });
    event.ok(direct('r1', 'A-1'));
    expect(event.ok(exchange('r1', ['A-1'], ['A-2']))).toMatchObject({ priceDifference: 20 });
    expect(event.state.releaseUse.get('early')).toMatchObject({ consumed: 0, soldOutAt: null });
    expect(event.ok(exchange('r1', ['A-2'], ['A-3']))).toMatchObject({ priceDifference: -20 });
  });
});

describe('quantities', () => {
  test('Places of an area go by quantity, the last ones first, or all of them', () => {
    const event = house();
    const selections = [{ label: 'Standing', quantity: 4 }];
    event.ok({ type: 'book-direct', callId: callId(), bookingRef: 'r1', selections });
    const parts = { ...exchange('r1', [], ['A-1', 'A-2']), from: [{ label: 'Standing', quantity: 2 }] };
    expect(event.ok(parts).from.map((label) => label.at(-1))).toEqual(['3', '4']);
    expect(event.ok(exchange('r1', ['Standing'], ['A-3', 'A-4'])).from).toHaveLength(2);
    expect(has(event, 'r1')).toEqual(['A-1', 'A-2', 'A-3', 'A-4']);
    const back = event.ok(exchange('r1', ['A-1', 'A-2'], { selections: [{ label: 'Standing', quantity: 2 }] }));
    expect(back.items).toMatchObject([{ label: 'Standing', quantity: 2, unitPrice: 10 }]);
    const tooMany = { ...exchange('r1', [], ['A-1', 'A-2', 'B-1']), from: [{ label: 'Standing', quantity: 3 }] };
    expect(event.refused(tooMany)).toMatchObject({
      reason: 'not_owned_by_booking_ref',
      details: { conflicts: [{ label: 'Standing', available: 2 }] },
    });
  });

  test('A table moves with all its guests', () => {
    const event = house();
    event.ok(direct('r1', 'T1'));
    const part = { ...exchange('r1', [], ['A-1']), from: [{ label: 'T1', quantity: 1 }] };
    expect(event.refused(part)).toMatchObject({ code: 'invalid_quantity', details: { labels: ['T1'] } });
    expect(event.refused(exchange('r1', ['T1'], ['A-1'])).code).toBe('invalid_request');
    expect(event.ok(exchange('r1', ['T1'], ['A-1', 'A-2', 'A-3', 'A-4']))).toMatchObject({ priceDifference: 0 });
    event.ok(exchange('r1', ['A-1', 'A-2', 'A-3', 'A-4'], ['T1']));
    expect(has(event, 'r1')).toEqual(['T1']);
  });
});

describe('a hold as the target', () => {
  test('gives its units at its prices, and ends with its last one', () => {
    const event = house();
    event.ok(direct('r1', 'A-1', 'A-2'));
    event.ok(hold('h1', 'B-1', 'B-2'));
    expect(event.ok(exchange('r1', ['A-1'], { holdId: 'h1', labels: ['B-1'] })).to).toEqual(['B-1']);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({ status: 'active', bookingRef: 'r1' });
    expect(event.ok(exchange('r1', ['A-2'], { holdId: 'h1' })).to).toEqual(['B-2']);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({ status: 'booked' });
    expect(event.ok(book('h1', 'r1'))).toMatchObject({ booked: [] });
  });

  test('must be active, and have the named units', () => {
    const event = house();
    event.ok(direct('r1', 'A-1'));
    event.ok(hold('h1', 'B-1'));
    expect(event.refused(exchange('r1', ['A-1'], { holdId: 'nobody' })).code).toBe('hold_not_found');
    const foreign = event.refused(exchange('r1', ['A-1'], { holdId: 'h1', labels: ['B-2'] }));
    expect(foreign.details).toEqual({ conflicts: [{ label: 'B-2', status: 'free' }] });
    event.ok({ type: 'release', holdId: 'h1', callId: callId() });
    expect(event.refused(exchange('r1', ['A-1'], { holdId: 'h1' })).reason).toBe('hold_released');
  });
});

describe('the choice of the event', () => {
  test('is never a unit that is given up, and is as many places', () => {
    const event = house();
    event.ok(direct('r1', 'A-4', 'A-5'));
    const { to } = event.ok(exchange('r1', ['A-4', 'A-5'], { query: { qty: 2 } }));
    expect(to.filter((label) => label === 'A-4' || label === 'A-5')).toEqual([]);
    expect(event.refused(exchange('r1', to, { query: { qty: 3 } })).code).toBe('invalid_request');
    expect(event.refused(exchange('r1', to, { query: { qty: 2, categoryKey: 'nowhere' } })).code).toBe(
      'invalid_request',
    );
  });
});

describe('a set inside one booking', () => {
  test('is permuted: what stands on both sides stays as it was sold', () => {
    const event = house();
    event.ok(direct('r1', 'A-5', 'A-6'));
    const told = event.ok(exchange('r1', ['A-5', 'A-6'], ['A-6', 'A-2']));
    expect(told).toMatchObject({ from: ['A-5'], to: ['A-2'], priceDifference: 0 });
    expect(has(event, 'r1')).toEqual(['A-2', 'A-6']);
    expect(event.counts().booked).toBe(2);
  });

  test('A unit that would stay at another tier is refused', () => {
    const event = house();
    event.ok(direct('r1', 'C-1', 'C-2'));
    const to = { selections: [{ label: 'C-1', tierId: 'child' }, { label: 'C-3' }] };
    expect(event.refused(exchange('r1', ['C-1', 'C-2'], to)).details).toMatchObject({ issues: [{ path: 'to' }] });
    const same = { selections: [{ label: 'C-1', tierId: 'adult' }, { label: 'C-3' }] };
    expect(event.ok(exchange('r1', ['C-1', 'C-2'], same)).to).toEqual(['C-3']);
  });
});

describe('terms', () => {
  const onTerms = (bookingRef: string, from: string[], to: string[], terms: object) =>
    ({ ...exchange(bookingRef, from, to), type: 'exchange-on-terms', ...terms }) as Command & {
      type: 'exchange-on-terms';
    };

  test('A dry run tells the answer, and leaves no record', () => {
    const event = house();
    event.ok(direct('r1', 'A-1'));
    const records = event.journal.length;
    const dry = onTerms('r1', ['A-1'], ['C-1'], { isDry: true, fee: 3 });
    expect(event.ok(dry)).toMatchObject({ from: ['A-1'], to: ['C-1'], priceDifference: -10, fee: 3 });
    expect(event.journal).toHaveLength(records);
    expect(has(event, 'r1')).toEqual(['A-1']);
    expect(event.refused(onTerms('r1', ['A-1'], ['A-1'], { isDry: true })).code).toBe('invalid_request');
    event.ok({ type: 'move', callId: callId(), move: 'archive' });
    expect(event.refused(dry).code).toBe('invalid_event_state');
  });

  test('A fee and a waived difference stand in answer, record and report, once', () => {
    const event = house();
    event.ok(direct('r1', 'A-1'));
    const command = onTerms('r1', ['A-1'], ['C-1'], { fee: 3, waiveDifference: { reason: 'A pillar' } });
    const told = event.ok(command);
    expect(told).toMatchObject({ priceDifference: -10, fee: 3, waived: { amount: -10, reason: 'A pillar' } });
    expect(event.ok(command)).toEqual(told);
    expect(event.journal.at(-1)).toMatchObject({ type: 'exchanged-with', fee: 3, waived: { amount: -10 } });
    expect(event.ok({ type: 'report' }).exchanges).toEqual({ fees: 3, waived: -10 });
    expect(toSnapshot(capture(event.state))).toMatchObject({ v: 2, exchangeCharges: { fees: 3, waived: -10 } });
  });
});

describe('a swap', () => {
  const swap = (a: [ref: string, ...labels: string[]], b: [ref: string, ...labels: string[]], more: object = {}) => {
    const side = ([bookingRef, ...labels]: [string, ...string[]]) => ({
      bookingRef,
      from: labels.map((label) => ({ label })),
    });
    const names = { callId: callId(), exchangeId: 'exc_2', reason: null };
    return { type: 'swap', ...names, a: side(a), b: side(b), ...more } as Command & { type: 'swap' };
  };

  test('gives each booking the other one’s units at the prices of their sale, in one group', () => {
    const event = house();
    event.ok(direct('r1', 'A-1', 'A-2'));
    event.ok(direct('r2', 'C-1'));
    const { bookedValue } = event.state;
    const records = event.journal.length;
    const command = swap(['r1', 'A-2'], ['r2', 'C-1']);
    const told = event.ok(command);
    expect(told).toMatchObject({
      a: { bookingRef: 'r1', from: ['A-2'], items: [{ label: 'C-1' }], priceDifference: -10 },
      b: { bookingRef: 'r2', from: ['C-1'], items: [{ label: 'A-2' }], priceDifference: 10 },
    });
    expect([has(event, 'r1'), has(event, 'r2')]).toEqual([['A-1', 'C-1'], ['A-2']]);
    expect([event.state.bookedValue, event.counts().booked]).toEqual([bookedValue, 3]);
    expect(event.journal.slice(records).map(({ type }) => type)).toEqual(['exchanged-with', 'exchanged-with']);
    const swapped = event.journal.slice(records);
    expect(feedChangeOf(event.state, swapped, { from: 1, to: 2, at: 3 }).statuses).toEqual([2, 2]);
    // A repetition gets the first answer, after a swap back too.
    event.ok(swap(['r1', 'C-1'], ['r2', 'A-2'], { exchangeId: 'exc_3' }));
    expect(event.ok(command)).toEqual(told);
    expect([has(event, 'r1'), has(event, 'r2')]).toEqual([['A-1', 'A-2'], ['C-1']]);
    event.ok(unbook('r2'));
    expect(event.state.bookedValue).toBe(80);
  });

  const refusals: [why: string, command: Command, told: object][] = [
    ['a unit that is not the booking’s', swap(['r1', 'A-3'], ['r2', 'C-1']), { reason: 'not_owned_by_booking_ref' }],
    ['an unknown booking', swap(['r1', 'A-1'], ['nobody', 'C-1']), { code: 'booking_not_found' }],
    ['the same booking', swap(['r1', 'A-1'], ['r1', 'A-2']), { details: { issues: [{ path: 'b' }] } }],
    ['other numbers of places', swap(['r1', 'A-1', 'A-2'], ['r2', 'C-1']), { code: 'invalid_request' }],
    ['units in checkout', swap(['r1', 'A-1'], ['r2', 'C-2']), { reason: 'resale_in_checkout' }],
  ];
  test.each(refusals)('is refused for %s, and changes nothing', (_, command, told) => {
    const event = house();
    event.ok(direct('r1', 'A-1', 'A-2'));
    event.ok(direct('r2', 'C-1', 'C-2'));
    event.ok(list('l1', 'r2', 'C-2'));
    event.ok(hold('buyer', 'C-2'));
    const records = event.journal.length;
    expect(event.refused(command)).toMatchObject(told);
    expect(event.journal).toHaveLength(records);
    expect(event.ok(swap(['r1', 'A-1'], ['r2', 'C-1'], { isDry: true })).a.priceDifference).toBe(-10);
    expect(event.journal).toHaveLength(records);
  });
});
