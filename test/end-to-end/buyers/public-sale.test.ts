/** The bounds of public sale, as a page, a shop behind a proxy and an attacker meet them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environments } from '../../support/servers/server.ts';
import { type Answer, type Json, openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;
let chartId: string;
const perRow = 100;
const rows = 12;
const labels = (row: number, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => `R${row}-${from + n}`);

beforeAll(async () => {
  shop = await openShop({ env: environments.unbounded });
  const doc = {
    version: 1,
    name: 'Arena',
    venueType: 'MIXED',
    focalPoint: { x: 0, y: 0 },
    categories: [{ key: 'all', label: 'All', color: '#336699', price: 20 }],
    objects: Array.from({ length: rows }, (_, row) => ({
      type: 'row',
      id: `row-${row}`,
      label: `R${row}`,
      origin: { x: 0, y: 20 * row },
      rotation: 0,
      curve: 0,
      seatCount: perRow,
      seatSpacing: 20,
      categoryKey: 'all',
    })),
  };
  const made = await shop.call('POST', '/v1/charts', { token: shop.token, body: { name: 'Arena', doc } });
  chartId = made.body.meta.id;
  await shop.call('POST', `/v1/charts/${chartId}/publish`, { token: shop.token });
}, 120_000);
afterAll(() => shop?.stop());

/** Headers as a proxy passes on the calls of a buyer. */
const from = (address: string) => ({ 'X-Forwarded-For': address });
const refusal = ({ status, body }: Answer) => [status, body.code, body.reason, body.limit, body.left];

async function newEvent(publicSale?: object) {
  const { meta } = (await shop.call('POST', '/v1/events', { token: shop.token, body: { chartId } })).body;
  const path = `/v1/events/${meta.key}`;
  const server = (method: string, action: string, body?: object) =>
    shop.call(method, path + action, { token: shop.token, ...(body && { body }) });
  if (publicSale) expect((await server('PATCH', '', { publicSale })).body.publicSale).toEqual(publicSale);
  const page = (action: string, body: object, headers = {}, token?: string) =>
    shop.buyer('POST', `${meta.key}/${action}`, { body, headers, ...(token && { token }) });
  return {
    key: meta.key as string,
    server,
    page,
    session: async (): Promise<string> => (await page('session', {})).body.token,
    counts: async () => (await server('GET', '')).body.counts as Json,
  };
}

test('one visitor does not hold the house, and another visitor still buys', async () => {
  const event = await newEvent();
  const headers = from('198.51.100.7');
  const all = Array.from({ length: 10 }, (_, row) => labels(row, 1, perRow)).flat();
  const hour = { ttlMs: 3_600_000 };
  for (let call = 0; call < 23; call++) {
    expect(refusal(await event.page('hold', { labels: all, ...hour }, headers))).toEqual([
      409,
      'public_limit',
      'max_per_hold',
      50,
      50,
    ]);
  }
  const token = await event.session();
  const held = await event.page('hold', { labels: labels(0, 1, 50), ...hour }, headers, token);
  expect(held.status).toBe(200);
  expect(held.body.expiresAt).toBeLessThanOrEqual(Date.now() + 15 * 60_000);
  expect(refusal(await event.page('hold', { labels: labels(0, 51, 1) }, headers, token))).toEqual([
    409,
    'public_limit',
    'max_held_per_session',
    50,
    0,
  ]);
  // Fresh sessions and the key alone are the same address.
  for (let n = 1; n < 10; n++) {
    const body = { labels: labels(n, 1, 50) };
    expect((await event.page('hold', body, headers, n % 2 === 0 ? await event.session() : undefined)).status).toBe(200);
  }
  for (const another of [undefined, await event.session()]) {
    expect(refusal(await event.page('best-available', { qty: 2 }, headers, another))).toEqual([
      409,
      'public_limit',
      'max_held_per_address',
      500,
      0,
    ]);
  }
  expect(await event.counts()).toMatchObject({ held: 500, free: rows * perRow - 500 });
  const buyer = await event.page('best-available', { qty: 2 }, from('203.0.113.9'), await event.session());
  expect(buyer.status).toBe(200);
  const booked = await event.server('POST', '/book', { holdId: buyer.body.holdId, bookingRef: 'order-1' });
  expect(booked.status).toBe(200);
});

test('an IPv6 network is one address, and a proxy that names no client is none', async () => {
  const event = await newEvent({ maxHeldPerAddress: 2 });
  const hold = (label: string, headers: object) => event.page('hold', { labels: [label] }, headers);
  expect((await hold('R0-1', from('2001:db8:1:2:3::4'))).status).toBe(200);
  expect((await hold('R0-2', from('2001:db8:1:2::9'))).status).toBe(200);
  expect(refusal(await hold('R0-3', from('2001:db8:1:2:ffff::1')))).toEqual([
    409,
    'public_limit',
    'max_held_per_address',
    2,
    0,
  ]);
  expect((await hold('R0-3', from('2001:db8:1:3::9'))).status).toBe(200);
  for (let n = 4; n < 9; n++) expect((await hold(`R0-${n}`, {})).status).toBe(200);
  const log = (await event.server('GET', '/log')).body;
  expect(JSON.stringify(log)).not.toContain('2001:db8');
});

test('sessions that a back end mints, servers and counters have no such bounds', async () => {
  const event = await newEvent({ maxPerHold: 1, maxHeldPerSession: 1, maxHeldPerAddress: 1 });
  const draft = { channelIds: [], includePublic: true, allowedOrigin: origin, maxQuantity: 3 };
  const minted = (await event.server('POST', '/buyer-access-sessions', draft)).body.token;
  const headers = from('198.51.100.8');
  expect((await event.page('hold', { labels: labels(0, 1, 3) }, headers, minted)).status).toBe(200);
  expect((await event.page('hold', { labels: labels(0, 4, 1) }, headers, minted)).body.code).toBe(
    'max_quantity_exceeded',
  );
  expect((await event.server('POST', '/hold', { labels: labels(1, 1, 60), ttlMs: 3_600_000 })).status).toBe(200);
});

test("the event's bound wins over the organisation's, which wins over the default", async () => {
  const path = `/v1/admin/organisations/${shop.own.id}`;
  const set = (publicSale: object | null) => shop.call('PATCH', path, { token: shop.rootToken, body: { publicSale } });
  const plain = await newEvent();
  const own = await newEvent({ maxPerHold: 4 });
  const limitOf = async ({ page }: typeof plain) => (await page('hold', { labels: labels(0, 1, 60) })).body.limit;
  expect([await limitOf(plain), await limitOf(own)]).toEqual([50, 4]);
  const changed = await set({ maxPerHold: 8 });
  expect([changed.status, changed.body.organisation.publicSale]).toEqual([200, { maxPerHold: 8 }]);
  await expect.poll(() => limitOf(plain)).toBe(8);
  expect(await limitOf(own)).toBe(4);
  expect((await own.server('PATCH', '', { publicSale: null })).body.publicSale).toBeNull();
  expect(await limitOf(own)).toBe(8);
  expect((await own.server('PATCH', '', { publicSale: { maxPerHold: null } })).status).toBe(200);
  expect((await own.page('hold', { labels: labels(0, 1, 60) })).status).toBe(200);
  expect((await set(null)).body.organisation.publicSale).toBeNull();
  await expect.poll(() => limitOf(plain)).toBe(50);
  expect((await set({ maxPerhold: 8 } as object)).body.code).toBe('invalid_request');
});
