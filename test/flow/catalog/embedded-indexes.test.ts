import { expect, test } from 'vitest';
import { type IndexDatabase, moveIndexEntries } from '../../../services/catalog/src/store/embedded-indexes.ts';
import type { Collection } from '../../../services/catalog/src/store/store.ts';

type Ticket = { state: string; tags: string[]; at: number; note: string };

const tickets = {
  name: 'tickets',
  indexes: {
    byState: { fields: ['state'], order: 'at' },
    byTag: { fields: ['tags'], order: 'at' },
    byNews: { fields: ['state'], order: 'at', only: { field: 'state', values: ['sold', 'void'] } },
    byNote: { fields: ['note'], order: 'at', unique: true },
  },
} as Collection<Ticket>;

const before: Ticket = { state: 'open', tags: ['a', 'b'], at: 1, note: 'first' };

/** The writes of a replaced document with the id 7. */
function writesOf(changes: Partial<Ticket>): string[] {
  const writes: string[] = [];
  const database = {
    putSync: (key: unknown[]) => writes.push(`put ${key.slice(1).join(' ')}`),
    removeSync: (key: unknown[]) => writes.push(`remove ${key.slice(1).join(' ')}`),
  } as unknown as IndexDatabase;
  moveIndexEntries(database, tickets, '7', { before, after: { ...before, ...changes } });
  return writes;
}

test('a replaced document with its fields as before writes no index key, even with a list', () => {
  expect(writesOf({ tags: ['a', 'b'] })).toEqual([]);
});

test('only the places that changed are written', () => {
  expect(writesOf({ state: 'closed' })).toEqual(['remove byState open 1 7', 'put byState closed 1 7']);
  expect(writesOf({ note: 'second' })).toEqual(['remove byNote first', 'put byNote second']);
  expect(writesOf({ tags: ['b'] })).toEqual(['remove byTag a 1 7', 'remove byTag b 1 7', 'put byTag b 1 7']);
});

test('a document moves in each index that has its order', () => {
  expect(writesOf({ at: 2 }).filter((write) => write.startsWith('put'))).toEqual([
    'put byState open 2 7',
    'put byTag a 2 7',
    'put byTag b 2 7',
  ]);
});

test('a document has a place in an index of some values only while it has one of these values', () => {
  const sold = ['remove byState open 1 7', 'put byState sold 1 7', 'put byNews sold 1 7'];
  expect(writesOf({ state: 'sold' })).toEqual(sold);
  expect(writesOf({ at: 2 }).filter((write) => write.includes('byNews'))).toEqual([]);
});
