/** The control room for a screen: sales by the minute, refusals of the event, budgets, lag, and who may see what. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';

const page = 'https://wall.example';
let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

async function sessionOf(path: string, capabilities: string[] = ['event:view']) {
  const body = { allowedOrigin: page, capabilities };
  const { token } = (await shop.call('POST', `${path}/manage-sessions`, { token: shop.token, body })).body;
  return (what: string) => shop.call('GET', path + what, { token, headers: { Origin: page } });
}

/** The log is read at most once a second, and is a moment behind the sale. */
const live = (event: { get(what: string): Promise<{ body: Json }> }, isThere: (body: Json) => boolean, what = '') =>
  expect
    .poll(
      async () => {
        const { body } = await event.get(`/control-room/live${what}`);
        return isThere(body) ? body : null;
      },
      { timeout: 15_000, interval: 300 },
    )
    .not.toBe(null)
    .then(async () => (await event.get(`/control-room/live${what}`)).body);

const sum = (body: Json, name: string) =>
  body.sales.minutes.reduce((all: number, minute: Json) => all + minute[name], 0);

test('tells what is left, the sales of the hour by the minute, and the places that were sold', async () => {
  const event = await shop.event();
  const { holdId } = (await event.post('hold', { labels: ['A-1', 'A-2', 'A-3'] })).body;
  await event.post('release', { holdId, labels: ['A-3'] });
  await event.post('book', { holdId, bookingRef: 'order-1' });
  await event.post('book', { labels: ['B-1'], bookingRef: 'order-2' });
  await event.post('unbook', { labels: ['B-1'], bookingRef: 'order-2' });
  const body = await live(event, (told) => told.sales !== null && sum(told, 'cancelled') === 1, '?soldAfter=0');
  expect(body).toMatchObject({
    event: { key: event.key, status: 'active', seatTotal: 70 },
    currency: 'EUR',
    totals: { free: 68, held: 0, booked: 2, blocked: 0 },
    bookedValue: { gross: 40 },
    presence: { activeHolds: 0 },
    lag: { isStale: false, webhooks: { subscriptions: 0, paused: 0, waiting: 0, oldestAt: null } },
  });
  expect(body.byCategory).toContainEqual({ key: 'stalls', label: 'Stalls', free: 48, held: 0, booked: 2, blocked: 0 });
  const counts = ['holds', 'held', 'bookedFromHolds', 'ended', 'bookings', 'booked', 'cancelled', 'bookedValue'];
  expect(counts.map((name) => sum(body, name))).toEqual([1, 3, 2, 1, 2, 3, 1, 70]);
  expect(body.sold.places.flatMap(({ labels }: Json) => labels)).toEqual(['A-1', 'A-2', 'B-1']);
  const next = (await event.get(`/control-room/live?soldAfter=${body.sold.upTo}`)).body;
  expect(next.sold).toEqual({ upTo: body.sold.upTo, places: [] });
  expect((await event.get('/control-room/live')).body.sold).toBe(null);
});

test('counts the refusals of this event by code, also those without a valid credential', async () => {
  const event = await shop.event();
  const other = await shop.event();
  await event.post('hold', { labels: ['A-1'] });
  await event.post('hold', { labels: ['A-1'] });
  await event.post('hold', { labels: ['A-1'] });
  await other.post('hold', { labels: ['nowhere'] });
  await shop.call('POST', `${event.path}/hold`, { token: 'sk_test_wrong', body: { labels: ['A-2'] } });
  const body = await live(event, ({ refusals }) => refusals.byReason.length >= 2);
  const counted = Object.fromEntries(body.refusals.byReason.map(({ code, count }: Json) => [code, count]));
  expect(counted).toMatchObject({ conflict: 2, unauthorized: 1 });
  expect(counted).not.toHaveProperty('unknown_labels');
  expect(body.refusals.doors).toBeGreaterThanOrEqual(1);
});

test('another organisation reads nothing, and its refused calls do not count', async () => {
  const event = await shop.event();
  const stranger = await shop.organisation('Another theatre');
  const answer = await shop.call('GET', `${event.path}/control-room/live`, { token: stranger.test.secret });
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  const hold = { token: stranger.test.secret, body: { labels: ['A-1'] } };
  expect((await shop.call('POST', `${event.path}/hold`, hold)).status).toBe(404);
  const body = await live(event, () => true);
  expect(body.refusals.byReason).toEqual([]);
});

test('a manage session sees no revenue without the right, and neither budgets nor webhooks', async () => {
  const event = await shop.event();
  await event.post('book', { labels: ['A-1'], bookingRef: 'order-1' });
  await live(event, (told) => told.sales?.minutes.length > 0 && sum(told, 'booked') === 1);
  const viewer = (await (await sessionOf(event.path))('/control-room/live')).body;
  expect([viewer.bookedValue.gross, viewer.sales.minutes[0].bookedValue]).toEqual([null, null]);
  expect([viewer.budgets, viewer.lag.webhooks]).toEqual([null, null]);
  expect(sum(viewer, 'booked')).toBe(1);
  const reporter = (await (await sessionOf(event.path, ['event:view', 'event:reports']))('/control-room/live')).body;
  expect([reporter.bookedValue.gross, reporter.sales.minutes[0].bookedValue]).toEqual([20, 20]);
  const blind = await (await sessionOf(event.path, ['event:block']))('/control-room/live');
  expect([blind.status, blind.body.capability]).toEqual([403, 'event:view']);
});

test('a manage session reads its own rights, and a key has none of a session', async () => {
  const event = await shop.event();
  const call = await sessionOf(event.path, ['event:block']);
  const { session } = (await call('/manage-session')).body;
  expect(session).toMatchObject({
    eventKey: event.key,
    mode: 'test',
    capabilities: ['event:block'],
    allowedOrigin: page,
  });
  expect(session).not.toHaveProperty('token');
  expect((await event.get('/manage-session')).body).toEqual({ session: null });
});

test('a control room names the budgets of the keys of its mode alone', async () => {
  const event = await shop.event();
  const keyWithBudget = async (mode: string) => {
    const body = { kind: 'secret', mode, budgets: { serverHolds: 2 } };
    const path = `/v1/admin/organisations/${shop.own.id}/keys`;
    const { key, secret } = (await shop.call('POST', path, { token: shop.rootToken, body })).body;
    await shop.call('POST', `${event.path}/hold`, { token: secret, body: { labels: ['A-1'] } });
    return key.id as string;
  };
  const [ofTest, ofLive] = [await keyWithBudget('test'), await keyWithBudget('live')];
  const keys = (await event.get('/control-room/live')).body.budgets.map(({ key }: Json) => key);
  expect([keys.includes(ofTest), keys.includes(ofLive)]).toEqual([true, false]);
});
