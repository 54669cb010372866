/** Buyers' access to channels through /pub: reach, refusals, the end of a session, and access links. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Json, openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const codeOf = ({ status, body }: Answer) => [status, body.code];
/** The status and body without the request id. */
const told = ({ status, body: { requestId: _, ...body } }: Answer): Json => ({ status, body });

/** An event with two channels: "Members" has, "Sponsors" has. */
async function house() {
  const event = await shop.event();
  const channel = async (name: string, labels: string[]) => {
    const { id } = (await event.post('channels', { name })).body.channel;
    const { assignmentVersion } = (await event.get('/channels')).body;
    await event.post('channels/assignments', { targetChannelId: id, labels, assignmentVersion });
    return id as string;
  };
  const members = await channel('Members', ['A-1', 'A-2', 'A-3', 'A-4']);
  const sponsors = await channel('Sponsors', ['A-5', 'A-6']);
  const mint = async (body: object) => {
    const minted = await event.post('buyer-access-sessions', { includePublic: false, allowedOrigin: origin, ...body });
    if (minted.status !== 201) throw new Error(JSON.stringify(minted.body));
    return minted.body as { sessionId: string; token: string };
  };
  const page = (token: string) => ({
    post: (action: string, body: object, headers: Record<string, string> = {}) =>
      shop.buyer('POST', `${event.key}/${action}`, { token, body, headers }),
    get: (what: string, headers: Record<string, string> = {}) =>
      shop.buyer('GET', `${event.key}/${what}`, { token, headers }),
  });
  const link = async (body: object = {}) => (await event.post(`channels/${members}/access-links`, body)).body;
  const redeem = (capability: string | undefined, headers: Record<string, string> = {}) =>
    shop.call('POST', `/pub/events/${event.key}/access-links/redeem`, {
      headers: { Origin: origin, 'Content-Type': 'text/plain', ...headers },
      body: JSON.stringify({ capability }),
    });
  return { event, members, sponsors, mint, page, link, redeem, everybody: page(shop.own.publishable.secret) };
}

describe("a seat outside a buyer's reach", () => {
  it('is denied with the same bytes, whatever its status', async () => {
    const { event, members, mint, page, everybody } = await house();
    await event.post('block', { labels: ['B-1'] });
    const denied = told(await everybody.post('hold', { labels: ['A-3'] }));
    expect(denied).toMatchObject({ status: 403, body: { code: 'channel_access_denied', labels: ['A-3'] } });
    const nameOf = (label: string) => `Row ${label[0]}, seat ${label[2]}`;
    const asDenied = (label: string) =>
      JSON.stringify(denied).replaceAll('A-3', label).replaceAll(nameOf('A-3'), nameOf(label));

    await event.post('book', { labels: ['A-1'], bookingRef: 'order-1', channelIds: [members] });
    await event.post('hold', { labels: ['A-2'], channelIds: [members] });
    for (const label of ['A-1', 'A-2', 'A-3']) {
      expect(JSON.stringify(told(await everybody.post('hold', { labels: [label] })))).toBe(asDenied(label));
    }
    const membersPage = page((await mint({ channelIds: [members] })).token);
    for (const label of ['A-5', 'B-1', 'B-2']) {
      expect(JSON.stringify(told(await membersPage.post('hold', { labels: [label] })))).toBe(asDenied(label));
    }
    expect(told(await membersPage.post('hold', { labels: ['A-1', 'A-2'] })).body.conflicts).toEqual([
      { label: 'A-1', name: 'Row A, seat 1', status: 'booked' },
      { label: 'A-2', name: 'Row A, seat 2', status: 'held' },
    ]);
  });

  it('is not for sale on the map, and seats within reach show their status', async () => {
    const { event, members, mint, page, everybody } = await house();
    await event.post('hold', { labels: ['A-2'], channelIds: [members] });
    const publicSeats = (await everybody.get('objects')).body.seats;
    expect(publicSeats).toMatchObject({ 'A-1': 'not_for_sale', 'A-2': 'not_for_sale', 'A-5': 'not_for_sale' });
    expect(publicSeats['B-1']).toBeUndefined();
    const { seats } = (await page((await mint({ channelIds: [members] })).token).get('objects')).body;
    expect([seats['A-1'], seats['A-2'], seats['A-5'], seats['B-1']]).toEqual([
      undefined,
      'held',
      'not_for_sale',
      'not_for_sale',
    ]);
    const both = page((await mint({ channelIds: [members], includePublic: true })).token);
    expect((await both.get('objects')).body.seats['B-1']).toBeUndefined();
  });
});

describe('a session of a channel', () => {
  it("holds the channel's seats under its attribution, and best available picks only among them", async () => {
    const { event, members, mint, page } = await house();
    const { token } = await mint({ channelIds: [members], partnerRef: 'fan club', buyerRef: 'buyer-7' });
    const held = await page(token).post('hold', { labels: ['A-1'] });
    expect(held.body.items[0]).toMatchObject({ channelId: members, accessSource: 'partner' });
    expect((await event.get(`/holds/${held.body.holdId}`)).body).toMatchObject({
      partnerRef: 'fan club',
      buyerRef: 'buyer-7',
    });
    const best = await page(token).post('best-available', { qty: 2 });
    expect(best.status).toBe(200);
    for (const label of best.body.labels) expect(['A-2', 'A-3', 'A-4']).toContain(label);
    const one = await page(token).post('best-available', { qty: 1 });
    expect(one.status).toBe(200);
    expect(codeOf(await page(token).post('best-available', { qty: 1 }))).toEqual([409, 'allocation_exhausted']);
  });

  it('has one quantity limit for all its holds together', async () => {
    const { members, mint, page } = await house();
    const { token } = await mint({ channelIds: [members], includePublic: true, maxQuantity: 3 });
    const { post } = page(token);
    const { holdId } = (await post('hold', { labels: ['A-1', 'B-1'] })).body;
    const over = await post('hold', { labels: ['B-2', 'B-3'] });
    expect(codeOf(over)).toEqual([409, 'max_quantity_exceeded']);
    expect(over.body).toMatchObject({ maxQuantity: 3, used: 2 });
    expect(over.headers.get('access-control-allow-origin')).toBe(origin);
    expect((await post('hold', { labels: ['B-2', 'B-3'], replaceHoldId: holdId })).status).toBe(200);
    expect((await post('best-available', { qty: 1 })).status).toBe(200);
    expect(codeOf(await post('best-available', { qty: 1 }))).toEqual([409, 'max_quantity_exceeded']);
  });

  it('hears that its channel is paused, and reads a closed sale until the channel is active again', async () => {
    const { event, members, mint, page, everybody } = await house();
    const { get, post } = page((await mint({ channelIds: [members] })).token);
    await event.post(`channels/${members}/pause`, {});
    expect((await get('availability?live=1')).body.state).toBe('closed');
    expect((await everybody.get('availability?live=1')).body.state).toBe('on-sale');
    const paused = await post('hold', { labels: ['A-1'] });
    expect(codeOf(paused)).toEqual([403, 'channel_paused']);
    expect(paused.headers.get('access-control-allow-origin')).toBe(origin);
    const denied = await everybody.post('hold', { labels: ['A-1'] });
    expect([...codeOf(denied), denied.body.labels]).toEqual([403, 'channel_access_denied', ['A-1']]);
    await event.post(`channels/${members}/unpause`, {});
    expect((await get('availability?live=1')).body.state).toBe('on-sale');
    expect((await post('hold', { labels: ['A-1'] })).status).toBe(200);
  });

  it('resumes, extends and releases holds of a session with the same scope, and no other holds', async () => {
    const { members, sponsors, mint, page, everybody } = await house();
    const open = async (body: object) => page((await mint(body)).token);
    const first = await open({ channelIds: [members] });
    const second = await open({ channelIds: [members] });
    const others = [
      everybody,
      await open({ channelIds: [sponsors] }),
      await open({ channelIds: [members], includePublic: true }),
    ];
    const { holdId } = (await first.post('hold', { labels: ['A-1', 'A-2'] })).body;
    for (const other of others) {
      expect(codeOf(await other.post('hold/resume', { holdId }))).toEqual([404, 'hold_not_found']);
      expect((await other.post('extend', { holdId })).status).toBeGreaterThanOrEqual(404);
      expect(codeOf(await other.post('release', { holdId }))).toEqual([404, 'hold_not_found']);
      await other.post('hold', { labels: ['B-1'], replaceHoldId: holdId });
    }
    expect((await second.post('hold/resume', { holdId })).body.labels).toEqual(['A-1', 'A-2']);
    expect((await second.post('extend', { holdId })).body.extends).toBe(1);
    expect((await second.post('release', { holdId, labels: ['A-1'] })).body.released).toEqual(['A-1']);
  });

  it("reads the prices and labels of its channel's seats", async () => {
    const { event, members, sponsors, mint, page, everybody } = await house();
    const priceOverrides = [{ categoryKey: 'stalls', tierId: null, price: 9 }];
    await shop.call('PATCH', `${event.path}/channels/${members}`, { token: shop.token, body: { priceOverrides } });
    const { token } = await mint({ channelIds: [members], includePublic: true });
    const { body } = await page(token).get('availability?live=1');
    expect(body).toMatchObject({ fromPrice: 900, state: 'on-sale' });
    expect(body.channelPricing.channels).toEqual([
      { channelId: members, pricingVersion: expect.any(Number), priceOverrides },
    ]);
    const labels = ['A-1', 'A-2', 'A-3', 'A-4'];
    expect(body.channelPricing.objects).toEqual(labels.map((label) => ({ label, channelId: members })));
    expect(JSON.stringify(body)).not.toContain(sponsors);
    expect((await everybody.get('availability?live=1')).body).toMatchObject({ fromPrice: 2_000, channelPricing: null });
    expect((await page(token).post('hold', { labels: ['A-1'] })).body.items[0].unitPrice).toBe(9);
  });

  it('ends when revoked, and never falls back to public sale', async () => {
    const { event, members, mint, page } = await house();
    const { token, sessionId } = await mint({ channelIds: [members], includePublic: true });
    const { get, post } = page(token);
    expect((await get('objects')).status).toBe(200);
    await shop.call('DELETE', `${event.path}/buyer-access-sessions/${sessionId}`, { token: shop.token });
    await expect
      .poll(async () => codeOf(await get('objects')), { timeout: 1_000, interval: 20 })
      .toEqual([401, 'buyer_access_revoked']);
    for (const answer of [
      await get('chart'),
      await get('availability'),
      await post('hold', { labels: ['B-1'] }),
      await post('subscribe-tickets', {}),
    ]) {
      expect(codeOf(answer)).toEqual([401, 'buyer_access_revoked']);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  it('is bound to its origin and its event', async () => {
    const { members, mint, page } = await house();
    const other = await house();
    const { token } = await mint({ channelIds: [members] });
    for (const foreign of ['https://evil.example', `${origin}.evil.example`, `${origin}:444`, 'null']) {
      const answer = await page(token).get('objects', { Origin: foreign });
      expect(codeOf(answer)).toEqual([403, 'buyer_access_origin_mismatch']);
      const readable = foreign === 'null' ? null : foreign;
      expect(answer.headers.get('access-control-allow-origin')).toBe(readable);
    }
    expect(codeOf(await other.page(token).get('objects'))).toEqual([403, 'buyer_access_event_mismatch']);
  });
});

describe('an access link', () => {
  it('is redeemed for a session of its channel, with all data for the first drawing of the map', async () => {
    const { members, link, redeem, page } = await house();
    const { capability } = await link();
    const answer = await redeem(capability);
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([
      200,
      ['doc', 'event', 'expiresAt', 'objects', 'token'],
    ]);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    const { objects, token } = answer.body;
    expect([objects.default, objects.seats['A-1'], objects.seats['A-5']]).toEqual(['not_for_sale', 'free', undefined]);
    const held = await page(token).post('hold', { labels: ['A-1'] });
    expect(held.body.items[0]).toMatchObject({ channelId: members, accessSource: 'hosted_link' });
    expect(codeOf(await page(token).get('objects', { Origin: 'https://evil.example' }))).toEqual([
      403,
      'buyer_access_origin_mismatch',
    ]);
  });

  it('is redeemed at most maxRedemptions times, also concurrently', async () => {
    const { link, redeem } = await house();
    const { capability } = await link({ maxRedemptions: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(capability)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { status, body } of answers) {
      if (status !== 200) expect(body).toMatchObject({ code: 'buyer_access_revoked', reason: 'access_link_exhausted' });
    }
  });

  it('is refused when unknown or revoked, or when the request has a wrong origin', async () => {
    const { event, members, link, redeem } = await house();
    const { capability, link: made } = await link();
    expect(codeOf(await redeem(undefined))).toEqual([404, 'not_found']);
    expect(codeOf(await redeem('acl_0'))).toEqual([401, 'buyer_access_invalid']);
    const elsewhere = await house();
    expect(codeOf(await elsewhere.redeem(capability))).toEqual([401, 'buyer_access_invalid']);
    const nowhere = await shop.call('POST', '/pub/events/ev_none/access-links/redeem', {
      headers: { Origin: origin },
      body: { capability: 'acl_0' },
    });
    expect(told(nowhere)).toEqual(told(await redeem('acl_0')));
    for (const foreign of ['null', 'http://shop.example', 'https://shop.example/']) {
      const answer = await redeem(capability, { Origin: foreign });
      expect(codeOf(answer)).toEqual([403, 'buyer_access_origin_mismatch']);
      expect(answer.headers.get('access-control-allow-origin')).not.toBe(origin);
    }
    await shop.call('DELETE', `${event.path}/channels/${members}/access-links/${made.id}`, { token: shop.token });
    expect(codeOf(await redeem(capability))).toEqual([401, 'buyer_access_revoked']);
  });
});

it("An event's picture is served to every caller with its id, and is cacheable", async () => {
  const event = await shop.event();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const headers = { Authorization: `Bearer ${shop.token}` };
  const put = await fetch(`${shop.url}${event.path}/poster`, { method: 'PUT', headers, body: png });
  const { posterAssetId } = ((await put.json()) as Json).meta;
  const get = (key: string, id: string) =>
    fetch(`${shop.url}/pub/events/${key}/assets/${id}`, { headers: { Origin: origin } });
  const found = await get(event.key, posterAssetId);
  expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await found.arrayBuffer()).equals(png)).toBe(true);
  expect(found.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(found.headers.get('access-control-allow-origin')).toBe(origin);
  const missing = [await get('ev_none', posterAssetId), await get(event.key, 'ast_0')];
  expect(missing.map(({ status }) => status)).toEqual([404, 404]);
  const [first, second] = await Promise.all(missing.map(async (answer) => ((await answer.json()) as Json).message));
  expect(first).toBe(second);
});
