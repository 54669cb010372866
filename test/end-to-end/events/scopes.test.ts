/**
 * The scope of credentials: a key sees events of its mode and workspace, a dashboard session sees both modes, and no
 * credential sees another organisation.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../../support/openapi.ts';
import { openShop, origin, type Shop, Watcher } from '../shop.ts';

let shop: Shop;
let session: Awaited<ReturnType<Shop['logIn']>>;

beforeAll(async () => {
  shop = await openShop();
  session = await shop.logIn(await shop.user({ role: 'manager' }));
}, 120_000);
afterAll(() => shop?.stop());

const create = (body: object) =>
  shop.call('POST', '/v1/events', { headers: session.write, body: { chartId: shop.chart.id, ...body } });
const keysOf = ({ body }: Json): string[] => body.events.map(({ key }: Json) => key);

it('A dashboard session chooses mode and ownership, and sees both modes', async () => {
  const live = (await create({})).body.meta;
  expect(live).toMatchObject({ mode: 'live', ownership: 'managed' });
  const test = (await create({ mode: 'test', ownership: 'platform' })).body.meta;
  expect(test).toMatchObject({ mode: 'test', ownership: 'platform' });

  const listed = await shop.call('GET', '/v1/events', { headers: session.read });
  expect(keysOf(listed)).toEqual(expect.arrayContaining([live.key, test.key]));
  for (const { key } of [live, test]) {
    expect((await shop.call('GET', `/v1/events/${key}`, { headers: session.read })).status).toBe(200);
  }
  const own = await shop.call('GET', '/v1/events?limit=200&counts=0', { token: shop.token });
  expect(keysOf(own)).toContain(test.key);
  expect(keysOf(own)).not.toContain(live.key);
  const mismatched = await shop.call('GET', `/v1/events/${live.key}`, { token: shop.token });
  expect([mismatched.status, mismatched.body.code]).toEqual([403, 'mode_mismatch']);
});

it('A dashboard session changes an event, and takes it through close, reopen, archive, unarchive and deletion', async () => {
  const { key } = (await create({ mode: 'test' })).body.meta;
  const call = (method: string, path: string, body?: object) =>
    shop.call(method, `/v1/events/${key}${path}`, { headers: session.write, ...(body && { body }) });
  expect((await call('PATCH', '', { name: 'Ball' })).body.meta.name).toBe('Ball');
  for (const [step, status] of [
    ['close', 'closed'],
    ['reopen', 'active'],
    ['archive', 'archived'],
    ['unarchive', 'active'],
  ]) {
    expect((await call('POST', `/${step}`)).body.meta.status).toBe(status);
  }
  expect((await call('DELETE', '')).body).toEqual({ ok: true });
});

it("A secret key's own mode and ownership win over those in the body", async () => {
  const body = { chartId: shop.chart.id, mode: 'live', ownership: 'managed' };
  const { meta } = (await shop.call('POST', '/v1/events', { token: shop.token, body })).body;
  expect(meta).toMatchObject({ mode: 'test', ownership: 'platform' });
});

it('A key that is bound to a workspace sees no event and no chart outside it', async () => {
  const { token } = shop;
  const { workspace } = (await shop.call('POST', '/v1/workspaces', { token, body: { name: 'Annex' } })).body;
  const bound = await shop.call('POST', `/v1/admin/organisations/${shop.own.id}/keys`, {
    token: shop.rootToken,
    body: { kind: 'secret', mode: 'test', workspaceId: workspace.id },
  });
  const asBound = { token: bound.body.secret as string };
  const outside = await shop.event();
  expect((await shop.call('GET', outside.path, asBound)).status).toBe(404);
  expect((await shop.call('GET', '/v1/events', asBound)).body).toEqual({ events: [] });
  const { workspaceId } = shop.chart;
  expect((await shop.call('GET', `/v1/events?workspaceId=${workspaceId}`, asBound)).body).toEqual({ events: [] });
  const refused = await shop.call('POST', '/v1/events', { ...asBound, body: { chartId: shop.chart.id } });
  expect([refused.status, refused.body.code]).toEqual([404, 'chart_not_found']);

  const chart = { name: 'Hall', doc: shop.hall, workspaceId: workspace.id };
  const { meta } = (await shop.call('POST', '/v1/charts', { token, body: chart })).body;
  await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
  const made = await shop.call('POST', '/v1/events', { ...asBound, body: { chartId: meta.id } });
  expect(made.body.meta.workspaceId).toBe(workspace.id);
  expect(keysOf(await shop.call('GET', '/v1/events', asBound))).toEqual([made.body.meta.key]);
});

it('A publishable key that is bound to a workspace reaches no event outside it on any route', async () => {
  const { token } = shop;
  const { workspace } = (await shop.call('POST', '/v1/workspaces', { token, body: { name: 'Cellar' } })).body;
  const chart = { name: 'Hall', doc: shop.hall, workspaceId: workspace.id };
  const { meta } = (await shop.call('POST', '/v1/charts', { token, body: chart })).body;
  await shop.call('POST', `/v1/charts/${meta.id}/publish`, { token });
  const inside = (await shop.call('POST', '/v1/events', { token, body: { chartId: meta.id } })).body.meta;
  const outside = await shop.event();
  const bound = await shop.call('POST', `/v1/admin/organisations/${shop.own.id}/keys`, {
    token: shop.rootToken,
    body: { kind: 'publishable', mode: 'test', workspaceId: workspace.id, origins: [origin] },
  });
  const ask = (method: string, key: string, what: string) =>
    shop.buyer(method, `${key}/${what}`, { token: bound.body.secret });
  for (const [method, what] of [
    ['GET', 'objects'],
    ['GET', 'chart'],
    ['POST', 'subscribe-tickets'],
  ] as const) {
    expect((await ask(method, inside.key, what)).status).toBe(200);
    const refused = await ask(method, outside.key, what);
    const never = await ask(method, 'ev_000000000000', what);
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
    expect(refused.body.error).toBe(never.body.error);
  }
  const { protocols } = (await ask('POST', inside.key, 'subscribe-tickets')).body;
  const elsewhere = new Watcher(`${shop.url}/pub/events/${outside.key}/subscribe`, protocols);
  await expect(elsewhere.protocol).rejects.toThrow('404');
});

it('An unknown, a foreign and a deleted event are refused with the same answer', async () => {
  const other = await shop.organisation('Other');
  const foreign = await shop.event();
  const deleted = (await create({ mode: 'test' })).body.meta.key;
  await shop.call('DELETE', `/v1/events/${deleted}`, { headers: session.write });
  const ask = async (key: string, token: string) => {
    const { status, body } = await shop.call('GET', `/v1/events/${key}`, {
      token,
      headers: { 'X-Request-ID': 'same' },
    });
    return { status, body };
  };
  const never = await ask('ev_000000000000', shop.token);
  expect(never.status).toBe(404);
  expect(await ask(foreign.key, other.test.secret)).toEqual(never);
  expect(await ask(foreign.key, other.live.secret)).toEqual(never);
  expect(await ask(deleted, shop.token)).toEqual(never);
  expect(await ask(deleted, shop.own.live.secret)).toEqual(never);
});
