/** The two adapters of the store port, as databases that several catalogs open. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { collections } from '../../services/catalog/src/store/collections.ts';
import { openEmbeddedStore } from '../../services/catalog/src/store/embedded-store.ts';
import { openMongoStore } from '../../services/catalog/src/store/mongo-store.ts';
import type { Collection, Store } from '../../services/catalog/src/store/store.ts';
import type { TestMongo } from '../support/servers/mongo.ts';

/** An empty database. `connect` opens it, any number of times; `remove` closes all connections and deletes it. */
export type TestDatabase = {
  /** With these collections instead of those the database was made with, where they are given. */
  connect(collections?: readonly Collection<object>[]): Promise<Store>;
  remove(): Promise<void>;
};
export type MakeDatabase = (collections: readonly Collection<object>[]) => Promise<TestDatabase>;

export const embeddedDatabase: MakeDatabase = async (usual) => {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-test-store-'));
  return database(
    async (collections = usual) => openEmbeddedStore(folder, collections),
    () => rm(folder, { recursive: true }),
  );
};

/** A database with the indexes of all collections of a catalog, and the stores that are open on it. */
type Indexed = { url: string; stores: Store[]; client: MongoClient };

/**
 * Databases of one server. The indexes of a catalog's collections take longer than most tests. So a test of a whole
 * catalog gets the database of an earlier test, emptied, with its open stores. `close` ends them.
 */
export function mongoDatabases(mongo: TestMongo): { make: MakeDatabase; close(): Promise<void> } {
  const atRest: Indexed[] = [];
  return {
    async make(usual) {
      // The server's stop drops the databases.
      if (usual === catalogCollections) return reused(atRest.pop() ?? newIndexed(mongo.freshUrl()), atRest);
      const url = mongo.freshUrl();
      return database(
        (collections = usual) => openMongoStore(url, collections),
        async () => {},
      );
    },
    async close() {
      for (const { stores, client } of atRest.splice(0)) {
        for (const store of stores) await store.close();
        await client.close();
      }
    },
  };
}

const catalogCollections = collections as readonly Collection<object>[];

const newIndexed = (url: string): Indexed => ({ url, stores: [], client: new MongoClient(url) });

function reused(indexed: Indexed, atRest: Indexed[]): TestDatabase {
  const { url, stores, client } = indexed;
  let connected = 0;
  return {
    async connect(own) {
      if (own !== undefined) throw new Error('a test with collections of its own needs a database of its own');
      stores[connected] ??= await openMongoStore(url, catalogCollections);
      return stores[connected++]!;
    },
    async remove() {
      const filled = await client.db().collections();
      // A collection that a test made itself has indexes of the test.
      const clear = (made: (typeof filled)[number]) =>
        catalogCollections.some(({ name }) => name === made.collectionName) ? made.deleteMany({}) : made.drop();
      await Promise.all(filled.map(clear));
      atRest.push(indexed);
    },
  };
}

function database(
  open: (collections?: readonly Collection<object>[]) => Promise<Store>,
  clear: () => Promise<void>,
): TestDatabase {
  const opened: Store[] = [];
  return {
    async connect(collections) {
      const store = await open(collections);
      opened.push(store);
      return store;
    },
    async remove() {
      for (const store of opened) await store.close();
      await clear();
    },
  };
}
