/** The reach of a hold, the channel in whose name its seats are sold, and the attribution of bookings that grow. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { describe, expect, test } from 'vitest';
import { archive, create } from '../../../support/inventory/channels.ts';
import { book, buyer, callId, direct, hold, house, server } from '../../../support/inventory/house.ts';
import { buyerOf, overriding, partnerOnly, serverOf, sharedHouse, within } from '../../../support/inventory/reach.ts';

const operator: Caller = { ...server, source: 'operator' };

test('a buyer learns the missing seats of a listing beyond the reach, as not for sale', () => {
  const event = sharedHouse();
  const labels = ['A-1', 'A-2', 'A-7'];
  event.ok(direct('r1', ...labels), serverOf('partner'));
  event.ok({ type: 'list-resale', callId: callId(), listingId: 'l1', bookingRef: 'r1', labels });
  expect(event.refused(hold('h', 'A-1'), partnerOnly)).toMatchObject({
    reason: 'resale_listing_whole',
    details: {
      conflicts: [
        { label: 'A-2', status: 'booked' },
        { label: 'A-7', status: 'not_for_sale' },
      ],
    },
  });
});

describe('a hold', () => {
  const sameReach = buyerOf(within(['partner'], false), { actor: 'another session' });

  test.each<[string, Caller, boolean]>([
    ['a fresh session of the same reach', sameReach, true],
    ['a session that also has public sale', buyerOf(within(['partner'])), false],
    ['a buyer of public sale', buyer, false],
    ['a server', server, true],
    ['an operator', operator, true],
  ])('of a session is there for %s: %#', (_, caller, isThere) => {
    const event = sharedHouse();
    event.ok(hold('h', 'A-1'), partnerOnly);
    const calls: Command[] = [
      { type: 'inspect-hold', holdId: 'h' },
      { type: 'extend', holdId: 'h', callId: callId() },
      { type: 'release', holdId: 'h', callId: callId() },
    ];
    for (const call of calls) {
      if (isThere) event.ok(call, caller);
      else expect(event.refused(call, caller).code, call.type).toBe('hold_not_found');
    }
  });

  test('keeps its reach in any order of the channels, and after its end', () => {
    const event = sharedHouse();
    event.ok(hold('h', 'A-1'), buyerOf(within(['partner', 'club'])));
    event.ok({ type: 'release', holdId: 'h', callId: callId() }, buyerOf(within(['club', 'partner', 'club'])));
    const look: Command = { type: 'inspect-hold', holdId: 'h' };
    event.ok(look, buyerOf(within(['club', 'partner'])));
    expect(event.refused(look, partnerOnly).code).toBe('hold_not_found');
  });

  test.each<[string, Caller, Caller, boolean]>([
    [
      'of a session that also had other channels',
      buyerOf(within(['partner', 'club'])),
      buyerOf(within(['partner'])),
      true,
    ],
    [
      'of a session that still names it',
      buyerOf(within(['partner', 'club'])),
      buyerOf(within(['club', 'partner'])),
      true,
    ],
    ['of a session without public sale', buyerOf(within(['partner', 'club'], false)), partnerOnly, true],
    ['of others with public sale', buyerOf(within(['partner', 'club'], false)), buyerOf(within(['partner'])), false],
    ['of that channel alone', buyerOf(within(['club'])), buyer, false],
    ['of that channel alone, to a session of another', buyerOf(within(['club'])), buyerOf(within(['partner'])), false],
  ])('outlives the archiving of a channel %s', (_, maker, caller, isThere) => {
    const event = sharedHouse();
    event.ok(hold('h', maker.reach!.includePublic ? 'A-7' : 'A-1'), maker);
    event.ok(archive('club', null));
    event.ok(create('later'));
    const calls: Command[] = [
      { type: 'inspect-hold', holdId: 'h' },
      { type: 'extend', holdId: 'h', callId: callId() },
      { type: 'release', holdId: 'h', callId: callId() },
    ];
    for (const call of calls) expect(event.tries(call, caller), call.type).toBe(isThere);
  });

  test('of a session with every possible channel stores few bytes', () => {
    const event = house();
    const ids = Array.from({ length: 500 }, (_, i) => `chn_${String(i).padStart(20, '0')}`);
    for (const id of ids) event.ok(create(id));
    const caller = buyerOf(within(ids));
    event.ok(hold('h', 'A-1'), caller);
    expect(event.state.holds.get('h')!.reach!.length).toBeLessThan(100);
    event.ok({ type: 'release', holdId: 'h', callId: callId() }, caller);
    expect(event.state.holds.ended.bytes).toBeLessThan(1_000);
    event.ok({ type: 'inspect-hold', holdId: 'h' }, buyerOf(within(ids.toReversed())));
    expect(event.refused({ type: 'inspect-hold', holdId: 'h' }, buyerOf(within(ids.slice(1)))).code).toBe(
      'hold_not_found',
    );
  });

  test('of another reach does not give way to a buyer', () => {
    const event = sharedHouse();
    event.ok(hold('public', 'A-7'), buyer);
    const replacing = { ...hold('h', 'A-7'), replaceHoldId: 'public' };
    expect(event.refused(replacing, buyerOf(within(['partner']))).code).toBe('conflict');
    event.ok({ ...hold('h', 'A-1'), replaceHoldId: 'public' }, partnerOnly);
    expect(event.ok({ type: 'inspect-hold', holdId: 'public' }).status).toBe('active');
  });

  test('that a server replaces without a reach or override stays the buyer’s', () => {
    const event = sharedHouse();
    const session = { id: 's1', maxQuantity: 2 };
    const customer: Caller = { ...partnerOnly, session, partnerRef: 'acme', buyerRef: 'customer 7' };
    event.ok(hold('first', 'A-1', 'A-2'), customer);
    event.ok({ ...hold('second', 'A-1'), replaceHoldId: 'first' }, server);
    expect(event.ok({ type: 'inspect-hold', holdId: 'second' }, customer)).toMatchObject({
      partnerRef: 'acme',
      buyerRef: 'customer 7',
    });
    expect(event.state.sessionUse.get('s1')).toMatchObject({ used: 1 });
    expect(event.refused(hold('third', 'A-3', 'A-4'), customer).details).toEqual({ maxQuantity: 2, used: 1 });
    expect(event.refused({ type: 'inspect-hold', holdId: 'second' }, buyer).code).toBe('hold_not_found');
    event.ok({ ...hold('own', 'A-1'), replaceHoldId: 'second' }, serverOf('partner'));
    expect(event.ok({ type: 'inspect-hold', holdId: 'own' })).not.toHaveProperty('partnerRef');
  });

  test('names its partner and buyer, and its booking keeps them', () => {
    const event = sharedHouse();
    event.ok(hold('h', 'A-1'), { ...partnerOnly, partnerRef: 'acme', buyerRef: 'customer 7' });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h' })).toMatchObject({
      partnerRef: 'acme',
      buyerRef: 'customer 7',
    });
    event.ok(book('h', 'ref'));
    expect(event.journal.at(-1)).toMatchObject({
      type: 'booked',
      accessSource: 'partner',
      partnerRef: 'acme',
      buyerRef: 'customer 7',
      lines: [{ channelId: 'partner' }],
    });
    expect(event.ok({ type: 'inspect-hold', holdId: 'h' })).toMatchObject({ partnerRef: 'acme', status: 'booked' });
  });
});

describe('in whose name', () => {
  test('is shown for each item; an item without a channel is public sale', () => {
    const event = sharedHouse();
    const { items } = event.ok(hold('h', 'A-1', 'A-7'), serverOf('partner'));
    expect(items).toMatchObject([
      { channelId: 'partner', accessSource: 'promoter' },
      { channelId: null, accessSource: 'public' },
    ]);
  });

  test('stays unchanged when a booking grows by calls with other access', () => {
    const event = sharedHouse();
    event.ok(hold('h', 'A-1'), partnerOnly);
    event.ok(book('h', 'ref'));
    event.ok(direct('ref', 'A-2', 'A-7'), serverOf('partner'));
    event.ok(direct('ref', 'A-5'), overriding);
    const booking = event.state.bookings.get('ref')!;
    expect(booking.accessSource).toBe('partner');
    expect(booking.lines.map(({ channelId, accessSource }) => [channelId, accessSource])).toEqual([
      ['partner', undefined],
      ['partner', 'promoter'],
      [undefined, undefined],
      ['club', 'staff_override'],
    ]);
  });
});

test('a counter’s sale into a booking with other access shows the source of each item', () => {
  const event = sharedHouse('managed');
  event.ok(direct('ref', 'A-1'), serverOf('partner'));
  const selections = [{ label: 'A-1' }, { label: 'A-2' }, { label: 'A-7' }];
  const sale = { type: 'box-office-sale', callId: callId(), bookingRef: 'ref', selections } as const;
  const sold = event.ok({ ...sale, selections }, overriding);
  expect(sold.items.map(({ accessSource }) => accessSource)).toEqual(['promoter', 'staff_override', 'public']);
  expect(event.ok({ ...sale, callId: callId(), selections }, overriding).items).toEqual(sold.items);
});

test('a listing is offered only within reach of its seats’ channels', () => {
  const event = sharedHouse();
  event.ok(direct('ref', 'A-1', 'A-2'), serverOf('partner'));
  event.ok({ type: 'list-resale', callId: callId(), listingId: 'l', bookingRef: 'ref', labels: ['A-1', 'A-2'] });
  expect(event.refused(hold('h', 'A-1', 'A-2'), buyer)).toMatchObject({
    code: 'channel_access_denied',
    details: { labels: ['A-1', 'A-2'] },
  });
  event.ok(hold('h', 'A-1', 'A-2'), partnerOnly);
});

test('a block of the best seats names the seats that only the override gave', () => {
  const event = sharedHouse();
  const best = { type: 'block-best', releaseAt: null, reason: null } as const;
  event.ok({ ...best, callId: callId(), query: { qty: 2, categoryKey: 'circle' } }, overriding);
  expect(event.journal.at(-1)).not.toHaveProperty('overridden');
  event.ok({ ...best, callId: callId(), query: { qty: 2, categoryKey: 'stalls' } }, overriding);
  expect(event.journal.at(-1)).toMatchObject({ type: 'blocked', overridden: { reason: 'a guest of the house' } });
});
