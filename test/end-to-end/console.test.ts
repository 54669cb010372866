/** An operator's console on one event: its control room, its socket, its pictures; and what a page with a manage session may have of these. */
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Capability, Scope } from '@parterre/shared/catalog/scope';
import { type CatalogClient, createCatalogClient } from '@parterre/shared/catalog-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openShop, type Shop, Watcher } from './shop.ts';

const page = 'https://console.example';
let shop: Shop;

let nats: NatsConnection;
let catalog: CatalogClient;

beforeAll(async () => {
  shop = await openShop();
  nats = await connect({ servers: shop.server.natsUrl });
  catalog = createCatalogClient(nats);
}, 120_000);
afterAll(async () => {
  await nats?.close();
  await shop?.stop();
});

/** A manage session of an event, as its page uses it. */
async function consoleOf(path: string, capabilities: Capability[] = ['event:view']) {
  const scope: Scope = {
    organisationId: shop.own.id,
    mode: 'test',
    workspaceId: null,
    environment: null,
    actor: 'key_test',
    role: null,
  };
  const eventKey = path.split('/').at(-1)!;
  const minted = await catalog('manage-sessions.create', { scope, eventKey, allowedOrigin: page, capabilities });
  if (!minted.ok) throw new Error(minted.refusal.message);
  const { token, session } = minted.value;
  const call = (method: string, what = '', body?: unknown) =>
    shop.call(method, path + what, {
      token,
      headers: { Origin: page },
      ...(body === undefined ? {} : { body }),
    });
  const revoke = () => catalog('manage-sessions.revoke', { scope, eventKey, sessionId: session.sessionId });
  return { call, revoke };
}

test('the control room tells what is sold, how fast, who is about and what was done', async () => {
  const event = await shop.event();
  await event.post('book', { labels: ['A-1', 'A-2'], bookingRef: 'order-1' });
  await event.post('unbook', { labels: ['A-2'], bookingRef: 'order-1' });
  await event.post('hold', { labels: ['B-1'] });
  await event.post('block', { labels: ['B-2', 'B-3'] });
  const { status, body } = await event.get('/control-room?window=600');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    event: { key: event.key, seatTotal: 70 },
    currency: 'EUR',
    totals: { free: 66, held: 1, booked: 1, blocked: 2 },
    bookedValue: { gross: 20, bySection: [{ sectionId: '__ungrouped__', total: 70, booked: 1, bookedValue: 20 }] },
    velocity: {
      windowMinutes: 60,
      bySection: [{ sectionId: '__ungrouped__', netBooked: 1, trend: 'rising', bookedValue: 40 }],
    },
    presence: { shoppingSessions: 0, activeHolds: 1 },
  });
  expect(body.activity.map(({ action }: Json) => action)).toEqual(['block', 'hold', 'unbook', 'book', 'create']);
  expect((await event.get('/control-room?window=1')).body.velocity.windowMinutes).toBe(5);
});

test('a console of event:view sees all of it but the money', async () => {
  const event = await shop.event();
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
  const viewer = await consoleOf(event.path);
  const room = (await viewer.call('GET', '/control-room')).body;
  expect(room.bookedValue).toMatchObject({ gross: null, bySection: [{ booked: 1, bookedValue: null }] });
  expect(room.velocity.bySection[0]).toMatchObject({ netBooked: 1, bookedValue: null });
  expect((await viewer.call('GET', '/report')).body.report.bySection[0]).toMatchObject({
    booked: 1,
    bookedValue: null,
  });
  const { booking } = (await viewer.call('GET', '/bookings/order-1')).body;
  expect([booking.quantity, booking.configuredValue, booking.objects[0].unitPrice]).toEqual([1, null, null]);
  expect((await viewer.call('GET', '/report.csv')).body).toMatchObject({
    code: 'capability_required',
    capability: 'event:reports',
  });
  expect((await viewer.call('POST', '/block', { labels: ['A-2'] })).body).toMatchObject({ capability: 'event:block' });
  const reporter = await consoleOf(event.path, ['event:view', 'event:reports']);
  expect((await reporter.call('GET', '/control-room')).body.bookedValue.gross).toBe(20);
});

test('a console blocks, hides sections, puts seats into other categories and sells at the counter, as far as it may', async () => {
  const event = await shop.event();
  const operator = await consoleOf(event.path, ['event:block', 'event:categories:manage']);
  const answer = await operator.call('POST', '/block', { labels: ['A-1'] });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  expect((await operator.call('PATCH', '', { sectionStates: { __ungrouped__: 'closed' } })).status).toBe(200);
  expect((await operator.call('PATCH', '', { name: 'Mine' })).body.code).toBe('forbidden');
  const assigned = await operator.call('POST', '/category-assignments', { labels: ['A-2'], categoryKey: 'balcony' });
  expect(assigned.body).toEqual({ ok: true, labels: ['A-2'] });
  expect((await operator.call('POST', '/table-booking', { tableIds: ['t'], mode: 'whole' })).body.capability).toBe(
    'event:tables:manage',
  );
  for (const [what, body] of [
    ['/hold', { labels: ['A-3'] }],
    ['/close', undefined],
    ['/book', { labels: ['A-3'], bookingRef: 'r' }],
  ] as const) {
    expect((await operator.call('POST', what, body)).body.code).toBe('forbidden');
  }
  expect((await operator.revoke()).ok).toBe(true);
  await expect.poll(async () => (await operator.call('GET')).status).toBe(401);
});

test("a console's socket has the true statuses, and tells what is done as the log does", async () => {
  const event = await shop.event();
  await event.post('block', { labels: ['A-1'] });
  const viewer = await consoleOf(event.path);
  const ticket = await viewer.call('POST', '/subscribe-tickets');
  expect(ticket.status).toBe(200);
  const watcher = new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, ticket.body.protocols);
  expect(await watcher.next()).toMatchObject({ type: 'snapshot', seats: { 'A-1': 'blocked' } });
  const { body: held } = await event.post('hold', { labels: ['A-2'] });
  const told: Json[] = [];
  while (!told.some(({ type }) => type === 'activity') || !told.some(({ type }) => type === 'delta'))
    told.push(await watcher.next());
  expect(told.find(({ type }) => type === 'activity')).toMatchObject({
    protocol: 1,
    entries: [{ action: 'hold', labels: ['A-2'], ref: held.holdId }],
  });
  expect(told.find(({ type }) => type === 'delta').changes).toEqual([{ label: 'A-2', status: 'held' }]);
  watcher.close();
  // The ticket of a buyer hears of no activity, nor does the one that is used.
  const again = new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, ticket.body.protocols);
  await expect(again.protocol).rejects.toThrow('404');
});
