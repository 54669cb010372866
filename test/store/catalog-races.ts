/** Invariants under changes that two catalogs on one database make at once. Runs on both adapters. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections, workspaces } from '../../services/catalog/src/store/collections.ts';
import type { Collection } from '../../services/catalog/src/store/store.ts';
import { chart, row } from '../support/charts.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';
import { organisationScope, packed, publishedChart, type TestCatalog, testCatalog } from './test-catalog.ts';

const RACERS = 8;

export function catalogRaces(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let catalogs: TestCatalog[];
  let scope: Scope;
  let chartId: string;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    catalogs = [testCatalog(await database.connect()), testCatalog(await database.connect())];
    scope = await organisationScope(catalogs[0]!);
    chartId = await publishedChart(catalogs[0]!, scope);
  });
  afterEach(() => database.remove());

  /** Runs `action` on both catalogs in turn, all at once. */
  const race = <T>(action: (catalog: TestCatalog, racer: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: RACERS }, (_, racer) => action(catalogs[racer % 2]!, racer)));

  test('exactly one of many creates with one slug in one workspace makes the event', async () => {
    const outcomes = await race(({ operations }) =>
      operations['events.create']({ scope, draft: { chartId, slug: 'gala' } }),
    );
    const codes = outcomes.map((outcome) => (outcome.ok ? 'created' : outcome.refusal.code)).sort();
    expect(codes).toEqual(['created', ...Array(RACERS - 1).fill('event_exists')]);
    const { events } = await catalogs[1]!.ask('events.list', { scope, page: {} });
    expect(events.map(({ key }) => key)).toEqual(['gala']);
  });

  test('creates with one slug in many workspaces all get a key of their own', async () => {
    const { organisationId } = scope;
    const more = {
      organisationId,
      externalRef: null,
      defaultRegion: 'africa',
      createdAt: 1,
    } as const;
    const charts: string[] = [];
    for (let i = 0; i < RACERS; i++) {
      await catalogs[0]!.store.insert(workspaces, `ws_${i}`, { ...more, name: `Workspace ${i}` });
      charts.push(await publishedChart(catalogs[0]!, scope, `ws_${i}`));
    }
    const created = await race((catalog, racer) =>
      catalog.ask('events.create', { scope, draft: { chartId: charts[racer]!, slug: 'gala' } }),
    );
    const keys = created.map(({ event }) => event.key).sort();
    expect(keys).toEqual(['gala', ...Array.from({ length: RACERS - 1 }, (_, i) => `gala-${i + 2}`)]);
  });

  test('exactly one of many saves over one state succeeds, and the others get the marker', async () => {
    const { meta } = await catalogs[0]!.ask('charts.get', { scope, chartId });
    const outcomes = await race(({ operations }, racer) =>
      operations['charts.update']({
        scope,
        chartId,
        doc: packed(chart([row({ seatCount: racer + 1 })])),
        expectedUpdatedAt: meta.updatedAt,
      }),
    );
    const winner = outcomes.findIndex(({ ok }) => ok);
    const now = await catalogs[1]!.ask('charts.get', { scope, chartId });
    expect(now.meta.seatTotal).toBe(winner + 1);
    expect(now.categorySeats).toEqual({ seat: winner + 1 });
    const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.refusal]));
    expect(refusals).toHaveLength(RACERS - 1);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 'conflict', details: { updatedAt: now.meta.updatedAt } });
    }
  });

  test('exactly one of many publishes of one new draft makes the version, and the others are refused', async () => {
    const { meta } = await catalogs[0]!.ask('charts.get', { scope, chartId });
    const doc = packed(chart([row({ seatCount: 3 })]));
    await catalogs[0]!.ask('charts.update', { scope, chartId, doc, expectedUpdatedAt: meta.updatedAt });
    const askedAt = catalogs[0]!.clock.time;
    for (const { clock } of catalogs) clock.time += 1;
    const outcomes = await race(({ operations }) => operations['charts.publish']({ scope, chartId, askedAt }));
    const now = await catalogs[1]!.ask('charts.get', { scope, chartId });
    expect(now.meta.publishedVersion).toBe(2);
    const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.refusal]));
    expect(refusals).toHaveLength(RACERS - 1);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 'conflict', details: { updatedAt: now.meta.updatedAt } });
    }
    const again = await race((catalog) => catalog.ask('charts.publish', { scope, chartId }));
    expect(new Set(again.map(({ meta }) => meta.publishedVersion))).toEqual(new Set([2]));
  });

  test('renames without a marker all succeed, each under a marker of its own', async () => {
    const renamed = await race((catalog, racer) =>
      catalog.ask('charts.update', { scope, chartId, name: `Hall ${racer}` }),
    );
    expect(new Set(renamed.map(({ meta }) => meta.updatedAt)).size).toBe(RACERS);
  });

  test('a delete at the same time never leaves an event without its chart', async () => {
    for (let round = 0; round < 5; round++) {
      const raced = await publishedChart(catalogs[0]!, scope);
      const [created, deleted] = await Promise.all([
        catalogs[0]!.operations['events.create']({ scope, draft: { chartId: raced, slug: `round-${round}` } }),
        catalogs[1]!.operations['charts.delete']({ scope, chartId: raced }),
      ]);
      expect(created.ok && deleted.ok).toBe(false);
      const event = await catalogs[1]!.operations['events.get']({ eventKey: `round-${round}` });
      const found = await catalogs[1]!.operations['charts.get']({ scope, chartId: raced });
      expect({ event: event.ok, chart: found.ok }).toEqual({ event: created.ok, chart: !deleted.ok });
    }
  });

  test('panorama manifests that are added at once get versions without gaps or duplicates', async () => {
    const panoramas = [{ id: 'all', url: 'https://pictures.example/1.jpg' }];
    const added = await race((catalog) => catalog.ask('charts.add-panoramas', { scope, chartId, panoramas }));
    const versions = added.map(({ manifest }) => manifest.version).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: RACERS }, (_, i) => i + 1));
  });

  test('no default workspace is ever disabled, and there are never two defaults', async () => {
    const ids = (await catalogs[0]!.ask('workspaces.list', { scope })).workspaces.map(({ id }) => id);
    for (let i = 0; i < 2; i++) {
      ids.push((await catalogs[i]!.ask('workspaces.create', { scope, name: `${i}` })).workspace.id);
    }
    for (let round = 0; round < 5; round++) {
      await race(({ operations }, racer) => {
        const target = { scope, workspaceId: ids[(racer + round) % ids.length]! };
        const change = racer % 3 === 0 ? { status: 'active' as const, isDefault: true as const } : {};
        return operations['workspaces.update']({ ...target, status: 'disabled', ...change });
      });
      const { workspaces: all } = await catalogs[0]!.ask('workspaces.list', { scope });
      expect(all.filter(({ isDefault }) => isDefault)).toMatchObject([{ status: 'active' }]);
    }
  });

  test('a chart that is made while its workspace is being disabled either stays or is refused', async () => {
    const { workspace } = await catalogs[0]!.ask('workspaces.create', { scope, name: 'Festival' });
    const workspaceId = workspace.id;
    for (let round = 0; round < 5; round++) {
      await catalogs[0]!.ask('workspaces.update', { scope, workspaceId, status: 'active' });
      const [outcomes] = await Promise.all([
        race(({ operations }) => operations['charts.create']({ scope, name: `Round ${round}`, workspaceId })),
        catalogs[1]!.ask('workspaces.update', { scope, workspaceId, status: 'disabled' }),
      ]);
      const { charts } = await catalogs[0]!.ask('charts.list', { scope, page: {}, workspaceId });
      const made = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value.meta.id] : []));
      expect(
        charts
          .filter(({ name }) => name === `Round ${round}`)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(made.sort());
      const refused = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.refusal.code]));
      expect(refused).toEqual(Array(RACERS - made.length).fill('workspace_not_found_or_disabled'));
    }
  });

  test('an event is never made from a chart that was archived before it', async () => {
    for (let round = 0; round < 5; round++) {
      const raced = await publishedChart(catalogs[0]!, scope);
      const archived = catalogs[1]!.ask('charts.archive', { scope, chartId: raced });
      const created = await catalogs[0]!.operations['events.create']({ scope, draft: { chartId: raced } });
      await archived;
      const { events } = await catalogs[1]!.ask('events.list', { scope, page: {} });
      expect(events.filter((event) => event.chartId === raced)).toHaveLength(created.ok ? 1 : 0);
      if (!created.ok) expect(created.refusal).toMatchObject({ code: 'chart_not_published', reason: 'chart_archived' });
      expect(await catalogs[0]!.refusal('events.create', { scope, draft: { chartId: raced } })).toMatchObject({
        code: 'chart_not_published',
      });
    }
  });

  test('an event is never made in a workspace that was disabled before it', async () => {
    for (let round = 0; round < 5; round++) {
      const { workspace } = await catalogs[0]!.ask('workspaces.create', { scope, name: `Room ${round}` });
      const raced = await publishedChart(catalogs[0]!, scope, workspace.id);
      const disabled = catalogs[1]!.ask('workspaces.update', { scope, workspaceId: workspace.id, status: 'disabled' });
      const created = await catalogs[0]!.operations['events.create']({ scope, draft: { chartId: raced } });
      await disabled;
      const { events } = await catalogs[1]!.ask('events.list', { scope, page: {}, workspaceId: workspace.id });
      expect(events).toHaveLength(created.ok ? 1 : 0);
      if (!created.ok) expect(created.refusal.code).toBe('workspace_not_found_or_disabled');
    }
  });

  test('parallel changes of one event all stand, each under an updatedAt of its own', async () => {
    const { event } = await catalogs[0]!.ask('events.create', { scope, draft: { chartId } });
    const fields = ['name', 'venue', 'description', 'externalRef'] as const;
    const changed = await race((catalog, racer) =>
      catalog.ask('events.update', { scope, eventKey: event.key, changes: { [fields[racer % 4]!]: `by ${racer}` } }),
    );
    expect(new Set(changed.map((each) => each.event.updatedAt)).size).toBe(RACERS);
    const stands = (await catalogs[1]!.ask('events.get', { eventKey: event.key })).event;
    for (const [at, field] of fields.entries()) expect([`by ${at}`, `by ${at + 4}`]).toContain(stands[field]);
  });

  test('one of two updates with a start and an end that contradict each other is refused', async () => {
    const { event } = await catalogs[0]!.ask('events.create', { scope, draft: { chartId } });
    const update = (at: number, changes: object) =>
      catalogs[at]!.operations['events.update']({ scope, eventKey: event.key, changes });
    const outcomes = await Promise.all([update(0, { startsAt: 20 }), update(1, { endsAt: 10 })]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("the latest of an actor's answers stands, in any order of arrival", async () => {
    const { event } = await catalogs[0]!.ask('events.create', { scope, draft: { chartId } });
    await race((catalog, racer) =>
      catalog.ask('events.settle', {
        eventKey: event.key,
        at: racer + 1,
        facts: { status: racer === RACERS - 1 ? 'archived' : 'closed' },
      }),
    );
    expect((await catalogs[1]!.ask('events.get', { eventKey: event.key })).event.status).toBe('archived');
  });

  test('an organisation never gets more webhooks than its limit', async () => {
    const outcomes = await Promise.all(
      [0, 1].map(() =>
        race(({ operations }) =>
          operations['webhooks.create']({ scope, url: 'https://shop.example/', events: ['ping'] }),
        ),
      ),
    );
    const made = outcomes.flat().filter(({ ok }) => ok);
    const { subs } = await catalogs[0]!.ask('webhooks.list', { scope });
    expect(subs).toHaveLength(10);
    expect(made).toHaveLength(10);
  });

  test('parallel ends of pauses never give an organisation more active webhooks than its limit', async () => {
    const paused: string[] = [];
    for (let made = 0; made < RACERS; made++) {
      const hook = { scope, url: 'https://shop.example/', events: ['ping'] };
      const { id } = (await catalogs[0]!.ask('webhooks.create', hook)).sub;
      await catalogs[0]!.ask('webhooks.update', { scope, id, changes: { disabled: true } });
      paused.push(id);
    }
    for (let made = 0; made < 7; made++) {
      await catalogs[0]!.ask('webhooks.create', { scope, url: 'https://shop.example/', events: ['ping'] });
    }
    const outcomes = await race(({ operations }, racer) =>
      operations['webhooks.update']({ scope, id: paused[racer]!, changes: { disabled: false } }),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(3);
    for (const outcome of outcomes) if (!outcome.ok) expect(outcome.refusal.code).toBe('webhook_limit_reached');
    const { subs } = await catalogs[1]!.ask('webhooks.list', { scope });
    expect(subs.filter(({ disabled }) => !disabled)).toHaveLength(10);
  });

  test('each of many parallel replacements of a secret gets its own secret, and the last five sign', async () => {
    const hook = { scope, url: 'https://shop.example/', events: ['ping'] };
    const { sub, secret: first } = await catalogs[0]!.ask('webhooks.create', hook);
    const rotated = await race((catalog) => catalog.ask('webhooks.rotate-secret', { scope, id: sub.id }));
    const told = rotated.map(({ secret }) => secret);
    expect(new Set([first, ...told]).size).toBe(RACERS + 1);
    const { subs } = await catalogs[1]!.ask('webhooks.matching', {
      organisationId: scope.organisationId,
      mode: 'test',
    });
    const { secrets } = subs[0]!;
    expect(secrets).toHaveLength(5);
    for (const { secret } of secrets) expect(told).toContain(secret);
    expect(secrets.map(({ until }) => until === null)).toEqual([true, false, false, false, false]);
  });

  test('concurrent changes neither lose nor make a credit', async () => {
    const { organisationId } = scope;
    await race((catalog) => catalog.ask('organisations.add-credits', { organisationId, delta: 3, reason: 'race' }));
    const { organisation } = await catalogs[0]!.ask('organisations.add-credits', {
      organisationId,
      delta: 0,
      reason: 'look',
    });
    expect(organisation.credits).toBe(3 * RACERS);
  });
}
