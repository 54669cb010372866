/**
 * Resale as each party sees it. Buyers see a listed seat as free, operators see it as booked. Its sale is told once and
 * cancels the seller's booking.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { type Json, openShop, type Shop, Watcher } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

it('A listed seat is sold on, and viewers and webhooks hear of it', { timeout: 60_000 }, async () => {
  const hook = await openReceiver();
  const event = await shop.event();
  const events = ['object.resale.sold', 'seat.released', 'seat.booked'];
  await shop.call('POST', '/v1/webhooks', { token: shop.token, body: { url: hook.url, events } });
  await event.post('book', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
  const { body: ticket } = await shop.buyer('POST', `${event.key}/subscribe-tickets`);
  const buyer = new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, ticket.protocols);
  const seen = () => shop.buyer('GET', `${event.key}/objects`).then(({ body }) => body.seats['A-1'] ?? 'free');
  try {
    await buyer.next();
    const { body: listed } = await event.post('resale/list', { labels: ['A-1'], bookingRef: 'order-1' });
    expect(listed).toEqual({ ok: true, listingId: expect.stringMatching(/^lst_/), labels: ['A-1'] });
    expect((await buyer.next()).changes).toEqual([{ label: 'A-1', status: 'free' }]);
    expect(await seen()).toBe('free');
    expect((await event.get('/objects')).body.seats).toEqual({ 'A-1': 'booked', 'A-2': 'booked' });
    expect((await event.get()).body.counts).toMatchObject({ booked: 2, held: 0 });

    const tried = (await event.post('hold', { labels: ['A-1', 'A-4', 'A-6'] })).body.holdId;
    expect((await buyer.next()).changes).toHaveLength(3);
    const swapped = { labels: ['A-1', 'A-5', 'A-6'], replaceHoldId: tried };
    const second = (await event.post('hold', swapped)).body.holdId;
    expect((await buyer.next()).changes).toContainEqual({ label: 'A-4', status: 'free' });
    await event.post('release', { holdId: second, labels: ['A-1'] });
    expect((await buyer.next()).changes).toEqual([{ label: 'A-1', status: 'free' }]);
    const { holdId } = (await event.post('hold', { labels: ['A-1'] })).body;
    expect((await buyer.next()).changes).toEqual([{ label: 'A-1', status: 'held' }]);
    const removal = await event.post('resale/remove', { listingId: listed.listingId });
    expect([removal.status, removal.body.code, removal.body.reason]).toEqual([409, 'conflict', 'resale_in_checkout']);
    expect((await event.post('book', { holdId, bookingRef: 'order-2' })).body).toMatchObject({ booked: ['A-1'] });
    expect((await buyer.next()).changes).toEqual([{ label: 'A-1', status: 'booked' }]);
    expect(await seen()).toBe('booked');

    const booking = async (ref: string) => (await event.get(`/bookings/${ref}`)).body.booking;
    expect(await booking('order-1')).toMatchObject({ state: 'partially_cancelled', activeQuantity: 1 });
    expect(await booking('order-2')).toMatchObject({ state: 'booked', labels: ['A-1'] });
    const { entries } = (await event.get('/log')).body;
    expect(entries.slice(0, 3).map(({ action }: Json) => action)).toEqual(['book', 'resell', 'hold']);

    const told = ['object.resale.sold', 'seat.booked', 'seat.booked', 'seat.released'];
    await expect.poll(() => hook.deliveries.length, { timeout: 20_000 }).toBe(told.length);
    expect(hook.deliveries.map(({ body }) => body.event).sort()).toEqual(told);
    const dataOf = (name: string) => hook.deliveries.find(({ body }) => body.event === name)!.body.data;
    // Only A-4 is released: the listed seat stays its seller's, and the replacing hold keeps A-6.
    expect(dataOf('seat.released')).toMatchObject({ labels: ['A-4'], reason: 'released', holdId: tried });
    expect(dataOf('object.resale.sold')).toEqual({
      labels: ['A-1'],
      fromBookingRef: 'order-1',
      toBookingRef: 'order-2',
    });
  } finally {
    buyer.close();
    hook.close();
  }
});

it('A removed listing shows as booked again, and an unbooked one as free', async () => {
  const event = await shop.event();
  const seats = () => shop.buyer('GET', `${event.key}/objects`).then(({ body }) => body.seats);
  await event.post('book', { labels: ['A-1', 'A-2', 'A-3'], bookingRef: 'order-1' });
  const first = (await event.post('resale/list', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' })).body;
  expect((await event.post('hold', { labels: ['A-1'] })).body.reason).toBe('resale_listing_whole');
  await expect.poll(seats).toEqual({ 'A-3': 'booked' });
  expect((await event.post('resale/remove', { listingId: first.listingId })).body).toEqual({ ...first, ok: true });
  await expect.poll(seats).toEqual({ 'A-1': 'booked', 'A-2': 'booked', 'A-3': 'booked' });
  await event.post('resale/list', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
  await event.post('unbook', { labels: ['A-2'], bookingRef: 'order-1' });
  await expect.poll(seats).toEqual({ 'A-1': 'booked', 'A-3': 'booked' });
});

it("The seller's booking tells each resale with its buyer, and the buyer's booking with its seller and its own price", async () => {
  const event = await shop.event();
  const book = (bookingRef: string, ...selections: Json[]) => event.post('book', { bookingRef, selections });
  const list = async (bookingRef: string, ...labels: string[]) =>
    (await event.post('resale/list', { bookingRef, labels })).body.listingId;
  await book('first', { label: 'A-1' }, { label: 'B-1', tierId: 'child' }, { label: 'B-2' });
  const one = await list('first', 'A-1', 'B-1');
  await book('second', { label: 'A-9' }, { label: 'A-1' }, { label: 'B-1', tierId: 'adult' });
  const other = await list('second', 'A-1');
  const { holdId } = (await event.post('hold', { labels: ['A-1'] })).body;
  const found = async (q: string) =>
    (await event.get(`/bookings?q=${q}`)).body.bookings.map(({ bookingRef }: Json) => bookingRef);
  expect(await found('A-1')).toEqual(['second']);
  await event.post('book', { holdId, bookingRef: 'third' });

  const told = async (ref: string) => {
    const { booking, activity } = (await event.get(`/bookings/${ref}`)).body;
    const { quantity, activeQuantity, configuredValue, activeConfiguredValue } = booking;
    return {
      state: booking.state,
      amounts: [quantity, activeQuantity, configuredValue, activeConfiguredValue],
      objects: booking.objects.map(({ label, state, resoldTo }: Json) => [label, state, resoldTo]),
      activity: activity.map(({ action, labels, resales }: Json) => [action, labels.join(), resales]),
    };
  };
  const sales = [
    { listingId: one, fromBookingRef: 'first', toBookingRef: 'second', labels: ['A-1', 'B-1'] },
    { listingId: other, fromBookingRef: 'second', toBookingRef: 'third', labels: ['A-1'] },
  ];
  expect(await told('first')).toEqual({
    state: 'partially_cancelled',
    amounts: [3, 1, 20 + 15 + 30, 30],
    objects: [
      ['A-1', 'cancelled', 'second'],
      ['B-1', 'cancelled', 'second'],
      ['B-2', 'booked', undefined],
    ],
    activity: [
      ['partial_cancel', 'A-1,B-1', [sales[0]]],
      ['book', 'A-1,B-1,B-2', undefined],
    ],
  });
  expect(await told('second')).toEqual({
    state: 'partially_cancelled',
    amounts: [3, 2, 20 + 20 + 30, 20 + 30],
    objects: [
      ['A-9', 'booked', undefined],
      ['B-1', 'booked', undefined],
      ['A-1', 'cancelled', 'third'],
    ],
    activity: [
      ['partial_cancel', 'A-1', [sales[1]]],
      ['book', 'A-9,A-1,B-1', [sales[0]]],
    ],
  });
  expect(await told('third')).toEqual({
    state: 'booked',
    amounts: [1, 1, 20, 20],
    objects: [['A-1', 'booked', undefined]],
    activity: [['book', 'A-1', [sales[1]]]],
  });
  expect([await found('A-1'), await found('B-1'), await found('B-2')]).toEqual([['third'], ['second'], ['first']]);
  expect([await found('first'), await found('IR')]).toEqual([['first'], ['third', 'first']]);
  expect((await event.get()).body).toMatchObject({ meta: { sold: 4 }, counts: { booked: 4 } });
  await event.post('unbook', { bookingRef: 'first' });
  expect(await told('first')).toMatchObject({ state: 'cancelled', amounts: [3, 0, 65, 0] });
});
