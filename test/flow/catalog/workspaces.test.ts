import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { Workspace } from '@parterre/shared/protocol/catalog/workspaces';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from '../../store/test-catalog.ts';

let database: TestDatabase;
let catalog: TestCatalog;
let scope: Scope;
let standard: Workspace;
let festival: Workspace;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  catalog = testCatalog(await database.connect());
  scope = await organisationScope(catalog);
  [standard] = (await catalog.ask('workspaces.list', { scope })).workspaces as [Workspace];
  festival = (await catalog.ask('workspaces.create', { scope, name: 'Festival', externalRef: 'fest-1' })).workspace;
});
afterEach(() => database.remove());

const update = (more: object, of = festival) =>
  catalog.ask('workspaces.update', { scope, workspaceId: of.id, ...more });
const refusal = (more: object, of = festival) =>
  catalog.refusal('workspaces.update', { scope, workspaceId: of.id, ...more });

describe('a workspace', () => {
  test('is active and not the default at first, and is found by id and in the list', async () => {
    expect(festival).toEqual({
      id: expect.stringMatching(/^ws_[0-9A-Za-z]{22}$/),
      name: 'Festival',
      status: 'active',
      isDefault: false,
      externalRef: 'fest-1',
      defaultRegion: 'western-europe',
    });
    expect((await catalog.ask('workspaces.get', { scope, workspaceId: festival.id })).workspace).toEqual(festival);
    expect((await catalog.ask('workspaces.list', { scope })).workspaces).toContainEqual(festival);
  });

  test('of a named call is made once', async () => {
    const call = { scope, name: 'Once', callId: 'call-1' };
    const first = await catalog.ask('workspaces.create', call);
    expect(await catalog.ask('workspaces.create', call)).toEqual(first);
    expect((await catalog.ask('workspaces.list', { scope })).workspaces).toHaveLength(3);
  });

  test('changes the named fields alone; null clears the reference', async () => {
    const { workspace } = await update({ name: 'Summer', defaultRegion: 'oceania' });
    expect(workspace).toEqual({ ...festival, name: 'Summer', defaultRegion: 'oceania' });
    expect((await update({ externalRef: null })).workspace).toEqual({ ...workspace, externalRef: null });
  });

  test("of another organisation is unknown, like one that doesn't exist", async () => {
    const stranger = await organisationScope(catalog);
    for (const workspaceId of [festival.id, 'ws_nobody']) {
      const input = { scope: stranger, workspaceId };
      expect(await catalog.refusal('workspaces.get', input)).toMatchObject({ code: 'not_found' });
      expect(await catalog.refusal('workspaces.update', { ...input, name: 'Mine' })).toMatchObject({
        code: 'not_found',
      });
    }
  });
});

describe('the default', () => {
  test('moves to another workspace, and there is always exactly one', async () => {
    expect((await update({ isDefault: true })).workspace.isDefault).toBe(true);
    const { workspaces } = await catalog.ask('workspaces.list', { scope });
    expect(workspaces.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([festival.id]);
    const { meta } = await catalog.ask('charts.create', { scope, name: 'Hall' });
    expect(meta.workspaceId).toBe(festival.id);
  });

  test('cannot be disabled, and a disabled workspace cannot become it', async () => {
    expect(await refusal({ status: 'disabled' }, standard)).toMatchObject({ code: 'default_workspace_required' });
    expect(await refusal({ status: 'disabled', isDefault: true })).toMatchObject({
      code: 'default_workspace_required',
    });
    await update({ status: 'disabled' });
    expect(await refusal({ isDefault: true })).toMatchObject({ code: 'default_workspace_required' });
    const { workspace } = await update({ isDefault: true, status: 'active' });
    expect(workspace).toMatchObject({ isDefault: true, status: 'active' });
    expect((await update({ status: 'disabled' }, standard)).workspace.status).toBe('disabled');
  });
});

describe('a disabled workspace', () => {
  test('refuses new charts, copies and events until it is active again, and announces it to the caches', async () => {
    const chartId = await publishedChart(catalog, scope, festival.id);
    await update({ status: 'disabled' });
    const changed = { kind: 'workspace', organisationId: scope.organisationId, workspaceId: festival.id };
    expect(catalog.announced).toContainEqual(changed);
    const code = 'workspace_not_found_or_disabled';
    const toFestival = { scope, name: 'New', workspaceId: festival.id };
    expect(await catalog.refusal('charts.create', toFestival)).toMatchObject({ code });
    expect(await catalog.refusal('charts.duplicate', { scope, chartId })).toMatchObject({ code });
    expect(await catalog.refusal('events.create', { scope, draft: { chartId } })).toMatchObject({ code });
    await update({ status: 'active' });
    expect((await catalog.ask('charts.create', toFestival)).meta.workspaceId).toBe(festival.id);
  });
});

describe('who may manage workspaces', () => {
  test.each([
    ['a key that is bound to a workspace', { workspaceId: 'own' }, 'forbidden'],
    ["a member's session", { role: 'member' as const, mode: null }, 'forbidden'],
    ["an admin's session", { role: 'admin' as const, mode: null }, null],
    ['a key that is bound to no workspace', {}, null],
  ])('%s', async (_name, more, code) => {
    const bound = 'workspaceId' in more ? { workspaceId: festival.id } : {};
    const asker: Scope = { ...scope, ...more, ...bound };
    const outcomes = [
      await catalog.operations['workspaces.create']({ scope: asker, name: 'New' }),
      await catalog.operations['workspaces.update']({ scope: asker, workspaceId: festival.id, name: 'Other' }),
    ];
    expect(outcomes.map((outcome) => (outcome.ok ? null : outcome.refusal.code))).toEqual([code, code]);
  });
});

describe('a key that is bound to a workspace', () => {
  let bound: Scope;
  beforeEach(() => {
    bound = { ...scope, workspaceId: festival.id };
  });

  test('sees its own workspace alone', async () => {
    expect((await catalog.ask('workspaces.list', { scope: bound })).workspaces).toEqual([festival]);
    expect(await catalog.ask('workspaces.get', { scope: bound, workspaceId: festival.id })).toEqual({
      workspace: festival,
    });
    const refused = await catalog.refusal('workspaces.get', { scope: bound, workspaceId: standard.id });
    expect(refused.code).toBe('not_found');
  });

  test('makes charts in its own workspace alone, named or not', async () => {
    const made = await catalog.ask('charts.create', { scope: bound, name: 'Hall' });
    expect(made.meta.workspaceId).toBe(festival.id);
    const elsewhere = { scope: bound, name: 'Hall', workspaceId: standard.id };
    const unknown = { ...elsewhere, workspaceId: 'ws_nobody' };
    const refused = await catalog.refusal('charts.create', elsewhere);
    expect(refused).toEqual(await catalog.refusal('charts.create', unknown));
    expect(refused.code).toBe('workspace_not_found_or_disabled');
  });

  test('finds no chart of another workspace', async () => {
    const chartId = await publishedChart(catalog, scope);
    const own = await publishedChart(catalog, scope, festival.id);
    const input = { scope: bound, chartId };
    const refusals = [
      await catalog.refusal('charts.get', input),
      await catalog.refusal('charts.update', { ...input, name: 'Mine' }),
      await catalog.refusal('charts.duplicate', input),
      await catalog.refusal('charts.publish', input),
      await catalog.refusal('charts.archive', input),
      await catalog.refusal('charts.delete', input),
      await catalog.refusal('events.create', { scope: bound, draft: { chartId } }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual(Array(7).fill('chart_not_found'));
    const idsOf = async (more: object) =>
      (await catalog.ask('charts.list', { scope: bound, page: {}, ...more })).charts.map(({ id }) => id);
    expect(await idsOf({})).toEqual([own]);
    expect(await idsOf({ workspaceId: festival.id })).toEqual([own]);
    expect(await idsOf({ workspaceId: standard.id })).toEqual([]);
  });
});
