/** A dashboard call that names its mode: it reaches nothing of the other mode. Without the name it reaches both. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answersIn, converse } from '../../support/servers/raw-http.ts';
import { openShop, type Shop } from '../shop.ts';

let shop: Shop;
let session: Awaited<ReturnType<Shop['logIn']>>;
let keys: { live: string; test: string };

const inMode = (mode: string) => ({
  read: { ...session.read, 'Parterre-Mode': mode },
  write: { ...session.write, 'Parterre-Mode': mode },
});

beforeAll(async () => {
  shop = await openShop();
  session = await shop.logIn(await shop.user());
  const make = async (mode: 'live' | 'test') => {
    const body = { chartId: shop.chart.id, mode };
    return (await shop.call('POST', '/v1/events', { headers: session.write, body })).body.meta.key as string;
  };
  keys = { live: await make('live'), test: await make('test') };
}, 120_000);
afterAll(() => shop?.stop());

const keysListed = async (headers: Record<string, string>) => {
  const { body } = await shop.call('GET', '/v1/events?limit=200', { headers });
  return body.events.map(({ key }: { key: string }) => key).filter((key: string) => Object.values(keys).includes(key));
};

it('lists the events of its mode alone, and of both without a name', async () => {
  expect(await keysListed(inMode('live').read)).toEqual([keys.live]);
  expect(await keysListed(inMode('test').read)).toEqual([keys.test]);
  expect(await keysListed(session.read)).toEqual([keys.test, keys.live]);
});

it('reads, changes and sells no event of the other mode', async () => {
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '/close', {}],
    ['POST', '/block', { labels: ['A-1'] }],
    ['DELETE', '', undefined],
  ] as const) {
    const headers = method === 'GET' ? inMode('live').read : inMode('live').write;
    const { status, body: answer } = await shop.call(method, `/v1/events/${keys.test}${path}`, {
      headers,
      ...(body && { body }),
    });
    expect([status, answer.code], path).toEqual([403, 'mode_mismatch']);
  }
  const untouched = await shop.call('GET', `/v1/events/${keys.test}`, { headers: inMode('test').read });
  expect(untouched.body).toMatchObject({ meta: { status: 'active' }, counts: { blocked: 0 } });
});

it('makes an event of its mode, whatever the body says', async () => {
  const body = { chartId: shop.chart.id, mode: 'live' };
  const made = await shop.call('POST', '/v1/events', { headers: inMode('test').write, body });
  expect(made.body.meta.mode).toBe('test');
});

it('refuses a mode that does not exist', async () => {
  const refused = await shop.call('GET', '/v1/events', { headers: inMode('LIVE').read });
  expect([refused.status, refused.body.code]).toEqual([422, 'invalid_request']);
});

it('refuses two modes, whatever their order', async () => {
  const { hostname, port } = new URL(shop.url);
  for (const modes of [
    ['live', 'test'],
    ['test', 'live'],
  ]) {
    const lines = modes.map((mode) => `Parterre-Mode: ${mode}\r\n`).join('');
    const head = `GET /v1/events HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${session.read.Cookie}\r\n${lines}`;
    const { received } = await converse(Number(port), [`${head}Connection: close\r\n\r\n`]);
    expect(answersIn(received)).toEqual([422]);
  }
});

it('answers an unchanged list of events with 304, and a changed one whole', async () => {
  const { read } = inMode('test');
  const first = await shop.call('GET', '/v1/events', { headers: read });
  const known = { ...read, 'If-None-Match': first.headers.get('ETag')! };
  const again = await fetch(`${shop.url}/v1/events`, { headers: known });
  expect(again.status).toBe(304);
  await shop.call('POST', `/v1/events/${keys.test}/block`, {
    headers: inMode('test').write,
    body: { labels: ['A-1'] },
  });
  const changed = await shop.call('GET', '/v1/events', { headers: known });
  expect(changed.status).toBe(200);
});

it("opens the console's own designer from an address without TLS, and nobody else's", async () => {
  const body = { workspaceId: shop.chart.workspaceId, chartId: shop.chart.id, authority: 'publish' };
  const ask = (allowedOrigin: string) =>
    shop.call('POST', '/v1/designer/sessions', { headers: inMode('live').write, body: { ...body, allowedOrigin } });
  expect((await ask(new URL(shop.url).origin)).status).toBe(201);
  expect((await ask('http://platform.example')).status).toBe(422);
});

it('lists the webhooks of its mode and of both, and makes one of its mode', async () => {
  const make = (mode: string, fields: object) => {
    const body = { url: 'https://hooks.example/parterre', events: ['seat.booked'], ...fields };
    return shop.call('POST', '/v1/webhooks', { headers: inMode(mode).write, body });
  };
  const listed = async (mode: string) => {
    const { body } = await shop.call('GET', '/v1/webhooks', { headers: inMode(mode).read });
    return body.webhooks.map((sub: { mode: string | null }) => sub.mode);
  };
  expect((await make('test', {})).status).toBe(201);
  expect((await make('test', { mode: null })).status).toBe(201);
  expect((await listed('test')).sort()).toEqual([null, 'test']);
  expect(await listed('live')).toEqual([null]);
});
