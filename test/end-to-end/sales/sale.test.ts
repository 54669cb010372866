/** A sale through the built services: hold, inspect, extend, release, book, repeat, conflict, unbook, block. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const item = (label: string, more: object = {}) => expect.objectContaining({ label, currency: 'EUR', ...more });

describe('a hold', () => {
  it('by labels takes the seats at their price, and can be inspected', async () => {
    const event = await shop.event();
    const held = await event.post('hold', { labels: ['A-1', 'A-2'] });
    expect(held.status).toBe(200);
    expect(held.body).toEqual({
      ok: true,
      holdId: expect.stringMatching(/^hld_[0-9A-Za-z]{20,}$/),
      expiresAt: expect.any(Number),
      labels: ['A-1', 'A-2'],
      items: [item('A-1', { unitPrice: 20, tierId: null }), item('A-2', { accessSource: 'public' })],
      currency: 'EUR',
      priceUnit: 'major',
    });
    const seen = await event.get(`/holds/${held.body.holdId}`);
    expect(seen.body).toMatchObject({
      status: 'active',
      extends: 0,
      bookingRef: null,
      eventKey: event.key,
      mode: 'test',
    });
    expect((await event.get()).body.counts).toEqual({ free: 68, held: 2, booked: 0, blocked: 0 });
  });

  it('by selections takes tiers, and places of an area by quantity', async () => {
    const event = await shop.event();
    const selections = [{ label: 'B-1', tierId: 'child' }, { label: 'B-2' }, { label: 'Floor', quantity: 3 }];
    const held = await event.post('hold', { selections });
    expect(held.body.items.map((each: { place: { name: string } }) => each.place.name)).toEqual([
      'Row B, seat 1',
      'Row B, seat 2',
      'Floor',
    ]);
    expect(held.body.items).toEqual([
      item('B-1', { tierId: 'child', unitPrice: 15, categoryLabel: 'Balcony', tierName: 'Child' }),
      item('B-2', { tierId: 'adult', unitPrice: 30 }),
      item('Floor', { quantity: 3, objectType: 'ga', labels: expect.any(Array) }),
    ]);
  });

  it('of seats that are not free names each of them and changes nothing', async () => {
    const event = await shop.event();
    await event.post('hold', { labels: ['A-1'] });
    await event.post('book', { labels: ['A-2'], bookingRef: 'order-1' });
    const refused = await event.post('hold', { labels: ['A-1', 'A-2', 'A-3'] });
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      error: 'conflict',
      code: 'conflict',
      reason: 'conflict',
      message: expect.any(String),
      requestId: expect.any(String),
      conflicts: expect.arrayContaining([
        { label: 'A-1', name: 'Row A, seat 1', status: 'held' },
        { label: 'A-2', name: 'Row A, seat 2', status: 'booked' },
      ]),
    });
    expect((await event.get('/objects')).body.seats).toEqual({ 'A-1': 'held', 'A-2': 'booked' });
  });

  it('under an Idempotency-Key is made once, however often the call is repeated', async () => {
    const event = await shop.event();
    const key = { 'Idempotency-Key': 'cart-7' };
    const first = await event.post('hold', { labels: ['A-1'] }, key);
    const again = await event.post('hold', { labels: ['A-1'] }, key);
    expect(again.body).toEqual(first.body);
    const other = await event.post('hold', { labels: ['A-2'] }, key);
    expect([other.status, other.body.reason]).toEqual([409, 'idempotency_key_reused']);
  });

  it('lasts as long as requested, at most an hour, and expires by itself', async () => {
    const event = await shop.event();
    const hour = (await event.post('hold', { labels: ['A-2'], ttlMs: 86_400_000 })).body;
    expect(hour.expiresAt - Date.now()).toBeLessThanOrEqual(3_600_000);
    const { holdId, expiresAt } = (await event.post('hold', { labels: ['A-1'], ttlMs: 200 })).body;
    const statusNow = async () => (await event.get(`/holds/${holdId}`)).body.status;
    await expect.poll(statusNow, { timeout: 5_000 }).toBe('expired');
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
    expect((await event.post('hold', { labels: ['A-1'] })).status).toBe(200);
    expect((await event.post('book', { holdId, bookingRef: 'late' })).body).toMatchObject({ reason: 'hold_expired' });
  });

  it('can be extended three times', async () => {
    const event = await shop.event();
    const { holdId } = (await event.post('hold', { labels: ['A-1'] })).body;
    for (const renewals of [1, 2, 3]) {
      expect((await event.post('extend', { holdId })).body).toMatchObject({ ok: true, holdId, extends: renewals });
    }
    const refused = await event.post('extend', { holdId });
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([409, 'cannot_extend', 'extend_limit']);
  });

  it('is released in part, and then whole', async () => {
    const event = await shop.event();
    const { holdId } = (await event.post('hold', { labels: ['A-1', 'A-2'] })).body;
    expect((await event.post('release', { holdId, labels: ['A-1'] })).body).toEqual({ ok: true, released: ['A-1'] });
    expect((await event.post('release', { holdId })).body).toEqual({ ok: true, released: ['A-2'] });
    expect((await event.get(`/holds/${holdId}`)).body.status).toBe('released');
    expect((await event.get('/objects')).body.seats).toEqual({});
  });

  it('replaces another hold', async () => {
    const event = await shop.event();
    const { holdId } = (await event.post('hold', { labels: ['A-1', 'A-2'] })).body;
    const moved = await event.post('hold', { labels: ['A-2', 'A-3'], replaceHoldId: holdId });
    expect(moved.status).toBe(200);
    expect((await event.get('/objects')).body.seats).toEqual({ 'A-2': 'held', 'A-3': 'held' });
  });
});

describe('a booking', () => {
  it('of a hold sells its seats once; a repeated call answers with an empty list', async () => {
    const event = await shop.event();
    const { holdId } = (await event.post('hold', { labels: ['A-1', 'A-2'] })).body;
    const book = () => event.post('book', { holdId, bookingRef: ' order-1 ' });
    const { body: held } = await event.get(`/holds/${holdId}`);
    const told = { ok: true, labels: ['A-1', 'A-2'], items: held.items, bookingRef: 'order-1', holdId };
    expect((await book()).body).toEqual({ ...told, booked: ['A-1', 'A-2'] });
    expect((await book()).body).toEqual({ ...told, booked: [] });
    const late = await event.post('book', { holdId, bookingRef: 'order-2' });
    expect([late.status, late.body]).toMatchObject([409, { reason: 'hold_booked', bookingRef: 'order-1' }]);
    expect((await event.get(`/holds/${holdId}`)).body).toMatchObject({ status: 'booked', bookingRef: 'order-1' });
    expect((await event.get()).body).toMatchObject({ meta: { sold: 2 }, counts: { booked: 2, held: 0 } });
  });

  it("of places accepts the area's label, as the hold's items have it", async () => {
    const event = await shop.event();
    const held = (await event.post('hold', { labels: ['Floor', 'A-1', 'Floor', 'A-1'] })).body;
    const { holdId, labels: places } = (await event.post('hold', { selections: [{ label: 'Floor', quantity: 2 }] }))
      .body;
    expect(held.labels).toHaveLength(3);
    const book = () => event.post('book', { holdId, labels: ['Floor'], bookingRef: 'order-1' });
    expect((await book()).body).toMatchObject({ booked: places, labels: places, items: [{ quantity: 2 }] });
    expect((await event.post('unbook', { labels: ['Floor'], bookingRef: 'order-1' })).body.unbooked).toEqual(places);
    expect((await book()).body).toMatchObject({ booked: [], labels: places, items: [{ quantity: 2 }] });
    const { body } = await event.post('release', { holdId: held.holdId, labels: ['Floor'] });
    expect(body.released).toHaveLength(2);
    const late = await event.post('book', { holdId: held.holdId, labels: ['Floor'], bookingRef: 'order-2' });
    expect([late.status, late.body.code]).toEqual([409, 'conflict']);
    await event.post('release', { holdId: held.holdId });
    const released = await event.post('book', { holdId: held.holdId, bookingRef: 'order-2' });
    expect([released.status, released.body.reason, released.body.message]).toEqual([
      409,
      'hold_released',
      expect.stringContaining('hold them again'),
    ]);
  });

  it("of labels needs no hold, and is refused for another booking's seats", async () => {
    const event = await shop.event();
    expect((await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' })).body.booked).toEqual(['A-1']);
    const refused = await event.post('book', { labels: ['A-1', 'A-2'], bookingRef: 'order-2' });
    expect([refused.status, refused.body.conflicts]).toEqual([
      409,
      [{ label: 'A-1', name: 'Row A, seat 1', status: 'booked' }],
    ]);
  });

  it('is cancelled by its own reference', async () => {
    const event = await shop.event();
    await event.post('book', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
    expect((await event.post('unbook', { bookingRef: 'order-1', labels: ['A-1'] })).body).toEqual({
      ok: true,
      unbooked: ['A-1'],
    });
    expect((await event.get('/objects')).body.seats).toEqual({ 'A-2': 'booked' });
  });

  it('counts in the report', async () => {
    const event = await shop.event();
    await event.post('book', {
      selections: [{ label: 'B-1', tierId: 'child' }, { label: 'A-1' }],
      bookingRef: 'order-1',
    });
    const { body } = await event.get('/report');
    expect(body.report.byStatus).toEqual({ free: 68, held: 0, booked: 2, not_for_sale: 0 });
    expect(body.report.byCategory).toContainEqual(
      expect.objectContaining({ category: 'balcony', booked: 1, bookedValue: 15 }),
    );
    expect(body.event.key).toBe(event.key);
    expect(body.categories.map(({ key, price }: { key: string; price: number }) => [key, price])).toEqual([
      ['stalls', 20],
      ['balcony', 30],
    ]);
  });
});

it('Blocked seats cannot be held, and can be unblocked', async () => {
  const event = await shop.event();
  expect((await event.post('block', { labels: ['A-1', 'A-2', 'A-3'] })).body).toEqual({
    ok: true,
    blocked: ['A-1', 'A-2', 'A-3'],
  });
  expect((await event.post('hold', { labels: ['A-1'] })).body.conflicts).toEqual([
    { label: 'A-1', name: 'Row A, seat 1', status: 'blocked' },
  ]);
  expect((await event.post('unblock', { labels: ['A-1'] })).body).toEqual({ ok: true, unblocked: ['A-1'] });
  expect((await event.post('unblock-all')).body).toEqual({ ok: true, freed: ['A-2', 'A-3'] });
});

it('An event closes for sale and opens again', async () => {
  const event = await shop.event();
  expect((await event.post('close')).body).toMatchObject({ ok: true, meta: { status: 'closed' } });
  expect((await event.post('reopen')).body).toMatchObject({ ok: true, meta: { status: 'active' } });
  expect((await event.post('hold', { labels: ['A-1'] })).status).toBe(200);
});

it('Holds last the hold time that the event sets', async () => {
  const event = await shop.event();
  expect((await event.post('hold-ttl', { holdTtlMs: 120_000 })).body).toEqual({ ok: true, holdTtlMs: 120_000 });
  expect((await event.get('/hold-ttl')).body).toEqual({ holdTtlMs: 120_000 });
  const { expiresAt } = (await event.post('hold', { labels: ['A-1'] })).body;
  expect(expiresAt - Date.now()).toBeLessThanOrEqual(120_000);
});

it('Events are listed with or without counts', async () => {
  const { key } = await shop.event();
  const listed = await shop.call('GET', '/v1/events?limit=1', { token: shop.token });
  expect(listed.body.events[0]).toMatchObject({ counts: { free: 70 } });
  const bare = await shop.call('GET', '/v1/events?counts=0&limit=100000', { token: shop.token });
  const own = bare.body.events.find((event: { key: string }) => event.key === key);
  expect(own).toMatchObject({ sold: 0, mode: 'test' });
  expect(own).not.toHaveProperty('counts');
});
