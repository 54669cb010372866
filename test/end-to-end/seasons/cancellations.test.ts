/** Cancellations of season bookings. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Json, openShop, type Shop } from '../shop.ts';
import { type SoldSeason, sellSeason } from './sold-season.ts';

let shop: Shop;
let season: SoldSeason;
beforeAll(async () => {
  shop = await openShop();
  season = await sellSeason(shop);
}, 120_000);
afterAll(() => shop?.stop());

let named = 0;

/** A fresh booking of these seats. */
async function bookSeats(...labels: string[]) {
  const name = ++named;
  const page = await season.page();
  await page.hold(`sop_${name}`, labels);
  const action = `book-${name}`;
  const bookingRef = `order-${name}`;
  const booked = await season.book(`sop_${name}`, action, bookingRef);
  if (booked.body.booking?.state !== 'booked') throw new Error(JSON.stringify(booked.body));
  const usual = { bookingRef, planActivationId: season.planActivationId, rightDisposition: 'release' };
  const read = async (): Promise<Json> => (await season.get(`/bookings/${action}`)).body.booking;
  return {
    operationId: `sop_${name}`,
    action,
    bookingRef,
    read,
    cancel: (cancelActionId: string, more: object = {}): Promise<Answer> =>
      season.post(`/bookings/${action}/cancel`, { cancelActionId, ...usual, ...more }),
  };
}

test('a cancellation frees every occurrence, and its action replays', async () => {
  const booking = await bookSeats('A-1', 'A-2');
  const cancelled = await booking.cancel('cancel-1');
  expect([cancelled.status, cancelled.body.booking]).toMatchObject([
    200,
    {
      actionId: booking.action,
      state: 'cancelled',
      lastError: null,
      cancellation: {
        cancelActionId: 'cancel-1',
        state: 'cancelled',
        rightDisposition: 'release',
        lastError: null,
        outcomes: season.eventKeys.map((eventKey) => ({ eventKey, state: 'cancelled', code: null })),
      },
    },
  ]);
  expect(await season.statuses('A-1')).toEqual(['free', 'free', 'free']);
  expect((await booking.cancel('cancel-1')).body).toEqual(cancelled.body);
  expect(await booking.read()).toEqual(cancelled.body.booking);
  const replayed = await season.book(booking.operationId, booking.action, booking.bookingRef);
  expect([replayed.status, replayed.body]).toEqual([200, cancelled.body]);
  const { report } = (await season.get('/reports')).body;
  expect(report.inventory).toMatchObject({ bookings: 1, booked: 0, cancelled: 1 });
  const { lookup } = (await season.get(`/support-lookups?bookingRef=${booking.bookingRef}`)).body;
  expect(lookup.bookings).toEqual([cancelled.body.booking]);
  const { outbox } = (await season.get('/outbox')).body;
  expect(outbox[0]).toMatchObject({
    eventName: 'season.booking.cancelled',
    payload: { data: { cancelActionId: 'cancel-1', bookActionId: booking.action, rightDisposition: 'release' } },
  });
});

test('another reference, plan, disposition or action is refused, and nothing is freed', async () => {
  const booking = await bookSeats('A-3');
  for (const more of [{ bookingRef: 'order-x' }, { planActivationId: 'spa_0' }]) {
    expect((await booking.cancel('cancel-x', more)).status).toBe(409);
  }
  expect((await booking.cancel('cancel-x', { rightDisposition: 'keep' })).status).toBe(422);
  expect((await season.post('/bookings/none/cancel', {})).status).toBe(422);
  expect(await season.statuses('A-3')).toEqual(['booked', 'booked', 'booked']);
  expect((await booking.cancel('cancel-2', { rightDisposition: 'preserve' })).status).toBe(200);
  expect((await booking.cancel('cancel-2')).body.reason).toBe('action_reused');
  expect((await booking.cancel('cancel-3')).body.reason).toBe('booking_cancelled');
});

test('a cancellation frees what is left, and leaves other bookings of its reference alone', async () => {
  const [first, second] = season.eventKeys as [string, string];
  const booking = await bookSeats('A-5', 'A-6');
  const onEvent = (key: string, action: string, body: object) =>
    season.call('POST', `/v1/events/${key}/${action}`, body);
  // One night of one seat is given back and sold again under the same reference, by its event alone.
  await onEvent(first, 'unbook', { labels: ['A-5'], bookingRef: booking.bookingRef });
  await onEvent(first, 'book', { labels: ['A-5'], bookingRef: booking.bookingRef });
  await onEvent(second, 'book', { labels: ['A-7'], bookingRef: booking.bookingRef });
  await onEvent(second, 'unbook', { labels: ['A-5', 'A-6'], bookingRef: booking.bookingRef });
  const cancelled = await booking.cancel('cancel-4');
  expect(cancelled.body.booking).toMatchObject({ state: 'cancelled', cancellation: { state: 'cancelled' } });
  expect(await season.statuses('A-5')).toEqual(['booked', 'free', 'free']);
  expect(await season.statuses('A-6')).toEqual(['free', 'free', 'free']);
  expect(await season.statuses('A-7')).toEqual(['free', 'booked', 'free']);
  const { operations } = (await season.get('/operations')).body;
  expect(operations[0]).toMatchObject({ operationId: booking.operationId, state: 'cancelled' });
});

test('a booking that failed, and one that is unknown, cannot be cancelled', async () => {
  const page = await season.page();
  await page.hold('sop_released', ['A-9']);
  await page.release('sop_released');
  expect((await season.book('sop_released', 'book-late', 'order-late')).status).toBe(409);
  const body = { cancelActionId: 'cancel-5', bookingRef: 'order-late', planActivationId: season.planActivationId };
  const refused = await season.post('/bookings/book-late/cancel', { ...body, rightDisposition: 'release' });
  expect([404, 409]).toContain(refused.status);
  expect((await season.post('/bookings/none/cancel', { ...body, rightDisposition: 'release' })).status).toBe(404);
});
