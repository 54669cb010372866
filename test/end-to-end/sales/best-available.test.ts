/**
 * Best available over HTTP: the event chooses seats that are held, blocked or booked, and never gives a seat to two
 * callers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

test('The best seats are held like named seats', async () => {
  const event = await shop.event();
  const { status, body } = await event.post('best-available', { qty: 2, categoryKey: 'balcony', ttlMs: 60_000 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ ok: true, labels: ['B-1', 'B-2'], currency: 'EUR' });
  expect(body.items).toMatchObject([{ tierId: 'adult', unitPrice: 30 }, { unitPrice: 30 }]);
  expect('zoneId' in body).toBe(false);
  const view = await event.get(`/holds/${body.holdId}`);
  expect(view.body).toMatchObject({ status: 'active', expiresAt: body.expiresAt, items: body.items });
  const booked = await event.post('book', { holdId: body.holdId, bookingRef: 'order' });
  expect(booked.body.booked).toEqual(['B-1', 'B-2']);
});

test('An Idempotency-Key names a hold and a block; another body under the key is refused', async () => {
  const event = await shop.event();
  const key = { 'Idempotency-Key': 'cart' };
  const first = await event.post('best-available', { qty: 2 }, key);
  expect((await event.post('best-available', { qty: 2 }, key)).body).toEqual(first.body);
  const other = await event.post('best-available', { qty: 3 }, key);
  expect([other.status, other.body.reason]).toEqual([409, 'idempotency_key_reused']);
  const blocked = await event.post('best-available-block', { qty: 2, reason: 'Press' }, key);
  expect(blocked.body).toEqual({ ok: true, labels: blocked.body.labels, blocked: blocked.body.labels });
  expect(blocked.body.labels).toHaveLength(2);
  expect((await event.post('best-available-block', { qty: 2, reason: 'Press' }, key)).body).toEqual(blocked.body);
  const otherBlock = await event.post('best-available-block', { qty: 2 }, key);
  expect([otherBlock.status, otherBlock.body.reason]).toEqual([409, 'idempotency_key_reused']);
  expect((await event.get()).body.counts).toMatchObject({ held: 2, blocked: 2 });
});

test('A booking that is repeated under its reference has no second effect', async () => {
  const event = await shop.event();
  const first = await event.post('best-available-book', { qty: 3, bookingRef: ' order ' });
  expect(first.body).toMatchObject({ ok: true, labels: ['A-1', 'A-2', 'A-3'], bookingRef: 'order' });
  expect(first.body.items).toHaveLength(3);
  expect((await event.post('best-available-book', { qty: 3, bookingRef: 'order' })).body).toEqual(first.body);
  const other = await event.post('best-available-book', { qty: 2, bookingRef: 'order' });
  expect([other.status, other.body.code, other.body.reason]).toEqual([409, 'conflict', 'booking_ref_in_use']);
  expect((await event.get()).body.counts).toMatchObject({ booked: 3 });
  await event.post('unbook', { bookingRef: 'order' });
  const late = await event.post('best-available-book', { qty: 3, bookingRef: 'order' });
  expect([late.status, late.body.code, late.body.reason]).toEqual([409, 'conflict', 'booking_cancelled']);
  expect((await event.get()).body.counts).toMatchObject({ booked: 0 });
});

test('Wrong quantities, unknown filters and too large groups are refused', async () => {
  const event = await shop.event();
  const refused = async (action: string, body: object) => {
    const { status, body: answer } = await event.post(action, body);
    return [status, answer.code, answer.issues?.[0].path ?? answer.reason];
  };
  for (const qty of [0, -1, 1.5, '2', undefined]) {
    expect(await refused('best-available', { qty })).toEqual([422, 'invalid_request', 'qty']);
  }
  expect(await refused('best-available', { qty: 1, zoneId: 'east' })).toEqual([422, 'invalid_request', 'zoneId']);
  expect(await refused('best-available-block', { qty: 1, categoryKey: 'x' })).toEqual([
    422,
    'invalid_request',
    'categoryKey',
  ]);
  expect(await refused('best-available-book', { qty: 1 })).toEqual([422, 'invalid_request', 'bookingRef']);
  expect(await refused('best-available', { qty: 1_000, categoryKey: 'balcony' })).toEqual([
    409,
    'conflict',
    'not_enough_together',
  ]);
  await event.post('best-available-block', { qty: 20, categoryKey: 'balcony' });
  expect(await refused('best-available', { qty: 1, categoryKey: 'balcony' })).toEqual([409, 'conflict', 'sold_out']);
});

test('A hundred concurrent callers for forty seats get each seat once', async () => {
  const event = await shop.event();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      i % 2 === 0
        ? event.post('best-available', { qty: 1 + (i % 3) })
        : event.post('best-available-book', { qty: 1 + (i % 3), bookingRef: `order-${i}` }),
    ),
  );
  const labels = answers.filter(({ status }) => status === 200).flatMap(({ body }) => body.labels);
  expect(new Set(labels).size).toBe(labels.length);
  // Places of the standing area are chosen after every seat is gone.
  expect(labels.filter((label: string) => /^[AB]-/.test(label))).toHaveLength(40);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const { status, body } of refused) {
    expect(status).toBe(409);
    expect(['sold_out', 'not_enough_together']).toContain(body.reason);
  }
});
