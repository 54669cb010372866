/** Ticket releases, case by case: faults of a list, prices of units, quotas, closing, and removed ticket releases. */
import type { ReleaseDraft } from '@parterre/shared/protocol/commands';
import { describe, expect, test } from 'vitest';
import { book, callId, hold, house, MINUTE, START } from '../../../support/inventory/house.ts';
import {
  close,
  draft,
  kept,
  listOf,
  pricesOf,
  set,
  updateTo,
  useOf,
} from '../../../support/inventory/ticket-releases.ts';

describe('a list of ticket releases', () => {
  test('is shown in its order, with the use of each', () => {
    const event = house();
    const answer = event.ok(set(draft('r1', { quota: 2 }), draft('r2', { startsAt: START + MINUTE, price: 30 })));
    expect(answer.releases).toEqual([
      {
        id: 'r1',
        name: 'Release r1',
        price: 25,
        previousPrice: null,
        quota: 2,
        startsAt: null,
        endsAt: null,
        categoryKey: null,
        action: 'buy',
        actionUrl: null,
        position: 0,
        consumed: 0,
        remaining: 2,
        soldOutAt: null,
        status: 'active',
      },
      expect.objectContaining({ id: 'r2', position: 1, consumed: 0, remaining: null, status: 'upcoming' }),
    ]);
    expect(listOf(event)).toEqual(answer.releases);
  });

  test('replaces the whole list before it; positions follow the new order', () => {
    const event = house();
    event.ok(set(draft('r1'), draft('r2'), draft('r3')));
    event.ok(set(kept('r3'), kept('r1')));
    expect(listOf(event).map(({ id, position }) => [id, position])).toEqual([
      ['r3', 0],
      ['r1', 1],
    ]);
  });

  test('is set once, and a repeated call gets its first answer', () => {
    const event = house();
    const command = set(draft('r1'));
    const first = event.ok(command);
    event.ok(set());
    const records = event.journal.length;
    expect(event.ok(command)).toEqual(first);
    expect(listOf(event)).toEqual([]);
    expect(event.journal).toHaveLength(records);
  });

  const refused: [string, ReleaseDraft[], string[]][] = [
    ['an unknown id', [draft('new'), kept('gone')], ['releases.1.id']],
    ['a category that the chart lacks', [draft('r', { categoryKey: 'pit' })], ['releases.0.categoryKey']],
    ['a category with tiers', [draft('r', { categoryKey: 'circle' })], ['releases.0.categoryKey']],
    ['an end before its start', [draft('r', { startsAt: 9, endsAt: 8 })], ['releases.0.endsAt']],
    ['an end at its start', [draft('r', { startsAt: 9, endsAt: 9 })], ['releases.0.endsAt']],
    [
      'all of these at once',
      [kept('gone', { categoryKey: 'pit' }), draft('r', { categoryKey: 'circle', startsAt: 9, endsAt: 8 })],
      ['releases.0.id', 'releases.0.categoryKey', 'releases.1.categoryKey', 'releases.1.endsAt'],
    ],
  ];
  for (const [name, list, paths] of refused) {
    test(`is refused for ${name}, and nothing is changed`, () => {
      const event = house();
      event.ok(set(draft('r1')));
      const refusal = event.refused(set(...list));
      expect(refusal.code).toBe('invalid_request');
      expect(refusal.details?.issues).toMatchObject(paths.map((path) => ({ path })));
      expect(listOf(event).map(({ id }) => id)).toEqual(['r1']);
    });
  }
});

describe('a unit is priced by', () => {
  const now = START;
  const cases: [string, ReleaseDraft[], (number | string | null)[]][] = [
    ['its category, without a ticket release', [], ['A-1', 40, null]],
    ['an active ticket release', [draft('r')], ['A-1', 25, 'r']],
    [
      'the first of several active ticket releases',
      [draft('r1', { price: 12 }), draft('r2', { price: 11 })],
      ['A-1', 12, 'r1'],
    ],
    ['a ticket release from its first millisecond on', [draft('r', { startsAt: now })], ['A-1', 25, 'r']],
    ['no upcoming ticket release', [draft('r', { startsAt: now + 1 })], ['A-1', 40, null]],
    ['no ticket release that has just ended', [draft('r', { endsAt: now })], ['A-1', 40, null]],
    ['a ticket release in its last millisecond', [draft('r', { endsAt: now + 1 })], ['A-1', 25, 'r']],
    ['a ticket release of its category', [draft('r', { categoryKey: 'stalls' })], ['A-1', 25, 'r']],
    ['no ticket release of another category', [draft('r', { categoryKey: 'floor' })], ['A-1', 40, null]],
    [
      'only ticket releases with the action buy',
      [draft('r1', { action: 'apply' }), draft('r2', { price: 9 })],
      ['A-1', 9, 'r2'],
    ],
    ['no invoice', [draft('r', { action: 'invoice' })], ['A-1', 40, null]],
    ['its tier, even with a ticket release for all categories', [draft('r')], ['C-1', 30, null]],
    ['a ticket release with price 0', [draft('r', { price: 0 })], ['A-1', 0, 'r']],
  ];
  for (const [name, releases, expected] of cases) {
    test(name, () => {
      const event = house();
      event.ok(set(...releases));
      const [label] = expected as [string];
      expect(pricesOf(event, hold('h', label))).toEqual([expected]);
      const direct = event.ok({ type: 'hold', holdId: 'again', selections: [{ label }], replaceHoldId: 'h' });
      expect(direct.items[0]).toMatchObject({ unitPrice: expected[1], releaseId: expected[2] });
    });
  }

  test('the same when it is booked without a hold', () => {
    const event = house();
    event.ok(set(draft('r')));
    event.ok({ type: 'book-direct', callId: callId(), bookingRef: 'order', selections: [{ label: 'A-1' }] });
    expect(event.journal.at(-1)).toMatchObject({ lines: [{ unit: 0, price: 25, releaseId: 'r' }] });
    expect(useOf(event)).toEqual({ r: 1 });
  });
});

describe('a quota', () => {
  test('prices as many units as it has left; the next price applies to the others', () => {
    const event = house();
    event.ok(set(draft('r1', { quota: 2 }), draft('r2', { quota: 1, price: 30 })));
    expect(pricesOf(event, hold('h', 'A-1', 'C-1', 'A-2', 'A-3', 'A-4'))).toEqual([
      ['A-1', 25, 'r1'],
      ['C-1', 30, null],
      ['A-2', 25, 'r1'],
      ['A-3', 30, 'r2'],
      ['A-4', 40, null],
    ]);
    expect(listOf(event).map(({ remaining, soldOutAt }) => [remaining, soldOutAt])).toEqual([
      [0, START],
      [0, START],
    ]);
  });

  test('applies in the same way to seats that the event chooses', () => {
    const event = house();
    event.ok(set(draft('r', { quota: 3, categoryKey: 'stalls' })));
    const query = { qty: 2, categoryKey: 'stalls' };
    const held = event.ok({ type: 'hold-best', holdId: 'h', query });
    const sold = event.ok({ type: 'book-best', callId: callId(), bookingRef: 'order', query });
    const prices = [...held.items, ...sold.items].map(({ unitPrice, releaseId }) => [unitPrice, releaseId]);
    expect(prices.toSorted()).toEqual([...Array(3).fill([25, 'r']), [40, null]]);
    expect(useOf(event)).toEqual({ r: 3 });
  });

  test('splits places of one area into one item for each price', () => {
    const event = house();
    event.ok(set(draft('r', { quota: 2, price: 5 })));
    const { items } = event.ok({ ...hold('h'), selections: [{ label: 'Standing', quantity: 5 }] });
    expect(items.map(({ label, quantity, unitPrice, releaseId }) => [label, quantity, unitPrice, releaseId])).toEqual([
      ['Standing', 2, 5, 'r'],
      ['Standing', 3, 10, null],
    ]);
  });

  test('counts a table that is sold as a whole as one unit', () => {
    const event = house();
    event.ok(set(draft('r', { quota: 1 })));
    expect(event.ok(hold('h', 'T1')).items[0]).toMatchObject({ unitPrice: 25, quantity: 4, releaseId: 'r' });
    expect(useOf(event)).toEqual({ r: 1 });
  });

  test('gets units back when they are released, expire or are unbooked, and not when a hold is booked', () => {
    const event = house();
    event.ok(set(draft('r', { quota: 3 })));
    event.ok({ ...hold('h1', 'A-1', 'A-2'), ttlMs: MINUTE });
    event.ok(hold('h2', 'A-3'));
    event.ok({ type: 'release', holdId: 'h1', callId: callId(), labels: ['A-1'] });
    expect(listOf(event)[0]).toMatchObject({ consumed: 2, remaining: 1, soldOutAt: null });
    event.pass(MINUTE);
    expect(useOf(event)).toEqual({ r: 1 });
    event.ok(book('h2', 'order'));
    expect(useOf(event)).toEqual({ r: 1 });
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order' });
    expect(useOf(event)).toEqual({ r: 0 });
  });

  test('counts the units of a replaced hold as free for the new hold', () => {
    const event = house();
    event.ok(set(draft('r', { quota: 2 })));
    event.ok(hold('h1', 'A-1', 'A-2'));
    expect(pricesOf(event, { ...hold('h2', 'A-3', 'A-4', 'A-5'), replaceHoldId: 'h1' })).toEqual([
      ['A-3', 25, 'r'],
      ['A-4', 25, 'r'],
      ['A-5', 40, null],
    ]);
    expect(useOf(event)).toEqual({ r: 2 });
  });

  test(
    'that is used up keeps its sold-out time while holds replace ' + 'each other, and gets a new one after a release',
    () => {
      const event = house();
      event.ok(set(draft('r', { quota: 2 })));
      event.ok(hold('h1', 'A-1', 'A-2'));
      event.pass(5);
      event.ok({ ...hold('h2', 'A-3', 'A-4'), replaceHoldId: 'h1' });
      expect(listOf(event)[0]).toMatchObject({ consumed: 2, soldOutAt: START });
      event.pass(5);
      event.ok({ ...hold('h3', 'A-3'), replaceHoldId: 'h2' });
      expect(listOf(event)[0]).toMatchObject({ consumed: 1, soldOutAt: null });
      event.pass(5);
      event.ok(hold('h4', 'A-1'));
      expect(listOf(event)[0]).toMatchObject({ consumed: 2, soldOutAt: START + 15 });
      event.ok({ type: 'release', callId: callId(), holdId: 'h4' });
      event.pass(5);
      event.ok(hold('h5', 'A-1'));
      expect(listOf(event)[0]).toMatchObject({ consumed: 2, soldOutAt: START + 20 });
    },
  );

  test('tells its sold-out time, which a change of the quota resets', () => {
    const event = house();
    event.ok(set(draft('r', { quota: 2 })));
    event.ok(hold('h', 'A-1', 'A-2'));
    event.pass(5);
    event.ok(set(kept('r', { quota: 1 })));
    expect(listOf(event)[0]).toMatchObject({ consumed: 2, remaining: 0, soldOutAt: START });
    event.ok(set(kept('r', { quota: 3 })));
    expect(listOf(event)[0]).toMatchObject({ remaining: 1, soldOutAt: null });
    event.ok(set(kept('r', { quota: 2 })));
    expect(listOf(event)[0]).toMatchObject({ remaining: 0, soldOutAt: START + 5 });
  });
});

describe('a price once given', () => {
  test('stays with the hold and its booking, whatever becomes of the ticket release', () => {
    const event = house();
    event.ok(set(draft('r1', { quota: 5 })));
    const first = event.ok(hold('h', 'A-1', 'A-2'));
    event.ok(set(kept('r1', { price: 99 }), draft('r2')));
    event.ok(close('r1'));
    event.ok(set(kept('r2')));
    event.ok(updateTo('moved-plan'));
    expect(event.ok(hold('h', 'A-1', 'A-2')).items.map(({ unitPrice }) => unitPrice)).toEqual([25, 25]);
    expect(first.items.map(({ releaseId }) => releaseId)).toEqual(['r1', 'r1']);
    event.ok(book('h', 'order'));
    expect([...event.state.bookings.get('order')!.lines].map(({ price, releaseId }) => [price, releaseId])).toEqual([
      [25, 'r1'],
      [25, 'r1'],
    ]);
  });

  test('counts in the report under its ticket release, also after the removal of a ticket release with units', () => {
    const event = house();
    const rows = () => event.ok({ type: 'report' }).byRelease;
    expect(rows()).toEqual([]);
    event.ok(set(draft('r1', { name: 'Early' }), draft('r2')));
    event.ok(hold('h', 'A-1', 'T1'));
    event.ok(book('h', 'order', ['T1']));
    event.ok(set(kept('r2')));
    expect(rows()).toEqual([
      { releaseId: 'r2', name: 'Release r2', held: 0, booked: 0, bookedValue: 0 },
      { releaseId: 'r1', name: 'Early', held: 1, booked: 1, bookedValue: 100 },
    ]);
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order' });
    event.ok({ type: 'release', holdId: 'h', callId: callId() });
    expect(rows().map(({ releaseId }) => releaseId)).toEqual(['r2']);
  });
});
