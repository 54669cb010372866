/** Performance groups, on two catalogs that share one database. Runs on both adapters. */
import type { GroupDetail } from '@parterre/shared/protocol/catalog/groups';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections } from '../../../services/catalog/src/store/collections.ts';
import { groups } from '../../../services/catalog/src/store/group-collections.ts';
import type { Collection } from '../../../services/catalog/src/store/store.ts';
import { chart, row } from '../../support/charts.ts';
import type { MakeDatabase, TestDatabase } from '../adapters.ts';
import { organisationScope, packed, publishedChart, type TestCatalog, testCatalog } from '../test-catalog.ts';
import { FakeLocks } from './fake-locks.ts';

export function groupsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let catalogs: TestCatalog[];
  let catalog: TestCatalog;
  let other: TestCatalog;
  let locks: FakeLocks;
  let scope: Scope;
  let chartId: string;
  beforeEach(async () => {
    locks = new FakeLocks();
    database = await makeDatabase(collections as readonly Collection<object>[]);
    catalogs = [testCatalog(await database.connect(), locks.ask), testCatalog(await database.connect(), locks.ask)];
    [catalog, other] = catalogs as [TestCatalog, TestCatalog];
    scope = await organisationScope(catalog);
    chartId = await publishedChart(catalog, scope);
  });
  afterEach(() => database.remove());

  const makeEvent = async (more: object = {}) =>
    (await catalog.ask('events.create', { scope, draft: { chartId, startsAt: 1_900_000_000_000, ...more } })).event.key;
  const makeEvents = () => Promise.all([makeEvent(), makeEvent(), makeEvent()]);
  const create = async (eventKeys: string[], more: object = {}): Promise<GroupDetail> =>
    catalog.ask('groups.create', { scope, draft: { name: 'Spring run', eventKeys, ...more } });
  const step = (group: GroupDetail['group'], expectedRevision = group.revision) => ({
    scope,
    groupKey: group.key,
    expectedRevision,
  });
  const activate = async (eventKeys: string[]) => {
    const { group } = await create(eventKeys);
    return catalog.ask('groups.activate', step(group));
  };

  test('a draft has the events in their order, and the facts that they share', async () => {
    const eventKeys = await makeEvents();
    const { group, events } = await create(eventKeys, { externalRef: 'run-1' });
    expect(group).toMatchObject({ name: 'Spring run', externalRef: 'run-1', state: 'draft', revision: 1, eventKeys });
    expect(group).toMatchObject({ chartId, currency: 'EUR', mode: 'test', activatedAt: null, closedAt: null });
    expect(events.map(({ key }) => key)).toEqual(eventKeys);
  });

  test('events that do not fit are refused with all issues at once, and nothing is created', async () => {
    const good = await makeEvent();
    const elsewhere = await publishedChart(catalog, scope);
    const foreign = await catalog.ask('events.create', { scope, draft: { chartId: elsewhere, currency: 'USD' } });
    const draft = { name: 'Spring run', eventKeys: [good, foreign.event.key, 'nowhere', good] };
    const { code, details } = await catalog.refusal('groups.create', { scope, draft });
    expect(code).toBe('incompatible_events');
    const issues = details?.issues as { code: string; field: string }[];
    expect(issues.map(({ code, field }) => `${field} ${code}`)).toEqual([
      'eventKeys.1 currency_mismatch',
      'eventKeys.1 chart_mismatch',
      'eventKeys.1 starts_at_missing',
      'eventKeys.2 event_not_found',
      'eventKeys.3 duplicate_event',
    ]);
    expect((await catalog.ask('groups.list', { scope, page: {} })).groups).toEqual([]);
  });

  test('a group has 2 to 8 events', async () => {
    const keys = [];
    for (let index = 0; index < 9; index++) keys.push(await makeEvent());
    for (const eventKeys of [[], keys.slice(0, 1), keys]) {
      const refused = await catalog.refusal('groups.create', { scope, draft: { name: 'Run', eventKeys } });
      expect(refused.details?.issues).toMatchObject([{ code: 'event_count', actual: eventKeys.length }]);
    }
    expect((await create(keys.slice(0, 8))).events).toHaveLength(8);
  });

  test('events of one chart at two versions are refused', async () => {
    const early = await makeEvent();
    const { updatedAt: expectedUpdatedAt } = (await catalog.ask('charts.meta', { scope, chartId })).meta;
    const doc = packed(chart([row({ label: 'B' })]));
    await catalog.ask('charts.update', { scope, chartId, doc, expectedUpdatedAt });
    await catalog.ask('charts.publish', { scope, chartId });
    const late = await makeEvent();
    const draft = { name: 'Run', eventKeys: [early, late] };
    const refused = await catalog.refusal('groups.create', { scope, draft });
    expect(refused.details?.issues).toMatchObject([
      { code: 'chart_version_mismatch', field: 'eventKeys.1', expected: 1, actual: 2 },
    ]);
  });

  test('a named create that runs again finds its group', async () => {
    const draft = { name: 'Run', eventKeys: await makeEvents() };
    const first = await catalog.ask('groups.create', { scope, draft, callId: 'call-1' });
    const again = await other.ask('groups.create', { scope, draft, callId: 'call-1' });
    expect(again.group.key).toBe(first.group.key);
  });

  test('lists filter by workspace, reference and state, newest first, and page', async () => {
    const eventKeys = await makeEvents();
    const keys = [];
    for (const externalRef of ['a', 'b', null]) {
      catalog.clock.time++;
      keys.push((await create(eventKeys, { externalRef })).group.key);
    }
    const list = async (more: object = {}) =>
      (await catalog.ask('groups.list', { scope, page: {}, ...more })).groups.map(({ group }) => group.key);
    expect(await list()).toEqual([...keys].reverse());
    expect(await list({ externalRef: 'b' })).toEqual([keys[1]]);
    expect(await list({ state: 'active' })).toEqual([]);
    expect(await list({ state: 'draft', externalRef: 'a' })).toEqual([keys[0]]);
    expect(await list({ workspaceId: 'ws_other' })).toEqual([]);
    expect(await list({ scope: { ...scope, mode: 'live' } })).toEqual([]);
    const first = await catalog.ask('groups.list', { scope, page: { limit: 2 } });
    const cursor = first.nextCursor!;
    const second = await catalog.ask('groups.list', { scope, page: { limit: 2, cursor } });
    expect([first.groups.length, second.groups.length, second.nextCursor]).toEqual([2, 1, undefined]);
  });

  test('a group of another organisation is unknown, and one of the other mode has its own code', async () => {
    const { group } = await create(await makeEvents());
    const stranger = await organisationScope(catalog);
    const asked = { groupKey: group.key };
    expect((await catalog.refusal('groups.get', { scope: stranger, ...asked })).code).toBe('not_found');
    const live = { ...scope, mode: 'live' as const };
    expect((await catalog.refusal('groups.get', { scope: live, ...asked })).code).toBe('mode_mismatch');
  });

  test('a draft is deleted; an active group is not', async () => {
    const { group } = await create(await makeEvents());
    await catalog.ask('groups.delete', { scope, groupKey: group.key });
    expect((await catalog.refusal('groups.get', { scope, groupKey: group.key })).code).toBe('not_found');
    const active = await activate(await makeEvents());
    const refused = await catalog.refusal('groups.delete', { scope, groupKey: active.group.key });
    expect(refused.code).toBe('invalid_group_state');
  });

  test('an activation locks every event, and ends terminal', async () => {
    const eventKeys = await makeEvents();
    const { group, lifecycle } = await activate(eventKeys);
    expect(lifecycle).toMatchObject({ kind: 'ACTIVATION', step: 'active', code: null });
    expect(lifecycle).toMatchObject({ ackedLocks: 3, remainingOperations: null });
    expect(group).toMatchObject({ state: 'active', revision: 3, activatedAt: catalog.clock.time });
    expect(locks.lockedBy(group.key).sort()).toEqual([...eventKeys].sort());
    const found = { scope, groupKey: group.key, operationId: lifecycle.operationId };
    expect((await other.ask('groups.lifecycle', found)).lifecycle).toEqual(lifecycle);
  });

  test('of two activations at once one runs', async () => {
    const { group } = await create(await makeEvents());
    const both = await Promise.all(catalogs.map((each) => each.operations['groups.activate'](step(group))));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('an event is in one active group at most', async () => {
    const [first, second, third] = (await makeEvents()) as [string, string, string];
    await activate([first, second]);
    const rival = await activate([second, third]);
    expect(rival.lifecycle).toMatchObject({ step: 'failed', code: 'performance_group_locked' });
    expect(locks.lockedBy(rival.group.key)).toEqual([]);
    await catalog.ask('events.update', { scope, eventKey: third, changes: { venue: 'Park' } });
  });

  test('an event that changed after the draft ends the activation', async () => {
    const eventKeys = await makeEvents();
    const { group } = await create(eventKeys);
    await catalog.ask('events.update', { scope, eventKey: eventKeys[2]!, changes: { startsAt: null } });
    const { lifecycle } = await catalog.ask('groups.activate', step(group));
    expect(lifecycle).toMatchObject({ step: 'failed', code: 'incompatible_events' });
    expect(locks.lockedBy(group.key)).toEqual([]);
  });

  test('a draft follows its events: one that they all moved away from is activated all the same', async () => {
    const eventKeys = await makeEvents();
    const { group } = await create(eventKeys);
    // The actors have moved, and the records of the catalog are behind some of them.
    Object.assign(locks.facts, { chartVersion: 2, currency: 'USD' });
    await catalog.ask('events.settle', { eventKey: eventKeys[1]!, at: 9, facts: { currency: 'USD', chartVersion: 2 } });
    const { lifecycle, group: active } = await catalog.ask('groups.activate', step(group));
    expect(lifecycle.step).toBe('active');
    expect(active).toMatchObject({ currency: 'USD', chartVersion: 2 });
  });

  test('a deleted event keeps its place in its draft', async () => {
    const eventKeys = await makeEvents();
    const { group } = await create(eventKeys);
    await catalog.ask('events.settle', { eventKey: eventKeys[1]!, at: 9, facts: { status: 'deleted' } });
    const { events } = await catalog.ask('groups.get', { scope, groupKey: group.key });
    expect(events.map(({ key, status }) => [key, status])).toEqual(
      eventKeys.map((key, index) => [key, index === 1 ? 'deleted' : 'active']),
    );
  });

  test('another catalog goes on with the activation of a dead one', async () => {
    const eventKeys = await makeEvents();
    const { group } = await create(eventKeys);
    locks.before = async (_, { type }) => {
      if (type === 'lock') throw new Error('this catalog dies here');
    };
    await expect(catalog.ask('groups.activate', step(group))).rejects.toThrow('dies here');
    locks.before = null;
    const open = await other.store.page(groups, { index: 'byOpen', equal: [true], limit: 9 });
    expect(open.documents.map(({ id }) => id)).toEqual([group.key]);
    other.lifecycles.groups.engine.watch();
    await expect.poll(() => stateOf(other, group.key), { timeout: 20_000 }).toBe('active');
    await other.lifecycles.groups.engine.stop();
    expect((await other.store.page(groups, { index: 'byOpen', equal: [true], limit: 9 })).documents).toEqual([]);
  });

  async function stateOf({ store }: TestCatalog, key: string) {
    return (await store.get(groups, key))?.value.state;
  }
}
