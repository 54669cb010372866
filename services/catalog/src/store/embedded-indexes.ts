/**
 * The index keys of the embedded store. A document has one key in each index, or one for each value of a list. All
 * functions that write run within a transaction of the caller, together with the write of the document.
 */
import type { Database, Key } from 'lmdb';
import type { Collection, Index, Indexed } from './store.ts';

/** [collection, index, ...fields, order, id] → id; without order and id for unique indexes. */
export type IndexDatabase = Database<string>;

type Fields = Record<string, Indexed | Indexed[] | undefined>;
type PrefixedIndex = Index & { prefix: readonly [collection: string, index: string] };
type PrefixedIndexes = { all: readonly PrefixedIndex[]; unique: readonly PrefixedIndex[] };

/** Made once for each collection: a document has a write for each of its places. */
const known = new WeakMap<Collection<object>, PrefixedIndexes>();

function placesOf(collection: Collection<object>): PrefixedIndexes {
  let places = known.get(collection);
  if (!places) {
    const { name, indexes } = collection;
    const all = Object.entries(indexes).map(([index, facts]): PrefixedIndex => ({ ...facts, prefix: [name, index] }));
    places = { all, unique: all.filter(({ unique }) => unique) };
    known.set(collection, places);
  }
  return places;
}

/** Whether a document other than `id` has the place of `value` in a unique index. */
export function hasUniqueConflict(
  index: IndexDatabase,
  collection: Collection<object>,
  id: string,
  value: object,
): boolean {
  for (const place of placesOf(collection).unique) {
    for (const key of keysOf(place, id, value as Fields)) {
      const taken = index.get(key);
      if (taken !== undefined && taken !== id) return true;
    }
  }
  return false;
}

export function putIndexEntries(index: IndexDatabase, collection: Collection<object>, id: string, value: object): void {
  for (const place of placesOf(collection).all) {
    for (const key of keysOf(place, id, value as Fields)) index.putSync(key, id);
  }
}

export function removeIndexEntries(
  index: IndexDatabase,
  collection: Collection<object>,
  id: string,
  value: object,
): void {
  for (const place of placesOf(collection).all) {
    for (const key of keysOf(place, id, value as Fields)) index.removeSync(key);
  }
}

/** Most replaced documents keep their places in the indexes. A place that stays costs no write. */
export function moveIndexEntries(
  index: IndexDatabase,
  collection: Collection<object>,
  id: string,
  { before, after }: { before: object; after: object },
): void {
  for (const place of placesOf(collection).all) {
    const left = keysOf(place, id, before as Fields);
    const taken = keysOf(place, id, after as Fields);
    if (areSame(left, taken)) continue;
    for (const key of left) index.removeSync(key);
    for (const key of taken) index.putSync(key, id);
  }
}

function areSame(some: readonly Key[][], others: readonly Key[][]): boolean {
  return (
    some.length === others.length &&
    some.every((key, at) => key.length === others[at]!.length && key.every((part, nth) => part === others[at]![nth]))
  );
}

/**
 * One key; for a field with a list, one key for each value in the list. None for a document that no query asks for
 * (`only`): each key costs a write.
 */
function keysOf({ prefix, fields, order, unique, only }: PrefixedIndex, id: string, value: Fields): Key[][] {
  if (only && !only.values.includes((value[only.field] ?? null) as Indexed)) return [];
  let keys: Indexed[][] = [[...prefix]];
  for (const field of fields) {
    const each = value[field] ?? null;
    if (Array.isArray(each)) keys = keys.flatMap((key) => each.map((one) => [...key, one]));
    else for (const key of keys) key.push(each);
  }
  if (!unique) for (const key of keys) key.push((value[order] ?? null) as Indexed, id);
  return keys.map(lmdbKey);
}

/** LMDB's keys may be null, which its types leave out. */
export function lmdbKey(parts: readonly (Indexed | Buffer)[]): Key[] {
  return parts as Key[];
}
