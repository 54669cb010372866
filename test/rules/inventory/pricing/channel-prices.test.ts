/**
 * Prices of a channel's seats: the operator's chosen ticket release, then the channel's own price, then ticket releases
 * that price by themselves.
 */
import type { Command, ReleaseDraft } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { change } from '../../../support/inventory/channels.ts';
import { book, buyer, callId, direct, hold, house, server } from '../../../support/inventory/house.ts';
import { allocate, overriding, partnerOnly, placesFrom, reassign, serverOf } from '../../../support/inventory/reach.ts';

const release = (id: string, price: number, quota: number | null = null): ReleaseDraft => ({
  id,
  name: id,
  price,
  previousPrice: null,
  quota,
  startsAt: null,
  endsAt: null,
  categoryKey: null,
  action: 'buy',
  actionUrl: null,
  isNew: true,
});

/**
 * C-1 to C-4 and the first four places are assigned to a partner's channel, with prices 33 for stalls and
 * 12 for children in the circle.
 */
function pricedHouse(ownership: 'platform' | 'managed' = 'platform') {
  const event = house(ownership);
  const seats = ['A-1', 'A-2', 'A-3', 'A-4', 'C-1', 'C-2', 'C-3', 'C-4', ...placesFrom(1, 4)];
  const priceOverrides = [
    { categoryKey: 'stalls', tierId: null, price: 33 },
    { categoryKey: 'circle', tierId: 'child', price: 12 },
  ];
  allocate(event, 'partner', seats, { priceOverrides });
  return event;
}

const consumed = (event: ReturnType<typeof house>) =>
  event.ok({ type: 'releases' }).releases.map((each) => [each.id, each.consumed]);

test('a channel has its own price for its own seats, tier by tier, and the chart’s price for the rest', () => {
  const event = pricedHouse();
  const selections = [
    { label: 'A-1' },
    { label: 'A-5' },
    { label: 'C-1', tierId: 'child' },
    { label: 'C-2', tierId: 'adult' },
    { label: 'C-5', tierId: 'child' },
    { label: placesFrom(1, 1)[0]! },
  ];
  const { items } = event.ok({ type: 'hold', holdId: 'h', selections }, serverOf('partner'));
  expect(items.map(({ unitPrice, channelId }) => [unitPrice, channelId])).toEqual([
    [33, 'partner'],
    [40, null],
    [12, 'partner'],
    [30, 'partner'],
    [15, null],
    [10, 'partner'],
  ]);
});

test('its price comes before a ticket release that prices by itself, and uses none of its quota', () => {
  const event = pricedHouse();
  event.ok({ type: 'set-releases', callId: callId(), releases: [release('early', 25, 3)] });
  const { items } = event.ok(hold('h', 'A-1', 'A-5', 'A-2', ...placesFrom(1, 1)), serverOf('partner'));
  expect(items.map(({ unitPrice, releaseId, channelId }) => [unitPrice, releaseId, channelId])).toEqual([
    [33, null, 'partner'],
    [25, 'early', null],
    [33, null, 'partner'],
    [25, 'early', 'partner'],
  ]);
  expect(consumed(event)).toEqual([['early', 2]]);
  event.ok(book('h', 'ref'));
  expect(consumed(event)).toEqual([['early', 2]]);
});

test('an override by staff also pays the channel’s price, and the sale names the channel', () => {
  const event = pricedHouse();
  const { items } = event.ok(hold('h', 'A-1'), overriding);
  expect(items).toMatchObject([{ unitPrice: 33, channelId: 'partner', accessSource: 'staff_override' }]);
});

test('a ticket release that the operator chose comes before the channel’s price', () => {
  const event = pricedHouse('managed');
  event.ok({ type: 'set-releases', callId: callId(), releases: [release('staff', 5, 2), release('early', 25)] });
  const sale = (ref: string, ...labels: string[]): Command & { type: 'box-office-sale' } => ({
    type: 'box-office-sale',
    callId: callId(),
    bookingRef: ref,
    releaseId: 'staff',
    selections: labels.map((label) => ({ label })),
  });
  const { items } = event.ok(sale('r1', 'A-1'), overriding);
  expect(items).toMatchObject([{ unitPrice: 5, releaseId: 'staff', channelId: 'partner' }]);
  expect(event.refused(sale('r2', 'A-2', 'A-5'), overriding)).toMatchObject({ reason: 'release_sold_out' });
  expect(consumed(event)).toEqual([
    ['staff', 1],
    ['early', 0],
  ]);
});

test('a price is frozen when the seat is held: neither a new price nor a new channel changes it', () => {
  const event = pricedHouse();
  event.ok(hold('h', 'A-1'), partnerOnly);
  event.ok(change('partner', { priceOverrides: [{ categoryKey: 'stalls', tierId: null, price: 99 }] }));
  expect(event.ok(hold('later', 'A-2'), partnerOnly).items).toMatchObject([{ unitPrice: 99 }]);
  allocate(event, 'other', []);
  reassign(event, 'other', 'A-1', 'A-3');
  event.ok(book('h', 'ref'));
  expect(event.journal.at(-1)).toMatchObject({ type: 'booked', lines: [{ price: 33, channelId: 'partner' }] });
  expect(event.ok(direct('ref 2', 'A-3'), serverOf('other'))).toMatchObject({ booked: ['A-3'] });
  expect(event.journal.at(-1)).toMatchObject({ lines: [{ price: 40, channelId: 'other' }] });
});

test('places of an area that cost the same in two channels are two line items', () => {
  const event = pricedHouse();
  allocate(event, 'other', placesFrom(5, 6));
  const selections = [{ label: 'Standing', quantity: 10 }];
  const { items } = event.ok({ type: 'hold', holdId: 'h', selections }, overriding);
  expect(items.map(({ channelId, quantity, unitPrice }) => [channelId, quantity, unitPrice])).toEqual([
    [null, 4, 10],
    ['partner', 4, 10],
    ['other', 2, 10],
  ]);
});

test('unassigned seats keep their price', () => {
  const event = pricedHouse();
  expect(event.ok(hold('h', 'A-5'), buyer).items).toMatchObject([{ unitPrice: 40, channelId: null }]);
  expect(event.ok(hold('h2', 'A-6'), server).items).toMatchObject([{ unitPrice: 40, accessSource: 'public' }]);
});
