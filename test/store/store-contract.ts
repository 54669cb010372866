/** The contract of every adapter of the store port. Run by embedded-store.test.ts and mongo-store.test.ts. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Position } from '../../services/catalog/src/store/rules/paging.ts';
import type { Collection, Store } from '../../services/catalog/src/store/store.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';

type Seat = { hall: string; label: string; free: boolean; owner: string | null; at: number; notes?: string[] };

const seats = {
  name: 'seats',
  indexes: {
    byLabel: { fields: ['hall', 'label'], order: 'at', unique: true },
    byHall: { fields: ['hall', 'free'], order: 'at' },
    byOwner: { fields: ['hall', 'owner'], order: 'at' },
  },
} as Collection<Seat>;

/** The same collection in an earlier release. */
const seatsBefore = { name: 'seats', indexes: { byOwner: { fields: ['free'], order: 'at' } } } as Collection<Seat>;

const others = { name: 'others', indexes: {} } as Collection<{ text: string; bytes?: Uint8Array }>;

function seat(label: string, more: Partial<Seat> = {}): Seat {
  return { hall: 'h1', label, free: true, owner: null, at: 1_800_000_000_000, ...more };
}

const MIB = 1024 * 1024;

export function storeContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await makeDatabase([seats, others] as Collection<object>[]);
    store = await database.connect();
  });
  afterEach(() => database.remove());

  describe('documents', () => {
    test('an inserted document is found with version 1 and its value', async () => {
      const value = seat('A-1', { notes: ['aisle', ''] });
      expect(await store.insert(seats, 's1', value)).toBe('inserted');
      expect(await store.get(seats, 's1')).toEqual({ id: 's1', version: 1, value });
    });

    test('a missing document is null, and the same id in another collection is another document', async () => {
      await store.insert(others, 's1', { text: 'other' });
      expect(await store.get(seats, 's1')).toBeNull();
    });

    test('a taken id is a duplicate, and the first document stays', async () => {
      await store.insert(seats, 's1', seat('A-1'));
      expect(await store.insert(seats, 's1', seat('A-2'))).toBe('duplicate');
      expect((await store.get(seats, 's1'))?.value.label).toBe('A-1');
    });

    test('a taken unique value is a duplicate, and nothing of the second document is stored', async () => {
      await store.insert(seats, 's1', seat('A-1'));
      expect(await store.insert(seats, 's2', seat('A-1'))).toBe('duplicate');
      expect(await store.get(seats, 's2')).toBeNull();
      expect((await store.page(seats, { index: 'byHall', equal: ['h1', true], limit: 9 })).documents).toHaveLength(1);
    });

    test('a unique index is over all of its fields together', async () => {
      await store.insert(seats, 's1', seat('A-1'));
      expect(await store.insert(seats, 's2', seat('A-1', { hall: 'h2' }))).toBe('inserted');
    });

    test.each(['x', '\u0001', '\u{1F3AD}'])(
      'a value longer than every stored one finds nothing (%j)',
      async (character) => {
        await store.insert(seats, 's1', seat('A-1'));
        for (const length of [400, 900, 1_000, 2_000, 20_000]) {
          const long = character.repeat(length);
          expect(await store.get(seats, long)).toBeNull();
          expect(await store.getMany(seats, [long, 's1'])).toHaveLength(1);
          expect(await store.getBlob(long)).toBeNull();
          for (const query of [
            { index: 'byHall', equal: [long, true] },
            { index: 'byLabel', equal: ['h1', long] },
          ]) {
            expect(await store.page(seats, { ...query, limit: 9 })).toEqual({ documents: [], next: null });
            expect((await store.page(seats, { ...query, limit: 9, descending: true })).documents).toEqual([]);
          }
        }
      },
    );

    test('one call reads many documents and leaves out missing ids', async () => {
      await store.insert(seats, 's1', seat('A-1'));
      await store.insert(seats, 's2', seat('A-2'));
      const found = await store.getMany(seats, ['s2', 'nobody', 's1']);
      expect(found.map(({ id }) => id).sort()).toEqual(['s1', 's2']);
      expect(await store.getMany(seats, [])).toEqual([]);
    });
  });

  describe('replace and delete', () => {
    beforeEach(() => store.insert(seats, 's1', seat('A-1')));

    test('a replace of the current version writes the value under the next version', async () => {
      expect(await store.replace(seats, 's1', 1, seat('A-1', { free: false }))).toBe('replaced');
      expect(await store.get(seats, 's1')).toEqual({ id: 's1', version: 2, value: seat('A-1', { free: false }) });
    });

    test('a replace of another version, or of a missing document, is stale and writes nothing', async () => {
      await store.replace(seats, 's1', 1, seat('A-1', { owner: 'first' }));
      expect(await store.replace(seats, 's1', 1, seat('A-1', { owner: 'second' }))).toBe('stale');
      expect((await store.get(seats, 's1'))?.value.owner).toBe('first');
      expect(await store.replace(seats, 'nobody', 1, seat('Z-1'))).toBe('stale');
      expect(await store.get(seats, 'nobody')).toBeNull();
    });

    test('a replace that would take a unique value from another document is a duplicate and writes nothing', async () => {
      await store.insert(seats, 's2', seat('A-2'));
      expect(await store.replace(seats, 's2', 1, seat('A-1'))).toBe('duplicate');
      expect(await store.get(seats, 's2')).toEqual({ id: 's2', version: 1, value: seat('A-2') });
    });

    test('indexes follow a replace: the old values find nothing and are free again', async () => {
      await store.replace(seats, 's1', 1, seat('B-1', { free: false }));
      expect((await store.page(seats, { index: 'byHall', equal: ['h1', true], limit: 9 })).documents).toEqual([]);
      expect((await store.page(seats, { index: 'byHall', equal: ['h1', false], limit: 9 })).documents).toHaveLength(1);
      expect((await store.page(seats, { index: 'byLabel', equal: ['h1', 'A-1'], limit: 9 })).documents).toEqual([]);
      expect(await store.insert(seats, 's2', seat('A-1'))).toBe('inserted');
    });

    test('each of many writes succeeds or fails by itself, and has its own result', async () => {
      await store.insert(seats, 's2', seat('A-2'));
      await store.insert(seats, 's3', seat('A-3'));
      const results = await store.writeMany([
        { collection: seats, id: 's1', version: 1, value: seat('A-1', { owner: 'first' }) },
        { collection: seats, id: 's2', version: 7, value: seat('A-2', { owner: 'late' }) },
        { collection: seats, id: 's3', version: 1, value: seat('A-1') },
        { collection: seats, id: 'nobody', version: 1, value: seat('Z-1') },
      ]);
      expect(results).toEqual(['replaced', 'stale', 'duplicate', 'stale']);
      expect(await store.get(seats, 's1')).toMatchObject({ version: 2, value: { owner: 'first' } });
      expect(await store.get(seats, 's2')).toEqual({ id: 's2', version: 1, value: seat('A-2') });
      expect(await store.get(seats, 's3')).toEqual({ id: 's3', version: 1, value: seat('A-3') });
      expect(await store.get(seats, 'nobody')).toBeNull();
    });

    test('writes to several collections at once report duplicates and store the rest', async () => {
      const bytes = new Uint8Array([0, 1, 255]);
      const results = await store.writeMany([
        { collection: seats, id: 's1', version: null, value: seat('A-7') },
        { collection: others, id: 's1', version: null, value: { text: 'other', bytes } },
        { collection: seats, id: 's5', version: null, value: seat('A-1') },
        { collection: seats, id: 's4', version: null, value: seat('A-4') },
        { collection: seats, id: 's1', version: 1, value: seat('A-1', { free: false }) },
      ]);
      expect(results).toEqual(['duplicate', 'inserted', 'duplicate', 'inserted', 'replaced']);
      expect(await store.get(seats, 's4')).toEqual({ id: 's4', version: 1, value: seat('A-4') });
      expect((await store.get(seats, 's1'))?.value).toEqual(seat('A-1', { free: false }));
      expect(await store.get(seats, 's5')).toBeNull();
      const other = (await store.get(others, 's1'))!.value;
      expect([other.text, ...other.bytes!]).toEqual(['other', 0, 1, 255]);
      expect(await store.writeMany([])).toEqual([]);
    });

    test('thousands of writes at once are stored, even where some documents existed', async () => {
      const many = Array.from({ length: 2_500 }, (_, i) => ({
        collection: seats,
        id: `m${i}`,
        version: null,
        value: seat(`M-${i}`, { hall: 'h3' }),
      }));
      await store.writeMany(many.slice(1_000, 1_003));
      const results = await store.writeMany(many);
      expect(results.flatMap((how, i) => (how === 'duplicate' ? [i] : []))).toEqual([1_000, 1_001, 1_002]);
      expect((await store.page(seats, { index: 'byHall', equal: ['h3', true], limit: 9_999 })).documents).toHaveLength(
        2_500,
      );
    });

    test('a dropped collection is empty, its unique values are free, and no other is touched', async () => {
      const late = { name: 'seats-2', indexes: seats.indexes } as Collection<Seat>;
      await store.prepare(late);
      await store.prepare(late);
      for (let i = 0; i < 5; i++) await store.insert(late, `s${i}`, seat(`A-${i}`));
      expect(await store.insert(late, 's9', seat('A-1'))).toBe('duplicate');
      await store.drop(late);
      await store.drop(late);
      expect(await store.get(late, 's1')).toBeNull();
      expect((await store.page(late, { index: 'byHall', equal: ['h1', true], limit: 9 })).documents).toEqual([]);
      await store.prepare(late);
      expect(await store.insert(late, 's9', seat('A-1'))).toBe('inserted');
      expect((await store.get(seats, 's1'))?.value).toEqual(seat('A-1'));
    });

    test("a delete needs the current version, and frees the document's unique values", async () => {
      expect(await store.delete(seats, 's1', 2)).toBe('stale');
      expect(await store.get(seats, 's1')).not.toBeNull();
      expect(await store.delete(seats, 's1', 1)).toBe('deleted');
      expect(await store.delete(seats, 's1', 1)).toBe('stale');
      expect(await store.get(seats, 's1')).toBeNull();
      expect((await store.page(seats, { index: 'byHall', equal: ['h1', true], limit: 9 })).documents).toEqual([]);
      expect(await store.insert(seats, 's2', seat('A-1'))).toBe('inserted');
    });
  });

  describe('pages', () => {
    /** Ten seats in five pairs that share a time. */
    beforeEach(async () => {
      for (let i = 9; i >= 0; i--) await store.insert(seats, `s${i}`, seat(`A-${i}`, { at: 1_000 + (i >> 1) }));
      await store.insert(seats, 'held', seat('B-1', { free: false }));
      await store.insert(seats, 'elsewhere', seat('A-1', { hall: 'h2' }));
      await store.insert(seats, 'nearby', seat('A-1', { hall: 'h' }));
    });

    async function idsOf(descending: boolean, limit: number): Promise<string[]> {
      const ids: string[] = [];
      let after: Position | undefined;
      do {
        const page = await store.page(seats, { index: 'byHall', equal: ['h1', true], descending, limit, after });
        expect(page.documents.length).toBeLessThanOrEqual(limit);
        ids.push(...page.documents.map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after);
      return ids;
    }

    const ascending = ['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9'];

    test.each([1, 3, 5, 10, 11])(
      'pages of %i give every match once, in the order of the index, equal values by id',
      async (limit) => {
        expect(await idsOf(false, limit)).toEqual(ascending);
        expect(await idsOf(true, limit)).toEqual(ascending.toReversed());
      },
    );

    test('the last page has no continuation, even when it is full', async () => {
      const page = await store.page(seats, { index: 'byHall', equal: ['h1', true], limit: 10 });
      expect(page.documents).toHaveLength(10);
      expect(page.next).toBeNull();
    });

    test('an insert before a position does not move the pages after it', async () => {
      const query = { index: 'byHall', equal: ['h1', true], descending: true, limit: 4 };
      const first = await store.page(seats, query);
      await store.insert(seats, 'newest', seat('C-1', { at: 9_000 }));
      await store.delete(seats, 's6', 1);
      const second = await store.page(seats, { ...query, after: first.next! });
      expect(second.documents.map(({ id }) => id)).toEqual(['s5', 's4', 's3', 's2']);
    });

    test('an index finds null like any other value', async () => {
      await store.insert(seats, 'owned', seat('D-1', { owner: 'ada' }));
      const owned = await store.page(seats, { index: 'byOwner', equal: ['h1', 'ada'], limit: 99 });
      expect(owned.documents.map(({ id }) => id)).toEqual(['owned']);
      const free = await store.page(seats, { index: 'byOwner', equal: ['h1', null], limit: 99 });
      expect(free.documents).toHaveLength(11);
    });

    test('a unique index finds its one document', async () => {
      const { documents, next } = await store.page(seats, { index: 'byLabel', equal: ['h1', 'A-3'], limit: 1 });
      expect(documents.map(({ id }) => id)).toEqual(['s3']);
      expect(next).toBeNull();
    });
  });

  describe('blobs', () => {
    test.each([
      ['no bytes', 0],
      ['some bytes', 1_000],
      ['20 MiB, more than MongoDB puts in a document', 20 * MIB],
      ['a whole number of chunks', 16 * MIB],
    ])('%s come back as they were', async (_name, size) => {
      const bytes = randomBytes(size);
      await store.putBlob('b1', bytes);
      expect(Buffer.from((await store.getBlob('b1'))!).equals(bytes)).toBe(true);
    });

    test('storing the same bytes again is harmless, and a deleted blob is gone', async () => {
      const bytes = randomBytes(9 * MIB);
      await store.putBlob('b1', bytes);
      await store.putBlob('b1', bytes);
      expect(Buffer.from((await store.getBlob('b1'))!).equals(bytes)).toBe(true);
      await store.deleteBlob('b1');
      expect(await store.getBlob('b1')).toBeNull();
      await store.deleteBlob('b1');
    });
  });

  describe('two catalogs on one database', () => {
    test("see each other's writes", async () => {
      const second = await database.connect();
      await store.insert(seats, 's1', seat('A-1'));
      expect((await second.get(seats, 's1'))?.value.label).toBe('A-1');
      expect(await second.insert(seats, 's1', seat('A-2'))).toBe('duplicate');
    });

    test('exactly one of racing inserts under one unique value succeeds', async () => {
      const stores = [store, await database.connect()];
      const outcomes = await Promise.all(
        Array.from({ length: 16 }, (_, i) => stores[i % 2]!.insert(seats, `s${i}`, seat('A-1'))),
      );
      expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
      expect((await store.page(seats, { index: 'byHall', equal: ['h1', true], limit: 99 })).documents).toHaveLength(1);
    });

    test('exactly one of racing replaces of one version succeeds, and no increment is lost', async () => {
      const stores = [store, await database.connect()];
      await store.insert(seats, 's1', seat('A-1', { at: 0 }));
      const increment = async (on: Store): Promise<void> => {
        for (;;) {
          const found = (await on.get(seats, 's1'))!;
          const next = { ...found.value, at: found.value.at + 1 };
          if ((await on.replace(seats, 's1', found.version, next)) === 'replaced') return;
        }
      };
      await Promise.all(Array.from({ length: 12 }, (_, i) => increment(stores[i % 2]!)));
      expect(await store.get(seats, 's1')).toMatchObject({ version: 13, value: { at: 12 } });
    });
  });

  test('documents survive when the database is closed and opened again', async () => {
    await store.insert(seats, 's1', seat('A-1'));
    await store.putBlob('b1', Buffer.from('bytes'));
    await store.close();
    const again = await database.connect();
    expect((await again.get(seats, 's1'))?.value.label).toBe('A-1');
    expect(Buffer.from((await again.getBlob('b1'))!).toString()).toBe('bytes');
  });

  test("older documents are found by a collection's new indexes, and no longer by its old ones", async () => {
    const before = await database.connect([seatsBefore]);
    for (const label of ['A-1', 'A-2', 'A-3']) await before.insert(seatsBefore, label, seat(label, { owner: 'ann' }));
    const [one, two] = await Promise.all([database.connect(), database.connect()]);
    for (const opened of [one, two]) {
      const { documents } = await opened.page(seats, { index: 'byOwner', equal: ['h1', 'ann'], limit: 9 });
      expect(documents.map(({ id }) => id)).toEqual(['A-1', 'A-2', 'A-3']);
      expect((await opened.page(seats, { index: 'byOwner', equal: ['h1', null], limit: 9 })).documents).toEqual([]);
      expect(await opened.insert(seats, 'again', seat('A-2'))).toBe('duplicate');
    }
    await one.delete(seats, 'A-1', 1);
    expect((await two.page(seats, { index: 'byHall', equal: ['h1', true], limit: 9 })).documents).toHaveLength(2);
  });
}
