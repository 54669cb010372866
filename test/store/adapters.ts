/** The two adapters of the store port, as places that several catalogs can connect to. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '../../services/catalog/src/store/embedded-store.ts';
import { openMongoStore } from '../../services/catalog/src/store/mongo-store.ts';
import type { Collection, Store } from '../../services/catalog/src/store/store.ts';
import type { TestMongo } from '../support/mongo.ts';

/** An empty database. `connect` opens it, as often as wanted; `remove` closes all that is open and deletes it. */
export type TestDatabase = {
  /** With other collections than the database was made with, where they are given. */
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
      // Dropped with the others when the server is stopped.
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
