/** A buyer's page of a performance group before it holds anything: its session, and the map that it sees. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, origin, type Shop } from '../shop.ts';
import { draftRun, type Page, pageWith, type Run } from './run.ts';

let shop: Shop;
let run: Run;
let page: Page;
beforeAll(async () => {
  shop = await openShop();
  run = await draftRun(shop);
  page = await run.page();
}, 120_000);
afterAll(() => shop?.stop());

test('a server issues, lists and ends sessions; an ended token is refused within a second', async () => {
  const minted = await run.mint({ maxQuantity: 4, buyerRef: 'buyer-1', partnerRef: null });
  expect(minted.status).toBe(201);
  const { token, ...session } = minted.body;
  expect(token).toMatch(/^bgs_/);
  expect(session).toMatchObject({ performanceGroupKey: run.key, allowedOrigin: origin, maxQuantity: 4 });
  expect(session).toMatchObject({ accessSource: 'promoter', state: 'active', buyerRef: 'buyer-1', partnerRef: null });
  const listed = (await run.get('/buyer-access-sessions?limit=1')).body.sessions;
  expect(listed).toEqual([session]);
  const own = pageWith(shop, run.key, token);
  expect((await own.get('/descriptor')).status).toBe(200);
  const ended = await run.delete(`/buyer-access-sessions/${session.sessionId}`);
  expect(ended.body).toEqual({ ok: true, sessionId: session.sessionId });
  await expect
    .poll(async () => (await own.get('/descriptor')).body.code, { timeout: 1_000, interval: 50 })
    .toBe('buyer_access_revoked');
});

test('a session with an unknown channel, an event that is no member, or nothing in reach is refused', async () => {
  const [first] = run.eventKeys as [string];
  for (const body of [
    { channelIdsByEvent: { [first]: ['chn_unknown'] } },
    { channelIdsByEvent: { elsewhere: ['chn_1'] } },
    { includePublic: false },
  ]) {
    const refused = await run.mint(body);
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_channel_scope']);
  }
});

test('a page opens a session with its publishable key, in the body or the header', async () => {
  const at = `/pub/performance-groups/${run.key}/sessions`;
  const body = JSON.stringify({ publicKey: shop.own.publishable.secret });
  const plain = await shop.call('POST', at, { body, headers: { 'Content-Type': 'text/plain', Origin: origin } });
  const bearer = await shop.call('POST', at, { token: shop.own.publishable.secret, headers: { Origin: origin } });
  for (const { status, body: opened, headers } of [plain, bearer]) {
    expect([status, Object.keys(opened).sort()]).toEqual([200, ['expiresAt', 'token']]);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect((await pageWith(shop, run.key, opened.token).get('/descriptor')).status).toBe(200);
  }
  expect((await shop.call('POST', at, { headers: { Origin: origin } })).status).toBe(404);
});

test('a token of another origin, group or kind is refused, and nothing at all is 404', async () => {
  const elsewhere = pageWith(shop, run.key, page.token, 'https://other.example');
  expect((await elsewhere.get('/descriptor')).body.code).toBe('buyer_access_origin_mismatch');
  const other = await draftRun(shop, 2);
  expect((await pageWith(shop, other.key, page.token).get('/descriptor')).body.code).toBe(
    'buyer_access_event_mismatch',
  );
  const unknown = pageWith(shop, run.key, 'bgs_nonsense');
  expect((await unknown.get('/descriptor')).body.code).toBe('buyer_access_invalid');
  expect((await shop.call('GET', `/pub/performance-groups/${run.key}/descriptor`)).status).toBe(404);
});

test('the descriptor has the performances, and the chart is the bare document with an ETag', async () => {
  const { performanceGroup } = (await page.get('/descriptor')).body;
  expect(performanceGroup).toEqual(await run.group());
  const chart = await page.get('/chart');
  expect(chart.body).toMatchObject({ version: 1, name: 'Small hall' });
  const again = await page.get('/chart', { 'If-None-Match': chart.headers.get('etag')! });
  expect(again.status).toBe(304);
});

test('the map is free where every performance is free, and its ETag is its revision', async () => {
  const [first, second, third] = run.eventKeys as [string, string, string];
  const before = await page.get('/objects');
  expect(before.headers.get('etag')).toBe(`"${before.body.revision}"`);
  expect(before.body).toMatchObject({ state: 'draft', salesClosed: true, partial: {} });
  expect(Object.keys(before.body.seats)).toHaveLength(70);
  const unchanged = await page.get('/objects', { 'If-None-Match': `"${before.body.revision}"` });
  expect([unchanged.status, unchanged.body]).toEqual([304, null]);

  const sell = (key: string, action: string, body: object) =>
    shop.call('POST', `/v1/events/${key}/${action}`, { token: shop.token, body });
  await sell(first, 'hold', { labels: ['A-1', 'A-2'] });
  await sell(second, 'book', { labels: ['A-1'], bookingRef: 'order-1' });
  await sell(third, 'block', { labels: ['A-3'] });
  const after = (await page.get('/objects?view=per-performance', { 'If-None-Match': `"${before.body.revision}"` }))
    .body;
  expect(after.revision).toBeGreaterThan(before.body.revision);
  expect(after.seats).toMatchObject({ 'A-1': 'booked', 'A-2': 'held', 'A-3': 'not_for_sale', 'A-4': 'free' });
  expect(after.partial).toEqual({ 'A-1': [first, second], 'A-2': [first], 'A-3': [third] });
  expect(after.performances.map((each: { eventKey: string }) => each.eventKey)).toEqual(run.eventKeys);
  expect(after.performances[1].seats).toMatchObject({ 'A-1': 'booked', 'A-2': 'free', 'A-3': 'free' });
});

test('a channel in reach of one performance only leaves its seats partly free', async () => {
  const [first] = run.eventKeys as [string];
  const at = `/v1/events/${first}/channels`;
  const call = (what: string, body: object) => shop.call('POST', at + what, { token: shop.token, body });
  const { channel } = (await call('', { name: 'Club' })).body;
  await call('/assignments', { targetChannelId: channel.id, labels: ['A-9'], assignmentVersion: 0 });
  const version = (await shop.call('GET', at, { token: shop.token })).body.assignmentVersion;
  await call('/assignments', { targetChannelId: channel.id, labels: ['A-9'], assignmentVersion: version });
  const outside = (await page.get('/objects')).body;
  expect([outside.seats['A-9'], outside.partial['A-9']]).toEqual(['not_for_sale', [first]]);
  const inside = await run.page({ channelIdsByEvent: { [first]: [channel.id] } });
  expect((await inside.get('/objects')).body.seats['A-9']).toBe('free');
});

test('each performance tells its own prices: of its ticket releases, and of the channels in reach', async () => {
  const own = await draftRun(shop, 2);
  const [first, second] = own.eventKeys as [string, string];
  const ask = (method: string, path: string, body?: object) =>
    shop.call(method, `/v1/events/${path}`, { token: shop.token, ...(body ? { body } : {}) });
  const { channel } = (await ask('POST', `${second}/channels`, { name: 'Club' })).body;
  const { assignmentVersion } = (await ask('GET', `${second}/channels`)).body;
  const assigned = { targetChannelId: channel.id, labels: ['A-1'], assignmentVersion };
  await ask('POST', `${second}/channels/assignments`, assigned);
  const releases = [{ name: 'Early bird', price: 7, categoryKey: 'stalls' }];
  await ask('PUT', `${first}/releases`, { releases });
  const page = await own.page({ channelIdsByEvent: { [second]: [channel.id] }, includePublic: true });
  const { performances } = (await page.get('/availability?live=1')).body;
  expect(performances.map(({ eventKey }: { eventKey: string }) => eventKey)).toEqual([first, second]);
  const priceIn = (index: number) =>
    performances[index].prices.find((each: { categoryKey: string }) => each.categoryKey === 'stalls').price;
  expect([priceIn(0), priceIn(1)]).toEqual([7, 20]);
  expect(performances[0].release).toMatchObject({ name: 'Early bird' });
  expect(performances[1].release).toBe(null);
  expect(performances[0].channelPricing).toBe(null);
  expect(performances[1].channelPricing.objects).toEqual([{ label: 'A-1', channelId: channel.id }]);
});

test('an address opens 30 sessions a minute to one group', async () => {
  const fresh = await draftRun(shop, 2);
  const open = () =>
    shop.call('POST', `/pub/performance-groups/${fresh.key}/sessions`, {
      token: shop.own.publishable.secret,
      headers: { Origin: origin },
    });
  const statuses = (await Promise.all(Array.from({ length: 31 }, open))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});
