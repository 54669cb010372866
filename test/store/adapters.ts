/** The two adapters of the store port, as databases that several catalogs open. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

export function mongoDatabase(mongo: TestMongo): MakeDatabase {
  return async (usual) => {
    const url = mongo.freshUrl();
    return database(
      (collections = usual) => openMongoStore(url, collections),
      // The server's stop drops this database with the others.
      async () => {},
    );
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
