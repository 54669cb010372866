import { gunzipSync } from 'node:zlib';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rememberedSeats } from '../../../services/catalog/src/charts/chart-documents.ts';
import { projections } from '../../../services/catalog/src/store/collections.ts';
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
let scope: Awaited<ReturnType<typeof organisationScope>>;
let chartId: string;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  catalog = testCatalog(await database.connect());
  scope = await organisationScope(catalog);
  chartId = (await catalog.ask('charts.create', { scope, name: 'Hall', doc: tenSeats, externalRef: 'ref-1' })).meta.id;
});
afterEach(() => database.remove());

const unpacked = (bytes: Uint8Array): ChartDocument => JSON.parse(gunzipSync(bytes).toString('utf8'));
const getChart = () => catalog.ask('charts.get', { scope, chartId });

describe('creating', () => {
  test('a new chart is a draft in the default workspace, with its seats counted', async () => {
    const { meta, doc, categorySeats } = await getChart();
    const { workspaces } = await catalog.ask('workspaces.list', { scope });
    expect(meta).toMatchObject({
      id: chartId,
      chartId,
      name: 'Hall',
      status: 'draft',
      seatTotal: 10,
      externalRef: 'ref-1',
    });
    expect(meta).toMatchObject({ publishedVersion: null, publishedAt: null, workspaceId: workspaces[0]!.id });
    expect(unpacked(doc)).toEqual(chart([row()]));
    expect(categorySeats).toEqual({ seat: 10 });
  });

  test('a chart without a document is empty, and can be saved and not yet published', async () => {
    const { meta } = await catalog.ask('charts.create', { scope, name: 'New' });
    const { doc } = await catalog.ask('charts.get', { scope, chartId: meta.id });
    const update = { scope, chartId: meta.id, doc, expectedUpdatedAt: meta.updatedAt };
    expect((await catalog.ask('charts.update', update)).meta.seatTotal).toBe(0);
    expect(await catalog.refusal('charts.publish', { scope, chartId: meta.id })).toMatchObject({
      code: 'invalid_chart',
    });
  });

  test.each([
    ['not gzip', new TextEncoder().encode('{}')],
    ['not a chart', packed({ version: 1 })],
  ])('a document that is %s is refused with issues', async (_name, doc) => {
    const refusal = await catalog.refusal('charts.create', { scope, name: 'Bad', doc });
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.details?.issues).not.toHaveLength(0);
  });

  test('a document that inflates beyond the bound is refused, however small it travels', async () => {
    const doc = packed({ ...chart([row()]), padding: 'x'.repeat(17 * 1024 * 1024) });
    expect(await catalog.refusal('charts.create', { scope, name: 'Bomb', doc })).toMatchObject({
      code: 'payload_too_large',
    });
  });

  test("another organisation's workspace is unknown", async () => {
    const other = await organisationScope(catalog);
    const { workspaces } = await catalog.ask('workspaces.list', { scope: other });
    const refusal = await catalog.refusal('charts.create', { scope, name: 'X', workspaceId: workspaces[0]!.id });
    expect(refusal.code).toBe('workspace_not_found_or_disabled');
  });
});

describe("another organisation's chart", () => {
  test('is unknown to every operation', async () => {
    const input = { scope: await organisationScope(catalog), chartId };
    const outcomes = [
      await catalog.refusal('charts.get', input),
      await catalog.refusal('charts.update', { ...input, name: 'Mine' }),
      await catalog.refusal('charts.duplicate', input),
      await catalog.refusal('charts.publish', input),
      await catalog.refusal('charts.archive', input),
      await catalog.refusal('charts.unarchive', input),
      await catalog.refusal('charts.delete', input),
    ];
    expect(outcomes.map(({ code }) => code)).toEqual(Array(7).fill('chart_not_found'));
    expect((await getChart()).meta.name).toBe('Hall');
    expect((await catalog.ask('charts.list', { scope: input.scope, page: {} })).charts).toEqual([]);
  });
});

describe('saving', () => {
  const nineSeats = packed(chart([row({ seatCount: 9 })]));

  test('over the state that was read replaces the document; the marker grows though the clock stands still', async () => {
    const { meta: before } = await getChart();
    const { meta } = await catalog.ask('charts.update', {
      scope,
      chartId,
      doc: nineSeats,
      expectedUpdatedAt: before.updatedAt,
      name: 'Smaller hall',
    });
    expect(meta).toMatchObject({ name: 'Smaller hall', seatTotal: 9 });
    expect(meta.updatedAt).toBeGreaterThan(before.updatedAt);
    expect(unpacked((await getChart()).doc)).toEqual(chart([row({ seatCount: 9 })]));
  });

  test('over an older state is a conflict with the marker, and changes nothing', async () => {
    const { meta: first } = await getChart();
    const { meta: second } = await catalog.ask('charts.update', { scope, chartId, name: 'Renamed' });
    const stale = { scope, chartId, doc: nineSeats, expectedUpdatedAt: first.updatedAt };
    const refusal = await catalog.refusal('charts.update', stale);
    expect(refusal).toMatchObject({ code: 'conflict', details: { updatedAt: second.updatedAt } });
    expect(await getChart()).toMatchObject({ meta: second, categorySeats: { seat: 10 } });
  });

  test('a repeated call is answered with the marker of its first run, whatever came after it', async () => {
    const { meta: before } = await getChart();
    const save = { scope, chartId, doc: nineSeats, expectedUpdatedAt: before.updatedAt, callId: 'save-1' };
    const { meta: first } = await catalog.ask('charts.update', save);
    expect((await catalog.ask('charts.update', save)).meta).toEqual(first);
    const eight = packed(chart([row({ seatCount: 8 })]));
    const next = { scope, chartId, doc: eight, expectedUpdatedAt: first.updatedAt, callId: 'save-2' };
    const { meta: second } = await catalog.ask('charts.update', next);
    expect((await catalog.ask('charts.update', save)).meta.updatedAt).toBe(first.updatedAt);
    const { meta, doc } = await getChart();
    expect([meta, unpacked(doc)]).toEqual([second, chart([row({ seatCount: 8 })])]);
    const over = await catalog.refusal('charts.update', {
      ...save,
      expectedUpdatedAt: first.updatedAt,
      callId: 'save-3',
    });
    expect(over).toMatchObject({ reason: 'stale_chart' });
    const unread = { scope, chartId, doc: Buffer.from('no gzip'), expectedUpdatedAt: first.updatedAt };
    expect(await catalog.refusal('charts.update', unread)).toMatchObject({ reason: 'stale_chart' });
    const { expectedUpdatedAt } = unread;
    expect(await catalog.refusal('charts.meta', { scope, chartId, expectedUpdatedAt })).toEqual(over);
  });

  test('a document needs the marker that it was made from; name and reference do not', async () => {
    expect(await catalog.refusal('charts.update', { scope, chartId, doc: nineSeats })).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'expectedUpdatedAt' }] },
    });
    const { meta } = await catalog.ask('charts.update', { scope, chartId, externalRef: null });
    expect(meta).toMatchObject({ name: 'Hall', externalRef: null, seatTotal: 10 });
  });
});

test('categorySeats of a draft is remembered, and follows the draft', async () => {
  const seatsOfDraft = rememberedSeats({ clock: catalog.clock });
  expect(await seatsOfDraft('draft_1', tenSeats)).toEqual({ seat: 10 });
  // These bytes could not be opened, so the answer comes from memory.
  expect(await seatsOfDraft('draft_1', new Uint8Array())).toEqual({ seat: 10 });
  expect(await seatsOfDraft('draft_2', packed(chart([row({ seatCount: 3 })])))).toEqual({ seat: 3 });
});

describe('duplicating', () => {
  test.each([
    ['absent inherits', {}, 'ref-1'],
    ['null clears', { externalRef: null }, null],
    ['a value wins', { externalRef: 'ref-2' }, 'ref-2'],
  ])('externalRef: %s', async (_name, more, expected) => {
    const { meta } = await catalog.ask('charts.duplicate', { scope, chartId, ...more });
    expect(meta).toMatchObject({ externalRef: expected, status: 'draft', seatTotal: 10, publishedVersion: null });
    expect(meta.id).not.toBe(chartId);
  });

  test('the copy keeps its document when the source is deleted', async () => {
    const { meta } = await catalog.ask('charts.duplicate', { scope, chartId });
    await catalog.ask('charts.delete', { scope, chartId });
    const { doc } = await catalog.ask('charts.get', { scope, chartId: meta.id });
    expect(unpacked(doc)).toEqual(chart([row()]));
  });
});

describe('archiving', () => {
  test('moves a chart to the archived listing and back to what it was', async () => {
    await catalog.ask('charts.publish', { scope, chartId });
    expect((await catalog.ask('charts.archive', { scope, chartId })).meta.status).toBe('archived');
    const idsOf = async (archived: boolean) => (await catalog.ask('charts.list', { scope, page: {}, archived })).charts;
    expect(await idsOf(false)).toEqual([]);
    expect(await idsOf(true)).toMatchObject([{ id: chartId }]);
    expect((await catalog.ask('charts.unarchive', { scope, chartId })).meta.status).toBe('published');
    expect(await idsOf(true)).toEqual([]);
  });

  test('an archived chart is neither saved nor published, and gets no events', async () => {
    await catalog.ask('charts.publish', { scope, chartId });
    await catalog.ask('charts.archive', { scope, chartId });
    expect(await catalog.refusal('charts.update', { scope, chartId, name: 'X' })).toMatchObject({ code: 'conflict' });
    expect(await catalog.refusal('charts.publish', { scope, chartId })).toMatchObject({ code: 'conflict' });
    const refusal = await catalog.refusal('events.create', { scope, draft: { chartId } });
    expect(refusal.code).toBe('chart_not_published');
  });
});

describe('deleting', () => {
  test('is refused while an event uses the chart, and the chart stays in use', async () => {
    await catalog.ask('charts.publish', { scope, chartId });
    const { event } = await catalog.ask('events.create', { scope, draft: { chartId } });
    expect(await catalog.refusal('charts.delete', { scope, chartId })).toMatchObject({ code: 'chart_in_use' });
    await catalog.ask('events.create', { scope, draft: { chartId } });

    const other = await publishedChart(catalog, scope);
    const { event: only } = await catalog.ask('events.create', { scope, draft: { chartId: other } });
    await catalog.store.insert(projections, only.key, { sold: 0, seq: 1, status: 'deleted', holdTtlMs: null });
    expect(await catalog.ask('charts.delete', { scope, chartId: other })).toEqual({ ok: true });
    expect((await catalog.ask('plans.get', { hash: event.planHash })).doc.length).toBeGreaterThan(0);
  });

  /** Ends where the process would have died after the mark. */
  async function deleteHalfWay(): Promise<void> {
    const { store } = catalog;
    const page = vi.spyOn(store, 'page').mockRejectedValueOnce(new Error('killed'));
    await expect(catalog.operations['charts.delete']({ scope, chartId })).rejects.toThrow('killed');
    page.mockRestore();
  }
  const create = () => catalog.operations['events.create']({ scope, draft: { chartId } });

  test('that stopped half-way keeps the chart from new events for a minute at most', async () => {
    await catalog.ask('charts.publish', { scope, chartId });
    await deleteHalfWay();
    expect(await create()).toMatchObject({ ok: false, refusal: { code: 'chart_not_found' } });
    catalog.clock.time += 60_000;
    expect(await create()).toMatchObject({ ok: true });
    expect(await catalog.refusal('charts.delete', { scope, chartId })).toMatchObject({ code: 'chart_in_use' });
  });

  test('that stopped half-way is cleared by any write, also one without a change', async () => {
    await catalog.ask('charts.publish', { scope, chartId });
    for (const write of [
      () => catalog.ask('charts.publish', { scope, chartId }),
      () => catalog.ask('charts.unarchive', { scope, chartId }),
      () => catalog.ask('charts.update', { scope, chartId, name: 'Hall' }),
    ]) {
      await deleteHalfWay();
      await write();
      expect(await create()).toMatchObject({ ok: true });
    }
  });

  test('that an event overtakes a minute later leaves the chart', async () => {
    await catalog.ask('charts.publish', { scope, chartId });
    const { store } = catalog;
    const page = store.page.bind(store);
    vi.spyOn(store, 'page').mockImplementationOnce(async (collection, query) => {
      const found = await page(collection, query);
      catalog.clock.time += 60_000;
      expect(await create()).toMatchObject({ ok: true });
      return found;
    });
    expect(await catalog.refusal('charts.delete', { scope, chartId })).toMatchObject({ reason: 'stale_chart' });
    expect((await catalog.ask('charts.meta', { scope, chartId })).meta.id).toBe(chartId);
  });

  test('deletes the chart', async () => {
    await catalog.ask('charts.delete', { scope, chartId });
    expect(await catalog.refusal('charts.get', { scope, chartId })).toMatchObject({ code: 'chart_not_found' });
    expect(await catalog.refusal('charts.delete', { scope, chartId })).toMatchObject({ code: 'chart_not_found' });
  });
});

test('a list read page by page shows each chart once, while others are made and deleted', async () => {
  const made: string[] = [chartId];
  for (let i = 0; i < 8; i++) {
    // Two charts share a time stamp: their ids order them.
    catalog.clock.time += i % 2;
    made.push((await catalog.ask('charts.create', { scope, name: `Chart ${i}` })).meta.id);
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = { limit: 3, ...(cursor && { cursor }) };
    const { charts, nextCursor } = await catalog.ask('charts.list', { scope, page });
    seen.push(...charts.map(({ id }) => id));
    // The chart at the cursor goes, and new ones come before it.
    await catalog.ask('charts.delete', { scope, chartId: seen.at(-1)! });
    catalog.clock.time += 1_000;
    await catalog.ask('charts.create', { scope, name: 'Newer' });
    cursor = nextCursor;
  } while (cursor);
  expect(seen.sort()).toEqual(made.sort());
});

test('charts are listed newest first, filtered before they are paged, and an unreadable cursor starts over', async () => {
  for (let i = 0; i < 5; i++) {
    catalog.clock.time += 1_000;
    await catalog.ask('charts.create', { scope, name: `Chart ${i}`, externalRef: i % 2 === 0 ? 'even' : 'odd' });
  }
  const list = async (page: object, more: object = {}) => catalog.ask('charts.list', { scope, page, ...more });
  const namesOf = ({ charts }: { charts: { name: string }[] }) => charts.map(({ name }) => name);
  const first = await list({ limit: 2 }, { externalRef: 'even' });
  expect(namesOf(first)).toEqual(['Chart 4', 'Chart 2']);
  const second = await list({ limit: 2, cursor: first.nextCursor }, { externalRef: 'even' });
  expect(namesOf(second)).toEqual(['Chart 0']);
  expect(second).not.toHaveProperty('nextCursor');
  expect(namesOf(await list({ limit: 1, cursor: 'nonsense' }))).toEqual(['Chart 4']);
  expect(namesOf(await list({ limit: 0 }))).toEqual(['Chart 4']);
});
