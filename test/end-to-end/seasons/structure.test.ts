/** The structure of seasons over HTTP, with real events: locks, plans, sales, amendments, and a life to its end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEvents } from '../groups/run.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const seasons = '/v1/seasons';
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  shop.call(method, path, { token: shop.token, headers, ...(body === undefined ? {} : { body }) });

async function created(eventKeys: string[], more: object = {}): Promise<Json> {
  const answer = await call('POST', seasons, { name: 'Subscription', eventKeys, ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.season;
}

async function activated(eventKeys: string[]): Promise<Json> {
  const { key } = await created(eventKeys);
  const answer = await call('POST', `${seasons}/${key}/activate`, { expectedRevision: 1 });
  expect([answer.status, answer.body.lifecycleOperation]).toMatchObject([200, { phase: 'active', terminal: true }]);
  expect(answer.headers.get('location')).toBe(
    `${seasons}/${key}/lifecycle/${answer.body.lifecycleOperation.operationId}`,
  );
  return answer.body.season;
}

test('a draft is created, read, listed, changed and deleted', async () => {
  const season = await created(await makeEvents(shop, 3, { venue: 'Park' }));
  expect(season).toMatchObject({
    key: expect.stringMatching(/^sea_/),
    edition: null,
    environment: null,
    venue: 'Park',
    timezone: null,
    sourceChartKey: shop.chart.id,
    sourceChartSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    audience: 'embed_only',
    buyerRehearsalReady: false,
    occurrenceCount: 3,
    plans: [],
    revision: 1,
  });
  const at = `${seasons}/${season.key}`;
  expect((await call('GET', at)).body).toEqual({ season });
  const { plans: _, ...item } = season;
  expect((await call('GET', `${seasons}?structureState=draft&limit=1`)).body.seasons).toEqual([item]);
  const changed = await call('PATCH', at, { expectedRevision: 1, name: 'Pass', edition: '2027' });
  expect(changed.body.season).toMatchObject({ name: 'Pass', edition: '2027', revision: 2 });
  const stale = await call('PATCH', at, { expectedRevision: 1, name: 'Late' });
  expect([stale.status, stale.body]).toMatchObject([409, { reason: 'stale_revision', revision: 2 }]);
  const deleted = await call('DELETE', at);
  expect([deleted.status, deleted.body]).toEqual([204, null]);
  expect((await call('GET', at)).status).toBe(404);
});

test('events that do not fit are judged with all issues, and refused', async () => {
  const [good] = await makeEvents(shop, 1);
  const body = { eventKeys: [good, 'nowhere', good], sourcePerformanceGroupKeys: ['pg_0'] };
  const judged = await call('POST', `${seasons}/validate`, body);
  expect([judged.status, judged.body]).toMatchObject([200, { valid: false, mode: 'test', occurrenceCount: 3 }]);
  const codes = judged.body.issues.map(({ code }: Json) => code);
  expect(codes).toEqual(['performance_group_not_found', 'event_not_found', 'duplicate_event']);
  const refused = await call('POST', seasons, { name: 'Mixed', ...body });
  expect([refused.status, refused.body.code]).toEqual([422, 'incompatible_events']);
  expect(refused.body.issues).toEqual(judged.body.issues);
});

test('the events of an active group join a season', async () => {
  const eventKeys = await makeEvents(shop, 2);
  const { performanceGroup } = (await call('POST', '/v1/performance-groups', { name: 'Run', eventKeys })).body;
  const draft = { name: 'Series', sourcePerformanceGroupKeys: [performanceGroup.key] };
  const early = await call('POST', seasons, draft);
  expect(early.body.issues).toMatchObject([{ code: 'performance_group_not_active' }, { code: 'event_count' }]);
  await call('POST', `/v1/performance-groups/${performanceGroup.key}/activate`, { expectedRevision: 1 });
  const { body } = await call('POST', seasons, draft);
  const step = await call('POST', `${seasons}/${body.season.key}/activate`, { expectedRevision: 1 });
  expect(step.body.season).toMatchObject({ structureState: 'active', occurrenceCount: 2 });
  const plan = await call('POST', `${seasons}/${body.season.key}/plans`, draft);
  expect(plan.body.plan).toMatchObject({
    eventKeys,
    sourcePerformanceGroups: [{ key: performanceGroup.key, eventKeys }],
  });
});

test('a close gives the events back, and goes before the archive', async () => {
  const eventKeys = await makeEvents(shop, 2);
  const season = await activated(eventKeys);
  await call('POST', `/v1/events/${eventKeys[0]}/hold`, { labels: ['A-1'] });
  const closed = await call('POST', `${seasons}/${season.key}/close`, { expectedRevision: season.revision });
  expect(closed.body.season).toMatchObject({ structureState: 'closed', salesState: 'ended' });
  expect((await call('POST', `/v1/events/${eventKeys[0]}/close`)).status).toBe(200);
  const { revision: expectedRevision } = closed.body.season;
  const over = await call('POST', `${seasons}/${season.key}/archive`, { expectedRevision });
  expect(over.body.season.structureState).toBe('archived');
});

test('a plan is published, and sales go through their states', async () => {
  const season = await activated(await makeEvents(shop, 2));
  const at = `${seasons}/${season.key}`;
  const { plan } = (await call('POST', `${at}/plans`, { name: 'Full pass' }, { 'Idempotency-Key': 'plan-1' })).body;
  const again = await call('POST', `${at}/plans`, { name: 'Full pass' }, { 'Idempotency-Key': 'plan-1' });
  expect([again.body.plan, again.headers.get('idempotent-replayed')]).toEqual([plan, 'true']);
  const early = await call('POST', `${at}/sales/open`, { expectedRevision: season.revision + 1 });
  expect([early.status, early.body.reason]).toEqual([409, 'no_published_plan']);
  const step = await call('POST', `${at}/plans/${plan.key}/publish`, { expectedRevision: season.revision + 1 });
  expect(step.body).toMatchObject({
    plan: { publicationState: 'published', publishedRevision: 1, activationId: expect.stringMatching(/^spa_/) },
    lifecycleOperation: { kind: 'PLAN_PUBLICATION', phase: 'published', terminal: true },
  });
  let { revision } = step.body.season;
  for (const [move, salesState] of [
    ['open', 'open'],
    ['pause', 'paused'],
    ['resume', 'open'],
    ['end', 'ended'],
  ]) {
    const moved = await call('POST', `${at}/sales/${move}`, { expectedRevision: revision });
    expect([moved.status, moved.body.season]).toMatchObject([200, { salesState, revision: revision + 1 }]);
    ({ revision } = moved.body.season);
  }
  const { body } = await call('GET', `${at}/outbox`);
  expect(body.outbox.map(({ eventName }: Json) => eventName).reverse()).toEqual([
    'season.activated',
    'season.plan.published',
    'season.sales.open',
    'season.sales.paused',
    'season.sales.open',
    'season.sales.ended',
  ]);
});

test('an amendment passes the lock, and the event shows it at once', async () => {
  const eventKeys = await makeEvents(shop, 2, { endsAt: 1_900_200_000_000 });
  const season = await activated(eventKeys);
  const at = `${seasons}/${season.key}`;
  const startsAt = 1_900_000_000_000 + 60_000;
  const made = await call('POST', `${at}/amendments`, { eventKey: eventKeys[0], kind: 'reschedule', startsAt });
  expect([made.status, made.body.amendment]).toMatchObject([201, { state: 'applied', contractOutcomes: [] }]);
  const { meta } = (await call('GET', `/v1/events/${eventKeys[0]}`)).body;
  expect(meta).toMatchObject({ startsAt, endsAt: 1_900_200_000_000 + 60_000 });
  const { occurrences } = (await call('GET', `${at}/occurrences`)).body;
  expect(occurrences).toMatchObject([
    { eventKey: eventKeys[0], position: 1, startsAt, latestAmendment: { kind: 'reschedule' } },
    { eventKey: eventKeys[1], position: 2, latestAmendment: null },
  ]);
});

test('a test season has a live copy, which only a live key reaches', async () => {
  const season = await created(await makeEvents(shop, 2));
  const live = shop.own.live.secret;
  const eventKeys: string[] = [];
  for (let count = 0; count < 2; count++) {
    const answer = await shop.call('POST', '/v1/events', { token: live, body: { chartId: shop.chart.id } });
    eventKeys.push(answer.body.meta.key);
  }
  const copy = await call('POST', `${seasons}/${season.key}/duplicate-to-live`, { eventKeys });
  expect([copy.status, copy.body.season]).toMatchObject([201, { mode: 'live', name: 'Subscription' }]);
  const at = `${seasons}/${copy.body.season.key}`;
  expect((await call('GET', at)).status).toBe(403);
  expect((await shop.call('GET', at, { token: live })).status).toBe(200);
});
