/** A designer session over HTTP reaches its own chart only, with the rights of its authority. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';
import { openSession, page, publishedChart } from './designer-session.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const dining = { type: 'table', id: 't1', label: 'T1', shape: 'round', center: { x: 0, y: -100 } };
const whole = { ...dining, seatCount: 8, categoryKey: 'stalls', bookAsWhole: true };

/** A published chart with a table that is sold as a whole. */
const chart = () => publishedChart(shop, { ...shop.hall, objects: [...shop.hall.objects, whole] });

async function designer({ id }: { id: string }, more: object, by?: string) {
  const { token, call } = await openSession(shop, id, more, by);
  /** Saves the current chart with these fields of its table. */
  const draw = async (table: object) => {
    const { doc, meta } = (await call('GET')).body;
    const objects = doc.objects.map((object: Json) => (object.id === 't1' ? { ...object, ...table } : object));
    return call('PUT', '', { doc: { ...doc, objects }, expectedUpdatedAt: meta.updatedAt });
  };
  return { token, call, draw };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** With headers that fetch does not let a caller set. */
function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(shop.url + path, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    call.on('error', reject);
    call.end();
  });
}

const codeOf = ({ status, body }: { status: number; body: Json }) => [status, body.code];

test('A designer session reads, saves and publishes its chart as its authority allows', async () => {
  const own = await chart();
  const [reader, editor, publisher] = await Promise.all(
    ['read-only', 'edit', 'publish'].map((authority) => designer(own, { authority })),
  );
  expect((await reader!.call('GET')).status).toBe(200);
  expect((await reader!.draw({ rotation: 10 })).status).toBe(403);
  expect((await editor!.draw({ rotation: 20 })).status).toBe(200);
  expect((await editor!.call('POST', '/publish', {})).status).toBe(403);
  const published = await publisher!.call('POST', '/publish', {});
  expect([published.status, published.headers.get('access-control-allow-origin')]).toEqual([200, page]);
});

test('A session whose features leave out publishing has no authority to publish', async () => {
  const { call, token } = await designer(await chart(), { authority: 'publish', features: { publish: false } });
  expect(codeOf(await call('POST', '/publish', {}))).toEqual([403, 'forbidden']);
  const { body } = await shop.call('GET', '/v1/designer/session', { token, headers: { Origin: page } });
  expect(body.session).toMatchObject({ authority: 'edit', canPublish: false, featurePolicy: { publish: false } });
});

test('A designer session renames its chart, and takes no reference of the platform', async () => {
  const { call } = await designer(await chart(), { authority: 'publish' });
  expect((await call('PUT', '', { name: 'Renamed' })).body.meta.name).toBe('Renamed');
  for (const externalRef of ['venue-1', null])
    expect(codeOf(await call('PUT', '', { externalRef }))).toEqual([403, 'forbidden']);
});

test('A designer session reaches no other chart, no other route, and nothing from another origin', async () => {
  const { id, call, token } = { ...(await chart()), ...(await designer(await chart(), { authority: 'publish' })) };
  expect(codeOf(await call('GET', '', undefined, id))).toEqual([404, 'chart_not_found']);
  expect((await call('GET', '', undefined, undefined, 'https://elsewhere.example')).status).toBe(403);
  const event = await shop.event();
  for (const path of ['/v1/charts', event.path, `${event.path}/log`]) {
    expect([401, 403]).toContain((await shop.call('GET', path, { token, headers: { Origin: page } })).status);
  }
});

test('A designer session tells its rights to its own page, and works from the page at its designerUrl', async () => {
  const own = await chart();
  const features = { import: false, sparkle: { level: 3 } };
  const body = { workspaceId: own.workspaceId, chartId: own.id, allowedOrigin: page, authority: 'read-only', features };
  const minted = await shop.call('POST', '/v1/designer/sessions', {
    token: shop.token,
    body: { ...body, person: 'Ann' },
  });
  const { token, designerUrl: _, ...session } = minted.body.session;
  const ask = (path: string, headers: Record<string, string>, method = 'GET', more: object = {}) =>
    shop.call(method, path, { token, headers, ...more });
  const told = await ask('/v1/designer/session', { Origin: page });
  expect([told.status, told.body]).toEqual([200, { session: { ...session, person: 'Ann', currency: 'EUR' } }]);
  const here = new URL(shop.url);
  for (const headers of [{ Origin: here.origin }, { 'Sec-Fetch-Site': 'same-origin' }])
    expect((await ask(`/v1/charts/${own.id}`, headers)).status).toBe(200);
  const strangers: Record<string, string>[] = [
    {},
    { Origin: 'null' },
    { Origin: 'https://elsewhere.example' },
    { Origin: `${here.origin}0` },
    { Origin: `https://${here.host}` },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ];
  for (const headers of strangers) {
    const refused = await ask(`/v1/charts/${own.id}`, headers);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  }
  const written = await ask(`/v1/charts/${own.id}`, { Origin: here.origin }, 'PUT', { body: { name: 'Mine' } });
  expect(codeOf(written)).toEqual([403, 'forbidden']);
});

test('A page under another name of the server is not the page of designerUrl', async () => {
  const { token } = await designer(await chart(), {});
  const rebound = `rebound.example:${new URL(shop.url).port}`;
  const read = (headers: Record<string, string>) => statusOf('/v1/designer/session', { ...bearer(token), ...headers });
  expect(await read({ Host: rebound, Origin: `http://${rebound}` })).toBe(403);
  expect(await read({ Host: rebound, 'Sec-Fetch-Site': 'same-origin' })).toBe(403);
  expect(await read({ 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
});

test('Only the allowed origin may frame the designer', async () => {
  const own = await chart();
  const body = { workspaceId: own.workspaceId, chartId: own.id, allowedOrigin: page };
  const { designerUrl } = (await shop.call('POST', '/v1/designer/sessions', { token: shop.token, body })).body.session;
  const framersOf = async (address: string | URL) => {
    const answer = await fetch(address);
    expect([answer.status, answer.headers.get('cross-origin-opener-policy')]).toEqual([200, 'same-origin']);
    return /frame-ancestors (.*)$/.exec(answer.headers.get('content-security-policy')!)![1];
  };
  expect(await framersOf(designerUrl)).toBe(page);
  expect(await framersOf(`${shop.url}/designer`)).toBe("'none'");
  const forged = new URL(designerUrl);
  forged.searchParams.set('parent', 'https://evil.example');
  expect(await framersOf(forged)).toBe("'none'");
});

test('A designer session of a test key refreshes no live event, and one of a live key no test event', async () => {
  const own = await chart();
  const { test: testKey, live } = shop.own;
  const eventOf = async (token: string) =>
    (await shop.call('POST', '/v1/events', { token, body: { chartId: own.id } })).body.meta.key as string;
  const testEvent = await eventOf(testKey.secret);
  const liveEvent = await eventOf(live.secret);
  const publish = async (by: string, rotation: number) => {
    const { call, draw } = await designer(own, { authority: 'publish' }, by);
    expect((await draw({ rotation })).status).toBe(200);
    return (await call('POST', '/publish', {})).body.events;
  };
  const isBehind = async (key: string, token: string) =>
    (await shop.call('GET', `/v1/events/${key}`, { token })).body.chartUpdate.behind;
  expect(await publish(testKey.secret, 10)).toEqual({ refreshed: [testEvent], needsUpdate: [] });
  expect(await isBehind(liveEvent, live.secret)).toBe(true);
  expect(await publish(live.secret, 20)).toEqual({ refreshed: [liveEvent], needsUpdate: [] });
  expect(await isBehind(testEvent, testKey.secret)).toBe(true);
});

test('A test key mints no console and no buyer session for a live event', async () => {
  const { test: testKey, live } = shop.own;
  const { id: chartId } = await chart();
  const { key } = (await shop.call('POST', '/v1/events', { token: live.secret, body: { chartId } })).body.meta;
  for (const [sessions, more] of [
    ['manage-sessions', { capabilities: ['event:view'] }],
    ['buyer-access-sessions', { includePublic: true }],
  ] as const) {
    const body = { allowedOrigin: page, ...more };
    const minted = await shop.call('POST', `/v1/events/${key}/${sessions}`, { token: testKey.secret, body });
    expect(codeOf(minted)).toEqual([403, 'mode_mismatch']);
  }
});

test('In safe mode a whole-booked table keeps its seat count, unless the session may edit capacity', async () => {
  const own = await chart();
  const safe = await designer(own, { mode: 'safe' });
  const refused = await safe.draw({ seatCount: 6 });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: 'conflict', reason: 'safe_mode', labels: ['T1'] });
  expect((await safe.draw({ rotation: 30 })).status).toBe(200);
  const safeModeOptions = { allowDeletingObjects: true, allowEditingAreaCapacity: true };
  expect((await (await designer(own, { mode: 'safe', safeModeOptions })).draw({ seatCount: 6 })).status).toBe(200);
});
