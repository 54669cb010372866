import type { Changed } from '@parterre/shared/protocol/catalog-api';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { systemClock } from '@parterre/shared/runtime/clock';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Entry, entryOf } from '../../../services/catalog/src/projections/entries.ts';
import { createEventOwners } from '../../../services/catalog/src/projections/event-owners.ts';
import { projectBatches } from '../../../services/catalog/src/projections/project-batches.ts';
import { projections, viewsOf } from '../../../services/catalog/src/store/collections.ts';
import type { Store } from '../../../services/catalog/src/store/store.ts';
import { embeddedDatabase, type TestDatabase } from '../../store/adapters.ts';
import { noLink } from '../../support/journal/links.ts';
import { change, commitMessage } from '../../support/journal/stored-messages.ts';

const by = { source: 'server', actor: null } as const;
const stream = 'JOURNAL-3';

function booked(units: number): JournalRecord {
  const lines = Array.from({ length: units }, (_, unit) => ({ unit, price: 10 }));
  return { type: 'booked', callId: 'call', bookingRef: 'b', holdId: null, accessSource: 'public', lines, by };
}

function unbooked(units: number): JournalRecord {
  return {
    type: 'unbooked',
    callId: 'call',
    bookingRef: 'b',
    units: Array.from({ length: units }, (_, unit) => unit),
    by,
  };
}

function entry(seq: number, eventKey: string | null, ...records: JournalRecord[]): Entry {
  if (eventKey === null) return { seq, link: noLink, before: noLink, late: null, identity: 'dep.1', groups: [] };
  return entryOf(commitMessage(seq, [change(eventKey, seq, ...records)]));
}

let database: TestDatabase;
let store: Store;
let announced: Changed[];
beforeEach(async () => {
  database = await embeddedDatabase([]);
  store = await database.connect();
  announced = [];
});
afterEach(() => database.remove());

const views = viewsOf(1);
const { positions } = views;
const portsOn = (on: Store) => ({
  store: on,
  views,
  owners: createEventOwners(on, systemClock),
  announce: (changed: Changed) => void announced.push(changed),
});
const read = (...entries: Entry[]) => projectBatches(portsOn(store), [{ stream, entries }]);
const soldOf = async (eventKey: string) => (await store.get(projections, eventKey))?.value.sold;

describe('sold', () => {
  test('is the booked less the unbooked units, event by event', async () => {
    await read(
      entry(1, null),
      entry(2, 'a', booked(3)),
      entry(3, 'b', booked(1)),
      entry(4, 'a', booked(2), unbooked(1)),
    );
    expect([await soldOf('a'), await soldOf('b')]).toEqual([4, 1]);
    expect((await store.get(positions, stream))?.value.seq).toBe(4);
  });

  test('is counted for the streams of several batches at once, and each position is stored', async () => {
    const batches = (from: number) => [
      { stream: 'JOURNAL-1', entries: [entry(from, 'a', booked(2))] },
      { stream: 'JOURNAL-2', entries: [entry(2 * from + 6, 'b', booked(3)), entry(2 * from + 7, null)] },
    ];
    for (const from of [1, 1, 2]) await projectBatches(portsOn(store), batches(from));
    expect([await soldOf('a'), await soldOf('b')]).toEqual([4, 6]);
    const kept = await store.getMany(positions, ['JOURNAL-1', 'JOURNAL-2']);
    expect(kept.map(({ id, value }) => [id, value.seq])).toEqual([
      ['JOURNAL-1', 2],
      ['JOURNAL-2', 11],
    ]);
  });

  test('does not change with other records', async () => {
    await read(entry(1, 'a', booked(2), { type: 'released', holdId: 'h', units: [5], by }));
    expect(await soldOf('a')).toBe(2);
  });

  test('is the same after repeated reads of the journal from any position', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: -3, max: 5 })), { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(11), fc.nat(12)), { maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        async (changes, rereads, batchSize) => {
          const local = await embeddedDatabase([]);
          store = await local.connect();
          const journal = changes.map(([key, units], i) =>
            entry(i + 1, key, units < 0 ? unbooked(-units) : booked(units)),
          );
          let reached = 0;
          const readOn = async (from: number, to: number) => {
            for (let at = from; at < to; at += batchSize)
              await read(...journal.slice(at, Math.min(at + batchSize, to)));
            reached = Math.max(reached, to);
          };
          // A reader never starts behind a gap: it starts at or before the position of some reader.
          for (const [from, length] of rereads)
            await readOn(Math.min(from, reached), Math.min(from + length, journal.length));
          await readOn(reached, journal.length);
          for (const key of ['a', 'b']) {
            const sold = changes.reduce((sum, [each, units]) => (each === key ? sum + units : sum), 0);
            expect((await soldOf(key)) ?? 0).toBe(sold);
          }
          await local.remove();
        },
      ),
      { numRuns: 40 },
    ));

  test('is counted once when two catalogs read the same journal at once', async () => {
    const second = await database.connect();
    const journal = Array.from({ length: 20 }, (_, i) => entry(i + 1, 'a', booked(2)));
    const readAll = async (on: Store) => {
      const local = portsOn(on);
      for (const each of journal) await projectBatches(local, [{ stream, entries: [each] }]);
    };
    await Promise.all([readAll(store), readAll(second)]);
    expect(await soldOf('a')).toBe(40);
    expect((await store.get(positions, stream))?.value.seq).toBe(20);
  });
});

test('status and hold TTL follow the journal, and a new status is announced once', async () => {
  const closed = entry(
    1,
    'a',
    { type: 'status-set', status: 'closed', by },
    { type: 'hold-ttl-set', holdTtlMs: 60_000, by },
  );
  await read(closed);
  await read(closed, entry(2, 'a', booked(1)));
  expect((await store.get(projections, 'a'))?.value).toEqual({
    stream,
    sold: 1,
    seq: 2,
    at: 2,
    status: 'closed',
    salesPaused: false,
    holdTtlMs: 60_000,
  });
  expect(announced).toEqual([{ kind: 'event', eventKey: 'a' }]);
});
