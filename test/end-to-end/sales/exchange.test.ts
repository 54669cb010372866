/**
 * An exchange as each party hears of it: the caller, viewers, receivers, readers of the booking, the log and reports.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReceiver } from '../../support/notifier/receiver.ts';
import { type Json, openShop, type Shop, Watcher } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

type Event = Awaited<ReturnType<Shop['event']>>;

const exchange = (event: Event, key: string, body: Json) => event.post('exchange', body, { 'Idempotency-Key': key });

it('Viewers see both sides in one frame, and receivers get two posts with one exchangeId', {
  timeout: 60_000,
}, async () => {
  const hook = await openReceiver();
  const event = await shop.event();
  await event.post('book', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
  const events = ['seat.released', 'seat.booked'];
  await shop.call('POST', '/v1/webhooks', { token: shop.token, body: { url: hook.url, events } });
  const { body: ticket } = await shop.buyer('POST', `${event.key}/subscribe-tickets`);
  const buyer = new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, ticket.protocols);
  try {
    await buyer.next();
    const to = { selections: [{ label: 'B-1', tierId: 'child' }] };
    const told = await exchange(event, 'x-1', { bookingRef: 'order-1', from: ['A-1'], to, reason: 'A pillar' });
    expect([told.status, told.body]).toEqual([
      200,
      {
        ok: true,
        exchangeId: expect.stringMatching(/^exc_/),
        bookingRef: 'order-1',
        from: ['A-1'],
        to: ['B-1'],
        items: [expect.objectContaining({ label: 'B-1', tierId: 'child', unitPrice: 15 })],
        priceDifference: -5,
        amountDue: -5,
        currency: 'EUR',
        priceUnit: 'major',
      },
    ]);
    const { exchangeId } = told.body;
    const { changes } = await buyer.next();
    expect(changes).toHaveLength(2);
    expect(changes).toEqual(
      expect.arrayContaining([
        { label: 'A-1', status: 'free' },
        { label: 'B-1', status: 'booked' },
      ]),
    );
    const ofExchange = () =>
      hook.deliveries.map(({ body }) => body).filter(({ data }) => data.exchangeId === exchangeId);
    await expect.poll(() => ofExchange().length, { timeout: 20_000 }).toBe(2);
    const data = Object.fromEntries(ofExchange().map((body) => [body.event, body.data]));
    expect(data['seat.released']).toMatchObject({
      labels: ['A-1'],
      reason: 'exchanged',
      bookingRef: 'order-1',
      exchangeId,
    });
    expect(data['seat.booked']).toMatchObject({
      labels: ['B-1'],
      reason: 'exchanged',
      bookingRef: 'order-1',
      exchangeId,
    });

    const { entries } = (await event.get('/log')).body;
    expect(entries[0]).toMatchObject({
      action: 'exchanged',
      labels: ['A-1', 'B-1'],
      ref: 'order-1',
      reason: 'A pillar',
      details: { exchange: { exchangeId, from: ['A-1'], to: ['B-1'] } },
    });
  } finally {
    buyer.close();
    hook.close();
  }
});

it('A repetition gets the first answer, another body is refused, and a key is required', async () => {
  const event = await shop.event();
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
  const body = { bookingRef: 'order-1', from: ['A-1'], to: { labels: ['A-3'] } };
  const without = await event.post('exchange', body);
  expect([without.status, without.body.code]).toEqual([400, 'invalid_idempotency_key']);
  const first = await exchange(event, 'x-2', body);
  const again = await exchange(event, 'x-2', body);
  expect([again.status, again.headers.get('Idempotent-Replayed'), again.body]).toEqual([200, 'true', first.body]);
  const other = await exchange(event, 'x-2', { ...body, to: { labels: ['A-4'] } });
  expect([other.status, other.body.reason]).toEqual([409, 'idempotency_key_reused']);
  const fresh = await exchange(event, 'x-3', body);
  expect([fresh.status, fresh.body.reason, fresh.body.conflicts]).toEqual([
    409,
    'not_owned_by_booking_ref',
    [{ label: 'A-1', name: 'Row A, seat 1', status: 'free' }],
  ]);
  expect((await event.get()).body.counts).toMatchObject({ booked: 1 });
  // A refusal is not kept: what stood in the way is gone.
  await event.post('unbook', { bookingRef: 'order-1' });
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
  expect((await exchange(event, 'x-3', body)).body).toMatchObject({ ok: true, to: ['A-3'] });
});

it('A body that names no target, two targets or a bad quantity is refused with all its issues', async () => {
  const event = await shop.event();
  const bad = await exchange(event, 'x-4', {
    from: [{ label: 'A-1', quantity: 0 }],
    to: { labels: ['A-2'], holdId: 'h' },
  });
  expect([bad.status, bad.body.issues.map(({ path }: Json) => path)]).toEqual([422, ['bookingRef', 'from.0.quantity']]);
  const target = (to: Json) => exchange(event, 'x-5', { bookingRef: 'o', from: ['A-1'], to });
  for (const to of [
    {},
    { labels: ['A-2'], bestAvailable: { qty: 1 } },
    { selections: [{ label: 'A-2' }], holdId: 'h' },
  ]) {
    expect((await target(to)).body.issues).toMatchObject([{ path: 'to' }]);
  }
  expect((await target({ bestAvailable: { qty: 51 } })).body.issues).toMatchObject([{ path: 'to.bestAvailable.qty' }]);
  expect((await target(null)).status).toBe(422);
});

it('The booking shows what moved, stays booked, and can be cancelled in part and whole', async () => {
  const event = await shop.event();
  await event.post('book', { bookingRef: 'order-1', selections: [{ label: 'Floor', quantity: 3 }, { label: 'A-1' }] });
  const from = [{ label: 'Floor', quantity: 2 }];
  const { body: told } = await exchange(event, 'x-6', { bookingRef: 'order-1', from, to: { labels: ['B-1', 'B-2'] } });
  expect(told).toMatchObject({ priceDifference: 20, to: ['B-1', 'B-2'] });
  const read = async () => (await event.get('/bookings/order-1')).body;
  const { booking, activity } = await read();
  expect(booking).toMatchObject({ state: 'booked', activeQuantity: 4, activeConfiguredValue: 100, cancelledAt: null });
  expect(booking.activeLabels).toEqual(['__sl_ga__floor__1', 'A-1', 'B-1', 'B-2']);
  const states = booking.objects.map(({ label, quantity = 1, state, exchangeId }: Json) => [
    label,
    quantity,
    state,
    exchangeId,
  ]);
  expect(states).toEqual([
    ['Floor', 1, 'booked', undefined],
    ['A-1', 1, 'booked', undefined],
    ['Floor', 2, 'cancelled', told.exchangeId],
    ['B-1', 1, 'booked', undefined],
    ['B-2', 1, 'booked', undefined],
  ]);
  expect(activity[0]).toMatchObject({
    action: 'reconcile',
    labels: [...told.from, 'B-1', 'B-2'],
    exchange: { exchangeId: told.exchangeId, from: told.from, to: told.to },
  });
  const listed = (await event.get('/bookings?state=booked')).body.bookings;
  expect(listed.map(({ bookingRef }: Json) => bookingRef)).toEqual(['order-1']);

  const { report } = (await event.get('/report')).body;
  expect(report.byStatus.booked).toBe(4);
  expect(report.byCategory.map(({ category, bookedValue }: Json) => [category, bookedValue])).toEqual([
    ['stalls', 40],
    ['balcony', 60],
  ]);
  const { totals, bookedValue, velocity } = (await event.get('/control-room')).body;
  expect([totals.booked, bookedValue.gross]).toEqual([4, 100]);
  expect(velocity.bySection.reduce((sum: number, { netBooked }: Json) => sum + netBooked, 0)).toBe(4);

  expect((await event.post('unbook', { bookingRef: 'order-1', labels: ['B-1'] })).body.unbooked).toEqual(['B-1']);
  expect((await read()).booking).toMatchObject({ state: 'partially_cancelled', activeQuantity: 3 });
  expect((await event.post('unbook', { bookingRef: 'order-1' })).body.unbooked).toHaveLength(3);
  expect((await read()).booking).toMatchObject({ state: 'cancelled', activeQuantity: 0 });
  expect((await event.get()).body.counts).toMatchObject({ booked: 0 });
});

it('An exchange uses no credit', async () => {
  const { secret: token } = shop.own.live;
  const { meta } = (await shop.call('POST', '/v1/events', { token, body: { chartId: shop.chart.id } })).body;
  const path = `/v1/events/${meta.key}`;
  const post = (what: string, body: Json, headers = {}) =>
    shop.call('POST', `${path}/${what}`, { token, body, headers });
  await post('book', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
  const balance = async () => {
    const change = { token: shop.rootToken, body: { delta: 1, reason: 'A look' } };
    return (await shop.call('POST', `/v1/admin/organisations/${shop.own.id}/credits`, change)).body.organisation
      .credits;
  };
  await expect
    .poll(async () => (await shop.call('GET', `${path}/log`, { token })).body.entries[0]?.action)
    .toBe('book');
  const before = await balance();
  for (const [n, [from, to]] of [
    ['A-1', 'B-1'],
    ['B-1', 'B-2'],
    ['B-2', 'A-1'],
  ].entries()) {
    const body = { bookingRef: 'order-1', from: [from], to: { labels: [to] } };
    expect((await post('exchange', body, { 'Idempotency-Key': `credit-${n}` })).status).toBe(200);
  }
  await expect
    .poll(async () => (await shop.call('GET', `${path}/log`, { token })).body.entries[0].action)
    .toBe('exchanged');
  expect(await balance()).toBe(before + 1);
});

it('A hold and the best seats are targets, and a console needs the box office', async () => {
  const event = await shop.event();
  await event.post('book', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
  const { holdId } = (await event.post('hold', { labels: ['A-9', 'A-10'] })).body;
  const part = { bookingRef: 'order-1', from: ['A-1'], to: { holdId, labels: ['A-9'] } };
  expect((await exchange(event, 'x-8', part)).body).toMatchObject({ to: ['A-9'], priceDifference: 0 });
  const best = {
    bookingRef: 'order-1',
    from: ['A-9', 'A-2'],
    to: { bestAvailable: { qty: 2, categoryKey: 'balcony' } },
  };
  const { to } = (await exchange(event, 'x-9', best)).body;
  expect(to.every((label: string) => label.startsWith('B-'))).toBe(true);
  const session = async (capabilities: string[]) =>
    (await event.post('manage-sessions', { allowedOrigin: 'http://localhost:5173', capabilities })).body.token;
  const asConsole = async (capabilities: string[], key: string) =>
    shop.call('POST', `${event.path}/exchange`, {
      token: await session(capabilities),
      headers: { 'Idempotency-Key': key, Origin: 'http://localhost:5173' },
      body: { bookingRef: 'order-1', from: [to[0]], to: { labels: ['A-20'] } },
    });
  expect((await asConsole(['event:cancel'], 'x-10')).body).toMatchObject({ capability: 'event:boxoffice' });
  expect((await asConsole(['event:boxoffice'], 'x-10')).status).toBe(200);
});

it('An order moves to another night, and both nights, receivers and readers hear of both sides', {
  timeout: 60_000,
}, async () => {
  const hook = await openReceiver();
  const [friday, saturday] = [await shop.event(), await shop.event()];
  const events = ['seat.released', 'seat.booked'];
  await shop.call('POST', '/v1/webhooks', { token: shop.token, body: { url: hook.url, events } });
  try {
    await friday.post('book', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
    const to = { eventKey: saturday.key, labels: ['B-1', 'B-2'] };
    const body = { bookingRef: 'order-1', from: ['A-1', 'A-2'], to, fee: 4, waiveDifference: { reason: 'Ill' } };
    const dry = await exchange(friday, 'night-1', { ...body, dryRun: true });
    expect(dry.body).toMatchObject({ priceDifference: 20, fee: 4, amountDue: 4, toEventKey: saturday.key });
    expect((await saturday.get()).body.counts).toMatchObject({ booked: 0 });
    const told = await exchange(friday, 'night-2', body);
    expect([told.status, told.body]).toEqual([200, { ...dry.body, exchangeId: expect.stringMatching(/^exc_/) }]);
    const { exchangeId } = told.body;
    expect((await exchange(friday, 'night-2', body)).body).toEqual(told.body);
    const moved = (await saturday.get('/bookings/order-1')).body;
    expect(moved.booking).toMatchObject({ state: 'booked', activeLabels: ['B-1', 'B-2'] });
    expect(moved.activity[0].exchange).toEqual({
      exchangeId,
      from: ['A-1', 'A-2'],
      to: ['B-1', 'B-2'],
      fromEventKey: friday.key,
      priceDifference: 20,
      fee: 4,
      waivedDifference: { amount: 20, reason: 'Ill' },
    });
    const left = (await friday.get('/bookings/order-1')).body;
    expect(left.booking).toMatchObject({ state: 'cancelled', activeLabels: [], activeConfiguredValue: 0 });
    expect(left.activity[0].exchange).toMatchObject({ exchangeId, to: ['B-1', 'B-2'], toEventKey: saturday.key });
    expect((await saturday.get('/report')).body.report.exchanges).toEqual({ fees: 4, waivedDifferences: 20 });
    const ofExchange = () =>
      hook.deliveries.map(({ body }) => body).filter(({ data }) => data.exchangeId === exchangeId);
    await expect.poll(() => ofExchange().length, { timeout: 20_000 }).toBe(2);
    const data = Object.fromEntries(ofExchange().map((sent) => [sent.event, sent.data]));
    expect(data['seat.booked']).toMatchObject({ labels: ['B-1', 'B-2'], fromEventKey: friday.key, fee: 4 });
    expect(data['seat.released']).toMatchObject({ labels: ['A-1', 'A-2'], toEventKey: saturday.key });
  } finally {
    hook.close();
  }
});

it('Another night that does not fit, is unknown or is beyond the caller is refused by place', async () => {
  const [friday, saturday] = [await shop.event(), await shop.event()];
  await friday.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
  const create = (token: string, more: Json = {}) =>
    shop.call('POST', '/v1/events', { token, body: { chartId: shop.chart.id, ...more } });
  const { meta: live } = (await create(shop.own.live.secret)).body;
  const { meta: dollars } = (await create(shop.token, { currency: 'USD' })).body;
  const move = (eventKey: string, key: string, more: Json = {}) =>
    exchange(friday, key, { bookingRef: 'order-1', from: ['A-1'], to: { eventKey, labels: ['B-1'] }, ...more });
  for (const [n, other] of [live, dollars].entries()) {
    const told = await move(other.key, `other-${n}`);
    expect([told.status, told.body.code, told.body.issues[0].path]).toEqual([
      422,
      'incompatible_events',
      'to.eventKey',
    ]);
  }
  expect((await move('nowhere', 'other-3')).status).toBe(404);
  const stranger = await shop.organisation('Stranger');
  expect((await move(saturday.key, 'other-4', { fee: -1 })).body.issues).toMatchObject([{ path: 'fee' }]);
  const chart = await shop.call('POST', '/v1/charts', {
    token: stranger.test.secret,
    body: { name: 'Hall', doc: shop.hall },
  });
  await shop.call('POST', `/v1/charts/${chart.body.meta.id}/publish`, { token: stranger.test.secret });
  const theirs = await shop.call('POST', '/v1/events', {
    token: stranger.test.secret,
    body: { chartId: chart.body.meta.id },
  });
  expect((await move(theirs.body.meta.key, 'other-5')).status).toBe(404);
  const capabilities = ['event:boxoffice'];
  const { token } = (await friday.post('manage-sessions', { allowedOrigin: 'http://localhost:5173', capabilities }))
    .body;
  const asConsole = await shop.call('POST', `${friday.path}/exchange`, {
    token,
    headers: { 'Idempotency-Key': 'other-6', Origin: 'http://localhost:5173' },
    body: { bookingRef: 'order-1', from: ['A-1'], to: { eventKey: saturday.key, labels: ['B-1'] } },
  });
  expect([asConsole.status, asConsole.body.code]).toEqual([403, 'forbidden']);
  await saturday.post('archive');
  expect((await move(saturday.key, 'other-7')).body.code).toBe('invalid_event_state');
  expect((await friday.get('/bookings/order-1')).body.booking.activeLabels).toEqual(['A-1']);
});

it('Two orders swap, and each hears of its side', async () => {
  const event = await shop.event();
  await event.post('book', { labels: ['A-1'], bookingRef: 'one' });
  await event.post('book', { labels: ['B-1'], bookingRef: 'other' });
  const body = { swap: true, a: { bookingRef: 'one', labels: ['A-1'] }, b: { bookingRef: 'other', labels: ['B-1'] } };
  const told = await exchange(event, 'swap-1', body);
  expect(told.body).toEqual({
    ok: true,
    priceUnit: 'major',
    exchangeId: expect.stringMatching(/^exc_/),
    currency: 'EUR',
    a: {
      bookingRef: 'one',
      from: ['A-1'],
      items: [expect.objectContaining({ label: 'B-1', place: expect.anything() })],
      priceDifference: 10,
    },
    b: { bookingRef: 'other', from: ['B-1'], items: [expect.objectContaining({ label: 'A-1' })], priceDifference: -10 },
  });
  expect((await exchange(event, 'swap-1', body)).body).toEqual(told.body);
  const read = async (ref: string) => (await event.get(`/bookings/${ref}`)).body;
  const [one, other] = [await read('one'), await read('other')];
  expect([one.booking.activeLabels, other.booking.activeLabels]).toEqual([['B-1'], ['A-1']]);
  expect(one.activity[0].exchange).toMatchObject({ from: ['A-1'], to: ['B-1'], swappedWith: 'other' });
  const bad = await exchange(event, 'swap-2', { swap: true, a: { bookingRef: 'one', labels: [] }, b: 3 });
  expect([bad.status, bad.body.issues.map(({ path }: Json) => path)]).toEqual([422, ['a.labels', 'b']]);
});
