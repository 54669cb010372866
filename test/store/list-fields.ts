/** Fields with lists, and counts: the contract of every adapter of the store port. Runs on both adapters. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Collection, Store } from '../../services/catalog/src/store/store.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';

type Seat = { hall: string; kinds: string[]; at: number };

const seats = {
  name: 'listed-seats',
  indexes: {
    byHall: { fields: ['hall'], order: 'at' },
    byKind: { fields: ['hall', 'kinds'], order: 'at' },
  },
} as Collection<Seat>;

type Row = { hall: string; labels: string[]; at: number; bytes?: Uint8Array };

const rows = {
  name: 'listed-rows',
  indexes: {
    byLabel: { fields: ['labels'], order: 'at', unique: true },
    byHall: { fields: ['hall'], order: 'at' },
  },
} as Collection<Row>;

const seat = (kinds: string[], at: number, hall = 'h1'): Seat => ({ hall, kinds, at });

export function listFieldsContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await makeDatabase([seats, rows] as Collection<object>[]);
    store = await database.connect();
  });
  afterEach(() => database.remove());

  test('a document is found by each value of its list, and by no earlier value', async () => {
    const found = async (kind: string) =>
      (await store.page(seats, { index: 'byKind', equal: ['h1', kind], limit: 9 })).documents.map(({ id }) => id);
    await store.insert(seats, 's1', seat(['aisle', 'hearing'], 2));
    await store.insert(seats, 's2', seat(['aisle', 'aisle'], 1));
    await store.insert(seats, 's3', seat([], 3));
    expect([await found('aisle'), await found('hearing'), await found('')]).toEqual([['s2', 's1'], ['s1'], []]);
    expect((await store.get(seats, 's1'))?.value.kinds).toEqual(['aisle', 'hearing']);
    await store.replace(seats, 's1', 1, seat(['hearing'], 2));
    await store.delete(seats, 's2', 1);
    expect([await found('aisle'), await found('hearing')]).toEqual([[], ['s1']]);
    await store.replace(seats, 's1', 2, seat([], 2));
    expect(await found('hearing')).toEqual([]);
  });

  test('a count is the number of documents that an index finds after a place', async () => {
    for (let i = 0; i < 10; i++) await store.insert(seats, `s${i}`, seat(['aisle', 'hearing'], 1_000 + (i >> 1)));
    await store.insert(seats, 'elsewhere', seat(['aisle'], 1_000, 'h2'));
    const count = (above: number, hall = 'h1') => store.count(seats, { index: 'byHall', equal: [hall], above });
    const counts = [await count(0), await count(999), await count(1_000), await count(1_003), await count(1_004)];
    expect(counts).toEqual([10, 10, 8, 2, 0]);
    expect([await count(0, 'h2'), await count(0, 'h'), await count(0, 'x'.repeat(2_000))]).toEqual([1, 0, 0]);
    expect(await store.count(seats, { index: 'byKind', equal: ['h1', 'hearing'], above: 1_001 })).toBe(6);
  });

  test('no two documents share a value of a unique list, and each value finds its document', async () => {
    const row = (labels: string[], at: number): Row => ({ hall: 'h1', labels, at, bytes: new Uint8Array([at]) });
    const idsOf = async (...labels: string[]) => {
      return (await store.findMany(rows, 'byLabel', labels)).map(({ id }) => id).sort();
    };
    expect(await store.insert(rows, 'r1', row(['A-1', 'A-2'], 1))).toBe('inserted');
    const written = await store.writeMany([
      { collection: rows, id: 'r2', version: null, value: row(['B-1', 'A-2'], 2) },
      { collection: rows, id: 'r3', version: null, value: row(['C-1', 'C-2', 'C-3'], 3) },
    ]);
    expect(written).toEqual(['duplicate', 'inserted']);
    expect(await idsOf('A-2', 'B-1', 'C-1', 'C-3', 'x'.repeat(2_000))).toEqual(['r1', 'r3']);
    expect(await idsOf('B-1')).toEqual([]);
    expect(await idsOf()).toEqual([]);
    const [found] = await store.findMany(rows, 'byLabel', ['C-2']);
    expect(found).toMatchObject({ version: 1, value: { labels: ['C-1', 'C-2', 'C-3'] } });
    expect([...found!.value.bytes!]).toEqual([3]);
    await store.delete(rows, 'r1', 1);
    expect(await store.insert(rows, 'r4', row(['A-2'], 4))).toBe('inserted');
    expect(await idsOf('A-1', 'A-2')).toEqual(['r4']);
  });
}
