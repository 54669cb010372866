/** The lists of an event's bookings, on any store. */
import { setImmediate as turn } from 'node:timers/promises';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBooked } from '../../../services/catalog/src/history/log-pages.ts';
import type { Entry } from '../../../services/catalog/src/projections/entries.ts';
import { prepareViews } from '../../../services/catalog/src/projections/generations.ts';
import { createPayers } from '../../../services/catalog/src/projections/payers.ts';
import { projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { bucketId } from '../../../services/catalog/src/projections/rules/group-buckets.ts';
import { collections, generations, type Views, viewsOf } from '../../../services/catalog/src/store/collections.ts';
import {
  bucketsReadAtOnce,
  groupsPerBucket,
  logBytesReadMax,
  pageLimitMax,
} from '../../../services/catalog/src/store/rules/bounds.ts';
import type { Collection, Store } from '../../../services/catalog/src/store/store.ts';
import type { MakeDatabase, TestDatabase } from '../adapters.ts';
import { testCatalog } from '../test-catalog.ts';
import { booked, by, entry, stream } from './projections.ts';

const unbooked = (bookingRef: string, ...units: number[]): JournalRecord => {
  return { type: 'unbooked', callId: 'c', bookingRef, units, by };
};
type Filter = { state?: 'booked' | 'cancelled' | 'partially_cancelled'; q?: string };

export function bookingListsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    store = await database.connect();
  });
  afterEach(() => database.remove());

  const project = (...entries: Entry[]) => projectInto(viewsOf(1), entries);
  const projectInto = (views: Views, entries: Entry[]) => {
    const ports = { store, views, payers: createPayers(store, systemClock), announce: () => {} };
    return projectBatches(ports, [{ stream, entries }]);
  };

  /** The references of the whole list, read page by page. */
  const listed = async (filter: Filter = {}, limit = 2): Promise<string[]> => (await pagesOf(filter, limit)).flat();

  async function pagesOf(filter: Filter, limit: number): Promise<string[][]> {
    const catalog = testCatalog(store);
    const pages: string[][] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = { limit, ...(cursor !== undefined && { cursor }) };
      const answer = await catalog.ask('history.bookings', { eventKey: 'live', version: 0, page, ...filter });
      expect(answer.bookings.length).toBeLessThanOrEqual(limit);
      pages.push(answer.bookings.map(({ bookingRef }) => bookingRef));
      cursor = answer.nextCursor;
    }
    return pages;
  }

  /** The bucket of a sequence as a catalog of an earlier version wrote it. */
  async function makeEarlier(seq: number, buckets = viewsOf(1).groups): Promise<void> {
    const { id, version, value } = (await store.get(buckets, bucketId('live', seq)))!;
    const { booked: _booked, kinds: _kinds, ...earlier } = value;
    expect(await store.replace(buckets, id, version, earlier)).toBe('replaced');
  }

  const second = groupsPerBucket;
  const third = 2 * groupsPerBucket;

  async function sell(views = viewsOf(1)): Promise<void> {
    await projectInto(views, [
      entry(1, 'live', booked('a', 1, 2), booked('b', 3)),
      entry(2, 'other', booked('elsewhere', 1)),
      entry(second, 'live', unbooked('a', 1), booked('c', 4)),
      entry(second + 1, 'live', unbooked('b', 3), booked('a', 5)),
      entry(third, 'live', unbooked('c', 4)),
      entry(third + 1, 'live', booked('d', 6), booked('e', 7)),
    ]);
  }

  async function expectLists(): Promise<void> {
    expect(await listed()).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await listed({ state: 'booked' })).toEqual(['e', 'd']);
    expect(await listed({ state: 'cancelled' })).toEqual(['c', 'b']);
    expect(await listed({ state: 'partially_cancelled' })).toEqual(['a']);
    expect(await listed({ q: 'D' })).toEqual(['d']);
  }

  test('list each booking once, newest first by its first record, in its present state', async () => {
    await sell();
    await expectLists();
  });

  test('list bookings of buckets that an earlier version wrote, or began', async () => {
    await sell();
    for (const seq of [1, second, third]) await makeEarlier(seq);
    await expectLists();
    await project(entry(third + 2, 'live', booked('f', 8)));
    expect((await store.get(viewsOf(1).groups, bucketId('live', third)))!.value.booked).toBeUndefined();
    await project(entry(3 * groupsPerBucket, 'live', booked('g', 9)));
    expect(await listed()).toEqual(['g', 'f', 'e', 'd', 'c', 'b', 'a']);
    expect(await listed({ state: 'booked' })).toEqual(['g', 'f', 'e', 'd']);
  });

  test('list bookings of a later generation that an earlier version wrote', async () => {
    const views = viewsOf(2);
    const { byEvent } = views.groups.indexes;
    const earlier: Views = { ...views, groups: { ...views.groups, indexes: { byEvent } } as Views['groups'] };
    await store.insert(generations, 'journal', { current: 2, building: null, retired: [] });
    // The second time the collection was dropped, and is made again.
    for (let time = 0; time < 2; time++) {
      await sell(earlier);
      for (const seq of [1, second, third]) await makeEarlier(seq, earlier.groups);
      store = await database.connect();
      await prepareViews(store, views);
      await expectLists();
      for (const collection of Object.values(views)) await store.drop(collection);
    }
  });

  test('a list reads a bounded number of bytes of an earlier version for one answer, even without bookings', async () => {
    const labels = Array.from({ length: 20_000 }, (_, nth) => `${nth}`.padStart(60, 'Upper circle, row '));
    const rules = { front: { mode: 'hidden' as const, labels } };
    const set: JournalRecord = { type: 'availability-set', callId: 'c', rules, version: 1, by };
    const quiet = Array.from({ length: 24 }, (_, nth) => entry(nth + 2, 'live', set));
    await project(entry(1, 'live', booked('a', 1)), ...quiet, entry(26, 'live', booked('b', 2)));
    await makeEarlier(1);
    const pages = await pagesOf({}, 10);
    expect(pages.flat()).toEqual(['b', 'a']);
    expect(pages).toHaveLength(Math.ceil(24 / Math.floor(logBytesReadMax / encodeKept(set).length)));
    expect(pages[1]).toEqual([]);
  });

  test('a page counts the units that exchanges gave up, which a read shows too', async () => {
    const units = Array.from({ length: 10_000 }, (_, unit) => unit);
    const exchanged = (bookingRef: string): JournalRecord => {
      const sale = booked(bookingRef, ...units) as JournalRecord & { type: 'booked' };
      return { ...sale, type: 'exchanged', exchangeId: 'exc_1', units, reason: null };
    };
    const sales = ['a', 'b', 'c'].flatMap((ref, n) => [
      entry(2 * n + 1, 'live', booked(ref, ...units)),
      entry(2 * n + 2, 'live', exchanged(ref)),
    ]);
    await project(...sales);
    expect(await pagesOf({}, 10)).toEqual([['c', 'b'], ['a']]);
  });

  test('other work runs between two reads of buckets', async () => {
    const made = Array.from({ length: 5 * bucketsReadAtOnce }, (_, nth) =>
      entry(nth * groupsPerBucket + 1, 'live', booked(`order-${nth}`, nth)),
    );
    await project(...made);
    let turns = 0;
    let isListed = false;
    const listing = readBooked(store, viewsOf(1), 'live', { limit: pageLimitMax, before: undefined });
    void listing.finally(() => {
      isListed = true;
    });
    for (; !isListed; turns++) await turn();
    expect((await listing).entries).toHaveLength(made.length);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  test('list more bookings than are read from the store together', async () => {
    const count = 2 * pageLimitMax + 10;
    const made = Array.from({ length: count }, (_, nth) => entry(nth + 1, 'live', booked(`order-${nth}`, nth)));
    await project(...made);
    const newestFirst = made.map((_, nth) => `order-${nth}`).reverse();
    expect(await listed({}, 150)).toEqual(newestFirst);
    await project(...made.map((_, nth) => entry(count + nth + 1, 'live', unbooked(`order-${nth}`, nth))));
    expect(await listed({ state: 'cancelled' }, 150)).toEqual(newestFirst);
    expect(await listed({ state: 'booked' })).toEqual([]);
  });
}
