/** The lists of an event's bookings, on any store. */
import { setImmediate as turn } from 'node:timers/promises';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBooked } from '../../../services/catalog/src/history/log-pages.ts';
import type { Entry } from '../../../services/catalog/src/projections/entries.ts';
import { createEventOwners } from '../../../services/catalog/src/projections/event-owners.ts';
import { projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { collections, type Views, viewsOf } from '../../../services/catalog/src/store/collections.ts';
import { bucketsReadAtOnce, groupsPerBucket, pageLimitMax } from '../../../services/catalog/src/store/rules/bounds.ts';
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
    const ports = { store, views, owners: createEventOwners(store, systemClock), announce: () => {} };
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
