/**
 * Ticket releases and counter sales through the built services: the list, the price of a seat, and a quota that many
 * buyers want at once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

type Event = Awaited<ReturnType<Shop['event']>>;

const set = (event: Event, ...releases: object[]) =>
  shop.call('PUT', `${event.path}/releases`, { token: shop.token, body: { releases } });
const pricesOf = (items: Json[]) => items.map(({ unitPrice, releaseId }) => [unitPrice, releaseId]);

async function managedEvent(): Promise<Event & { asOperator: Shop['call'] }> {
  const { write } = await shop.logIn(await shop.user());
  const asOperator: Shop['call'] = (method, path, options = {}) =>
    shop.call(method, path, { ...options, headers: write });
  const { meta } = (await asOperator('POST', '/v1/events', { body: { chartId: shop.chart.id, mode: 'test' } })).body;
  const path = `/v1/events/${meta.key}`;
  return {
    key: meta.key,
    path,
    asOperator,
    post: (action, body) => shop.call('POST', `${path}/${action}`, { token: shop.token, ...(body ? { body } : {}) }),
    get: (what = '') => shop.call('GET', path + what, { token: shop.token }),
  };
}

describe('the list of ticket releases', () => {
  it('is set as a whole, read back unchanged, and edited by another set', async () => {
    const event = await shop.event();
    expect((await event.get('/releases')).body).toEqual({ releases: [], currency: 'EUR', priceUnit: 'major' });
    const made = await set(
      event,
      { name: ' Early ', price: 12, quota: 10, categoryKey: 'stalls' },
      { name: 'Late', price: 18 },
    );
    expect(made.status).toBe(200);
    const [early, late] = made.body.releases;
    expect(early).toEqual({
      id: expect.stringMatching(/^rel_[0-9A-Za-z]{20,}$/),
      name: 'Early',
      price: 12,
      previousPrice: null,
      quota: 10,
      startsAt: null,
      endsAt: null,
      categoryKey: 'stalls',
      action: 'buy',
      actionUrl: null,
      position: 0,
      consumed: 0,
      remaining: 10,
      soldOutAt: null,
      status: 'active',
      state: 'active',
    });
    const edited = await set(event, late, { ...early, price: 13 });
    expect(edited.body.releases).toMatchObject([
      { id: late.id, position: 0 },
      { id: early.id, position: 1, price: 13 },
    ]);
    expect((await event.get('/releases')).body).toEqual(edited.body);
  });

  it('with faults is refused with all of them', async () => {
    const event = await shop.event();
    const refused = await set(
      event,
      { name: '', price: 1.5, quota: 0 },
      { name: 'Groups', price: 1, action: 'apply' },
      { name: 'Bill', price: 1_000_000_001, action: 'invoice', actionUrl: 'http://theatre.example' },
    );
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_request']);
    expect(refused.body.issues.map(({ path }: { path: string }) => path)).toEqual([
      'releases.0.name',
      'releases.0.price',
      'releases.0.quota',
      'releases.1.actionUrl',
      'releases.2.price',
      'releases.2.actionUrl',
    ]);
    const { id } = (await set(event, { name: 'A', price: 1 })).body.releases[0];
    const twice = await set(event, { id, name: 'A', price: 1 }, { id, name: 'B', price: 2 });
    expect(twice.body.issues).toMatchObject([{ path: 'releases.1.id' }]);
    const many = await set(event, ...Array.from({ length: 13 }, (_, i) => ({ name: `R${i}`, price: i })));
    expect([many.status, many.body.issues]).toMatchObject([422, [{ path: 'releases' }]]);
    const chart = await set(
      event,
      { name: 'B', price: 1, categoryKey: 'balcony' },
      { id: 'rel_0', name: 'C', price: 1 },
    );
    expect(chart.body.issues).toMatchObject([{ path: 'releases.0.categoryKey' }, { path: 'releases.1.id' }]);
    expect((await event.get('/releases')).body.releases).toHaveLength(1);
  });

  it('keeps a closed ticket release, whose price stays with its sold units in report and booking', async () => {
    const event = await shop.event();
    const [early] = (await set(event, { name: 'Early', price: 12 })).body.releases;
    const { holdId, items } = (await event.post('hold', { labels: ['A-1', 'A-2'] })).body;
    expect(pricesOf(items)).toEqual([
      [12, early.id],
      [12, early.id],
    ]);
    const closed = (await event.post(`releases/${early.id}/close`)).body;
    expect(closed.releases).toMatchObject([
      { id: early.id, status: 'closed', endsAt: expect.any(Number), consumed: 2 },
    ]);
    expect((await event.post(`releases/${early.id}/close`)).body).toEqual(closed);
    expect((await event.post('releases/rel_0/close')).status).toBe(404);
    await set(event);
    await event.post('book', { holdId, labels: ['A-1'], bookingRef: 'order-1' });
    await event.post('book', { labels: ['A-3'], bookingRef: 'order-2' });
    const { byRelease } = (await event.get('/report')).body.report;
    expect(byRelease).toEqual([{ releaseId: early.id, name: 'Early', held: 1, booked: 1, bookedValue: 12 }]);
    const { bookings } = (await event.get('/bookings')).body;
    expect(bookings.flatMap(({ objects }: Json) => pricesOf(objects))).toEqual([
      [20, null],
      [12, early.id],
    ]);
    const actions = (await event.get('/log')).body.entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual([
      'book',
      'book',
      'set_releases',
      'close_release',
      'close_release',
      'hold',
      'set_releases',
      'create',
    ]);
  });
});

it('Of two hundred concurrent holds ten get the quota of ten, and the others the next price', async () => {
  const event = await shop.event();
  const [early] = (await set(event, { name: 'Early', price: 12, quota: 10 })).body.releases;
  // More holds than places: the area of 30 and row A have 50 together.
  const wanted = Array.from({ length: 200 }, (_, i) =>
    i < 20 ? { label: `A-${i + 1}` } : { label: 'Floor', quantity: 1 },
  );
  const answers = await Promise.all(wanted.map((selection) => event.post('hold', { selections: [selection] })));
  const held = answers.filter(({ status }) => status === 200).flatMap(({ body }) => body.items);
  expect(held).toHaveLength(50);
  expect(held.filter(({ releaseId }) => releaseId === early.id)).toHaveLength(10);
  expect(held.filter(({ unitPrice }) => unitPrice === 12)).toHaveLength(10);
  expect(held.filter(({ unitPrice, releaseId }) => unitPrice === 20 && releaseId === null)).toHaveLength(40);
  const [sold] = (await event.get('/releases')).body.releases;
  expect(sold).toMatchObject({
    consumed: 10,
    remaining: 0,
    soldOutAt: expect.any(Number),
    status: 'active',
    state: 'sold_out',
  });
});

describe('at a counter', () => {
  it('a managed event sells under the ticket release that the operator names, while sales are closed', async () => {
    const { asOperator, ...event } = await managedEvent();
    const [door] = (await set(event, { name: 'Door', price: 9, quota: 3, endsAt: 1 })).body.releases;
    await event.post('close');
    const body = {
      selections: [{ label: 'A-1' }, { label: 'Floor', quantity: 2 }],
      bookingRef: 'counter-1',
      releaseId: door.id,
      note: 'Paid in cash',
    };
    const sale = await event.post('box-office/sale', body);
    expect(sale.body).toEqual({
      ok: true,
      priceUnit: 'major',
      booked: ['A-1', '__sl_ga__floor__1', '__sl_ga__floor__2'],
      items: [
        expect.objectContaining({ label: 'A-1', unitPrice: 9, releaseId: door.id }),
        expect.objectContaining({ label: 'Floor', quantity: 2, unitPrice: 9, releaseId: door.id }),
      ],
      total: 27,
      currency: 'EUR',
    });
    expect((await event.post('box-office/sale', body)).body).toEqual({ ...sale.body, booked: [] });
    const more = { ...body, selections: [{ label: 'A-2' }], bookingRef: 'counter-2' };
    const refused = await event.post('box-office/sale', more);
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([409, 'conflict', 'release_sold_out']);
    expect((await event.get('/log?limit=1')).body.entries).toMatchObject([{ action: 'book', reason: 'Paid in cash' }]);
    const operators = await asOperator('POST', `${event.path}/box-office/sale`, {
      body: { selections: [{ label: 'A-3' }], bookingRef: 'counter-3', releaseId: null, note: '' },
    });
    expect(operators.body).toMatchObject({ booked: ['A-3'], total: 20 });
  });

  it('a channel seat sells at the price of the named ticket release, or else of the channel', async () => {
    const { asOperator: _, ...event } = await managedEvent();
    const [door] = (await set(event, { name: 'Door', price: 9, quota: 3 })).body.releases;
    const club = (await event.post('channels', { name: 'Club', priceOverrides: { stalls: 15 } })).body.channel.id;
    await event.post('channels/assignments', {
      targetChannelId: club,
      labels: ['A-1', 'A-2', 'A-3'],
      assignmentVersion: 0,
    });
    const sell = (label: string, body: object) =>
      event.post('box-office/sale', { selections: [{ label }], bookingRef: label, ...body });
    expect((await sell('A-1', {})).body).toMatchObject({ code: 'channel_access_denied', labels: ['A-1'] });
    expect((await sell('A-1', { ignoreChannelRestrictions: true })).status).toBe(422);
    const items = [
      await sell('A-1', { channelIds: [club], releaseId: door.id }),
      await sell('A-2', { channelIds: [club] }),
      await sell('A-3', { ignoreChannelRestrictions: true, reason: 'For the press' }),
    ].flatMap(({ body }) => body.items);
    const told = items.map((item: Json) => [item.unitPrice, item.releaseId, item.channelId, item.accessSource]);
    expect(told).toEqual([
      [9, door.id, club, 'promoter'],
      [15, null, club, 'promoter'],
      [15, null, club, 'staff_override'],
    ]);
    expect((await event.get('/channels/audit')).body.entries[0]).toMatchObject({
      labels: ['A-3'],
      reason: 'For the press',
    });
  });

  it('a platform event can be booked while sales are closed, and each ownership has its own route', async () => {
    const { asOperator: _, ...managed } = await managedEvent();
    const event = await shop.event();
    await event.post('close');
    const body = { labels: ['A-1'], bookingRef: 'counter-1' };
    expect((await event.post('box-book', body)).body).toMatchObject({ ok: true, booked: ['A-1'] });
    expect((await event.post('box-book', body)).body).toMatchObject({ ok: true, booked: [] });
    expect((await event.post('unbook', body)).body).toEqual({ ok: true, unbooked: ['A-1'] });
    const sale = { selections: [{ label: 'A-1' }], bookingRef: 'counter-2' };
    const refusals = [
      await managed.post('box-book', body),
      await event.post('box-office/sale', sale),
      await event.post('book', body),
    ];
    expect(refusals.map((each) => [each.status, each.body.code])).toEqual([
      [403, 'not_platform_owned'],
      [403, 'not_managed'],
      [409, 'event_closed'],
    ]);
  });
});
