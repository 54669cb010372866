/** Imports in the catalog: an import has a chart, or it has failed, whenever the catalog or a front door dies. */
import { importMsMax } from '@parterre/shared/charts/chart-file-limits';
import type { ImportReport } from '@parterre/shared/charts/imports/imports';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../../services/catalog/src/store/store.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { organisationScope, type TestCatalog, tenSeats, testCatalog } from '../../store/test-catalog.ts';

let database: TestDatabase;
let store: Store;
let catalog: TestCatalog;
let scope: Awaited<ReturnType<typeof organisationScope>>;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  store = await database.connect();
  catalog = testCatalog(store);
  scope = await organisationScope(catalog);
});
afterEach(() => database.remove());

const chart = { name: 'Hall', doc: tenSeats, report: { format: 'csv' } as ImportReport };
const begin = async () => (await catalog.ask('chart-imports.begin', { scope, format: null, name: null })).import.id;
const read = async (importId: string) => (await catalog.ask('chart-imports.get', { scope, importId })).import;
const charts = async () => (await catalog.ask('charts.list', { scope, page: {} })).charts.length;

/** A catalog over the same store that dies after `writes` writes of an operation. */
function dying(writes: number): TestCatalog {
  let left = writes;
  const mortal = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (!['insert', 'replace', 'writeMany', 'writeInOrder', 'putBlob'].includes(String(name)))
        return value.bind(target);
      return (...input: unknown[]) => {
        if (left-- <= 0) throw new Error('killed');
        return value.apply(target, input);
      };
    },
  });
  const killed = testCatalog(mortal as Store);
  killed.clock.time = catalog.clock.time;
  return killed;
}

test('an import whose front door died fails when its time is up, and makes no chart any more', async () => {
  const importId = await begin();
  catalog.clock.time += importMsMax - 1;
  expect((await read(importId)).state).toBe('running');
  catalog.clock.time += 1;
  expect(await read(importId)).toMatchObject({ state: 'failed', chartId: null, failure: { code: 'timed_out' } });
  expect(await catalog.refusal('chart-imports.finish', { scope, importId, chart })).toMatchObject({
    reason: 'import_ended',
  });
  expect(await charts()).toBe(0);
});

test('a catalog that dies after any write leaves a whole chart, or none and a failed import', async () => {
  const outcomes: string[] = [];
  for (let writes = 0; writes < 8; writes++) {
    const before = await charts();
    const importId = await begin();
    const killed = dying(writes);
    await killed.ask('chart-imports.finish', { scope, importId, chart }).catch(() => {});
    const made = (await charts()) - before;
    const { state, chartId, report } = await read(importId);
    outcomes.push(`${state} ${made}`);
    expect([state, made, chartId !== null, report !== null]).toEqual(
      made === 1 ? ['done', 1, true, true] : ['running', 0, false, false],
    );
    // Told again, it ends with one chart; a repetition makes no second.
    await catalog.ask('chart-imports.finish', { scope, importId, chart });
    await catalog.ask('chart-imports.finish', { scope, importId, chart });
    expect([(await charts()) - before, (await read(importId)).state]).toEqual([1, 'done']);
  }
  expect(new Set(outcomes)).toEqual(new Set(['running 0', 'done 1']));
});

test('a saving import without its chart fails when its time is up', async () => {
  const importId = await begin();
  await dying(1)
    .ask('chart-imports.finish', { scope, importId, chart })
    .catch(() => {});
  catalog.clock.time += importMsMax;
  expect(await read(importId)).toMatchObject({ state: 'failed', report: null, failure: { code: 'timed_out' } });
  expect(await charts()).toBe(0);
});
