/**
 * The store port on LMDB, for one machine without a database server. Several processes of the machine may open one
 * folder.
 *
 * Writes use synchronous transactions. They are flushed when they return, and LMDB's own lock makes check and write one
 * step. A callback transaction of lmdb 3.5 sometimes never ended on Node 20. A write holds the event loop for one
 * flush, which is fine off the path of a sale.
 *
 * A full disk: writes are refused while less than `diskBytesMin` is free. So LMDB does not meet the end of the disk,
 * where its native part was seen to damage its memory. A transaction that meets the end all the same leaves nothing.
 * Reads and deletes go on.
 */
import { chmodSync, mkdirSync, statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Fault } from '@parterre/shared/protocol/errors';
import { diskBytesMin } from '@parterre/shared/protocol/limits';
import { type Database, type Key, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import {
  hasUniqueConflict,
  type IndexDatabase,
  lmdbKey,
  moveIndexEntries,
  putIndexEntries,
  removeIndexEntries,
} from './embedded-indexes.ts';
import type { Position } from './rules/paging.ts';
import {
  type Collection,
  type CountQuery,
  cutPage,
  type Indexed,
  type PageQuery,
  type Replaced,
  type Store,
  type Stored,
  stands,
  storedDocument,
  type Write,
  type Written,
} from './store.ts';

type Entry = { version: number; value: object };
export type Databases = {
  documents: Database<Entry, [string, string]>;
  index: IndexDatabase;
  blobs: Database<Buffer, string>;
};

/**
 * The longest text in a key of a look-up. LMDB refuses keys beyond 1,978 bytes, and a byte of a text may take two. No
 * stored key comes near this bound, so a look-up with a longer text finds nothing.
 */
const KEY_TEXT_BYTES_MAX = 900;
/** Sorts after every string, number, boolean and null in LMDB's ordered keys. */
const LAST = Buffer.from([0xff]);
const ROOM_LOOK_MS = 100;
/** LMDB's address space. The file grows as needed. */
const MAP_BYTES = 64 * 1024 ** 3;
/** Documents of one transaction. A transaction holds the event loop; other work runs between two. */
const WRITES_AT_ONCE = 1_000;
/** The same for deletes: each document is read for its index keys, and may have 64 KiB. */
const DELETES_AT_ONCE = 200;

/** The files of LMDB. The store has secrets of webhooks, so its owner alone may read it under every umask. */
const files = ['data.mdb', 'lock.mdb'];

/** Opens the store in `folder`, makes the folder where it is missing, and updates the indexes of these collections. */
export function openEmbeddedStore(folder: string, collections: readonly Collection<object>[]): Store {
  return needingRoom(openStore(folder, collections), folder);
}

function openStore(folder: string, collections: readonly Collection<object>[]): Omit<Store, 'isAway'> {
  const root = openFolder(folder);
  const databases = openDatabases(root);
  const definitions: Database<string, string> = root.openDB({ name: 'index-definitions' });
  updateIndexes(databases, definitions, collections);
  const { documents, blobs } = databases;
  let closed = false;
  /**
   * Reads share a view of the database for a turn or longer. A write of another process must be seen at once, for
   * example a revoked key.
   */
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
    getMany: async (collection, ids) => readMany(fresh(), collection, ids),
    findMany: async (collection, index, values) => findMany(fresh(), collection, index, values),
    async replace(collection, id, version, value) {
      return documents.transactionSync(() => replace(databases, collection, { id, version, value }));
    },
    writeMany: (writes) => writeInOrder(databases, writes, []),
    writeInOrder: (first, last) => writeInOrder(databases, first, last),
    async delete(collection, id, version) {
      return documents.transactionSync(() => remove(databases, collection, id, version));
    },
    async deleteMany(collection, many) {
      let deleted = 0;
      for (let at = 0; at < many.length; at += DELETES_AT_ONCE) {
        // Yields before the first delete too, so that a caller that reads and deletes in a loop yields each time.
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
    // Later index keys are made as documents are written.
    async prepare(collection) {
      updateIndexes(fresh(), definitions, [collection]);
    },
    async drop({ name }) {
      definitions.transactionSync(() => definitions.removeSync(name));
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

/** The store, whose writes are refused while the disk of its folder is full. */
function needingRoom(store: Omit<Store, 'isAway'>, folder: string): Store {
  const needRoom = createNeedRoom(folder);
  return {
    ...store,
    async insert(...document) {
      needRoom();
      return store.insert(...document);
    },
    async replace(...document) {
      needRoom();
      return store.replace(...document);
    },
    async writeMany(writes) {
      needRoom();
      return store.writeMany(writes);
    },
    async writeInOrder(first, last) {
      needRoom();
      return store.writeInOrder(first, last);
    },
    async putBlob(name, bytes) {
      needRoom();
      return store.putBlob(name, bytes);
    },
    isAway: isDiskFull,
  };
}

class NoRoom extends Fault {
  constructor() {
    super('write to the store: its disk is full');
  }
}

/** Throws while the disk of the folder is full. The disk is looked at every `ROOM_LOOK_MS` at most. */
function createNeedRoom(folder: string): () => void {
  let lookAt = Number.NEGATIVE_INFINITY;
  let hasRoom = true;
  return () => {
    const now = performance.now();
    if (now >= lookAt) {
      lookAt = now + ROOM_LOOK_MS;
      const { bavail, bsize } = statfsSync(folder);
      hasRoom = bavail * bsize >= diskBytesMin;
    }
    if (!hasRoom) throw new NoRoom();
  };
}

/** LMDB gives the numbers of the operating system. */
function isDiskFull(error: unknown): boolean {
  if (error instanceof NoRoom) return true;
  if (error instanceof Fault) return isDiskFull(error.cause);
  const code = (error as { code?: unknown } | null)?.code;
  return code === constants.errno.ENOSPC || code === constants.errno.EIO || code === constants.errno.EDQUOT;
}

/** Makes the folder where it is missing. */
export function openFolder(folder: string): RootDatabase {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const root = open(optionsOf(folder));
  for (const file of files) chmodSync(join(folder, file), 0o600);
  return root;
}

/** Throws where the folder has no store. */
export function openFolderToRead(folder: string): RootDatabase {
  return open({ ...optionsOf(folder), readOnly: true });
}

const optionsOf = (path: string): RootDatabaseOptionsWithPath => ({ path, noSubdir: false, mapSize: MAP_BYTES });

export function openDatabases(root: RootDatabase): Databases {
  return {
    documents: root.openDB({ name: 'documents' }),
    index: root.openDB({ name: 'index' }),
    blobs: root.openDB({ name: 'blobs', encoding: 'binary' }),
  };
}

/**
 * Writes the index keys of documents that are older than a collection's current indexes. One transaction does it all,
 * so another process sees all keys or none, and of several processes that open the store at once, one does the work.
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
        putIndexEntries(databases.index, { name, indexes }, key[1], value.value);
      }
      definitions.putSync(name, definition);
    });
  }
}

function read<V extends object>(databases: Databases, collection: Collection<V>, id: string): Stored<V> | null {
  const entry = isTooLong([id]) ? undefined : entryAt(databases, collection.name, id);
  return entry ? storedDocument<V>(collection, id, entry) : null;
}

/** By a unique index. */
function findMany<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  index: string,
  values: readonly string[],
): Stored<V>[] {
  const ids = new Set<string>();
  for (const value of values) {
    const id = isTooLong([value]) ? undefined : databases.index.get(lmdbKey([collection.name, index, value]));
    if (id !== undefined) ids.add(id);
  }
  return readMany(databases, collection, [...ids]);
}

function readMany<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  ids: readonly string[],
): Stored<V>[] {
  return ids.map((id) => read(databases, collection, id)).filter((found) => found !== null);
}

function entryAt({ documents }: Databases, collection: string, id: string): Entry | undefined {
  try {
    return documents.get([collection, id]);
  } catch (error) {
    throw new Fault(`read the document ${id} of ${collection}`, error);
  }
}

/** The last transaction of `first` writes `last` too, so both usually share one flush. */
async function writeInOrder(databases: Databases, first: readonly Write[], last: readonly Write[]): Promise<Written[]> {
  const written: Written[] = [];
  for (let at = 0; at < first.length || (at === 0 && last.length > 0); at += WRITES_AT_ONCE) {
    if (at > 0) await turn();
    databases.documents.transactionSync(() => {
      for (const one of first.slice(at, at + WRITES_AT_ONCE)) written.push(writeOne(databases, one));
      if (written.length < first.length || !written.every(stands)) return;
      for (const one of last) writeOne(databases, one);
    });
  }
  return written;
}

/** Runs within a transaction, like all functions below that write. */
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
  if (hasUniqueConflict(databases.index, collection, id, value)) return 'duplicate';
  if (!putNew(databases.documents, [collection.name, id], { version: 1, value })) return 'duplicate';
  putIndexEntries(databases.index, collection, id, value);
  return 'inserted';
}

/** False where the key is taken. lmdb documents this answer, and its types leave it out. */
function putNew<K extends Key>(database: Database<Entry, K>, key: K, entry: Entry): boolean {
  return database.putSync(key, entry, { noOverwrite: true }) as unknown as boolean;
}

/** A refusal leaves nothing of the transaction. */
function replace<V extends object>(
  databases: Databases,
  collection: Collection<V>,
  { id, version, value }: Stored<V>,
): Replaced {
  const before = databases.documents.get([collection.name, id]);
  if (before?.version !== version) return 'stale';
  if (hasUniqueConflict(databases.index, collection, id, value)) return 'duplicate';
  databases.documents.putSync([collection.name, id], { version: version + 1, value });
  moveIndexEntries(databases.index, collection, id, { before: before.value, after: value });
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
  removeIndexEntries(databases.index, collection, id, before.value);
  databases.documents.removeSync([collection.name, id]);
  return 'deleted';
}

/** Removes up to `WRITES_AT_ONCE` entries of a collection; false when none are left. */
function removeSome(database: Database, collection: string): boolean {
  const range = { start: [collection], end: lmdbKey([collection, LAST]), limit: WRITES_AT_ONCE };
  const keys = [...database.getKeys(range)];
  if (keys.length > 0) {
    database.transactionSync(() => {
      for (const key of keys) database.removeSync(key);
    });
  }
  return keys.length === WRITES_AT_ONCE;
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
  const prefix = lmdbKey([collection.name, query.index, ...query.equal]);
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
  // Starts behind every id of a document with exactly this order.
  return databases.index.getKeysCount({ start: lmdbKey([...prefix, above, LAST]), end: lmdbKey([...prefix, LAST]) });
}
