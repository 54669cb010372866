/**
 * Events that cannot be sold together, at the draft and at the activation: all problems at once, and nothing changes.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openShop, type Shop } from '../shop.ts';
import { draftRun, groups, makeEvents } from './run.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const call = (method: string, path: string, body?: unknown, token = shop.token) =>
  shop.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const create = (eventKeys: string[], token?: string) => call('POST', groups, { name: 'Run', eventKeys }, token);
const codes = ({ status, body }: Json) => [status, body.code, ...(body.issues ?? []).map(({ code }: Json) => code)];

async function eventOf(body: object, token = shop.token): Promise<string> {
  const made = await call(
    'POST',
    '/v1/events',
    { chartId: shop.chart.id, startsAt: 1_900_000_000_000, ...body },
    token,
  );
  return made.body.meta.key;
}

async function publishedTwin(token = shop.token): Promise<string> {
  const { meta } = (await call('POST', '/v1/charts', { name: 'Twin', doc: shop.hall }, token)).body;
  await call('POST', `/v1/charts/${meta.id}/publish`, undefined, token);
  return meta.id;
}

async function republish(): Promise<void> {
  const { meta } = (await call('GET', `/v1/charts/${shop.chart.id}`)).body;
  const change = { doc: { ...shop.hall, name: 'Hall of another year' }, expectedUpdatedAt: meta.updatedAt };
  await call('PUT', `/v1/charts/${shop.chart.id}`, change);
  await call('POST', `/v1/charts/${shop.chart.id}/publish`);
}

test('each difference has its code, and all are told at once', async () => {
  const good = await eventOf({});
  const { workspace } = (await call('POST', '/v1/workspaces', { name: 'Other' })).body;
  const keys = `/v1/admin/organisations/${shop.own.id}/keys`;
  const bound = { kind: 'secret', mode: 'test', origins: [], workspaceId: workspace.id };
  const { secret } = (await call('POST', keys, bound, shop.rootToken)).body;
  const stranger = await shop.organisation('Stranger');
  const strange = { chartId: await publishedTwin(stranger.test.secret) };
  // Held, so that it keeps its chart at the second publish.
  await call('POST', `/v1/events/${good}/hold`, { labels: ['A-1'] });
  await republish();
  const closed = await eventOf({});
  const archived = await eventOf({});
  const deleted = await eventOf({});
  await call('POST', `/v1/events/${closed}/close`);
  await call('POST', `/v1/events/${archived}/archive`);
  await call('DELETE', `/v1/events/${deleted}`);
  const version = 'chart_version_mismatch';
  const differing: [key: string, ...codes: string[]][] = [
    [await eventOf({}), version],
    [await eventOf({ chartId: await publishedTwin() }), 'chart_mismatch'],
    [await eventOf({ currency: 'USD' }), 'currency_mismatch', version],
    [await eventOf({ region: 'asia-pacific' }), 'region_mismatch', version],
    [await eventOf({}, shop.own.live.secret), 'mode_mismatch', version],
    [await eventOf({ startsAt: undefined }), version, 'starts_at_missing'],
    [await eventOf({ chartId: await publishedTwin(secret) }, secret), 'workspace_mismatch', 'chart_mismatch'],
    [closed, version, 'event_not_active'],
    [archived, version, 'event_not_active'],
    [deleted, 'event_not_found'],
    [await eventOf(strange, stranger.test.secret), 'event_not_found'],
    ['no-such-event', 'event_not_found'],
  ];
  for (const [key, ...issues] of differing)
    expect(codes(await create([good, key])), key).toEqual([422, 'incompatible_events', ...issues]);
  const all = await create([good, ...differing.map(([key]) => key)]);
  expect(codes(all)).toEqual([
    422,
    'incompatible_events',
    'event_count',
    ...differing.flatMap(([, ...issues]) => issues),
  ]);
  expect(codes(await create([good, differing[0]![0]], secret)).slice(2)).toEqual([
    'event_not_found',
    'event_not_found',
  ]);
  expect((await call('GET', groups)).body.performanceGroups).toEqual([]);
});

test('an activation fails with a code where an event has changed, and unlocks the others', async () => {
  const spoils: [code: string, spoil: (key: string) => Promise<unknown>][] = [
    ['invalid_event_state', (key) => call('POST', `/v1/events/${key}/close`)],
    ['invalid_event_state', (key) => call('DELETE', `/v1/events/${key}`)],
    ['conflict', (key) => call('PATCH', `/v1/events/${key}`, { currency: 'USD' })],
    ['incompatible_events', (key) => call('PATCH', `/v1/events/${key}`, { startsAt: null })],
  ];
  for (const [code, spoil] of spoils) {
    const run = await draftRun(shop, 3);
    const [first, second, third] = run.eventKeys as [string, string, string];
    await spoil(second);
    const step = await run.post('/activate', { expectedRevision: 1 });
    expect(step.body.lifecycleOperation).toMatchObject({ phase: 'activation_failed', terminal: true, code });
    expect(step.body.performanceGroup).toMatchObject({ state: 'draft', revision: 3, performanceCount: 3 });
    expect(step.body.performanceGroup.performances).toHaveLength(3);
    for (const key of [first, third])
      expect((await call('PATCH', `/v1/events/${key}`, { venue: 'Park' })).status).toBe(200);
    expect((await call('POST', `/v1/events/${first}/close`)).status).toBe(200);
  }
});

test('a draft whose events have moved to the next chart together is activated', async () => {
  const run = await draftRun(shop, 2);
  await republish();
  const step = await run.post('/activate', { expectedRevision: 1 });
  expect(step.body.lifecycleOperation).toMatchObject({ phase: 'active', code: null });
});

test('a draft keeps every field when its events are deleted', async () => {
  const run = await draftRun(shop, 2);
  for (const key of run.eventKeys) await call('DELETE', `/v1/events/${key}`);
  const group = await run.group();
  expect(group).toMatchObject({ firstStartsAt: 1_900_000_000_000, performanceCount: 2 });
  expect(group.performances.map(({ status, salesState }: Json) => [status, salesState])).toEqual([
    ['deleted', 'closed'],
    ['deleted', 'closed'],
  ]);
  expect((await run.delete('')).status).toBe(204);
});

test('events without starts leave numbers in a draft', async () => {
  const run = await draftRun(shop, 2);
  for (const key of run.eventKeys) await call('PATCH', `/v1/events/${key}`, { startsAt: null });
  expect(await run.group()).toMatchObject({ firstStartsAt: 0, lastStartsAt: 0 });
});

test('an event is in several drafts, and in one active group', async () => {
  const one = await makeEvents(shop, 2);
  const other = await makeEvents(shop, 1);
  const rivals = [await create(one), await create([one[0]!, other[0]!])].map(({ body }) => body.performanceGroup.key);
  const activate = (key: string) => call('POST', `${groups}/${key}/activate`, { expectedRevision: 1 });
  expect((await activate(rivals[0]!)).body.lifecycleOperation.phase).toBe('active');
  const { code, phase } = (await activate(rivals[1]!)).body.lifecycleOperation;
  expect([phase, code]).toEqual(['activation_failed', 'performance_group_locked']);
});
