/**
 * The store port on LMDB, for one machine and no server to install. Several processes of one machine may open one folder.
 *
 * Writes use synchronous transactions: they are flushed when they return, LMDB's own lock makes check and write one
 * step, and a callback transaction of lmdb 3.5 was seen never to end on Node 20. They hold the event loop for one
 * flush, which suits a store that is not on the path of a sale.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Database, type Key, open } from 'lmdb';
import {
  type Collection,
  type CountQuery,
  cutPage,
  type Index,
  type Indexed,
  type PageQuery,
  type Position,
  type Replaced,
  type Store,
  type Stored,
  type Write,
  type Written,
} from './store.ts';

type Entry = { version: number; value: object };
type Databases = {
  documents: Database<Entry, [string, string]>;
  /** [collection, index, ...fields, order, id] → id; without order and id for unique indexes. */
  index: Database<string>;
  blobs: Database<Buffer, string>;
};

/**
 * Of the texts in a key that is looked for. LMDB refuses keys beyond 1,978 bytes, a byte of a text may take two, and nothing
 * is kept under a key that comes near it: so a longer one finds nothing.
 */
const KEY_TEXT_BYTES_MAX = 900;
/** Sorts after every string, number, boolean and null in LMDB's ordered keys. */
const LAST = Buffer.from([0xff]);
/** The address space LMDB may use; the file grows as it is needed. */
const MAP_BYTES = 64 * 1024 ** 3;
/** Documents of one transaction: it holds the event loop, and others have their turn between two. */
const WRITES_AT_ONCE = 1_000;
/** The same where they are deleted: each is read for its index keys, and may be large. */
const DELETES_AT_ONCE = 50;

/** Opens the store in `folder`, which is made when it is not there, and brings the indexes of these collections up to date. */
export function openEmbeddedStore(folder: string, collections: readonly Collection<object>[]): Store {
  const root = open({ path: folder, noSubdir: false, mapSize: MAP_BYTES });
  const databases: Databases = {
    documents: root.openDB({ name: 'documents' }),
    index: root.openDB({ name: 'index' }),
    blobs: root.openDB({ name: 'blobs', encoding: 'binary' }),
  };
  updateIndexes(databases, root.openDB({ name: 'index-definitions' }), collections);
  const { documents, blobs } = databases;
  let closed = false;
  /** Reads share a view of the database for a turn or more; what another process has just written must be seen (a revoked key). */
  const fresh = () => {
    if (closed) throw new Error('The store is closed.');
    root.resetReadTxn();
    return databases;
  };

  return {
    async insert(collection, id, value) {
      return documents.transactionSync(() => insert(databases, collection, id, value));
    },
    async get(collection, id) {
      return read(fresh(), collection, id);
    },
    async getMany(collection, ids) {
      fresh();
      return ids.map((id) => read(databases, collection, id)).filter((found) => found !== null);
    },
    async replace(collection, id, version, value) {
      return documents.transactionSync(() => replace(databases, collection, { id, version, value }));
    },
    async writeMany(writes) {
      const written: Written[] = [];
      for (let at = 0; at < writes.length; at += WRITES_AT_ONCE) {
        if (at > 0) await turn();
        const some = writes.slice(at, at + WRITES_AT_ONCE);
        written.push(...documents.transactionSync(() => some.map((one) => writeOne(databases, one))));
      }
      return written;
    },
    async delete(collection, id, version) {
      return documents.transactionSync(() => remove(databases, collection, id, version));
    },
    async deleteMany(collection, many) {
      let deleted = 0;
      for (let at = 0; at < many.length; at += DELETES_AT_ONCE) {
        // Before the first too: whoever reads and deletes in a loop gives a turn each time.
        await turn();
        if (closed) throw new Error('The store is closed.');
        const some = many.slice(at, at + DELETES_AT_ONCE);
        deleted += documents.transactionSync(
          () => some.filter(({ id, version }) => remove(databases, collection, id, version) === 'deleted').length,
        );
      }
      return deleted;
    },
    async page(collection, query) {
      return readPage(fresh(), collection, query);
    },
    async count(collection, query) {
      return countKeys(fresh(), collection, query);
    },
    // Its keys are made as documents are written.
    async prepare() {},
    async drop({ name }) {
      for (const database of [documents, databases.index]) {
        while (removeSome(database, name)) await turn();
      }
    },
    async putBlob(name, bytes) {
      blobs.transactionSync(() => blobs.putSync(name, Buffer.from(bytes)));
    },
    async getBlob(name) {
      return isTooLong([name]) ? null : (fresh().blobs.get(name) ?? null);
    },
    async deleteBlob(name) {
      blobs.transactionSync(() => blobs.removeSync(name));
    },
    healthy: () => !closed,
    async close() {
      closed = true;
      await root.close();
    },
  };
}

/**
 * Documents that were written when a collection had other indexes get the keys of those it has now: as one transaction,
 * so that whoever opens the store sees all of it or none, and of several that open it at once one does it.
 */
function updateIndexes(
  databases: Databases,
  definitions: Database<string, string>,
  collections: readonly Collection<object>[],
): void {
  for (const { name, indexes } of collections) {
    const definition = JSON.stringify(indexes);
    if (definitions.get(name) === definition) continue;
    definitions.transactionSync(() => {
      if (definitions.get(name) === definition) return;
      for (const key of databases.index.getKeys({ start: [name], end: [name, LAST] })) databases.index.removeSync(key);
      for (const { key, value } of databases.documents.getRange({ start: [name, ''], end: [name, LAST] as never })) {
        putIndexEntries(databases, { name, indexes }, key[1], value.value);
      }
      definitions.putSync(name, definition);
    });
  }
}

function read<V extends object>(databases: Databases, collection: Collection<V>, id: string): Stored<V> | null {
  const entry = isTooLong([id]) ? undefined : databases.documents.get([collection.name, id]);
  return entry ? { id, version: entry.version, value: entry.value as V } : null;
}

/** Whether another document than `id` holds a place that `value` would take in a unique index. */
function isTaken<V extends object>(databases: Databases, collection: Collection<V>, id: string, value: V): boolean {
  return Object.entries(collection.indexes).some(([name, index]) => {
    if (!index.unique) return false;
    return indexKeys(collection.name, name, index, id, value).some((key) => {
      const holder = databases.index.get(key);
      return holder !== undefined && holder !== id;
    });
  });
}

/** Within a transaction, as all below that write. */
function writeOne(databases: Databases, { collection, id, version, value }: Write): Written {
  return version === null
    ? insert(databases, collection, id, value)
    : replace(databases, collection, { id, version, value });
}

function insert<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  id: string,
  value: V,
): 'inserted' | 'duplicate' {
  if (databases.documents.doesExist([collection.name, id]) || isTaken(databases, collection, id, value))
    return 'duplicate';
  write(databases, collection, id, { version: 1, value }, null);
  return 'inserted';
}

/** Leaves nothing of the transaction when it refuses. */
function replace<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  { id, version, value }: Stored<V>,
): Replaced {
  const before = databases.documents.get([collection.name, id]);
  if (before?.version !== version) return 'stale';
  if (isTaken(databases, collection, id, value)) return 'duplicate';
  write(databases, collection, id, { version: version + 1, value }, before.value);
  return 'replaced';
}

/** Within a transaction. */
function remove<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  id: string,
  version: number,
): 'deleted' | 'stale' {
  const before = databases.documents.get([collection.name, id]);
  if (before?.version !== version) return 'stale';
  removeIndexEntries(databases, collection, id, before.value);
  databases.documents.removeSync([collection.name, id]);
  return 'deleted';
}

/** The document and its index entries, in place of those of `before`. */
function write<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  id: string,
  entry: Entry,
  before: object | null,
): void {
  if (before) removeIndexEntries(databases, collection, id, before);
  databases.documents.putSync([collection.name, id], entry);
  putIndexEntries(databases, collection, id, entry.value);
}

function putIndexEntries<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  id: string,
  value: object,
): void {
  for (const [name, index] of Object.entries(collection.indexes)) {
    for (const key of indexKeys(collection.name, name, index, id, value)) databases.index.putSync(key, id);
  }
}

function removeIndexEntries<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  id: string,
  value: object,
): void {
  for (const [name, index] of Object.entries(collection.indexes)) {
    for (const key of indexKeys(collection.name, name, index, id, value)) databases.index.removeSync(key);
  }
}

/** Removes up to `WRITES_AT_ONCE` entries of a collection; false when none are left. */
function removeSome(database: Database, collection: string): boolean {
  const range = { start: [collection], end: keyOf([collection, LAST]), limit: WRITES_AT_ONCE };
  const keys = [...database.getKeys(range)];
  if (keys.length > 0) {
    database.transactionSync(() => {
      for (const key of keys) database.removeSync(key);
    });
  }
  return keys.length === WRITES_AT_ONCE;
}

/** One key; of a field that holds a list, one for each value in it. */
function indexKeys(collection: string, name: string, index: Index, id: string, value: object): Key[][] {
  const fields = value as Record<string, Indexed | Indexed[] | undefined>;
  let keys: Indexed[][] = [[collection, name]];
  for (const field of index.fields) {
    const each = fields[field] ?? null;
    if (Array.isArray(each)) keys = keys.flatMap((key) => each.map((one) => [...key, one]));
    else for (const key of keys) key.push(each);
  }
  const place = index.unique ? [] : [(fields[index.order] ?? null) as Indexed, id];
  return keys.map((key) => keyOf([...key, ...place]));
}

/** LMDB's keys hold null, which its types leave out. */
function keyOf(parts: readonly (Indexed | Buffer)[]): Key[] {
  return parts as Key[];
}

function isTooLong(parts: readonly (Indexed | undefined)[]): boolean {
  let bytes = 0;
  for (const part of parts) if (typeof part === 'string') bytes += Buffer.byteLength(part);
  return bytes > KEY_TEXT_BYTES_MAX;
}

function readPage<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  query: PageQuery,
): { documents: Stored<V>[]; next: Position | null } {
  if (isTooLong([...query.equal, query.after?.order, query.after?.id])) return { documents: [], next: null };
  const index = collection.indexes[query.index]!;
  const prefix = keyOf([collection.name, query.index, ...query.equal]);
  if (index.unique) {
    const id = databases.index.get(prefix);
    const found = id === undefined ? null : read(databases, collection, id);
    return { documents: found ? [found] : [], next: null };
  }
  const after = query.after ? [...prefix, query.after.order, query.after.id] : null;
  const last = [...prefix, LAST];
  const range = query.descending
    ? { start: after ?? last, end: prefix, reverse: true }
    : { start: after ?? prefix, end: last };
  const entries = databases.index.getRange({ ...range, exclusiveStart: after !== null, limit: query.limit + 1 });
  const documents: Stored<V>[] = [];
  for (const { value: id } of entries) {
    const found = read(databases, collection, id);
    if (found) documents.push(found);
  }
  return cutPage(documents, query.limit, index.order);
}

function countKeys(databases: Databases, collection: Collection<object>, { index, equal, above }: CountQuery): number {
  if (isTooLong(equal)) return 0;
  const prefix = [collection.name, index, ...equal];
  // Behind every id of a document that has just this order.
  return databases.index.getKeysCount({ start: keyOf([...prefix, above, LAST]), end: keyOf([...prefix, LAST]) });
}
