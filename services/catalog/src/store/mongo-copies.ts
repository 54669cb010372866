/**
 * The view of a store on MongoDB, and the way back (store-copies.ts). A snapshot session reads every collection at one
 * moment, which its first read fixes. A replica set has such sessions (a `SettingFault` elsewhere), and keeps a moment
 * for `minSnapshotHistoryWindowInSeconds` (300): a copy that takes longer throws, and that setting has to grow.
 */
import { SettingFault } from '@parterre/shared/runtime/environment';
import type { AnyBulkWriteOperation, ClientSession, Db, Collection as MongoCollection } from 'mongodb';
import {
  type Chunk,
  chunkId,
  clientFor,
  type Document,
  databaseName,
  mongoBlobs,
  putBlob,
  storedOf,
} from './mongo-store.ts';
import type { CopiedRecord, FilledStore, StoreView, ViewedStore } from './store-copies.ts';

const recordsAtOnce = 500;
/** Any collection serves: a read of an absent one fixes the moment too. */
const firstRead = 'organisations';
/** The driver leaves a read concern of the client in place of the session's. */
const atOneMoment = { readConcern: { level: 'snapshot' } } as const;

export async function viewMongoStore(url: string): Promise<ViewedStore> {
  const client = clientFor(url);
  const database = client.db(databaseName(url));
  await client.connect();
  return {
    async begin(): Promise<StoreView> {
      const session = client.startSession({ snapshot: true });
      try {
        await database.collection(firstRead, atOneMoment).findOne({}, { session });
      } catch (error) {
        await session.endSession();
        throw new SettingFault(`read MongoDB at one moment, which a replica set can: ${(error as Error).message}`);
      }
      return { records: () => recordsOf(database, session), end: () => session.endSession() };
    },
    close: () => client.close(),
  };
}

async function* recordsOf(database: Db, session: ClientSession): AsyncGenerator<CopiedRecord> {
  for (const name of await namesOf(database)) {
    if (name === mongoBlobs) continue;
    for await (const document of database.collection<Document>(name, atOneMoment).find({}, { session })) {
      const { id, version, value } = storedOf({ name }, document);
      yield ['document', name, id, version, value];
    }
  }
  const blobs = database.collection<Chunk>(mongoBlobs, atOneMoment);
  for await (const { _id } of blobs.find({ _id: /#0$/ }, { session, projection: { _id: 1 } })) {
    const name = _id.slice(0, -chunkId('', 0).length);
    yield ['blob', name, await bytesOf(blobs, session, name)];
  }
}

async function bytesOf(blobs: MongoCollection<Chunk>, session: ClientSession, name: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let chunk = 0, chunks = 1; chunk < chunks; chunk++) {
    const found = await blobs.findOne({ _id: chunkId(name, chunk) }, { session });
    if (found === null) throw new Error(`the blob ${name} has lost its part ${chunk}`);
    chunks = found.chunks;
    parts.push(found.bytes.value());
  }
  return Buffer.concat(parts);
}

async function namesOf(database: Db): Promise<string[]> {
  const collections = await database.listCollections({}, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}

/** No catalog may run on the database. */
export async function fillMongoStore(url: string): Promise<FilledStore> {
  const client = clientFor(url);
  const database = client.db(databaseName(url));
  await client.connect();

  async function write(records: readonly CopiedRecord[]): Promise<void> {
    const replaces = new Map<string, AnyBulkWriteOperation<Document>[]>();
    for (const record of records) {
      if (record[0] === 'blob') continue;
      const [, collection, id, version, value] = record;
      const replacement = { ...value, _version: version };
      const others = replaces.get(collection) ?? [];
      replaces.set(collection, others);
      others.push({ replaceOne: { filter: { _id: id }, replacement, upsert: true } });
    }
    for (const [name, some] of replaces) {
      await database.collection<Document>(name).bulkWrite(some, { ordered: false });
    }
    for (const record of records) {
      if (record[0] === 'blob') await putBlob(database.collection<Chunk>(mongoBlobs), record[1], record[2]);
    }
  }

  return {
    async isEmpty() {
      for (const name of await namesOf(database)) if (await database.collection(name).findOne()) return false;
      return true;
    },
    async fill(records) {
      let some: CopiedRecord[] = [];
      for await (const record of records) {
        some.push(record);
        if (some.length < recordsAtOnce) continue;
        await write(some);
        some = [];
      }
      await write(some);
    },
    close: () => client.close(),
  };
}
