/** Request budgets behind a proxy, refused credentials, logins, and limits that a deployment or a key sets. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { environments } from '../../support/servers/server.ts';
import { type Answer, type Json, openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ env: environments.scarce });
}, 120_000);
afterAll(() => shop?.stop());

let addresses = 0;
/** Headers as a proxy passes on the calls of another buyer. */
const from = (address = `198.51.100.${++addresses}`) => ({ 'X-Forwarded-For': address });
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

async function times(count: number, call: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < count; n++) answers.push(await call());
  return answers;
}

async function key(more: object): Promise<string> {
  const path = `/v1/admin/organisations/${shop.own.id}/keys`;
  const made = await shop.call('POST', path, { token: shop.rootToken, body: { mode: 'test', ...more } });
  expect([made.status, made.body.key?.budgets]).toEqual([201, (more as Json).budgets]);
  return made.body.secret;
}

describe('imports of charts', () => {
  it('are ten an hour for an organisation, whatever user asks', async () => {
    const other = await shop.organisation('Importers');
    const ofUser = async () => (await shop.logIn(await shop.user({ organisationId: other.id }))).write;
    const users = [await ofUser(), await ofUser()];
    const begun = await Promise.all(
      Array.from({ length: 11 }, async (_, n) => {
        const headers = { ...users[n % 2], ...from(), 'Content-Type': 'text/csv' };
        return fetch(`${shop.url}/v1/chart-imports`, { method: 'POST', headers, body: '' });
      }),
    );
    expect(begun.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
    const over = begun.find(({ status }) => status === 429)!;
    expect(over.headers.get('ratelimit-policy')).toBe('10;w=3600');
  });
});

describe('calls with many labels', () => {
  it('share one budget of labels for an organisation, and small calls go on', async () => {
    const event = await shop.event();
    const named = (count: number) => Array.from({ length: count }, (_, n) => ['A-1', 'A-2'][n % 2]!);
    const { post } = event;
    expect((await post('block', { labels: named(150) })).status).toBe(200);
    const over = await post('unblock', { labels: named(101) });
    expect(over.status).toBe(429);
    expect(over.body).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: Number(over.headers.get('retry-after')),
    });
    expect(over.headers.get('ratelimit-policy')).toBe('250;w=60');
    expect(over.headers.get('ratelimit-remaining')).toBe('100');
    // The refused call freed nothing.
    expect((await post('unblock', { labels: named(100) })).body).toMatchObject({ ok: true, unblocked: ['A-1', 'A-2'] });
  });
});

describe('files of a report', () => {
  it('share one budget for an organisation', async () => {
    const event = await shop.event();
    const headers = { Authorization: `Bearer ${shop.token}` };
    const file = () => fetch(`${shop.url}${event.path}/report.csv`, { headers });
    const answers = [await file(), await file(), await file()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]!.headers.get('ratelimit-policy')).toBe('2;w=60');
  });
});

describe('holds and best available of buyers', () => {
  it('share one budget for each address, in which resume, extend and release do not count', async () => {
    const event = await shop.event();
    const headers = from();
    const post = (action: string, body: object) => shop.buyer('POST', `${event.key}/${action}`, { body, headers });
    const { holdId } = (await post('hold', { labels: ['A-1'] })).body;
    expect(statuses([await post('best-available', { qty: 1 }), await post('hold', { labels: ['B-1'] })])).toEqual([
      200, 200,
    ]);
    const over = await post('best-available', { qty: 1 });
    expect(over.status).toBe(429);
    expect(over.body).toEqual({
      error: 'rate_limited',
      code: 'rate_limited',
      message: expect.any(String),
      requestId: over.headers.get('x-request-id'),
      retryAfterSeconds: Number(over.headers.get('retry-after')),
    });
    expect(over.headers.get('ratelimit-limit')).toBe('3');
    expect(over.headers.get('ratelimit-policy')).toBe('3;w=60');
    expect(over.headers.get('access-control-allow-origin')).toBe(origin);
    expect(over.headers.get('access-control-expose-headers')).toMatch(/^Retry-After, /);
    expect(over.headers.get('access-control-expose-headers')).not.toMatch(/ratelimit/i);
    const rest = [
      await post('hold/resume', { holdId }),
      await post('extend', { holdId }),
      await post('release', { holdId }),
    ];
    expect(statuses(rest)).toEqual([200, 200, 200]);
    // The refused call held nothing.
    expect((await shop.buyer('POST', `${event.key}/hold`, { body: { labels: ['A-1'] }, headers: from() })).status).toBe(
      200,
    );
  });

  it('are counted by the address that the proxy saw, whatever address the buyer claims', async () => {
    const event = await shop.event();
    const hold = (headers: Record<string, string>) =>
      shop.buyer('POST', `${event.key}/hold`, { body: { labels: ['Z-1'] }, headers });
    const victim = '198.51.100.200';
    expect(statuses(await times(4, () => hold(from(`${victim}, 203.0.113.9`))))).toEqual([422, 422, 422, 429]);
    expect((await hold(from(victim))).status).toBe(422);
  });
});

it("A page's calls for a hold that it has, and its tickets, share a budget of their own", async () => {
  const event = await shop.event();
  const headers = from();
  const post = (action: string, body: object) => shop.buyer('POST', `${event.key}/${action}`, { body, headers });
  const { holdId } = (await post('hold', { labels: ['A-1'] })).body;
  const answers = [
    await post('hold/resume', { holdId }),
    await post('extend', { holdId }),
    await post('subscribe-tickets', {}),
    await post('release', { holdId }),
    await post('subscribe-tickets', {}),
    await post('release', { holdId }),
  ];
  expect(statuses(answers)).toEqual([200, 200, 200, 200, 429, 429]);
  expect(answers[4]!.body.code).toBe('rate_limited');
  expect(answers[4]!.headers.get('ratelimit-policy')).toBe('4;w=60');
  expect((await shop.buyer('POST', `${event.key}/subscribe-tickets`, { headers: from() })).status).toBe(200);
});

it('Calls of a server that are no command of a sale are counted by key', async () => {
  const event = await shop.event();
  const hasty = await key({ kind: 'secret' });
  const list = () => shop.call('GET', '/v1/events?limit=1', { token: hasty });
  expect(new Set(statuses(await times(90, list)))).toEqual(new Set([200]));
  const over = await list();
  expect([over.status, over.body.code, over.headers.get('ratelimit-limit')]).toEqual([429, 'rate_limited', '90']);
  const booked = await shop.call('POST', `${event.path}/book`, {
    token: hasty,
    body: { labels: ['A-1'], bookingRef: 'order-1' },
  });
  expect(booked.status).toBe(200);
  const socket = new WebSocket(`${shop.url.replace('http', 'ws')}${event.path}/feed`, {
    headers: { Authorization: `Bearer ${hasty}` },
  });
  expect(
    await new Promise((resolve) => socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode))),
  ).toBe(429);
  expect((await event.get()).status).toBe(200);
});

describe('an address with refused credentials', () => {
  const unknown = () => `sk_test_${'0'.repeat(20)}${++addresses}`;
  const read = (token: string, headers: Record<string, string>) =>
    shop.call('GET', '/v1/workspaces', { token, headers });

  it('is refused without a lookup after too many unknown keys, while known keys go on', async () => {
    const headers = from();
    const valid = await key({ kind: 'secret' });
    expect((await read(valid, headers)).status).toBe(200);
    const answers = await times(5, () => read(unknown(), headers));
    expect(statuses(answers)).toEqual([401, 401, 401, 401, 429]);
    const { body, headers: told } = answers[4]!;
    expect(body).toEqual({
      error: 'rate_limited',
      code: 'rate_limited',
      message: expect.stringContaining('invalid credential'),
      requestId: told.get('x-request-id'),
      retryAfterSeconds: Number(told.get('retry-after')),
    });
    expect((await read(await key({ kind: 'secret' }), headers)).status).toBe(429);
    expect((await read(valid, headers)).status).toBe(200);
    expect((await read(unknown(), from())).status).toBe(401);
  });

  it('gets 429 in place of each further refusal, and its valid keys go on, also new ones', async () => {
    const headers = from();
    const stale = unknown();
    expect(statuses(await times(8, () => read(stale, headers)))).toEqual([...Array(6).fill(401), 429, 429]);
    expect((await read(await key({ kind: 'secret' }), headers)).status).toBe(200);
    const pages = [
      await shop.call('GET', '/pub/events/gala/chart', { headers }),
      await shop.buyer('GET', 'gala/chart', { token: `pk_test_${'0'.repeat(20)}`, headers }),
      await shop.call('GET', '/v1/admin/projections', { token: 'x'.repeat(40), headers }),
      await shop.call('GET', '/v1/dashboard/me', { headers }),
    ];
    expect(statuses(pages)).toEqual([429, 429, 429, 429]);
  });

  it('is charged for invalid tickets too', async () => {
    const headers = from();
    const url = `${shop.url.replace('http', 'ws')}/pub/events/gala/subscribe`;
    const knock = () =>
      new Promise((resolve) => {
        const socket = new WebSocket(url, ['parterre.v1', 'tkt.nothing'], { headers });
        socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode));
        socket.on('error', () => {});
      });
    const codes = [];
    for (let n = 0; n < 7; n++) codes.push(await knock());
    expect(codes).toEqual([...Array(6).fill(404), 429]);
  });
});

describe('a login', () => {
  const logIn = (body: object, address: string) =>
    shop.call('POST', '/v1/dashboard/login', { body, headers: from(address) });

  it('counts by address, whatever the email, before its body is read', async () => {
    const guess = (n: number) => logIn({ email: `user${n}@x.example`, password: 'a wrong password' }, '192.0.2.1');
    const guesses = await Promise.all([1, 2, 3, 4, 5, 6].map(guess));
    expect(new Set(statuses(guesses))).toEqual(new Set([401]));
    const over = await shop.call('POST', '/v1/dashboard/login', { body: '{"a":', headers: from('192.0.2.1') });
    expect([over.status, over.body.code]).toEqual([429, 'rate_limited']);
    expect(over.headers.get('ratelimit-policy')).toBe('6;w=60');
    const other = await logIn({ email: 'user1@x.example', password: 'a wrong password' }, '192.0.2.2');
    expect(other.status).toBe(401);
  });

  it.each([
    ['IPv4', ['203.0.113.1', '203.0.113.2', '203.0.113.3'], '203.0.112.1'],
    ['IPv6', ['2001:db8:9:9::1', '2001:db8:9:9::2', '2001:db8:9:9::3'], '2001:db8:9:a::1'],
  ])('that fails five times locks its email for its network alone (%s)', async (version, network, elsewhere) => {
    const user = await shop.user({ email: `locked-${version}@shop.example` });
    const wrong = { email: user.email, password: 'a wrong password' };
    for (let n = 0; n < 5; n++) expect((await logIn(wrong, network[n % 3]!)).body.code).toBe('unauthorized');
    const locked = await logIn(user, network[2]!);
    expect([locked.status, locked.body.code]).toEqual([429, 'login_locked']);
    expect((await logIn(user, elsewhere)).status).toBe(200);
  });
});

it('Reads of the map, the summary and the opening of a session share one budget for each address', async () => {
  const event = await shop.event();
  const headers = from();
  const token = shop.own.publishable.secret;
  const body = { publicKey: token };
  const { key: eventKey } = event;
  const answers = [
    await shop.buyer('GET', `${eventKey}/chart`, { headers }),
    await shop.buyer('GET', `${eventKey}/objects`, { headers }),
    await shop.buyer('GET', `${eventKey}/availability`, { headers }),
    await shop.buyer('POST', `${eventKey}/session`, { headers }),
    await shop.call('POST', `/pub/events/${eventKey}/bootstrap`, { body, headers: { Origin: origin, ...headers } }),
    await shop.buyer('GET', `${eventKey}/chart`, { headers }),
  ];
  expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await shop.buyer('POST', `${eventKey}/hold`, { body: { labels: ['A-1'] }, headers })).status).toBe(200);
});

it("A console's socket counts like its other calls, and is refused before it opens", async () => {
  const event = await shop.event();
  const { token } = (await event.post('manage-sessions', { allowedOrigin: origin, capabilities: ['event:view'] })).body;
  const headers = { Authorization: `Bearer ${token}`, Origin: origin };
  const open = () =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`${shop.url.replace('http', 'ws')}${event.path}/feed`, { headers });
      socket.on('upgrade', ({ statusCode }) => resolve(statusCode!));
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode!));
      socket.on('open', () => socket.close());
      socket.on('error', reject);
    });
  expect([await open(), await open(), await open()]).toEqual([101, 101, 429]);
  expect((await shop.call('GET', event.path, { headers })).status).toBe(429);
});

it("A console's calls count also on routes outside its event", async () => {
  const event = await shop.event();
  const { token } = (await event.post('manage-sessions', { allowedOrigin: origin, capabilities: ['event:view'] })).body;
  const call = (path: string) =>
    shop.call('GET', path, { headers: { Authorization: `Bearer ${token}`, Origin: origin } });
  expect(statuses([await call('/v1/events'), await call('/v1/workspaces'), await call('/v1/charts')])).toEqual([
    403, 403, 429,
  ]);
  expect((await call(event.path)).status).toBe(429);
});

describe('a key', () => {
  it("has the deployment's limits, which the headers tell", async () => {
    const event = await shop.event();
    const token = await key({ kind: 'secret' });
    const extend = () => shop.call('POST', `${event.path}/extend`, { token, body: { holdId: 'hld_0' } });
    const answers = await times(5, extend);
    expect(statuses(answers)).toEqual([409, 409, 409, 409, 429]);
    expect(answers[4]!.headers.get('ratelimit-policy')).toBe('4;w=60');
    expect(answers[4]!.body.code).toBeUndefined();
  });

  it('can have its own limits, or none', async () => {
    const event = await shop.event();
    const extend = (token: string) => shop.call('POST', `${event.path}/extend`, { token, body: { holdId: 'hld_0' } });
    const two = await key({ kind: 'secret', budgets: { serverHolds: 2 } });
    const answers = await times(3, () => extend(two));
    expect(statuses(answers)).toEqual([409, 409, 429]);
    expect(answers[2]!.headers.get('ratelimit-limit')).toBe('2');
    const lifted = await key({ kind: 'secret', budgets: { serverHolds: null } });
    expect(new Set(statuses(await times(12, () => extend(lifted))))).toEqual(new Set([409]));
  });

  it('that is publishable can have its own limits, counted apart from other pages at the same address', async () => {
    const event = await shop.event();
    const headers = from();
    const hold = (token: string) =>
      shop.buyer('POST', `${event.key}/hold`, { token, body: { labels: ['Z-1'] }, headers });
    const lifted = await key({ kind: 'publishable', origins: [origin], budgets: { buyerHolds: null } });
    const five = await key({ kind: 'publishable', origins: [origin], budgets: { buyerHolds: 5 } });
    const usual = shop.own.publishable.secret as string;
    expect(statuses(await times(4, () => hold(usual)))).toEqual([422, 422, 422, 429]);
    expect(statuses(await times(6, () => hold(five)))).toEqual([422, 422, 422, 422, 422, 429]);
    expect(new Set(statuses(await times(12, () => hold(lifted))))).toEqual(new Set([422]));
  });

  it('has its limits also when a page sends it in the body, and in the sessions that it opens', async () => {
    const event = await shop.event();
    const headers = { Origin: origin, ...from() };
    const open = (publicKey: string) =>
      shop.call('POST', `/pub/events/${event.key}/bootstrap`, { body: { publicKey }, headers });
    const usual = shop.own.publishable.secret as string;
    expect(statuses(await times(6, () => open(usual)))).toEqual([200, 200, 200, 200, 200, 429]);
    const two = await key({ kind: 'publishable', origins: [origin], budgets: { buyerReads: 2, buyerHolds: 1 } });
    const lifted = await key({ kind: 'publishable', origins: [origin], budgets: { buyerReads: null } });
    const { token } = (await open(two)).body;
    const read = () => shop.buyer('GET', `${event.key}/objects`, { token, headers });
    expect(statuses(await times(2, read))).toEqual([200, 429]);
    const over = await open(two);
    expect([over.status, over.headers.get('ratelimit-policy')]).toEqual([429, '2;w=60']);
    const hold = () => shop.buyer('POST', `${event.key}/hold`, { token, body: { labels: ['Z-1'] }, headers });
    expect(statuses(await times(2, hold))).toEqual([422, 429]);
    const free = (await open(lifted)).body.token;
    const readFree = () => shop.buyer('GET', `${event.key}/objects`, { token: free, headers });
    expect(new Set(statuses(await times(8, readFree)))).toEqual(new Set([200]));
  });

  it.each([{ serverHolds: 0 }, { serverHolds: 1.5 }, { buyerHolds: 'off' }, { seasons: -1 }])(
    'is not created with budgets %j',
    async (budgets) => {
      const path = `/v1/admin/organisations/${shop.own.id}/keys`;
      const body = { kind: 'secret', mode: 'test', budgets };
      expect((await shop.call('POST', path, { token: shop.rootToken, body })).status).toBe(422);
    },
  );
});

it('The metrics count the requests over each budget', async () => {
  const { health } = JSON.parse(await readFile(`${shop.dataDir}/run.json`, 'utf8'));
  const text = await (await fetch(`${health.frontdoor}/metrics`)).text();
  for (const name of ['failed-credentials', 'unknown-credentials', 'buyer-calls', 'buyer-holds', 'logins']) {
    const counted = new RegExp(`^frontdoor_refused_by_budget_total\\{budget="${name}"\\} (\\d+)$`, 'm').exec(text);
    expect([name, Number(counted?.[1]) > 0]).toEqual([name, true]);
  }
});
