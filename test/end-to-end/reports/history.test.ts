/** Bookings and the audit log of an event over HTTP. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { holdRef } from '../../../services/frontdoor/src/logs/rules/hold-ref.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop.stop());

describe('bookings', () => {
  test('a booking is found at once, with its objects and values', async () => {
    const event = await shop.event();
    for (let i = 1; i <= 5; i++) {
      const selections = [{ label: `A-${i}` }, { label: `B-${i}`, tierId: 'child' }, { label: 'Floor', quantity: 2 }];
      expect((await event.post('book', { bookingRef: `order-${i}`, selections })).status).toBe(200);
      const { status, body } = await event.get(`/bookings/order-${i}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        booking: {
          eventKey: event.key,
          eventMode: 'test',
          bookingRef: `order-${i}`,
          state: 'booked',
          cancelledAt: null,
          source: 'server',
          bookedBy: shop.own.test.key.id,
          quantity: 4,
          activeQuantity: 4,
          configuredValue: 20 + 15 + 2 * 20,
          activeConfiguredValue: 75,
          currency: 'EUR',
        },
        activity: [{ action: 'book', actor: shop.own.test.key.id, source: 'server' }],
        activityTruncated: false,
      });
      expect(body.booking.labels.slice(0, 2)).toEqual([`A-${i}`, `B-${i}`]);
      expect(body.booking.labels).toHaveLength(4);
      const objects = body.booking.objects.map((each: Json) => [each.label, each.tierId, each.configuredValue]);
      expect(objects).toEqual([
        [`A-${i}`, null, 20],
        [`B-${i}`, 'child', 15],
        ['Floor', null, 40],
      ]);
    }
    const { body } = await event.get('/bookings');
    expect(body.bookings.map(({ bookingRef }: Json) => bookingRef)).toEqual(
      ['5', '4', '3', '2', '1'].map((nth) => `order-${nth}`),
    );
    expect(body.nextCursor).toBeNull();
  });

  test('a booking is found by its buyer, and tells the note of its sale', async () => {
    const event = await shop.event();
    const { body: held } = await event.post('hold', { labels: ['A-1'] });
    const sale = { holdId: held.holdId, bookingRef: 'desk-1', buyerRef: 'Guest-77', note: 'Paid in cash' };
    expect((await event.post('book', sale)).status).toBe(200);
    await event.post('box-book', { labels: ['A-2'], bookingRef: 'desk-2', note: 'Card' });
    const { body } = await event.get('/bookings?q=guest-7');
    expect(body.bookings).toMatchObject([{ bookingRef: 'desk-1', buyerRef: 'Guest-77' }]);
    const notes = ['desk-1', 'desk-2'].map(async (ref) => (await event.get(`/bookings/${ref}`)).body);
    expect(await Promise.all(notes)).toMatchObject([
      { booking: { buyerRef: 'Guest-77' }, activity: [{ action: 'book', reason: 'Paid in cash' }] },
      { booking: { buyerRef: null }, activity: [{ action: 'book', reason: 'Card' }] },
    ]);
  });

  test('a booking can be cancelled in part, then whole, and booked again under its reference', async () => {
    const event = await shop.event();
    await event.post('book', { bookingRef: 'order', labels: ['A-1', 'A-2', 'A-3'] });
    await event.post('unbook', { bookingRef: 'order', labels: ['A-2'] });
    const partly = (await event.get('/bookings/order')).body;
    expect(partly.booking).toMatchObject({
      state: 'partially_cancelled',
      quantity: 3,
      activeQuantity: 2,
      cancelledAt: null,
    });
    expect(partly.booking.activeConfiguredValue).toBe(40);
    const states = partly.booking.objects.map((each: Json) => [each.label, each.state, each.cancelledAt === null]);
    expect(states.sort()).toEqual([
      ['A-1', 'booked', true],
      ['A-2', 'cancelled', false],
      ['A-3', 'booked', true],
    ]);
    await event.post('unbook', { bookingRef: 'order' });
    const { booking, activity } = (await event.get('/bookings/order')).body;
    expect(booking).toMatchObject({ state: 'cancelled', activeQuantity: 0 });
    expect(booking.cancelledAt).toBe(booking.updatedAt);
    expect(activity.map(({ action, labels }: Json) => [action, labels])).toEqual([
      ['cancel', ['A-1', 'A-3']],
      ['partial_cancel', ['A-2']],
      ['book', ['A-1', 'A-2', 'A-3']],
    ]);
    await event.post('book', { bookingRef: 'order', labels: ['A-2'] });
    expect((await event.get('/bookings/order')).body.booking).toMatchObject({
      state: 'partially_cancelled',
      activeQuantity: 1,
      labels: ['A-1', 'A-2', 'A-3'],
    });
  });

  test('are listed page by page, by state, and by a part of their reference or label', async () => {
    const event = await shop.event();
    for (let i = 1; i <= 7; i++) await event.post('book', { bookingRef: `Order-${i}`, labels: [`A-${i}`] });
    await event.post('unbook', { bookingRef: 'Order-2' });
    await event.post('unbook', { bookingRef: 'Order-5' });
    const list = async (query: string) => {
      const { body } = await event.get(`/bookings${query}`);
      return { refs: body.bookings.map((each: Json) => each.bookingRef.slice(6)).join(''), next: body.nextCursor };
    };
    let seen = '';
    let next: string | null = '';
    while (next !== null) {
      const page = await list(`?limit=3&cursor=${next}`);
      seen += page.refs;
      next = page.next;
    }
    expect(seen).toBe('7654321');
    expect((await list('?state=cancelled')).refs).toBe('52');
    expect((await list('?state=booked&limit=2')).refs).toBe('76');
    expect((await list('?q=oRDER-4')).refs).toBe('4');
    expect((await list('?limit=1000&cursor=garbled')).refs).toBe('7654321');
    expect((await list('?limit=1e3')).refs).toBe('7654321');
    expect((await event.get('/bookings/%20Order-4%20')).body.booking.bookingRef).toBe('Order-4');
    expect((await list('?q=A-4')).refs).toBe('4');
    expect((await list('?q=A-4&state=cancelled')).refs).toBe('');
    expect((await list('?q=A-2')).refs).toBe('');
    await event.post('book', { bookingRef: 'other-A-1', labels: ['A-2'] });
    expect((await event.get('/bookings?q=A-1')).body.bookings.map((each: Json) => each.bookingRef)).toEqual([
      'Order-1',
      'other-A-1',
    ]);
    const two = (await event.get('/bookings?q=A-1&limit=2')).body;
    expect(two.bookings.map((each: Json) => each.bookingRef)).toEqual(['Order-1', 'other-A-1']);
    await event.post('book', { bookingRef: 'seat-A-9', labels: ['A-9'] });
    await event.post('book', { bookingRef: 'like-A-9', labels: ['A-10'] });
    const first = (await event.get('/bookings?q=A-9&limit=1')).body;
    const rest = (await event.get(`/bookings?q=A-9&limit=1&cursor=${first.nextCursor}`)).body;
    const both = [...first.bookings, ...rest.bookings].map((each: Json) => each.bookingRef);
    expect(both).toEqual(['like-A-9', 'seat-A-9']);
    expect((await event.get('/bookings?state=paid')).status).toBe(422);
    expect((await event.get('/bookings/nobody')).body).toMatchObject({ code: 'booking_not_found' });
  });

  test('are visible only to their own organisation and mode', async () => {
    const event = await shop.event();
    const other = await shop.organisation('Other');
    const get = async (token: string) => (await shop.call('GET', `${event.path}/bookings`, { token })).status;
    expect([await get(other.test.secret), await get(shop.own.live.secret)]).toEqual([404, 403]);
  });
});

describe('the log', () => {
  test('tells every change with its actor, newest first, page by page to the beginning', async () => {
    const event = await shop.event();
    const { holdId } = (await event.post('hold', { labels: ['A-1', 'A-2'] })).body;
    await event.post('extend', { holdId });
    await event.post('release', { holdId, labels: ['A-2'] });
    await event.post('book', { holdId, bookingRef: 'order' });
    await event.post('unbook', { bookingRef: 'order' });
    await event.post('block', { labels: ['B-1'], reason: 'Press' });
    await event.post('unblock', { labels: ['B-1'] });
    await event.post('hold-ttl', { holdTtlMs: 120_000 });
    await event.post('close');
    await event.post('reopen');
    const entries: Json[] = [];
    let before: number | null = null;
    do {
      const { body } = await event.get(`/log?limit=4${before === null ? '' : `&before=${before}`}`);
      expect(body.entries.length).toBeLessThanOrEqual(4);
      entries.push(...body.entries);
      before = body.nextBefore;
    } while (before !== null);
    expect(entries.map(({ action, labels, ref }) => [action, labels.join(), ref])).toEqual([
      ['reopen', '', null],
      ['close', '', null],
      ['set_hold_ttl', '', null],
      ['unblock', 'B-1', null],
      ['block', 'B-1', null],
      ['unbook', 'A-1', 'order'],
      ['book', 'A-1', 'order'],
      ['release', 'A-2', holdRef(holdId)],
      ['extend', 'A-1,A-2', holdRef(holdId)],
      ['hold', 'A-1,A-2', holdRef(holdId)],
      ['create', '', null],
    ]);
    const ids = entries.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
    expect(new Set(ids).size).toBe(ids.length);
    expect(entries[4]).toMatchObject({ reason: 'Press', actor: shop.own.test.key.id, source: 'server' });
    expect((await event.get('/log?limit=1000')).body).toMatchObject({ nextBefore: null });
  });
});

test('Rebuilt projections replace the old ones and hold the same data', async () => {
  const event = await shop.event();
  await event.post('book', { bookingRef: 'order', labels: ['A-1'] });
  const read = async () => [
    (await event.get('/bookings')).body,
    (await event.get('/log')).body,
    (await event.get()).body,
  ];
  const before = await read();
  const admin = async (method: string, path: string) =>
    (await shop.call(method, `/v1/admin/projections${path}`, { token: shop.rootToken })).body;
  const { generation } = await admin('GET', '');
  expect(await admin('POST', '/rebuild')).toMatchObject({ generation, building: generation + 1 });
  await vi.waitFor(async () => expect(await admin('GET', '')).toMatchObject({ generation: generation + 1 }), 20_000);
  expect(await admin('GET', '')).toMatchObject({ building: null });
  expect(await read()).toEqual(before);
});

test('Live sales use credits as they happen; test sales and repeated calls use none', async () => {
  const own = await shop.organisation('Seller');
  const admin = (delta: number) =>
    shop.call('POST', `/v1/admin/organisations/${own.id}/credits`, {
      token: shop.rootToken,
      body: { delta, reason: 'a look' },
    });
  const balance = async () => (await admin(0)).body.organisation.credits;
  const sell = async (token: string) => {
    const post = (path: string, body?: unknown) =>
      shop.call('POST', path, { token, ...(body === undefined ? {} : { body }) });
    const { doc } = (await shop.call('GET', `/v1/charts/${shop.chart.id}`, { token: shop.token })).body;
    const { meta } = (await post('/v1/charts', { name: 'Hall', doc })).body;
    await post(`/v1/charts/${meta.id}/publish`);
    const path = `/v1/events/${(await post('/v1/events', { chartId: meta.id })).body.meta.key}`;
    await post(`${path}/book`, { bookingRef: 'order', labels: ['A-1', 'A-2', 'A-3'] });
    expect((await post(`${path}/book`, { bookingRef: 'order', labels: ['A-1'] })).body.booked).toEqual([]);
    await post(`${path}/unbook`, { bookingRef: 'order' });
    // The log waits until all records are counted.
    await shop.call('GET', `${path}/log`, { token });
    return meta.id as string;
  };
  const granted = await balance();
  await sell(own.test.secret);
  expect(await balance()).toBe(granted);
  const chartId = await sell(own.live.secret);
  expect(await balance()).toBe(granted - 3);
  await admin(3 - granted);
  const refused = await shop.call('POST', '/v1/events', { token: own.live.secret, body: { chartId } });
  expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_credits' } });
  await admin(1);
  expect((await shop.call('POST', '/v1/events', { token: own.live.secret, body: { chartId } })).status).toBe(201);
});
