import type { Panorama } from '@parterre/shared/protocol/catalog/charts';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { panoramaManifests } from '../../../services/catalog/src/store/collections.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, packed, type TestCatalog, testCatalog } from '../../store/test-catalog.ts';
import { booth, chart, gaArea, point, row, section, table } from '../../support/charts.ts';

let database: TestDatabase;
let catalog: TestCatalog;
let scope: Scope;
let chartId: string;

const url = 'https://pictures.example/1.jpg';
const venue = chart([
  row({ overrides: [{ index: 2, skip: true }] }),
  table({ center: point(0, 300) }),
  table({ id: 'whole', label: 'W', bookAsWhole: true }),
  booth(),
  gaArea(),
  section({ logicalSectionId: 'west-all' }),
]);

beforeEach(async () => {
  database = await embeddedDatabase([]);
  catalog = testCatalog(await database.connect());
  scope = await organisationScope(catalog);
  chartId = (await catalog.ask('charts.create', { scope, name: 'Hall', doc: packed(venue) })).meta.id;
});
afterEach(() => database.remove());

const add = (...panoramas: Panorama[]) => catalog.ask('charts.add-panoramas', { scope, chartId, panoramas });
const refusal = (...panoramas: Panorama[]) => catalog.refusal('charts.add-panoramas', { scope, chartId, panoramas });

test('a manifest is stored whole, under the next version', async () => {
  const panoramas = [
    { id: 'all', url },
    { id: 'row', url, rowId: 'row-a' },
    { id: 'west', url, sectionId: 'west' },
    { id: 'west-all', url, sectionId: 'west-all' },
    { id: 'seats', url, seatIds: ['row-a:0', 'row-a:9', 'table-1:3', 'whole', 'booth-1:0', 'lawn'] },
  ];
  const { manifest } = await add(...panoramas);
  const id = expect.stringMatching(/^pan_[0-9A-Za-z]{22}$/);
  expect(manifest).toEqual({ id, chartId, version: 1, panoramas, createdAt: catalog.clock.time });
  expect((await add({ id: 'all', url })).manifest.version).toBe(2);
});

test('every unknown id is named, and nothing is stored', async () => {
  const refused = await refusal(
    { id: 'a', url, rowId: 'row-b' },
    { id: 'b', url, rowId: 'table-1' },
    { id: 'b', url, sectionId: 'east' },
    {
      id: 'c',
      url,
      seatIds: ['row-a:2', 'row-a:10', 'row-a:01', 'row-a', 'whole:0', 'booth-1:1', 'lawn:0', 'row-a:3'],
    },
  );
  expect(refused).toMatchObject({ code: 'invalid_request' });
  expect((refused.details!.issues as { path: string }[]).map(({ path }) => path)).toEqual([
    'panoramas.0.rowId',
    'panoramas.1.rowId',
    'panoramas.2.id',
    'panoramas.2.sectionId',
    ...[0, 1, 2, 3, 4, 5, 6].map((position) => `panoramas.3.seatIds.${position}`),
  ]);
  expect((await add({ id: 'all', url })).manifest.version).toBe(1);
});

test('an archived or unknown chart gets no manifest', async () => {
  const input = { scope, chartId, panoramas: [{ id: 'all', url }] };
  await catalog.ask('charts.archive', { scope, chartId });
  expect(await refusal(...input.panoramas)).toMatchObject({ code: 'conflict', reason: 'chart_archived' });
  const stranger = await organisationScope(catalog);
  expect(await catalog.refusal('charts.add-panoramas', { ...input, scope: stranger })).toMatchObject({
    code: 'chart_not_found',
  });
});

test('a deleted chart takes its manifests along', async () => {
  await add({ id: 'all', url });
  await add({ id: 'all', url });
  await catalog.ask('charts.delete', { scope, chartId });
  const query = { index: 'byChart', equal: [chartId], limit: 10 };
  expect((await catalog.store.page(panoramaManifests, query)).documents).toEqual([]);
});
