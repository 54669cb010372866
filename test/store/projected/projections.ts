/** The promises of the projections on any store, through every interruption of the counting catalog. */

import { textOfLink } from '@parterre/shared/protocol/journal/links';
import { natsPayloadBytesMin } from '@parterre/shared/protocol/limits';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Entry, entryOf } from '../../../services/catalog/src/projections/entries.ts';
import { createEventOwners } from '../../../services/catalog/src/projections/event-owners.ts';
import {
  beginRebuild,
  dropRetired,
  readGenerations,
  turnOver,
} from '../../../services/catalog/src/projections/generations.ts';
import { type Batch, projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { creditBalance } from '../../../services/catalog/src/projections/projected.ts';
import { collections, events, viewsOf } from '../../../services/catalog/src/store/collections.ts';
import { generationKeepMs, logBytesReadMax } from '../../../services/catalog/src/store/rules/bounds.ts';
import type { Collection, Store } from '../../../services/catalog/src/store/store.ts';
import { change, commitMessage } from '../../support/journal/stored-messages.ts';
import type { MakeDatabase, TestDatabase } from '../adapters.ts';
import { organisationScope, publishedChart, testCatalog } from '../test-catalog.ts';

export const stream = 'JOURNAL-5';
export const by = { source: 'server', actor: 'key' } as const;

/** Of a whole journal. */
export const whole = { halts: new Map(), endOf: async () => 0 };

export const booked = (bookingRef: string, ...units: number[]): JournalRecord => {
  const lines = units.map((unit) => ({ unit, price: 10 }));
  return { type: 'booked', callId: 'c', bookingRef, holdId: null, accessSource: 'public', lines, by };
};
const unbooked = (bookingRef: string, ...units: number[]): JournalRecord => {
  return { type: 'unbooked', callId: 'c', bookingRef, units, by };
};

const exchanged = (bookingRef: string, unit: number, other: number): JournalRecord => {
  const sale = booked(bookingRef, other) as JournalRecord & { type: 'booked' };
  return { ...sale, type: 'exchanged', exchangeId: 'exc_1', units: [unit], reason: null };
};

function refOf(record: JournalRecord): string | undefined {
  return 'bookingRef' in record ? record.bookingRef : undefined;
}

export function entry(seq: number, eventKey: string, ...records: JournalRecord[]): Entry {
  return entryOf(commitMessage(seq, [change(eventKey, 1_000 + seq, ...records)]));
}

export function projectionsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await makeDatabase(collections as readonly Collection<object>[]);
    store = await database.connect();
  });
  afterEach(() => database.remove());

  const project = (on: Store, entries: Entry[], generation = 1) => {
    const ports = {
      store: on,
      views: viewsOf(generation),
      owners: createEventOwners(on, systemClock),
      announce: () => {},
    };
    return projectBatches(ports, [{ stream, entries }] satisfies Batch[]);
  };

  /** A live event and a test event of an organisation with 100 credits, and their sales. */
  async function sales() {
    const catalog = testCatalog(store);
    const scope = await organisationScope(catalog, { mode: 'live' }, 100);
    const chartId = await publishedChart(catalog, scope);
    await catalog.ask('events.create', { scope, draft: { chartId, slug: 'live' } });
    await catalog.ask('events.create', { scope: { ...scope, mode: 'test' }, draft: { chartId, slug: 'free' } });
    expect((await store.getMany(events, ['live', 'free'])).map(({ value }) => value.mode).sort()).toEqual([
      'live',
      'test',
    ]);
    const many = Array.from({ length: 300 }, (_, unit) => unit);
    const journal = [
      entry(1, 'live', booked('a', 1, 2), booked('b', 3)),
      entry(2, 'free', booked('a', 1, 2, 3)),
      entry(3, 'live', unbooked('a', 1), booked('a', 4)),
      entry(130, 'live', unbooked('b', 3)),
      entry(131, 'live', booked('large', ...many)),
      entry(132, 'live', exchanged('a', 4, 301)),
      entry(133, 'live', exchanged('large', 7, 302)),
    ];
    const balance = async () => creditBalance(store, { id: scope.organisationId, value: (await organisation())! });
    const organisation = async () => (await store.get(collections[0], scope.organisationId))?.value;
    const told = async () => {
      const ask = { version: 0, page: {} };
      const bookings = (await catalog.ask('history.bookings', { ...ask, eventKey: 'live' })).bookings;
      const { entries } = await catalog.ask('history.log', { eventKey: 'live', version: 0, limit: 200 });
      const { event } = await catalog.ask('events.get', { eventKey: 'live' });
      return {
        sold: event.sold,
        credits: await balance(),
        bookings: bookings.map(({ bookingRef, state, entries: own }) => [bookingRef, state, own.length]),
        log: entries.map(({ record }) => record.type),
      };
    };
    return { journal, told };
  }

  const expected = {
    sold: 2 + 300,
    // An exchange uses none.
    credits: 100 - (2 + 1 + 1 + 300),
    bookings: [
      ['large', 'booked', 2],
      ['b', 'cancelled', 2],
      ['a', 'partially_cancelled', 4],
    ],
    log: ['exchanged', 'exchanged', 'booked', 'unbooked', 'booked', 'unbooked', 'booked', 'booked'],
  };

  test('count every group once, through every repeated read and every death of the process', async () => {
    const { journal, told } = await sales();
    // Dies before its nth operation on the store. The next run starts from the stored position, as a catalog does.
    for (let n = 1, counted = false; !counted; n++) {
      try {
        await project(dyingBefore(store, n), journal);
        counted = true;
      } catch (error) {
        expect(error).toBeInstanceOf(Died);
        // A catalog that knows nothing of it reads a part of it again.
        await project(withoutPositions(store), journal.slice(0, (n % journal.length) + 1));
      }
    }
    expect(await told()).toEqual(expected);
  });

  test('one write counts a batch and moves its position, and another only what another catalog overtook', async () => {
    const { journal, told } = await sales();
    let writes = 0;
    const counting: Store = {
      ...store,
      async writeInOrder(first, last) {
        // Another catalog counts the first two groups between the read and the write.
        if (writes++ === 0) await project(withoutPositions(store), journal.slice(0, 2));
        return store.writeInOrder(first, last);
      },
    };
    await project(counting, journal.slice(0, 3));
    expect(writes).toBe(2);
    await project(counting, journal);
    expect(writes).toBe(3);
    expect(await told()).toEqual(expected);
    await project(counting, journal);
    expect(writes).toBe(4);
    expect((await store.get(viewsOf(1).positions, stream))?.value.seq).toBe(133);
  });

  test('a sale from one booking to another is an entry of both', async () => {
    const catalog = testCatalog(store);
    const resale = { listingId: 'l', toBookingRef: 'buyer' };
    const sold: JournalRecord = { type: 'unbooked', callId: 'c', bookingRef: 'seller', units: [2], resale, by };
    await project(store, [entry(1, 'live', booked('seller', 1, 2)), entry(2, 'live', sold, booked('buyer', 2))]);
    const entriesOf = async (bookingRef: string) => {
      const { booking } = await catalog.ask('history.booking', { eventKey: 'live', version: 0, bookingRef });
      return [booking.state, ...booking.entries.map(({ record }) => `${record.type} ${refOf(record)}`)];
    };
    expect(await entriesOf('seller')).toEqual(['partially_cancelled', 'booked seller', 'unbooked seller']);
    expect(await entriesOf('buyer')).toEqual(['booked', 'unbooked seller', 'booked buyer']);
  });

  /** The whole log page by page: the ids, the size of each page's answer, and the records. */
  async function readLog(event: string) {
    const catalog = testCatalog(store);
    const [ids, sizes, records]: [number[], number[], JournalRecord[]] = [[], [], []];
    for (let before: number | undefined | null; before !== null; ) {
      const page = await catalog.ask('history.log', {
        eventKey: event,
        version: 0,
        limit: 200,
        ...(before !== undefined && { before }),
      });
      sizes.push(encodeKept(page).length);
      ids.push(...page.entries.map(({ id }) => id));
      records.push(...page.entries.map(({ record }) => record));
      before = page.nextBefore;
    }
    return { ids, sizes, records };
  }

  test('a page of the log ends before it is too large for one answer, even within a group, and all pages together are the whole log', async () => {
    const ids = Array.from({ length: 5_000 }, (_, nth) => `${nth}`.padStart(105, 'section-'));
    const sectionStates = Object.fromEntries(ids.map((id) => [id, 'closed' as const]));
    const states: JournalRecord = { type: 'configured', callId: 'c', sectionStates, by };
    const several = Array.from({ length: 5 }, () => states);
    await project(store, [
      entry(1, 'live', ...several),
      ...Array.from({ length: 7 }, (_, nth) => entry(nth + 2, 'live', states, booked(`order-${nth}`, nth))),
    ]);
    const log = await readLog('live');
    expect(log.sizes.length).toBeGreaterThan(2);
    expect(Math.max(...log.sizes)).toBeLessThan(natsPayloadBytesMin / 2);
    expect(log.ids).toEqual(log.ids.toSorted((one, other) => other - one));
    expect(new Set(log.ids).size).toBe(5 + 14);
  });

  test('the log shows rules without their labels and sales without their terms', async () => {
    const labels = Array.from({ length: 50_000 }, (_, nth) => `${nth}`.padStart(70, 'Upper circle, row '));
    const journal = Array.from({ length: 5 }, (_, nth) => {
      const rules = { front: { mode: 'hidden' as const, labels } };
      const set: JournalRecord = { type: 'availability-set', callId: 'c', rules, version: nth, by };
      const line = { unit: nth, price: 10, tierId: 't'.repeat(100) };
      return entry(nth + 1, 'live', set, { ...booked(`order-${nth}`), lines: [line] } as JournalRecord);
    });
    await project(store, journal);
    const log = await readLog('live');
    expect(Math.max(...log.sizes)).toBeLessThan(2_000);
    expect(log.records).toHaveLength(10);
    expect(log.records[0]).toMatchObject({ type: 'booked', lines: [{ unit: 4 }] });
    expect(log.records[1]).toMatchObject({ type: 'availability-set', rules: { front: { mode: 'hidden' } } });
  });

  test('a page of the log begins where the previous page was cut, and reads no group of that page again', async () => {
    const labels = Array.from({ length: 20_000 }, (_, nth) => `${nth}`.padStart(60, 'Upper circle, row '));
    const rules = { front: { mode: 'hidden' as const, labels } };
    const set: JournalRecord = { type: 'availability-set', callId: 'c', rules, version: 1, by };
    await project(
      store,
      Array.from({ length: 24 }, (_, nth) => entry(nth + 1, 'live', set)),
    );
    const log = await readLog('live');
    expect(log.ids).toHaveLength(24);
    expect(log.sizes).toHaveLength(Math.ceil(24 / Math.floor(logBytesReadMax / encodeKept(set).length)));
  });

  test('the log leaves out calls that unblocked nothing, and its pages are as long as without them', async () => {
    const catalog = testCatalog(store);
    const freed = (...units: number[]): JournalRecord => {
      return { type: 'unblocked', callId: 'c', units, reason: 'operator', by };
    };
    const records = [booked('a', 1), freed(), freed(7), freed(), booked('b', 2), freed()];
    await project(
      store,
      records.map((record, nth) => entry(nth + 1, 'live', record)),
    );
    const page = async (before?: number) =>
      catalog.ask('history.log', { eventKey: 'live', version: 0, limit: 2, ...(before !== undefined && { before }) });
    const first = await page();
    expect(first.entries.map(({ record }) => record.type)).toEqual(['booked', 'unblocked']);
    const second = await page(first.nextBefore!);
    expect(second).toMatchObject({ entries: [{ record: { type: 'booked', bookingRef: 'a' } }], nextBefore: null });
  });

  test('the log reads a bounded number of bytes for one answer, even without entries, and all pages together are the whole log', async () => {
    const freed: JournalRecord = { type: 'unblocked', callId: 'c'.repeat(850), units: [], reason: 'operator', by };
    const quiet = Array.from({ length: 20_000 }, (_, nth) => entry(nth + 2, 'live', freed));
    const journal = [entry(1, 'live', booked('a', 1)), ...quiet, entry(20_002, 'live', booked('b', 2))];
    for (let from = 0; from < journal.length; from += 1_000) await project(store, journal.slice(from, from + 1_000));
    const log = await readLog('live');
    expect(log.records.map(refOf)).toEqual(['b', 'a']);
    const bytes = quiet.length * encodeKept(freed).length;
    expect(log.sizes.length).toBeGreaterThan(bytes / logBytesReadMax);
  });

  test('a rebuild is read only once it has caught up, and then the old projections are deleted', async () => {
    const { journal, told } = await sales();
    await project(store, journal.slice(0, 4));
    const standing = viewsOf(1);
    const spoilt = (await store.get(standing.events, 'live'))!;
    await store.replace(standing.events, 'live', spoilt.version, { ...spoilt.value, sold: 77 });
    expect(await beginRebuild(store)).toMatchObject({ current: 1, building: 2 });
    expect(await beginRebuild(store)).toMatchObject({ current: 1, building: 2 });
    await project(store, journal.slice(0, 2), 2);
    await turnOver(store, [stream], 5, whole);
    expect((await told()).sold).toBe(77);
    await project(store, journal, 2);
    await turnOver(store, [stream], 5, whole);
    expect(await told()).toEqual(expected);
    await dropRetired(store, 4 + generationKeepMs);
    expect(await store.get(standing.events, 'live')).not.toBeNull();
    await dropRetired(store, 5 + generationKeepMs);
    expect(await store.get(standing.events, 'live')).toBeNull();
    expect(await readGenerations(store)).toEqual({ current: 2, building: null, retired: [] });
    expect(await told()).toEqual(expected);
  });

  test('a rebuild of a journal that lost counted records ends at the end of the journal that is there', async () => {
    const { journal } = await sales();
    await project(store, journal);
    await beginRebuild(store);
    const [first, ...others] = journal;
    await project(store, [first!], 2);
    const halts = new Map([[stream, null]]);
    const lost = { halts, endOf: async () => 2 };
    await turnOver(store, [stream], 5, lost);
    expect(await readGenerations(store)).toMatchObject({ current: 1, building: 2 });
    await project(store, [others[0]!], 2);
    await turnOver(store, [stream], 5, whole);
    expect(await readGenerations(store)).toMatchObject({ current: 1, building: 2 });
    await turnOver(store, [stream], 5, lost);
    expect(await readGenerations(store)).toMatchObject({ current: 2, building: null });
  });

  test('the counted parts of an event are told in order, byte for byte, and the events of a stream', async () => {
    const catalog = testCatalog(store);
    const journal = [3, 4, 200, 201].map((seq) => entry(seq, 'live', booked(`b${seq}`, 1)));
    const other = entry(202, 'other', booked('o', 1));
    expect(await catalog.ask('history.last-part', { eventKey: 'live', stream })).toBeNull();
    await project(store, [...journal, other]);
    const parts = journal.map(({ seq, groups }) => ({ sequence: seq, data: groups[0]!.data }));
    const asBytes = (told: { sequence: number; data: Uint8Array }[]) =>
      told.map(({ sequence, data }) => ({ sequence, data: Buffer.from(data) }));
    const told = async (after: number) => {
      const { parts: some, isCut } = await catalog.ask('history.parts', { eventKey: 'live', stream, after });
      expect(isCut).toBe(false);
      return asBytes(some);
    };
    expect(await told(0)).toEqual(asBytes(parts));
    expect(await told(3)).toEqual(asBytes(parts.slice(1)));
    const last = (await catalog.ask('history.last-part', { eventKey: 'live', stream }))!;
    expect(asBytes([last])).toEqual(asBytes(parts.slice(-1)));
    expect(await catalog.ask('history.last-part', { eventKey: 'live', stream: 'JOURNAL-9' })).toBeNull();
    const page = await catalog.ask('projections.events', { stream, after: null });
    expect(page).toEqual({ eventKeys: ['live', 'other'], isCut: false });
    expect((await catalog.ask('projections.events', { stream, after: 'live' })).eventKeys).toEqual(['other']);
  });

  test('the position of a stream names its last counted message', async () => {
    const catalog = testCatalog(store);
    expect(await catalog.ask('projections.position', { stream })).toBeNull();
    const last = entry(9, 'live', booked('a', 1));
    await project(store, [last]);
    expect(await catalog.ask('projections.position', { stream })).toEqual({ seq: 9, link: textOfLink(last.link) });
    await beginRebuild(store);
    expect(await catalog.ask('projections.position', { stream })).toMatchObject({ seq: 9 });
  });
}

class Died extends Error {}

function dyingBefore(store: Store, nth: number): Store {
  let operations = 0;
  const count = (): void => {
    operations++;
    if (operations === nth) throw new Died();
  };
  return {
    ...store,
    async getMany(...asked) {
      count();
      return store.getMany(...asked);
    },
    async writeInOrder(...asked) {
      count();
      return store.writeInOrder(...asked);
    },
  };
}

/** As a catalog sees the store that read its batch before another one moved the positions. */
function withoutPositions(store: Store): Store {
  const { positions } = viewsOf(1);
  return {
    ...store,
    async getMany(collection, ids) {
      return collection.name === positions.name ? [] : store.getMany(collection, ids);
    },
    writeInOrder: (first) => store.writeMany(first),
  };
}
