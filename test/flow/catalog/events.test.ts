import type { EventDraft } from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projections, workspaces } from '../../../services/catalog/src/store/collections.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import {
  organisationScope,
  packed,
  publishedChart,
  type TestCatalog,
  tenSeats,
  testCatalog,
} from '../../store/test-catalog.ts';
import { chart, row } from '../../support/charts.ts';

let database: TestDatabase;
let catalog: TestCatalog;
let scope: Scope;
let chartId: string;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  catalog = testCatalog(await database.connect());
  scope = await organisationScope(catalog);
  chartId = await publishedChart(catalog, scope);
});
afterEach(() => database.remove());

const create = async (draft: Partial<EventDraft> = {}, as = scope) =>
  (await catalog.ask('events.create', { scope: as, draft: { chartId, ...draft } })).event;
const refusal = (draft: Partial<EventDraft> = {}, as = scope) =>
  catalog.refusal('events.create', { scope: as, draft: { chartId, ...draft } });

/** A second workspace of the organisation. No operation makes it in this test. */
async function workspace(id: string, more: object = {}): Promise<string> {
  await catalog.store.insert(workspaces, id, {
    organisationId: scope.organisationId,
    name: id,
    externalRef: null,
    defaultRegion: 'oceania',
    createdAt: 1,
    ...more,
  });
  return id;
}

describe('what an event is made of', () => {
  test('defaults come from its chart, its organisation and its workspace', async () => {
    const event = await create();
    expect(event).toMatchObject({
      name: 'Hall',
      currency: 'EUR',
      region: 'western-europe',
      mode: 'test',
      status: 'active',
      ownership: 'platform',
      seatTotal: 10,
      chartVersion: 1,
      sold: 0,
      slug: null,
      externalRef: null,
      startsAt: null,
    });
    expect(event.key).toMatch(/^ev_[0-9a-z]{12}$/);
    expect(event.id).toMatch(/^evt_/);
  });

  test("the caller's values win, and the event is found by its key", async () => {
    const draft = {
      name: 'Gala',
      slug: 'gala',
      currency: 'CHF',
      region: 'africa',
      startsAt: 5,
      endsAt: 5,
      timezone: 'Europe/Zurich',
      locale: 'de-CH',
      externalRef: 'e-1',
    };
    const { event, config } = await catalog.ask('events.create', { scope, draft: { chartId, ...draft } });
    expect(event).toMatchObject({ ...draft, key: 'gala' });
    expect(config).toMatchObject({ eventId: event.id, eventKey: 'gala', currency: 'CHF', planHash: event.planHash });
    expect(await catalog.ask('events.get', { eventKey: 'gala' })).toEqual({ event, config });
    expect(catalog.announced).toContainEqual({ kind: 'event', eventKey: 'gala' });
    expect(await catalog.refusal('events.get', { eventKey: 'nobody' })).toMatchObject({ code: 'not_found' });
  });

  test('it stays on the version of the time of its making', async () => {
    const event = await create();
    const { meta } = await catalog.ask('charts.get', { scope, chartId });
    const doc = packed(chart([row({ seatCount: 4 })]));
    await catalog.ask('charts.update', { scope, chartId, doc, expectedUpdatedAt: meta.updatedAt });
    await catalog.ask('charts.publish', { scope, chartId });
    expect(await create()).toMatchObject({ seatTotal: 4, chartVersion: 2 });
    expect((await catalog.ask('events.get', { eventKey: event.key })).event).toEqual(event);
  });

  test('an end before its start is refused with its path', async () => {
    const refused = await refusal({ startsAt: 10, endsAt: 9 });
    expect(refused).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: 'endsAt' }] } });
  });

  test('a secret key makes it for its platform in its own mode; a dashboard session chooses both', async () => {
    await catalog.ask('organisations.add-credits', { organisationId: scope.organisationId, delta: 1, reason: 'x' });
    const asked = { mode: 'live', ownership: 'managed' } as const;
    expect(await create(asked)).toMatchObject({ mode: 'test', ownership: 'platform' });
    const dashboard: Scope = { ...scope, mode: null, role: 'admin' };
    expect(await create({}, dashboard)).toMatchObject({ mode: 'live', ownership: 'managed' });
    const chosen = { mode: 'test', ownership: 'platform' } as const;
    expect(await create(chosen, dashboard)).toMatchObject(chosen);
  });

  test('a poster must be an upload of the organisation', async () => {
    const { key } = await create();
    const image = { bytes: Buffer.from('png'), contentType: 'image/png' } as const;
    const { event } = await catalog.ask('events.set-poster', { scope, eventKey: key, image });
    const { posterAssetId } = event;
    expect(await create({ posterAssetId })).toMatchObject({ posterAssetId });
    const other = await organisationScope(catalog);
    const draft = { chartId: await publishedChart(catalog, other), posterAssetId };
    const refused = { code: 'invalid_request', details: { issues: [{ path: 'posterAssetId' }] } };
    expect(await refusal(draft, other)).toMatchObject(refused);
  });
});

describe('what an event needs', () => {
  test('a published chart of the organisation', async () => {
    const { meta } = await catalog.ask('charts.create', { scope, name: 'Draft', doc: tenSeats });
    expect(await refusal({ chartId: meta.id })).toMatchObject({ code: 'chart_not_published' });
    expect(await refusal({}, await organisationScope(catalog))).toMatchObject({ code: 'chart_not_found' });
    expect(await refusal({ chartId: 'cht_nobody' })).toMatchObject({ code: 'chart_not_found' });
  });

  test('an active workspace', async () => {
    const id = await workspace('ws_b');
    const inWorkspace = await publishedChart(catalog, scope, id);
    expect(await create({ chartId: inWorkspace })).toMatchObject({ workspaceId: id, region: 'oceania' });
    await catalog.ask('workspaces.update', { scope, workspaceId: id, status: 'disabled' });
    expect(await refusal({ chartId: inWorkspace })).toMatchObject({ code: 'workspace_not_found_or_disabled' });
  });

  test('credits, where it is live', async () => {
    const live: Scope = { ...scope, mode: 'live' };
    expect(await refusal({}, live)).toMatchObject({ code: 'insufficient_credits' });
    const { organisationId } = scope;
    await catalog.ask('organisations.add-credits', { organisationId, delta: 1, reason: 'first' });
    expect(await create({}, live)).toMatchObject({ mode: 'live' });
  });
});

describe('keys', () => {
  test('a slug has one event in its workspace, over both modes', async () => {
    expect(await create({ slug: 'gala' })).toMatchObject({ key: 'gala', slug: 'gala' });
    expect(await refusal({ slug: 'gala' })).toMatchObject({ code: 'event_exists' });
    const { organisationId } = scope;
    await catalog.ask('organisations.add-credits', { organisationId, delta: 1, reason: 'first' });
    expect(await refusal({ slug: 'gala' }, { ...scope, mode: 'live' })).toMatchObject({ code: 'event_exists' });
  });

  test('a slug that is taken elsewhere gets the next number', async () => {
    await create({ slug: 'gala' });
    const keys: string[] = [];
    for (const id of ['ws_b', 'ws_c']) {
      const inWorkspace = await publishedChart(catalog, scope, await workspace(id));
      keys.push((await create({ chartId: inWorkspace, slug: 'gala' })).key);
      expect(await refusal({ chartId: inWorkspace, slug: 'gala' })).toMatchObject({ code: 'event_exists' });
    }
    expect(keys).toEqual(['gala-2', 'gala-3']);
  });

  test('a slug that is another slug with its number gets a number too', async () => {
    await create({ slug: 'gala' });
    const inWorkspace = await publishedChart(catalog, scope, await workspace('ws_b'));
    await create({ chartId: inWorkspace, slug: 'gala' });
    expect(await create({ chartId: inWorkspace, slug: 'gala-2' })).toMatchObject({ key: 'gala-2-2', slug: 'gala-2' });
  });

  test('a key never exceeds 64 characters, and the thirtieth workspace still gets one', async () => {
    const slug = 'x'.repeat(64);
    const keys = new Set<string>();
    for (let i = 0; i < 30; i++) {
      const inWorkspace = await publishedChart(catalog, scope, await workspace(`ws_${i}`));
      keys.add((await create({ chartId: inWorkspace, slug })).key);
    }
    expect(keys.size).toBe(30);
    expect(Math.max(...[...keys].map((key) => key.length))).toBe(64);
  });
});

describe('listing', () => {
  const list = (page = {}, more: object = {}, as = scope) => catalog.ask('events.list', { scope: as, page, ...more });
  const keysOf = ({ events }: { events: { key: string }[] }) => events.map(({ key }) => key);

  beforeEach(async () => {
    for (let i = 0; i < 6; i++) {
      catalog.clock.time += 1_000;
      await create({ slug: `event-${i}`, externalRef: i < 3 ? 'early' : 'late' });
    }
  });

  test('has one organisation and mode, newest first', async () => {
    expect(keysOf(await list())).toEqual(['event-5', 'event-4', 'event-3', 'event-2', 'event-1', 'event-0']);
    expect(await list({}, {}, { ...scope, mode: 'live' })).toEqual({ events: [] });
    expect(await list({}, {}, await organisationScope(catalog))).toEqual({ events: [] });
  });

  test('filters before it pages', async () => {
    const first = await list({ limit: 2 }, { externalRef: 'early' });
    expect(keysOf(first)).toEqual(['event-2', 'event-1']);
    const second = await list({ limit: 2, cursor: first.nextCursor }, { externalRef: 'early' });
    expect(keysOf(second)).toEqual(['event-0']);
    expect(second).not.toHaveProperty('nextCursor');
    const { workspaceId } = (await list()).events[0]!;
    expect(keysOf(await list({}, { workspaceId, externalRef: 'late' }))).toHaveLength(3);
    expect(keysOf(await list({}, { workspaceId: 'ws_other' }))).toEqual([]);
  });

  test('has both modes for a dashboard session, and one mode for a key', async () => {
    await catalog.ask('organisations.add-credits', { organisationId: scope.organisationId, delta: 1, reason: 'x' });
    const live: Scope = { ...scope, mode: 'live' };
    for (const slug of ['live-1', 'live-2']) {
      catalog.clock.time += 1_000;
      await create({ slug, externalRef: 'early' }, live);
    }
    const dashboard: Scope = { ...scope, mode: null, role: 'member' };
    expect(keysOf(await list({ limit: 3 }, {}, dashboard))).toEqual(['live-2', 'live-1', 'event-5']);
    expect(keysOf(await list({}, { externalRef: 'early' }, dashboard))).toHaveLength(5);
    expect(keysOf(await list({ limit: 3 }))).toEqual(['event-5', 'event-4', 'event-3']);
    expect(keysOf(await list({ limit: 3 }, { externalRef: 'early' }, live))).toEqual(['live-2', 'live-1']);
  });

  test('of a key that is bound to a workspace has this workspace alone, whichever it asks for', async () => {
    const id = await workspace('ws_b');
    catalog.clock.time += 1_000;
    await create({ slug: 'elsewhere', chartId: await publishedChart(catalog, scope, id) });
    const bound: Scope = { ...scope, workspaceId: id };
    expect(keysOf(await list({}, {}, bound))).toEqual(['elsewhere']);
    expect(keysOf(await list({}, { workspaceId: id }, bound))).toEqual(['elsewhere']);
    const { workspaceId } = (await list({ limit: 2 })).events[1]!;
    expect(await list({}, { workspaceId }, bound)).toEqual({ events: [] });
    expect(await refusal({}, bound)).toMatchObject({ code: 'chart_not_found' });
  });

  test('is contiguous while events are made and deleted', async () => {
    const first = await list({ limit: 2 });
    catalog.clock.time += 1_000;
    await create({ slug: 'newest' });
    for (const eventKey of ['event-4', 'event-3']) {
      await catalog.ask('events.settle', { eventKey, at: 9, facts: { status: 'deleted' } });
    }
    expect(keysOf(await list({ limit: 2, cursor: first.nextCursor }))).toEqual(['event-2', 'event-1']);
  });

  test('clamps the limit, and starts over at an unreadable cursor', async () => {
    expect((await list({ limit: 100_000 })).events).toHaveLength(6);
    expect(keysOf(await list({ limit: 1, cursor: '🎭' }))).toEqual(['event-5']);
    expect(keysOf(await list({ limit: 1, cursor: Buffer.from('[{},1]').toString('base64url') }))).toEqual(['event-5']);
  });

  test('leaves out deleted events and fills the page with the next ones', async () => {
    const state = { sold: 0, seq: 1, holdTtlMs: null };
    for (const key of ['event-5', 'event-3']) {
      await catalog.store.insert(projections, key, { ...state, status: 'deleted' });
    }
    const first = await list({ limit: 2 });
    expect(keysOf(first)).toEqual(['event-4', 'event-2']);
    expect(keysOf(await list({ limit: 9, cursor: first.nextCursor }))).toEqual(['event-1', 'event-0']);
  });

  test("shows the journal's facts: units sold, status, hold TTL", async () => {
    await catalog.store.insert(projections, 'event-5', { sold: 7, seq: 3, status: 'closed', holdTtlMs: 90_000 });
    const told = { sold: 7, status: 'closed', holdTtlMs: 90_000 };
    expect((await list({ limit: 1 })).events[0]).toMatchObject(told);
    expect((await catalog.ask('events.get', { eventKey: 'event-5' })).event).toMatchObject(told);
  });
});
