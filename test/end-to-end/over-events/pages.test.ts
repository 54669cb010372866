/** A buyer's page of a group or a season before it holds anything: its session, and the map that it sees. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draftRun, type Run } from '../groups/run.ts';
import { type SoldSeason, sellSeason } from '../seasons/sold-season.ts';
import { openShop, origin, type Shop } from '../shop.ts';
import { type OwnerOnSale, owners } from './owners.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const onEvent = (method: string, path: string, body?: object) =>
  shop.call(method, `/v1/events/${path}`, { token: shop.token, ...(body ? { body } : {}) });

describe.each(['group', 'season'] as const)('of a %s', (kind) => {
  const { openForPages, pages, descriptor, map, token: tokenForm, pageWith, session: ownFields } = owners[kind];
  let sold: OwnerOnSale;
  let token: string;
  beforeAll(async () => {
    sold = await openForPages(shop);
    token = (await sold.mint()).body.token;
  }, 120_000);
  const page = () => pageWith(shop, sold.key, token);

  test('a server issues, lists and ends sessions; an ended token is refused within a second', async () => {
    const minted = await sold.mint({ maxQuantity: 4, buyerRef: 'buyer-1', partnerRef: null });
    expect(minted.status).toBe(201);
    const { token: own, ...session } = minted.body;
    expect(own).toMatch(tokenForm);
    expect(session).toEqual({
      sessionId: expect.stringMatching(/^ses_[0-9A-Za-z]{20,}$/),
      expiresAt: session.createdAt + 1_800_000,
      allowedOrigin: origin,
      includePublic: true,
      channelIdsByEvent: {},
      maxQuantity: 4,
      buyerRef: 'buyer-1',
      state: 'active',
      createdAt: expect.any(Number),
      revokedAt: null,
      ...ownFields(sold),
    });
    const bare = (await sold.mint({ maxQuantity: null, buyerRef: null, partnerRef: null })).body;
    expect(bare).toMatchObject({ maxQuantity: null, buyerRef: null });
    expect((await sold.get('/buyer-access-sessions?limit=2')).body.sessions[1]).toEqual(session);
    const at = `/buyer-access-sessions/${session.sessionId}`;
    expect((await sold.delete(at)).body).toEqual({ ok: true, sessionId: session.sessionId });
    const ended = async () => (await pageWith(shop, sold.key, own).get(descriptor)).body.code;
    await expect.poll(ended, { timeout: 1_000, interval: 50 }).toBe('buyer_access_revoked');
    expect((await sold.delete('/buyer-access-sessions/ses_0')).status).toBe(404);
  });

  test('a session with an unknown channel, an event that is no member, or nothing in reach is refused', async () => {
    const [first] = sold.eventKeys as [string];
    for (const body of [
      { channelIdsByEvent: { [first]: ['chn_unknown'] } },
      { channelIdsByEvent: { elsewhere: ['chn_1'] } },
      { includePublic: false },
    ]) {
      const refused = await sold.mint(body);
      expect([refused.status, refused.body.code]).toEqual([422, 'invalid_channel_scope']);
    }
  });

  test('a page opens a session with its publishable key, in the body or the header', async () => {
    const at = `${pages}/${sold.key}/sessions`;
    const headers = { Origin: origin };
    const body = JSON.stringify({ publicKey: shop.own.publishable.secret });
    const plain = await shop.call('POST', at, { body, headers: { 'Content-Type': 'text/plain', ...headers } });
    const bearer = await shop.call('POST', at, { token: shop.own.publishable.secret, headers });
    for (const { status, body: opened, headers } of [plain, bearer]) {
      expect([status, Object.keys(opened).sort()]).toEqual([200, ['expiresAt', 'token']]);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect((await pageWith(shop, sold.key, opened.token).get(descriptor)).status).toBe(200);
    }
    expect((await shop.call('POST', at, { headers })).status).toBe(404);
    const stranger = await shop.organisation('Stranger');
    expect((await shop.call('POST', at, { token: stranger.publishable.secret, headers })).status).toBe(404);
  });

  test('a token of another origin, owner or kind is refused, and nothing at all is 404', async () => {
    const refused = async (key: string, by: string, from?: string) =>
      (await pageWith(shop, key, by, from).get(descriptor)).body.code;
    expect(await refused(sold.key, token, 'https://other.example')).toBe('buyer_access_origin_mismatch');
    const other = await openForPages(shop, 2);
    expect(await refused(other.key, token)).toBe('buyer_access_event_mismatch');
    expect(await refused(sold.key, `${token.slice(0, 4)}nonsense`)).toBe('buyer_access_invalid');
    expect((await shop.call('GET', `${pages}/${sold.key}${descriptor}`)).status).toBe(404);
  });

  test('the chart is the bare document with an ETag', async () => {
    const chart = await page().get('/chart');
    expect(chart.body).toMatchObject({ version: 1, name: 'Small hall' });
    expect((await page().get('/chart', { 'If-None-Match': chart.headers.get('etag')! })).status).toBe(304);
  });

  test('the map is free where every event is free, and has an ETag', async () => {
    const [first, second, third] = sold.eventKeys as [string, string, string];
    const before = await page().get(map);
    expect(Object.keys(before.body.seats)).toHaveLength(70);
    const etag = before.headers.get('etag')!;
    const unchanged = await page().get(map, { 'If-None-Match': etag });
    expect([unchanged.status, unchanged.body]).toEqual([304, null]);
    await onEvent('POST', `${first}/hold`, { labels: ['A-1', 'A-2'] });
    await onEvent('POST', `${second}/book`, { labels: ['A-1'], bookingRef: 'order-1' });
    await onEvent('POST', `${third}/block`, { labels: ['A-3'] });
    const { seats } = (await page().get(map, { 'If-None-Match': etag })).body;
    expect(seats).toMatchObject({ 'A-1': 'booked', 'A-2': 'held', 'A-3': 'not_for_sale', 'A-4': 'free' });
  });

  test('an address opens 30 sessions a minute to one owner', async () => {
    const fresh = await openForPages(shop, 2);
    const asked = { token: shop.own.publishable.secret, headers: { Origin: origin } };
    const open = () => shop.call('POST', `${pages}/${fresh.key}/sessions`, asked);
    const statuses = (await Promise.all(Array.from({ length: 31 }, open))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('of a group alone', () => {
  let run: Run;
  beforeAll(async () => {
    run = await draftRun(shop);
  }, 120_000);

  test('the descriptor has the performances', async () => {
    const { performanceGroup } = (await (await run.page()).get('/descriptor')).body;
    expect(performanceGroup).toEqual(await run.group());
  });

  test('the map tells its revision, and the performances that lack a label', async () => {
    const [first, second, third] = run.eventKeys as [string, string, string];
    const page = await run.page();
    const before = await page.get('/objects');
    expect(before.headers.get('etag')).toBe(`"${before.body.revision}"`);
    expect(before.body).toMatchObject({ state: 'draft', salesClosed: true, partial: {} });
    await onEvent('POST', `${first}/hold`, { labels: ['A-1', 'A-2'] });
    await onEvent('POST', `${second}/book`, { labels: ['A-1'], bookingRef: 'order-1' });
    await onEvent('POST', `${third}/block`, { labels: ['A-3'] });
    const { body: after } = await page.get('/objects?view=per-performance');
    expect(after.revision).toBeGreaterThan(before.body.revision);
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
    const outside = (await (await run.page()).get('/objects')).body;
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
});

describe('of a season alone', () => {
  let season: SoldSeason;
  beforeAll(async () => {
    season = await sellSeason(shop);
  }, 120_000);

  test('a session needs a published plan', async () => {
    const { body } = await season.call('POST', '/v1/seasons', { name: 'Next', eventKeys: season.eventKeys });
    const at = `/v1/seasons/${body.season.key}/buyer-access-sessions`;
    const early = await season.call('POST', at, { includePublic: true, allowedOrigin: origin });
    expect([early.status, early.body.reason]).toEqual([409, 'no_published_plan']);
  });

  test('the descriptor has the occurrences of the plan, and the map has the seats alone', async () => {
    const page = await season.page();
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
    expect(Object.keys((await page.get('/availability')).body)).toEqual(['seats']);
  });
});
