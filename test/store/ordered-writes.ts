/** The promises of writes in order on any store: the last writes happen only where each of the first stands. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Collection, Store, Write } from '../../services/catalog/src/store/store.ts';
import type { MakeDatabase, TestDatabase } from './adapters.ts';

const documents = { name: 'documents', indexes: {} } as Collection<{ text: string }>;
const positions = { name: 'positions', indexes: {} } as Collection<{ seq: number }>;
/** More than the embedded store puts into one transaction. */
const MANY = 1_500;

export function orderedWritesContract(makeDatabase: MakeDatabase): void {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await makeDatabase([documents, positions] as Collection<object>[]);
    store = await database.connect();
  });
  afterEach(() => database.remove());

  const write = (id: string, version: number | null): Write => {
    return { collection: documents, id, version, value: { text: `after ${version}` } };
  };
  const position = (id: string): Write[] => [{ collection: positions, id, version: null, value: { seq: 7 } }];
  const positionOf = async (id: string) => (await store.get(positions, id))?.value.seq;

  test('the last writes follow the first, and stand alone where there are no first', async () => {
    expect(await store.writeInOrder([write('a', null), write('b', null)], position('p'))).toEqual([
      'inserted',
      'inserted',
    ]);
    expect(await store.writeInOrder([write('a', 1)], position('q'))).toEqual(['replaced']);
    expect(await store.writeInOrder([], position('r'))).toEqual([]);
    expect([await positionOf('p'), await positionOf('q'), await positionOf('r')]).toEqual([7, 7, 7]);
    expect((await store.get(documents, 'a'))?.value).toEqual({ text: 'after 1' });
  });

  test('no last write follows where a first is stale or a duplicate; the other first ones stand', async () => {
    await store.insert(documents, 'a', { text: 'first' });
    expect(await store.writeInOrder([write('a', 7), write('b', null)], position('p'))).toEqual(['stale', 'inserted']);
    expect(await store.writeInOrder([write('c', null), write('a', null)], position('p'))).toEqual([
      'inserted',
      'duplicate',
    ]);
    expect(await positionOf('p')).toBeUndefined();
    expect(await store.getMany(documents, ['a', 'b', 'c'])).toHaveLength(3);
    expect((await store.get(documents, 'a'))?.value).toEqual({ text: 'first' });
  });

  test('the last writes follow thousands of first ones, however these are divided', async () => {
    const many = (name: string) => Array.from({ length: MANY }, (_, nth) => write(`${name}${nth}`, null));
    await store.insert(documents, 'm3', { text: 'first' });
    const written = await store.writeInOrder(many('m'), position('p'));
    expect(written.flatMap((how, nth) => (how === 'inserted' ? [] : [[nth, how]]))).toEqual([[3, 'duplicate']]);
    expect(await positionOf('p')).toBeUndefined();
    expect(new Set(await store.writeInOrder(many('n'), position('p')))).toEqual(new Set(['inserted']));
    expect(await positionOf('p')).toBe(7);
  });
}
