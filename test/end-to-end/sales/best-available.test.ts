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
  const { labels } = blocked.body;
  expect(blocked.body).toEqual({ ok: true, labels, blocked: labels, together: true, parts: [labels] });
  expect(blocked.body.labels).toHaveLength(2);
  expect((await event.post('best-available-block', { qty: 2, reason: 'Press' }, key)).body).toEqual(blocked.body);
  const otherBlock = await event.post('best-available-block', { qty: 2 }, key);
  expect([otherBlock.status, otherBlock.body.reason]).toEqual([409, 'idempotency_key_reused']);
  expect((await event.get()).body.counts).toMatchObject({ held: 2, blocked: 2 });
});

test('The terms of a search narrow it, alternatives hold nothing, and names that the chart lacks are refused by place', async () => {
  const event = await shop.event();
  const dry = await event.post('best-available', { qty: 2, rowLabels: ['B'], maxUnitPrice: 30, alternatives: 2 });
  expect(dry.status).toBe(200);
  expect(dry.body).toMatchObject({
    ok: true,
    alternatives: [{ labels: ['B-1', 'B-2'], items: [{ unitPrice: 30, place: { row: 'B' } }, {}], together: true }, {}],
    currency: 'EUR',
  });
  expect((await event.get()).body.counts).toMatchObject({ held: 0 });
  const unknown = await event.post('best-available', { qty: 2, rowLabels: ['B', 'Z'] });
  expect([unknown.status, unknown.body.issues]).toMatchObject([422, [{ path: 'rowLabels' }]]);
  const bounds = await event.post('best-available', { qty: 2, minUnitPrice: 9, maxUnitPrice: 8 });
  expect([bounds.status, bounds.body.issues]).toMatchObject([422, [{ path: 'maxUnitPrice' }]]);
  const block = await event.post('best-available-block', { qty: 2, alternatives: 2 });
  expect([block.status, block.body.issues]).toMatchObject([422, [{ path: 'alternatives' }]]);
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
  const all = await event.post('best-available', {
    qty: 3,
    categoryKey: 'stalls',
    categoryKeys: ['balcony'],
    accessibleSeats: 4,
    tickets: [{ tierId: 'adult', qty: 2 }],
  });
  expect([all.status, all.body.issues.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ['categoryKeys', 'accessibleSeats', 'accessibleSeats', 'tickets'],
  ]);
  expect(all.body.issues.at(-1).message).toContain('add up to 2, and qty is 3');
  const unknown = await event.post('best-available', { qty: 2, categoryKeys: ['x', 'stalls', 'y'], zoneId: 'east' });
  expect([unknown.status, unknown.body.issues.length]).toEqual([422, 3]);
  const near = await event.post('best-available', { qty: 2, near: ['A-1', 'Z-1', 'Z-2'] });
  expect([near.status, near.body.code, near.body.labels]).toEqual([422, 'unknown_labels', ['Z-1', 'Z-2']]);
  const tier = await event.post('best-available-book', {
    qty: 2,
    bookingRef: 'order',
    tickets: [{ tierId: 'senior', qty: 2 }],
  });
  expect([tier.status, tier.body.code]).toEqual([422, 'unknown_tier']);
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

test('An answer tells the parts of the choice, and that a large call was cut', async () => {
  const event = await shop.event();
  const two = await event.post('best-available', { qty: 2, categoryKeys: ['balcony', 'stalls'] });
  expect(two.body).toMatchObject({ together: true, parts: [two.body.labels] });
  expect('clamped' in two.body || 'kept' in two.body).toBe(false);
  const most = await event.post('best-available-book', { qty: 60, bookingRef: 'crowd' });
  expect(most.body).toMatchObject({ clamped: true, together: false });
  expect(most.body.labels).toHaveLength(50);
  expect(most.body.parts.flat().toSorted()).toEqual(most.body.labels.toSorted());
  expect((await event.post('best-available-book', { qty: 60, bookingRef: 'crowd' })).body).toEqual(most.body);
});

test('Tickets give tiers to the seats, at their prices', async () => {
  const event = await shop.event();
  const tickets = [
    { tierId: 'adult', qty: 2 },
    { tierId: 'child', qty: 1 },
  ];
  const { status, body } = await event.post('best-available', { qty: 3, tickets });
  expect(status).toBe(200);
  expect(body.items.map((item: { tierId: string; unitPrice: number }) => [item.tierId, item.unitPrice])).toEqual([
    ['adult', 30],
    ['adult', 30],
    ['child', 15],
  ]);
});

test('A hold is replaced by better seats, and stays untouched without them', async () => {
  const event = await shop.event();
  const hold = (await event.post('hold', { labels: ['A-11', 'A-13'] })).body;
  const key = { 'Idempotency-Key': 'better' };
  const ask = { qty: 2, replaceHoldId: hold.holdId };
  const tooMany = await event.post('best-available', { ...ask, qty: 50, categoryKey: 'balcony' });
  expect([tooMany.status, tooMany.body.reason]).toEqual([409, 'not_enough_together']);
  expect((await event.get(`/holds/${hold.holdId}`)).body).toMatchObject({
    status: 'active',
    expiresAt: hold.expiresAt,
  });
  const moved = await event.post('best-available', ask, key);
  expect(moved.body).toMatchObject({ together: true });
  expect((await event.get(`/holds/${hold.holdId}`)).body.status).toBe('released');
  expect((await event.post('best-available', ask, key)).body).toEqual(moved.body);
  const stay = { qty: 2, replaceHoldId: moved.body.holdId };
  const stayed = await event.post('best-available', stay, { 'Idempotency-Key': 'stay' });
  expect(stayed.body).toEqual({ ...moved.body, kept: true });
  await event.post('release', { holdId: moved.body.holdId });
  expect((await event.post('best-available', stay, { 'Idempotency-Key': 'stay' })).body).toEqual(stayed.body);
  const other = await event.post('hold', { labels: ['A-20'] }, { 'Idempotency-Key': 'stay' });
  expect([other.status, other.body.reason]).toEqual([409, 'idempotency_key_reused']);
  expect((await event.get()).body.counts.held).toBe(0);
  const { entries } = (await event.get('/log')).body;
  expect(entries.filter(({ action }: { action: string }) => action === 'keep_hold')).toHaveLength(1);
});
