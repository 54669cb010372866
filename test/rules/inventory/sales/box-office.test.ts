/** Sales at a counter, case by case: the events that allow them, ticket releases, and repetitions. */
import type { Command } from '@parterre/shared/protocol/commands';
import { describe, expect, test } from 'vitest';
import { callId, hold, house } from '../../../support/inventory/house.ts';

type Sale = Command & { type: 'box-office-sale' };

const sale = (bookingRef: string, labels: string[], more: Partial<Sale> = {}): Sale => ({
  type: 'box-office-sale',
  callId: callId(),
  bookingRef,
  selections: labels.map((label) => ({ label })),
  ...more,
});
const boxBook = (bookingRef: string, ...labels: string[]): Command & { type: 'box-book' } => ({
  type: 'box-book',
  callId: callId(),
  bookingRef,
  selections: labels.map((label) => ({ label })),
});
const move = (name: 'close' | 'archive'): Command => ({ type: 'move', callId: callId(), move: name });

function houseWithReleases() {
  const event = house('managed');
  const plain = { isNew: true, previousPrice: null, startsAt: null, endsAt: null, actionUrl: null };
  event.ok({
    type: 'set-releases',
    callId: callId(),
    releases: [
      { ...plain, id: 'online', name: 'Online', price: 30, quota: null, categoryKey: null, action: 'buy' },
      { ...plain, id: 'door', name: 'Door', price: 20, quota: 3, categoryKey: 'stalls', action: 'buy', endsAt: 1 },
      { ...plain, id: 'ask', name: 'Ask', price: 1, quota: null, categoryKey: null, action: 'apply' },
    ],
  });
  return event;
}

describe('a sale at the box office', () => {
  test('books units at their price and shows the total', () => {
    const event = house('managed');
    const selections = [{ label: 'T1' }, { label: 'A-1' }, { label: 'Standing', quantity: 2 }];
    const answer = event.ok(sale('order', [], { selections, note: 'Paid in cash' }));
    expect(answer).toMatchObject({ total: 40 + 4 * 40 + 2 * 10, currency: 'EUR' });
    expect(answer.booked).toHaveLength(4);
    expect(answer.items.map(({ label, quantity }) => [label, quantity])).toEqual([
      ['A-1', undefined],
      ['Standing', 2],
      ['T1', 4],
    ]);
    expect(event.journal.at(-1)).toMatchObject({ type: 'booked', counter: true, note: 'Paid in cash' });
  });

  test('answers a repetition alike, with nothing newly booked', () => {
    const event = house('managed');
    const selections = [{ label: 'A-2' }, { label: 'A-1' }, { label: 'Standing', quantity: 2 }];
    const command = sale('order', [], { selections });
    const first = event.ok(command);
    expect(event.ok(command)).toEqual(first);
    expect(event.ok({ ...command, callId: callId() })).toEqual({ ...first, booked: [] });
    const more = event.ok(sale('order', ['A-1', 'B-1']));
    expect(more).toMatchObject({ booked: ['B-1'], total: 80 });
    expect(event.counts()).toMatchObject({ booked: 5 });
  });

  test('goes on while sales are closed, but not on an archived event', () => {
    const event = house('managed');
    event.ok(move('close'));
    expect(event.ok(sale('order', ['A-1'])).booked).toEqual(['A-1']);
    event.ok(move('archive'));
    expect(event.refused(sale('order-2', ['A-2'])).code).toBe('invalid_event_state');
  });

  test('under a chosen ticket release uses it and its quota at any time', () => {
    const event = houseWithReleases();
    const answer = event.ok(sale('order', ['A-1', 'T1'], { releaseId: 'door' }));
    expect(answer.items.map(({ unitPrice, releaseId }) => [unitPrice, releaseId])).toEqual([
      [20, 'door'],
      [20, 'door'],
    ]);
    expect(answer.total).toBe(100);
    expect(event.ok(sale('order-2', ['A-2'])).items).toMatchObject([{ unitPrice: 30, releaseId: 'online' }]);
    const consumed = event.ok({ type: 'releases' }).releases.map((each) => [each.id, each.consumed]);
    expect(consumed).toEqual([
      ['online', 1],
      ['door', 2],
      ['ask', 0],
    ]);
  });

  test('is answered alike after its ticket release has left the list', () => {
    const event = houseWithReleases();
    const command = sale('order', ['A-1'], { releaseId: 'door' });
    const first = event.ok(command);
    event.ok({ type: 'set-releases', callId: callId(), releases: [] });
    expect(event.ok({ ...command, callId: callId() })).toEqual({ ...first, booked: [] });
  });

  const refused: [string, Sale, object][] = [
    ['an unknown ticket release', sale('o', ['A-1'], { releaseId: 'gone' }), { code: 'invalid_request' }],
    [
      'a ticket release with another action than buy',
      sale('o', ['A-1'], { releaseId: 'ask' }),
      { code: 'invalid_request' },
    ],
    [
      'units of another category',
      sale('o', ['A-1', 'C-1', 'Standing'], { releaseId: 'door' }),
      { code: 'invalid_request', details: { labels: ['C-1', '__sl_ga__ga__1'], issues: [{ path: 'releaseId' }] } },
    ],
    [
      'a tier under a ticket release for all categories',
      sale('o', ['C-1'], { releaseId: 'online' }),
      { code: 'invalid_request' },
    ],
    [
      'more than its quota has left',
      sale('o', ['A-1', 'A-2', 'A-3', 'A-4'], { releaseId: 'door' }),
      { code: 'conflict', reason: 'release_sold_out' },
    ],
    [
      'a seat that is held',
      sale('o', ['A-8'], { releaseId: 'door' }),
      { code: 'conflict', details: expect.anything() },
    ],
    ['a label that the chart lacks', sale('o', ['Z-1']), { code: 'unknown_labels' }],
  ];
  for (const [name, command, refusal] of refused) {
    test(`is refused for ${name}, and books nothing`, () => {
      const event = houseWithReleases();
      event.ok(hold('h', 'A-8'));
      expect(event.refused(command)).toMatchObject(refusal);
      expect(event.counts().booked).toBe(0);
    });
  }

  test('is refused on events that a platform owns', () => {
    expect(house().refused(sale('order', ['A-1'])).code).toBe('not_managed');
  });
});

describe('a booking at the box office of a platform', () => {
  test('is like any other booking, also while sales are closed', () => {
    const event = house();
    event.ok(move('close'));
    expect(event.ok(boxBook('order', 'A-1', 'A-2')).booked).toEqual(['A-1', 'A-2']);
    expect(event.journal.at(-1)).toMatchObject({ type: 'booked', counter: true });
    expect(event.ok(boxBook('order', 'A-1', 'A-2')).booked).toEqual([]);
    expect(event.refused(boxBook('order-2', 'A-1')).details?.conflicts).toEqual([{ label: 'A-1', status: 'booked' }]);
  });

  test('is refused on managed events and on archived ones', () => {
    expect(house('managed').refused(boxBook('order', 'A-1')).code).toBe('not_platform_owned');
    const event = house();
    event.ok(move('archive'));
    expect(event.refused(boxBook('order', 'A-1')).code).toBe('invalid_event_state');
  });
});

test('a repeated booking of places of an area under one reference books them once', () => {
  const event = house();
  const standing = (quantity: number): Command & { type: 'book-direct' } => ({
    type: 'book-direct',
    callId: callId(),
    bookingRef: 'order',
    selections: [{ label: '__sl_ga__ga__4' }, { label: 'Standing', quantity }],
  });
  expect(event.ok(standing(2)).booked).toHaveLength(3);
  expect(event.ok(standing(2)).booked).toEqual([]);
  expect(event.ok(standing(3)).booked).toHaveLength(1);
});

test.each(['platform', 'managed'] as const)(
  'a quote of a sale of a %s event tells the price, and sells nothing',
  (ownership) => {
    const event = house(ownership);
    event.ok(move('close'));
    const selections = [{ label: 'A-1' }, { label: 'Standing', quantity: 2 }];
    const type = ownership === 'platform' ? ('box-book' as const) : ('box-office-sale' as const);
    const command = { type, callId: callId(), bookingRef: 'order', selections };
    const quote = { type: 'quote-sale' as const, of: type, bookingRef: 'order', selections };
    const told = event.ok(quote);
    expect(told).toMatchObject({ total: 60, currency: 'EUR' });
    expect(event.counts()).toMatchObject({ booked: 0 });
    expect(event.ok({ ...command, note: 'Card' })).toEqual(told);
    expect(event.journal.at(-1)).toMatchObject({ counter: true, note: 'Card' });
    event.ok(move('archive'));
    expect(event.refused({ ...quote, selections: [{ label: 'A-2' }] }).code).toBe('invalid_event_state');
  },
);

test.each(['platform', 'managed'] as const)(
  'no field of a sale of a %s event keeps it from selling: a shard of an earlier release would pass over the field',
  (ownership) => {
    const event = house(ownership);
    const type = ownership === 'platform' ? ('box-book' as const) : ('box-office-sale' as const);
    event.ok({ type, callId: callId(), bookingRef: 'order', selections: [{ label: 'A-1' }] });
    const dry = {
      type,
      callId: callId(),
      bookingRef: 'dry',
      selections: [{ label: 'A-2' }],
      isDry: true,
      dryRun: true,
    };
    event.ok(dry);
    expect(event.counts()).toMatchObject({ booked: 2 });
  },
);

test('a booking of a hold has the note and the buyer that the call names', () => {
  const event = house();
  event.ok(hold('hold', 'A-1'));
  const caller = { source: 'operator', actor: 'usr_1', accessSource: 'public', buyerRef: 'ada' } as const;
  event.ok({ type: 'book', callId: callId(), bookingRef: 'order', holdId: 'hold', note: 'Paid in cash' }, caller);
  expect(event.journal.at(-1)).toMatchObject({ type: 'booked', note: 'Paid in cash', buyerRef: 'ada' });
});
