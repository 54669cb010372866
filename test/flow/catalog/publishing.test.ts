/** Publishing charts: the published version, its document, and the events that it leaves behind. */
import { gunzipSync } from 'node:zlib';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { sha256 } from '@parterre/shared/protocol/ids';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projections } from '../../../services/catalog/src/store/collections.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, packed, type TestCatalog, tenSeats, testCatalog } from '../../store/test-catalog.ts';
import { booth, chart, row } from '../../support/charts.ts';

let database: TestDatabase;
let catalog: TestCatalog;
let scope: Awaited<ReturnType<typeof organisationScope>>;
let chartId: string;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  catalog = testCatalog(await database.connect());
  scope = await organisationScope(catalog);
  chartId = (await catalog.ask('charts.create', { scope, name: 'Hall', doc: tenSeats })).meta.id;
});
afterEach(() => database.remove());

const unpacked = (bytes: Uint8Array): ChartDocument => JSON.parse(gunzipSync(bytes).toString('utf8'));

describe('publishing', () => {
  test('stores the version under the hash of its JSON, while the draft changes', async () => {
    const { meta } = await catalog.ask('charts.publish', { scope, chartId });
    expect(meta).toMatchObject({ status: 'published', publishedVersion: 1 });
    const doc = packed(chart([booth()]));
    await catalog.ask('charts.update', { scope, chartId, doc, expectedUpdatedAt: meta.updatedAt });
    const hash = sha256(JSON.stringify(chart([row()])));
    expect(unpacked((await catalog.ask('plans.get', { hash })).doc)).toEqual(chart([row()]));
    expect(await catalog.refusal('plans.get', { hash: 'nothing' })).toMatchObject({ code: 'not_found' });
  });

  test('leaves out the adjustments of one event in a document that was copied from it', async () => {
    const { meta } = await catalog.ask('charts.publish', { scope, chartId });
    const copied = { ...chart([row()]), eventAdjustments: { categories: [['A-1', 'seat']], tables: [] } };
    const update = { scope, chartId, doc: packed(copied), expectedUpdatedAt: meta.updatedAt };
    await catalog.ask('charts.update', update);
    expect((await catalog.ask('charts.publish', { scope, chartId })).version).toEqual({
      planHash: sha256(JSON.stringify(chart([row()]))),
      chartVersion: 1,
    });
  });

  test('without a change makes no new version, after a change the next one', async () => {
    const { meta: first } = await catalog.ask('charts.publish', { scope, chartId });
    expect((await catalog.ask('charts.publish', { scope, chartId })).meta).toEqual(first);
    const update = { scope, chartId, doc: packed(chart([booth()])), expectedUpdatedAt: first.updatedAt };
    await catalog.ask('charts.update', update);
    expect((await catalog.ask('charts.publish', { scope, chartId })).meta.publishedVersion).toBe(2);
  });

  test('of an expected state is refused over another one, and a repetition changes nothing', async () => {
    const { meta: before } = await catalog.ask('charts.meta', { scope, chartId });
    const expected = { scope, chartId, expectedUpdatedAt: before.updatedAt };
    const update = { ...expected, doc: packed(chart([booth()])) };
    const { meta: saved } = await catalog.ask('charts.update', update);
    expect(await catalog.refusal('charts.publish', expected)).toMatchObject({
      code: 'conflict',
      reason: 'stale_chart',
      details: { updatedAt: saved.updatedAt },
    });
    const present = { scope, chartId, expectedUpdatedAt: saved.updatedAt };
    const { meta } = await catalog.ask('charts.publish', present);
    expect((await catalog.ask('charts.publish', present)).meta).toEqual(meta);
    const back = { scope, chartId, doc: tenSeats, expectedUpdatedAt: meta.updatedAt };
    await catalog.ask('charts.update', back);
    expect(await catalog.refusal('charts.publish', present)).toMatchObject({ reason: 'stale_chart' });
  });

  test('is refused when another call published the draft after it began, and not when before', async () => {
    const askedAt = catalog.clock.time;
    catalog.clock.time += 1;
    await catalog.ask('charts.publish', { scope, chartId });
    const late = await catalog.refusal('charts.publish', { scope, chartId, askedAt });
    expect(late).toMatchObject({ code: 'conflict', reason: 'published_meanwhile' });
    const { meta } = await catalog.ask('charts.publish', { scope, chartId, askedAt: catalog.clock.time });
    expect(meta.publishedVersion).toBe(1);
  });

  test('names events on an older version, but not archived or deleted ones', async () => {
    const { meta } = await catalog.ask('charts.publish', { scope, chartId });
    for (const slug of ['one', 'two', 'old', 'gone']) {
      await catalog.ask('events.create', { scope, draft: { chartId, slug } });
    }
    const state = { sold: 0, seq: 1, holdTtlMs: null };
    await catalog.store.insert(projections, 'old', { ...state, status: 'archived' });
    await catalog.store.insert(projections, 'gone', { ...state, status: 'deleted' });
    const update = { scope, chartId, doc: packed(chart([booth()])), expectedUpdatedAt: meta.updatedAt };
    await catalog.ask('charts.update', update);
    const { version, behind } = await catalog.ask('charts.publish', { scope, chartId });
    const planHash = sha256(JSON.stringify(chart([booth()])));
    expect(version).toEqual({ planHash, chartVersion: 2 });
    const region = 'western-europe';
    expect(behind.sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: 'one', region },
      { key: 'two', region },
    ]);
  });

  test('refuses a faulty chart with its issues, and the chart stays a draft', async () => {
    const doc = packed(chart([row({ categoryKey: 'unknown' })]));
    const { meta } = await catalog.ask('charts.create', { scope, name: 'Bad', doc });
    const refusal = await catalog.refusal('charts.publish', { scope, chartId: meta.id });
    expect(refusal.code).toBe('invalid_chart');
    expect(refusal.details?.issues).not.toHaveLength(0);
    expect((await catalog.ask('charts.get', { scope, chartId: meta.id })).meta.status).toBe('draft');
  });
});
