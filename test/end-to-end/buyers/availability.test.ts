/** The sale summary through /pub, which a page reads before it shows the map. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const live = async (key: string) => (await shop.buyer('GET', `${key}/availability?live=1`)).body;

const plain = { previousPrice: null, fees: [], allIn: false };

it('The state goes from on-sale over low and sold-out to closed', async () => {
  const event = await shop.event();
  const first = await shop.buyer('GET', `${event.key}/availability`);
  expect([first.status, first.body]).toEqual([
    200,
    {
      state: 'on-sale',
      opensAt: null,
      salesStartAt: null,
      salesEndAt: null,
      companionsUntil: null,
      waiting: null,
      fromPrice: 2_000,
      previousPrice: null,
      currency: 'EUR',
      priceUnit: 'major',
      fromTotal: 2_000,
      release: null,
      upcoming: null,
      offers: [],
      linkedOffers: [],
      prices: [
        { ...plain, categoryKey: 'stalls', price: 20, total: 20, free: 50, lowestPrice: 20, highestPrice: 20 },
        { ...plain, categoryKey: 'balcony', price: 30, total: 30, free: 20, lowestPrice: 15, highestPrice: 30 },
      ],
      channelPricing: null,
      heldByOthers: 0,
      serverTime: expect.any(Number),
    },
  ]);
  expect(first.headers.get('cache-control')).toBe('private, no-store');
  const row = (label: string) => Array.from({ length: 20 }, (_, i) => `${label}-${i + 1}`);
  await event.post('book', {
    selections: [...row('A').map((label) => ({ label })), { label: 'Floor', quantity: 30 }],
    bookingRef: 'order-1',
  });
  expect(await live(event.key)).toMatchObject({ state: 'on-sale', fromPrice: 3_000 });
  await event.post('hold', { labels: row('B').slice(0, 18) });
  expect((await live(event.key)).state).toBe('low');
  await event.post('block', { labels: row('B').slice(18) });
  expect(await live(event.key)).toMatchObject({ state: 'sold-out', fromPrice: null });
  await event.post('close');
  expect((await live(event.key)).state).toBe('closed');
});

it('A house that opens later is in presale, with the time, for pages and for the chart', async () => {
  const event = await shop.event();
  const revealAt = Date.now() + 3_600_000;
  await event.post('availability', { rules: { __ungrouped__: { mode: 'timed', revealAt } } });
  const presale = { state: 'presale', opensAt: revealAt };
  expect(await live(event.key)).toMatchObject({
    ...presale,
    waiting: { reason: 'nothing_for_sale', opensAt: revealAt },
  });
  expect((await shop.buyer('GET', `${event.key}/chart`)).body.event).toMatchObject(presale);
  await event.post('availability', { rules: { __ungrouped__: { mode: 'closed' } } });
  expect(await live(event.key)).toMatchObject({ state: 'presale', opensAt: null });
});

it('A sale begins and ends at its times for buyers, earlier for a channel, and at no time for keys', async () => {
  const event = await shop.event();
  const server = (method: string, action: string, body: object) =>
    shop.call(method, `/v1/events/${event.key}${action}`, { token: shop.token, body });
  const set = (body: object) => server('PATCH', '', body);
  const page = (action: string, labels: string[], more = {}, token?: string) =>
    shop.buyer('POST', `${event.key}/${action}`, { body: { labels, ...more }, ...(token && { token }) });
  const salesStartAt = Date.now() + 3_600_000;
  const salesEndAt = salesStartAt + 3_600_000;
  const settings = { salesStartAt, salesEndAt, companionsUntil: salesStartAt, buyerLimit: { perBuyer: 4 } };
  const changed = await set(settings);
  expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(settings)]);
  const times = { salesStartAt, salesEndAt, companionsUntil: salesStartAt };
  const presale = { state: 'presale', opensAt: salesStartAt, ...times };
  expect(await live(event.key)).toMatchObject({
    ...presale,
    waiting: { reason: 'not_started', opensAt: salesStartAt },
    fromPrice: 2_000,
  });
  expect((await shop.buyer('GET', `${event.key}/chart`)).body.event).toMatchObject({ ...presale, salesClosed: false });
  const early = await page('hold', ['A-1']);
  expect([early.status, early.body]).toEqual([
    409,
    expect.objectContaining({ code: 'sales_not_started', opensAt: salesStartAt }),
  ]);
  expect((await server('POST', '/hold', { labels: ['A-2'] })).status).toBe(200);
  const draft = { name: 'Members', salesStartAt: Date.now() - 1 };
  const { channel } = (await server('POST', '/channels', draft)).body;
  expect(channel).toMatchObject(draft);
  await server('POST', '/channels/assignments', { targetChannelId: channel.id, labels: ['A-3'], assignmentVersion: 0 });
  const access = { channelIds: [channel.id], includePublic: false, allowedOrigin: origin };
  const { token } = (await server('POST', '/buyer-access-sessions', access)).body;
  const told = (await shop.buyer('GET', `${event.key}/availability?live=1`, { token })).body;
  expect(told).toMatchObject({ state: 'on-sale', waiting: null, salesStartAt: draft.salesStartAt });
  const member = await page('hold', ['A-3'], {}, token);
  expect(member.status).toBe(200);
  await set({ salesStartAt: null, salesEndAt: Date.now() - 1 });
  await server('PATCH', `/channels/${channel.id}`, { salesStartAt: null });
  const ended = await page('hold', ['A-4']);
  expect([ended.status, ended.body.code]).toEqual([409, 'sales_ended']);
  expect(await live(event.key)).toMatchObject({
    state: 'closed',
    waiting: { reason: 'sales_ended', opensAt: null },
    fromPrice: null,
  });
  const { holdId } = member.body;
  const resumed = await shop.buyer('POST', `${event.key}/extend`, { body: { holdId }, token });
  expect(resumed.status).toBe(200);
  expect((await server('POST', '/book', { holdId, bookingRef: 'order-1' })).status).toBe(200);
});

it.each([
  [{ salesStartAt: '2027-01-01T00:00:00Z' }, 'salesStartAt'],
  [{ salesStartAt: 1_798_761_600_000_000 }, 'salesStartAt'],
  [{ salesEndAt: -1 }, 'salesEndAt'],
  [{ companionsUntil: 1.5 }, 'companionsUntil'],
  [{ salesStartAt: 5, salesEndAt: 5 }, 'salesEndAt'],
  [{ buyerLimit: { perBuyer: 0 } }, 'buyerLimit.perBuyer'],
  [{ buyerLimit: 4 }, 'buyerLimit'],
])('%j is refused by its place', async (body, path) => {
  const event = await shop.event();
  const refused = await shop.call('PATCH', `/v1/events/${event.key}`, { token: shop.token, body });
  expect([refused.status, refused.body.code, refused.body.issues.map((issue: { path: string }) => issue.path)]).toEqual(
    [422, 'invalid_request', [path]],
  );
});

it('A place without a price is told at publishing, refused to buyers, and sold by a server that names a price', async () => {
  const { token, call } = shop;
  const row = { type: 'row', id: 'r', label: 'A', origin: { x: 0, y: 0 }, rotation: 0, seatCount: 4, seatSpacing: 20 };
  const categories = [{ key: 'open', label: 'Open', color: '#336699' }];
  const point = { x: 0, y: 0 };
  const doc = { version: 1, name: 'Bare', venueType: 'SIMPLE', focalPoint: point, categories };
  const made = await call('POST', '/v1/charts', {
    token,
    body: { name: 'Bare', doc: { ...doc, objects: [{ ...row, categoryKey: 'open' }] } },
  });
  const published = await call('POST', `/v1/charts/${made.body.meta.id}/publish`, { token });
  expect(published.body.warnings).toMatchObject([{ code: 'missing_price', path: 'categories.open.price' }]);
  const { meta } = (await call('POST', '/v1/events', { token, body: { chartId: made.body.meta.id } })).body;
  const refused = await shop.buyer('POST', `${meta.key}/hold`, { body: { labels: ['A-1', 'A-2'] } });
  expect([refused.status, refused.body]).toMatchObject([422, { code: 'price_missing', labels: ['A-1', 'A-2'] }]);
  const held = await call('POST', `/v1/events/${meta.key}/hold`, {
    token,
    body: {
      selections: [
        { label: 'A-1', price: 25 },
        { label: 'A-2', price: 0 },
      ],
    },
  });
  expect(held.body.items.map(({ unitPrice }: { unitPrice: number }) => unitPrice)).toEqual([25, 0]);
});

it('The summary names the current ticket release, and follows changes within two seconds without live=1', async () => {
  const event = await shop.event();
  const read = async () => (await shop.buyer('GET', `${event.key}/availability`)).body;
  expect((await read()).release).toBeNull();
  const releases = [
    { name: 'Early bird', price: 12, previousPrice: 20, quota: 10 },
    { name: 'Later', price: 18, startsAt: Date.now() + 3_600_000 },
  ];
  await shop.call('PUT', `${event.path}/releases`, { token: shop.token, body: { releases } });
  await event.post('hold', { labels: ['A-1'] });
  await expect.poll(async () => (await read()).release?.remaining, { timeout: 2_500, interval: 100 }).toBe(9);
  const told = await read();
  expect(told).toMatchObject({
    fromPrice: 1_200,
    previousPrice: 2_000,
    release: { index: 1, count: 2, name: 'Early bird' },
    upcoming: { index: 2, count: 2, name: 'Later' },
  });
  expect(told.prices[0]).toMatchObject({
    categoryKey: 'stalls',
    price: 12,
    previousPrice: 20,
    offerName: 'Early bird',
  });
});

it('With live=1 the summary contains the change of a moment ago', async () => {
  const event = await shop.event();
  for (let n = 1; n <= 5; n++) {
    const releases = [{ name: `Window ${n}`, price: n }];
    await shop.call('PUT', `${event.path}/releases`, { token: shop.token, body: { releases } });
    expect(await live(event.key)).toMatchObject({ release: { name: `Window ${n}` }, fromPrice: n * 100 });
  }
});

it('The summary needs a credential and an existing event', async () => {
  const event = await shop.event();
  expect((await shop.call('GET', `/pub/events/${event.key}/availability`)).status).toBe(404);
  expect((await shop.buyer('GET', 'ev_none/availability')).status).toBe(404);
});

it('The summary counts what others hold, as the map shows it: not the own session, nor a named hold', async () => {
  const event = await shop.event();
  const session = async () => {
    const body = JSON.stringify({ publicKey: shop.own.publishable.secret });
    const headers = { 'Content-Type': 'text/plain' };
    return (await shop.buyer('POST', `${event.key}/bootstrap`, { body, headers, token: '' })).body.token as string;
  };
  const others = async (token?: string, more = '') => {
    const options = token === undefined ? {} : { token };
    return (await shop.buyer('GET', `${event.key}/availability?live=1${more}`, options)).body.heldByOthers;
  };
  const one = await session();
  const two = await session();
  const hold = (token: string | undefined, body: object, key?: string) =>
    shop.buyer('POST', `${event.key}/hold`, {
      ...(token && { token }),
      body,
      ...(key && { headers: { 'Idempotency-Key': key } }),
    });
  const first = (await hold(one, { labels: ['A-1', 'A-2'] })).body;
  await hold(one, { selections: [{ label: 'Floor', quantity: 3 }] }, 'cart');
  const keyed = (await hold(undefined, { labels: ['B-1'] })).body;
  await event.post('hold', { labels: ['B-2'] });
  await event.post('block', { labels: ['B-3'] });
  expect([await others(one), await others(two), await others()]).toEqual([2, 7, 7]);
  expect(await others(two, `&holdId=${first.holdId}`)).toBe(2);
  expect(await others(one, `&holdId=${keyed.holdId}`)).toBe(1);
  expect(await others(two, '&holdId=hld_0')).toBe(7);
  await shop.buyer('POST', `${event.key}/release`, { token: one, body: { holdId: first.holdId, labels: ['A-1'] } });
  expect([await others(one), await others(two)]).toEqual([2, 6]);
  const rule = { rules: { __ungrouped__: { mode: 'closed', labels: [] } } };
  await event.post('availability', rule);
  expect(await others(two)).toBe(0);
});
