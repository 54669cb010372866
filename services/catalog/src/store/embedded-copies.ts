/**
 * The view of an embedded store, and the way back (store-copies.ts). The catalogs may have the folder open: a read
 * transaction of LMDB sees one moment for as long as it runs. The file grows meanwhile, since LMDB reuses no page that
 * an open transaction can see.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { openDatabases, openFolder, openFolderToRead } from './embedded-store.ts';
import type { CopiedRecord, FilledStore, StoreView, ViewedStore } from './store-copies.ts';

const recordsAtOnce = 500;

/** Throws where the folder has no store. */
export function viewEmbeddedStore(folder: string): ViewedStore {
  const root = openFolderToRead(folder);
  const { documents, blobs } = openDatabases(root);
  return {
    async begin(): Promise<StoreView> {
      root.resetReadTxn();
      const transaction = root.useReadTransaction();
      // The first read fixes the moment.
      for (const _ of documents.getKeys({ limit: 1, transaction })) break;
      return {
        async *records() {
          let passed = 0;
          for (const { key, value } of documents.getRange({ transaction })) {
            yield ['document', key[0], key[1], value.version, value.value] satisfies CopiedRecord;
            if (++passed % recordsAtOnce === 0) await turn();
          }
          for (const name of blobs.getKeys({ transaction })) {
            yield ['blob', name, Uint8Array.from(blobs.get(name, { transaction })!)] satisfies CopiedRecord;
          }
        },
        end: async () => transaction.done(),
      };
    },
    close: () => root.close(),
  };
}

/** Makes the store where it is missing. No catalog may run on it. */
export function fillEmbeddedStore(folder: string): FilledStore {
  const root = openFolder(folder);
  const { documents, blobs } = openDatabases(root);
  const write = (records: readonly CopiedRecord[]): void => {
    documents.transactionSync(() => {
      for (const record of records) {
        if (record[0] === 'blob') blobs.putSync(record[1], Buffer.from(record[2]));
        else documents.putSync([record[1], record[2]], { version: record[3], value: record[4] });
      }
    });
  };
  return {
    isEmpty: async () => documents.getKeysCount({ limit: 1 }) === 0 && blobs.getKeysCount({ limit: 1 }) === 0,
    async fill(records) {
      let some: CopiedRecord[] = [];
      for await (const record of records) {
        some.push(record);
        if (some.length < recordsAtOnce) continue;
        write(some);
        some = [];
      }
      write(some);
    },
    close: () => root.close(),
  };
}
