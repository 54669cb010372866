/** Request budgets of buyers behind a proxy, and limits that a deployment or a key sets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Answer, type Json, openShop, origin, type Shop } from '../shop.ts';

let shop: Shop;

beforeAll(async () => {
  const limits = 'buyer-holds=3,buyer-reads=5,server-holds=4,manage-sessions=2';
  shop = await openShop({ env: { PARTERRE_BUDGETS: limits, PARTERRE_TRUSTED_PROXIES: '127.0.0.0/8' } });
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
