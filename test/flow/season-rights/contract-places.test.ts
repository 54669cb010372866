/** The contract of an exchanged booking, in catalogs that die in the middle or work at once. */
import { refuse } from '@parterre/shared/protocol/errors';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventOwners } from '../../../services/catalog/src/projections/event-owners.ts';
import { projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { viewsOf } from '../../../services/catalog/src/store/collections.ts';
import { rights } from '../../../services/catalog/src/store/right-collections.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { entry } from '../../store/projected/projections.ts';
import { tenSeats, testCatalog } from '../../store/test-catalog.ts';
import { operationRecords } from '../../support/operations/operation-records.ts';
import { type RightsShop, rightsShop } from './rights-shop.ts';

const views = viewsOf(1);
const bookingRef = 'ref-book';
let database: TestDatabase;
let shop: RightsShop;

beforeEach(async () => {
  database = await embeddedDatabase([]);
  shop = await rightsShop(await database.connect());
  await shop.catalog.store.putBlob('p', tenSeats);
  for (const eventKey of shop.eventKeys) {
    shop.answers.set(eventKey, () => refuse('shard_unavailable', 'silent', { retryable: true }));
  }
  await project(1, (eventKey) => [...sale().held(eventKey, 0), ...sale().booked(eventKey, 'book', 0)]);
});
afterEach(() => database.remove());

const owner = () => ({ kind: 'season' as const, key: shop.seasonKey });
function sale() {
  const records = operationRecords(owner(), 'sop_1', shop.eventKeys);
  records.head.planActivationId = shop.plan;
  return records;
}
/** One group of each event, at this sequence of its own partition. */
async function project(seq: number, recordsOf: (eventKey: string) => JournalRecord[]): Promise<void> {
  const { store, clock } = shop.catalog;
  const batches = shop.eventKeys.map((eventKey) => {
    return { stream: `JOURNAL-${eventKey}`, entries: [entry(seq, eventKey, ...recordsOf(eventKey))] };
  });
  await projectBatches({ store, views, owners: createEventOwners(store, clock), announce: () => {} }, batches);
}
const exchange = (seq: number, unit: number, other: number): Promise<void> =>
  project(seq, () => {
    const by = { source: 'server', actor: 'key' } as const;
    const sides = { exchangeId: `exc_${seq}`, units: [unit], lines: [{ unit: other, price: 10 }], reason: null };
    return [{ type: 'exchanged', callId: `c-${seq}`, bookingRef, holdId: null, accessSource: 'public', ...sides, by }];
  });
const settle = (catalog = shop.catalog) => catalog.lifecycles.following.engine.settleOwner(owner(), shop.eventKeys);
const contracts = async () =>
  (await shop.catalog.ask('rights.lookup', { ...shop.of, versions: [], bookingRef, holderRef: null })).contracts;
const due = (collection: typeof views.bookings | typeof views.operations) =>
  shop.catalog.store.count(collection, { index: 'due', equal: [true], above: 0 });

/** The catalog dies at its next write of a document of this collection. */
function dieAt(name: string): () => void {
  const { store } = shop.catalog;
  const { replace } = store;
  store.replace = async (collection, ...more) => {
    if (collection.name === name) throw new Error('the process dies here');
    return replace.call(store, collection, ...more);
  };
  return () => {
    store.replace = replace;
  };
}

test.each([
  ['before the contract is written', rights.name],
  ['behind the contract', views.bookings.name],
])('a catalog that dies %s leaves the rest to another catalog', async (_, name) => {
  await settle();
  expect(await contracts()).toMatchObject([{ labels: ['A-1'] }]);
  await exchange(2, 0, 4);
  const revive = dieAt(name);
  await settle();
  revive();
  expect(await due(views.bookings)).toBe(shop.eventKeys.length);
  await settle(testCatalog(await database.connect()));
  expect(await contracts()).toMatchObject([{ labels: ['A-5'], state: 'active' }]);
  const { documents } = await shop.catalog.store.page(rights, { index: 'byActivePlan', equal: [shop.plan], limit: 2 });
  expect(documents.map(({ value }) => value.labels)).toEqual([['A-5']]);
  expect(await due(views.bookings)).toBe(0);
});

test('a contract that is made behind the exchange has the new places, also when its catalog died in between', async () => {
  await exchange(2, 0, 4);
  // The exchange is followed before there is a contract.
  await shop.catalog.lifecycles.following.engine.settleOwner({ kind: 'season', key: 'sea_other' }, shop.eventKeys);
  expect(await due(views.bookings)).toBe(0);
  const revive = dieAt(rights.name);
  await settle();
  expect(await contracts()).toMatchObject([{ labels: ['A-1'] }]);
  revive();
  await Promise.all([settle(), settle(testCatalog(await database.connect()))]);
  expect(await contracts()).toMatchObject([{ labels: ['A-5'] }]);
  expect(await due(views.operations)).toBe(0);
});

test('two catalogs at once never take newer places back', async () => {
  const other = testCatalog(await database.connect());
  await settle();
  for (let seq = 2; seq < 8; seq++) {
    const both = Promise.all([settle(), settle(other)]);
    await exchange(seq, seq - 2, seq - 1);
    await both;
  }
  await settle();
  expect(await contracts()).toMatchObject([{ labels: ['A-7'] }]);
});
