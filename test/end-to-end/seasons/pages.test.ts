/** A buyer's page of a season before it holds anything: its session, and the map that it sees. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, origin, type Shop } from '../shop.ts';
import { type SeasonPage, type SoldSeason, seasonPage, sellSeason } from './sold-season.ts';

let shop: Shop;
let season: SoldSeason;
let page: SeasonPage;
beforeAll(async () => {
  shop = await openShop();
  season = await sellSeason(shop);
  page = await season.page();
}, 120_000);
afterAll(() => shop?.stop());

test('a server issues, lists and ends sessions; an ended token is refused within a second', async () => {
  const minted = await season.mint({ maxQuantity: 4, buyerRef: 'buyer-1', partnerRef: null });
  expect(minted.status).toBe(201);
  const { token, ...session } = minted.body;
  expect(token).toMatch(/^bss_/);
  expect(session).toEqual({
    sessionId: expect.stringMatching(/^ses_/),
    expiresAt: expect.any(Number),
    seasonKey: season.key,
    allowedOrigin: origin,
    includePublic: true,
    channelIdsByEvent: {},
    maxQuantity: 4,
    buyerRef: 'buyer-1',
    state: 'active',
    createdAt: expect.any(Number),
    revokedAt: null,
    mode: 'test',
    environment: null,
    planActivationId: season.planActivationId,
  });
  const { sessions } = (await season.get('/buyer-access-sessions')).body;
  expect(sessions[0]).toEqual(session);
  const at = `${season.path}/buyer-access-sessions/${session.sessionId}`;
  expect((await season.call('DELETE', at)).body).toEqual({ ok: true, sessionId: session.sessionId });
  const ended = async () => (await seasonPage(shop, season.key, token).get('')).body.code;
  await expect.poll(ended, { timeout: 1_000 }).toBe('buyer_access_revoked');
  expect((await season.call('DELETE', `${season.path}/buyer-access-sessions/ses_0`)).status).toBe(404);
});

test('a session to unknown channels or events, or without a plan, is refused', async () => {
  const [first] = season.eventKeys as [string];
  for (const channelIdsByEvent of [{ [first]: ['chn_0'] }, { nowhere: ['chn_0'] }]) {
    const refused = await season.mint({ channelIdsByEvent });
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_channel_scope']);
  }
  const { body } = await season.call('POST', '/v1/seasons', { name: 'Next', eventKeys: season.eventKeys });
  const at = `/v1/seasons/${body.season.key}/buyer-access-sessions`;
  const early = await season.call('POST', at, { includePublic: true, allowedOrigin: origin });
  expect([early.status, early.body.reason]).toEqual([409, 'no_published_plan']);
});

test('a page opens a session with its publishable key, in the body or the header', async () => {
  const at = `/pub/seasons/${season.key}/sessions`;
  const body = JSON.stringify({ publicKey: shop.own.publishable.secret });
  const plain = await shop.call('POST', at, { body, headers: { 'Content-Type': 'text/plain', Origin: origin } });
  const bearer = await shop.call('POST', at, { token: shop.own.publishable.secret, headers: { Origin: origin } });
  for (const { status, body: opened, headers } of [plain, bearer]) {
    expect([status, Object.keys(opened).sort()]).toEqual([200, ['expiresAt', 'token']]);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect((await seasonPage(shop, season.key, opened.token).get('')).status).toBe(200);
  }
  expect((await shop.call('POST', at, { headers: { Origin: origin } })).status).toBe(404);
  const stranger = await shop.organisation('Stranger');
  const foreign = await shop.call('POST', at, { token: stranger.publishable.secret, headers: { Origin: origin } });
  expect(foreign.status).toBe(404);
});

test('a token of another origin, season or kind is refused, and nothing at all is 404', async () => {
  const elsewhere = seasonPage(shop, season.key, page.token, 'https://other.example');
  expect((await elsewhere.get('')).body.code).toBe('buyer_access_origin_mismatch');
  expect((await seasonPage(shop, 'sea_0', page.token).get('')).body.code).toBe('buyer_access_event_mismatch');
  expect((await seasonPage(shop, season.key, 'bss_nonsense').get('')).body.code).toBe('buyer_access_invalid');
  expect((await shop.call('GET', `/pub/seasons/${season.key}`)).status).toBe(404);
});

test('the descriptor has the occurrences of the plan, and the chart is the bare document', async () => {
  expect((await page.get('')).body).toEqual({
    season: {
      key: season.key,
      name: 'Subscription',
      venue: 'Park',
      timezone: null,
      occurrenceCount: 3,
      occurrences: [0, 1, 2].map((day) => ({
        name: `Evening ${day + 1}`,
        startsAt: 1_900_000_000_000 + day * 86_400_000,
      })),
      planActivationId: season.planActivationId,
    },
  });
  const chart = await page.get('/chart');
  expect(chart.body).toMatchObject({ version: 1, name: 'Small hall' });
  expect((await page.get('/chart', { 'If-None-Match': chart.headers.get('etag')! })).status).toBe(304);
});

test('the map is free where every occurrence is free', async () => {
  const [first, second, third] = season.eventKeys as [string, string, string];
  const before = await page.get('/availability');
  expect(Object.keys(before.body)).toEqual(['seats']);
  expect(Object.keys(before.body.seats)).toHaveLength(70);
  const etag = before.headers.get('etag')!;
  expect((await page.get('/availability', { 'If-None-Match': etag })).status).toBe(304);
  const sell = (key: string, action: string, body: object) => season.call('POST', `/v1/events/${key}/${action}`, body);
  await sell(first, 'hold', { labels: ['A-1', 'A-2'] });
  await sell(second, 'book', { labels: ['A-1'], bookingRef: 'order-1' });
  await sell(third, 'block', { labels: ['A-3'] });
  const after = await page.get('/availability', { 'If-None-Match': etag });
  expect(after.body.seats).toMatchObject({ 'A-1': 'booked', 'A-2': 'held', 'A-3': 'not_for_sale', 'A-4': 'free' });
});

test('an address opens 30 sessions a minute to one season', async () => {
  const fresh = await sellSeason(shop, 2);
  const open = () =>
    shop.call('POST', `/pub/seasons/${fresh.key}/sessions`, {
      token: shop.own.publishable.secret,
      headers: { Origin: origin },
    });
  const statuses = (await Promise.all(Array.from({ length: 31 }, open))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});
