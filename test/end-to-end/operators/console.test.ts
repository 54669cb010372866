/** An operator's console on one event: control room, socket, and the rights of a page with a manage session. */
import type { Capability } from '@parterre/shared/protocol/catalog/scope';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdRef } from '../../../services/frontdoor/src/logs/rules/hold-ref.ts';
import { type Json, openShop, type Shop, Watcher } from '../shop.ts';

const page = 'https://console.example';
let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

/** A manage session of an event, as its page uses it. */
async function consoleOf(path: string, capabilities: Capability[] = ['event:view']) {
  const sessions = `${path}/manage-sessions`;
  const body = { allowedOrigin: page, capabilities };
  const minted = await shop.call('POST', sessions, { token: shop.token, body });
  expect(minted.status).toBe(201);
  const { token, sessionId } = minted.body;
  const call = (method: string, what = '', body?: unknown) =>
    shop.call(method, path + what, {
      token,
      headers: { Origin: page },
      ...(body === undefined ? {} : { body }),
    });
  const text = async (what: string) => {
    const answer = await fetch(shop.url + path + what, { headers: { Authorization: `Bearer ${token}`, Origin: page } });
    return answer.text();
  };
  const revoke = () => shop.call('DELETE', `${sessions}/${sessionId}`, { token: shop.token });
  return { call, text, revoke };
}

test('The control room shows sales, velocity, presence and recent activity', async () => {
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

test('A console with event:view sees everything except money', async () => {
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

test('Each delta tells the booked value to consoles with event:reports, and to no other reader', async () => {
  const event = await shop.event();
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
  const viewer = await consoleOf(event.path);
  const reporter = await consoleOf(event.path, ['event:view', 'event:reports']);
  const socketOf = async ({ call }: typeof viewer) => {
    const { protocols } = (await call('POST', '/subscribe-tickets')).body;
    return new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, protocols);
  };
  const { protocols } = (await shop.buyer('POST', `${event.key}/subscribe-tickets`)).body;
  const sockets = [
    await socketOf(reporter),
    await socketOf(viewer),
    new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, protocols),
    new Watcher(`${shop.url}${event.path}/feed`, ['parterre.v1'], { Authorization: `Bearer ${shop.token}` }),
  ];
  for (const socket of sockets) expect((await socket.next()).type).toBe('snapshot');
  const valuesAfter = async (action: string, body: object) => {
    await event.post(action, body);
    return Promise.all(
      sockets.map(async (socket) => {
        for (;;) {
          const frame = await socket.next();
          if (frame.type === 'delta') return frame.bookedValue;
        }
      }),
    );
  };
  const toldValue = (gross: number) => ({ gross, priceUnit: 'major' });
  const told = (gross: number) => [toldValue(gross), undefined, undefined, toldValue(gross)];
  expect(await valuesAfter('book', { labels: ['A-2', 'A-3'], bookingRef: 'order-2' })).toEqual(told(60));
  expect(await valuesAfter('block', { labels: ['A-9'] })).toEqual(told(60));
  expect(await valuesAfter('unbook', { labels: ['A-2'], bookingRef: 'order-2' })).toEqual(told(40));
  for (const socket of sockets) socket.close();
});

test('A console with event:view sees prices of an active hold, and none of a booked hold', async () => {
  const event = await shop.event();
  const { holdId } = (await event.post('hold', { labels: ['A-1'] })).body;
  const viewer = await consoleOf(event.path);
  const reporter = await consoleOf(event.path, ['event:view', 'event:reports']);
  const pricesFor = async ({ call }: typeof viewer) => {
    const { items } = (await call('GET', `/holds/${holdId}`)).body;
    return items.map(({ unitPrice }: Json) => unitPrice);
  };
  expect(await pricesFor(viewer)).toEqual([20]);
  await event.post('book', { holdId, bookingRef: 'order-1' });
  expect(await pricesFor(viewer)).toEqual([null]);
  expect(await pricesFor(reporter)).toEqual([20]);
});

test('A console reads the short names of holds, and no id that could release one', async () => {
  const event = await shop.event();
  const { holdId } = (await event.post('hold', { labels: ['A-1', 'A-2', 'A-3'] })).body;
  const viewer = await consoleOf(event.path, ['event:view', 'event:reports', 'event:channels:view']);
  const { protocols } = (await viewer.call('POST', '/subscribe-tickets')).body;
  const watcher = new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, protocols);
  await watcher.next();
  await event.post('extend', { holdId });
  await event.post('release', { holdId, labels: ['A-2'] });
  await event.post('book', { holdId, labels: ['A-1'], bookingRef: 'order-1' });
  const frames: Json[] = [];
  const heard = () => frames.flatMap(({ entries = [] }: Json) => entries).some(({ action }: Json) => action === 'book');
  while (!heard()) frames.push(await watcher.next());
  watcher.close();
  const reads = ['', '/log', '/control-room', '/bookings', '/bookings/order-1', '/report', '/objects', '/chart'];
  const told = [frames, await Promise.all(reads.map(async (what) => (await viewer.call('GET', what)).body))];
  const file = await viewer.text('/report.csv');
  expect(JSON.stringify(told) + file).not.toContain(holdId);
  expect(JSON.stringify(frames)).toContain(holdRef(holdId));
  expect(file).toContain(holdRef(holdId));
  const { entries } = (await viewer.call('GET', '/log')).body;
  expect(entries[0]).toMatchObject({ ref: 'order-1', details: { holdRef: holdRef(holdId) } });
  const taken = await shop.buyer('POST', `${event.key}/release`, { body: { holdId: holdRef(holdId) } });
  expect(taken.body.code).toBe('hold_not_found');
  expect((await event.get(`/holds/${holdId}`)).body).toMatchObject({ holdId, status: 'active' });
});

test('A console without event:channels:view learns nothing about channels, and everything else as before', async () => {
  const event = await shop.event();
  const made = await event.post('channels', { name: 'Club', priceOverrides: [{ categoryKey: 'stalls', price: 7 }] });
  const channelId: string = made.body.channel.id;
  await event.post('channels/assignments', {
    targetChannelId: channelId,
    labels: ['A-1', 'A-2'],
    assignmentVersion: 0,
  });
  await event.post('book', {
    labels: ['A-1'],
    bookingRef: 'order-1',
    ignoreChannelRestrictions: true,
    reason: 'Promised to the mayor',
  });
  const viewer = await consoleOf(event.path, ['event:view', 'event:reports']);
  const insider = await consoleOf(event.path, ['event:view', 'event:reports', 'event:channels:view']);
  const actions = async ({ call }: typeof viewer) =>
    (await call('GET', '/log')).body.entries.map(({ action }: Json) => action);
  expect(await actions(insider)).toEqual(['book', 'assign_channel', 'create_channel', 'create']);
  expect(await actions(viewer)).toEqual(['book', 'create']);
  const secrets = [channelId, 'Club', 'mayor', 'overridden', 'A-2'];
  const told = { log: (await viewer.call('GET', '/log')).body, room: (await viewer.call('GET', '/control-room')).body };
  for (const secret of secrets) expect(JSON.stringify(told)).not.toContain(secret);
  for (const secret of secrets) expect(JSON.stringify((await insider.call('GET', '/log')).body)).toContain(secret);
  expect(told.room.activity.map(({ action }: Json) => action)).toEqual(['book', 'create']);
  expect((await viewer.call('GET', '/report')).body.report.byChannel).toEqual([]);
  expect((await insider.call('GET', '/report')).body.report.byChannel).toMatchObject([
    { channelId: null },
    { channelId, name: 'Club' },
  ]);
  // Pages end at the same entries for every caller. A page of channel entries only is empty here, and the next page
  // goes on.
  const paged: string[] = [];
  let before = '';
  do {
    const { entries, nextBefore } = (await viewer.call('GET', `/log?limit=1${before}`)).body;
    paged.push(...entries.map(({ action }: Json) => action));
    before = nextBefore === null ? '' : `&before=${nextBefore}`;
  } while (before !== '');
  expect(paged).toEqual(['book', 'create']);
});

test('A console blocks, hides sections and assigns categories as its capabilities allow, and nothing more', async () => {
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
  expect((await operator.revoke()).body).toEqual({ ok: true });
  await expect.poll(async () => (await operator.call('GET')).status).toBe(401);
});

test("A console's socket shows true statuses, and tells activity as the log does", async () => {
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
    entries: [{ action: 'hold', labels: ['A-2'], ref: holdRef(held.holdId) }],
  });
  expect(told.find(({ type }) => type === 'delta').changes).toEqual([{ label: 'A-2', status: 'held' }]);
  watcher.close();
  const insider = await consoleOf(event.path, ['event:view', 'event:channels:view']);
  const [outer, inner] = await Promise.all(
    [viewer, insider].map(async ({ call }) => {
      const { protocols } = (await call('POST', '/subscribe-tickets')).body;
      const socket = new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, protocols);
      await socket.next();
      return socket;
    }),
  );
  const actionsTo = async (socket: Watcher, last: string) => {
    const actions: string[] = [];
    while (actions.at(-1) !== last) {
      const frame = await socket.next();
      if (frame.type === 'activity') actions.push(...frame.entries.map(({ action }: Json) => action).reverse());
    }
    return actions;
  };
  await event.post('channels', { name: 'Club' });
  expect(await actionsTo(inner!, 'create_channel')).toEqual(['create_channel']);
  await event.post('block', { labels: ['A-3'] });
  expect(await actionsTo(inner!, 'block')).toEqual(['block']);
  expect(await actionsTo(outer!, 'block')).toEqual(['block']);
  for (const socket of [outer!, inner!]) socket.close();
  // A used ticket opens no second socket.
  const again = new Watcher(`${shop.url}/pub/events/${event.key}/subscribe`, ticket.body.protocols);
  await expect(again.protocol).rejects.toThrow('404');
});
