/** Imports of holders: pieces, repetitions, and processes that die before and behind the decision. */
import type { SeenRow } from '@parterre/shared/protocol/catalog/rights';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rights } from '../../../services/catalog/src/store/right-collections.ts';
import { importIdleMs } from '../../../services/catalog/src/store/rules/bounds.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { type RightsShop, rightsShop } from './rights-shop.ts';

let database: TestDatabase;
let shop: RightsShop;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  shop = await rightsShop(await database.connect());
});
afterEach(async () => {
  await Promise.all([shop.catalog.lifecycles.offers.engine.stop(), shop.catalog.lifecycles.imports.engine.stop()]);
  await database.remove();
});

const row = (label: string, more: Partial<SeenRow> = {}): SeenRow => ({
  rowId: label,
  holderRef: `holder-${label}`,
  priorPlanActivationId: 'before',
  priorContractRef: label,
  labels: [label],
  existingBookingRef: null,
  fault: null,
  isBooked: false,
  ...more,
});
const begin = async (callId: string, dryRun = false) => {
  const input = { ...shop.of, successorPlanActivationId: shop.plan, dryRun, callId };
  return (await shop.catalog.ask('rights.begin-import', input)).import.importId;
};
const send = (importId: string, at: number, ...rows: SeenRow[]) =>
  shop.catalog.ask('rights.import-rows', { seasonKey: shop.seasonKey, importId, at, rows });
const end = (importId: string, rowCount: number) =>
  shop.catalog.ask('rights.end-import', { seasonKey: shop.seasonKey, importId, rowCount, waitMs: 2_000 });
const read = async (importId: string) => (await shop.catalog.ask('rights.import', { ...shop.of, importId })).import;
const contracts = async () => {
  const page = { ...shop.of, versions: [], planActivationId: shop.plan, page: {} };
  return (await shop.catalog.ask('rights.contracts', page)).contracts;
};

test('an import of several pieces is committed once, in the order of its rows', async () => {
  const importId = await begin('call-1');
  await send(importId, 0, row('A-1'), row('A-2'));
  await send(importId, 2, row('A-3', { fault: { decision: 'conflict', errorCode: 'seat_held' } }), row('A-4'));
  expect(await contracts()).toEqual([]);
  await send(importId, 2, row('A-3', { fault: { decision: 'conflict', errorCode: 'seat_held' } }), row('A-4'));
  const told = await end(importId, 4);
  expect(told.import).toMatchObject({ state: 'committed', acceptedCount: 3, rejectedCount: 1, writtenCount: 3 });
  expect(await end(importId, 4)).toEqual(told);
  expect(await begin('call-1')).toBe(importId);
  expect((await contracts()).map(({ labels }) => labels)).toEqual([['A-1'], ['A-2'], ['A-4']]);
});

test('an import whose rows did not all arrive is not decided', async () => {
  const importId = await begin('call-1');
  await send(importId, 0, row('A-1'));
  const input = { seasonKey: shop.seasonKey, importId, rowCount: 2, waitMs: 0 };
  expect(await shop.catalog.refusal('rights.end-import', input)).toMatchObject({ code: 'overloaded', retryable: true });
  expect((await read(importId)).state).toBe('running');
});

test('an import whose front door died ends as rejected, and no right is written', async () => {
  const importId = await begin('call-1');
  await send(importId, 0, row('A-1'));
  shop.catalog.clock.time += importIdleMs + 10;
  shop.catalog.lifecycles.imports.engine.watch();
  await vi.waitFor(async () => expect((await read(importId)).state).toBe('rejected'));
  expect(await contracts()).toEqual([]);
});

test('an import whose catalog died while it wrote is carried on, and each right is written once', async () => {
  const { store } = shop.catalog;
  const { writeMany } = store;
  const importId = await begin('call-1');
  await send(importId, 0, row('A-1'), row('A-2'));
  await send(importId, 2, row('A-3'));
  // Half of the first piece stands when the process dies.
  store.writeMany = async (writes) => {
    await writeMany.call(store, writes.slice(0, 1));
    throw new Error('the process dies here');
  };
  await expect(end(importId, 3)).rejects.toThrow('dies here');
  expect(await read(importId)).toMatchObject({ state: 'running', writtenCount: 0 });
  store.writeMany = writeMany;
  shop.catalog.lifecycles.imports.engine.watch();
  await vi.waitFor(async () => expect(await read(importId)).toMatchObject({ state: 'committed', writtenCount: 3 }));
  const count = await store.page(rights, { index: 'byActivePlan', equal: [shop.plan], limit: 10 });
  expect(count.documents).toHaveLength(3);
});

test('a dry run and an import without an accepted row write no right', async () => {
  const dry = await begin('dry', true);
  await send(dry, 0, row('A-1'));
  expect((await end(dry, 1)).import).toMatchObject({ state: 'dry_run', acceptedCount: 1, committedAt: null });
  const bad = await begin('bad');
  await send(bad, 0, row('A-1', { fault: { decision: 'invalid', errorCode: 'label_not_found' } }));
  expect((await end(bad, 1)).import).toMatchObject({ state: 'rejected', rejectedCount: 1, committedAt: null });
  expect(await contracts()).toEqual([]);
});

test('of imports at the same moment one gives a seat, and the others tell the conflict', async () => {
  const ids = await Promise.all([begin('one'), begin('other'), begin('third')]);
  for (const [at, importId] of ids.entries()) {
    await send(importId, 0, row('A-1', { rowId: `${at}` }));
    await send(importId, 1, row(`B-${at}`));
  }
  const ended = (await Promise.all(ids.map((importId) => end(importId, 2)))).map((told) => told.import);
  expect(ended.map(({ state }) => state)).toEqual(['committed', 'committed', 'committed']);
  expect(ended.map(({ acceptedCount }) => acceptedCount).sort()).toEqual([1, 1, 2]);
  expect((await contracts()).flatMap(({ labels }) => labels).sort()).toEqual(['A-1', 'B-0', 'B-1', 'B-2']);
  const loser = ended.find(({ acceptedCount }) => acceptedCount === 1)!;
  const { rows } = await shop.catalog.ask('rights.rows', { ...shop.of, importId: loser.importId, at: 0 });
  expect(rows).toMatchObject([{ decision: 'conflict', errorCode: 'seat_claimed', contractId: null, rightId: null }]);
});

test('an import waits for an import that another process decides, and for its death too', async () => {
  const first = await begin('first');
  const second = await begin('second');
  for (const importId of [first, second]) await send(importId, 0, row('A-1', { rowId: importId }));
  const { store } = shop.catalog;
  const { writeMany } = store;
  store.writeMany = async () => {
    throw new Error('the process dies here');
  };
  await expect(end(first, 1)).rejects.toThrow('dies here');
  store.writeMany = writeMany;
  const input = { seasonKey: shop.seasonKey, importId: second, rowCount: 1, waitMs: 0 };
  expect((await shop.catalog.ask('rights.end-import', input)).import.state).toBe('running');
  shop.catalog.lifecycles.imports.engine.watch();
  await vi.waitFor(async () => expect((await read(second)).state).toBe('rejected'));
  expect((await read(first)).state).toBe('committed');
  expect(await contracts()).toHaveLength(1);
});

test('a seat of an active contract of the plan is claimed', async () => {
  await shop.holders('A-1');
  const importId = await begin('call-2');
  await send(importId, 0, row('A-1'), row('A-2'));
  await end(importId, 2);
  const { rows } = await shop.catalog.ask('rights.rows', { ...shop.of, importId, at: 0 });
  expect(rows.map(({ decision, errorCode }) => [decision, errorCode])).toEqual([
    ['conflict', 'seat_claimed'],
    ['accepted', null],
  ]);
});
