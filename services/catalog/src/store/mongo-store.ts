/**
 * The store port on MongoDB. Every write waits for a majority. Unique indexes and filters on `_version` uphold the
 * port's promises for each document, so any number of catalogs may share one database.
 *
 * A document is { _id, _version, ...value }.
 */
import { Fault } from '@parterre/shared/protocol/errors';
import { SettingFault } from '@parterre/shared/runtime/environment';
import { MINUTE_MS } from '@parterre/shared/runtime/units';
import {
  Binary,
  type Db,
  MongoBulkWriteError,
  MongoClient,
  type Collection as MongoCollection,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import type { Position } from './rules/paging.ts';
import {
  type Collection,
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

export type Document = { _id: string; _version: number } & Record<string, unknown>;
/** A part of a blob: a document ends at 16 MB. The first part has the number of parts and is written last. */
export type Chunk = { _id: string; chunks: number; bytes: Binary };

const CHUNK_BYTES = 8 * 1024 * 1024;
const DUPLICATE_KEY = 11_000;
const INDEX_NOT_FOUND = 27;
/** Unauthorized, and AuthenticationFailed. */
const REFUSALS = [13, 18];
/** The collection of the blobs. */
export const mongoBlobs = 'blobs';
const DATABASE_DEFAULT = 'parterre';
/** Short enough that an operation fails before its caller's deadline (`catalogDeadlineMs`). */
const SERVER_SELECTION_MS = 5_000;
/**
 * The driver asks each server how it is, and waits this long for the answer. A server that hangs, or whose link takes
 * bytes and gives none, is left after both times together, and the operations under way there fail. The driver's own
 * times are 10 and 30 s.
 */
const HEARTBEAT_MS = 1_000;
const CONNECT_MS = 2_000;
/**
 * An operation that gets no byte for this long ends, although its server tells that it is well: a disk that hangs.
 * Without an end, hung operations would take all places of the catalog. An index that takes longer to make is waited
 * for at the next try of the start.
 */
const SOCKET_SILENCE_MS = MINUTE_MS;
/** Documents of one delete of a whole collection, which ends far within `SOCKET_SILENCE_MS`. */
const DELETES_AT_ONCE = 50_000;
/** A member of the set was primary a moment ago, is about to be, or shuts down. */
const STEPPED_DOWN = [91, 189, 10_107, 11_600, 11_602, 13_435, 13_436];

/**
 * Connects and makes the collections' indexes. The database is the one of the address, otherwise `parterre`. Throws a
 * `SettingFault` when the address cannot be read, or the server refuses the credentials or a certificate. Other errors
 * may pass: see `isMongoAway`.
 */
export async function openMongoStore(url: string, collections: readonly Collection<object>[]): Promise<Store> {
  const client = clientFor(url);
  let writable = false;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    writable = [...newDescription.servers.values()].some((server) => server.isWritable);
  });
  const database = client.db(databaseName(url));
  try {
    await client.connect();
    for (const collection of collections) await createIndexes(database, collection);
  } catch (error) {
    await client.close();
    throw isRefusal(error) ? new SettingFault(`enter MongoDB at MONGODB_URL: ${error.message}`) : error;
  }
  return createStore(client, database, () => writable);
}

async function deleteAll(documents: MongoCollection<Document>): Promise<void> {
  for (;;) {
    const beyond = documents
      .find({}, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .skip(DELETES_AT_ONCE)
      .limit(1);
    const [next] = await beyond.toArray();
    await documents.deleteMany(next ? { _id: { $lt: next._id } } : {});
    if (!next) return;
  }
}

/** Throws a `SettingFault` for an unreadable address. The driver's messages about it do not have its password. */
export function clientFor(url: string): MongoClient {
  try {
    return new MongoClient(url, {
      appName: 'parterre-catalog',
      writeConcern: { w: 'majority' },
      readConcern: { level: 'majority' },
      serverSelectionTimeoutMS: SERVER_SELECTION_MS,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      connectTimeoutMS: CONNECT_MS,
      socketTimeoutMS: SOCKET_SILENCE_MS,
    });
  } catch (error) {
    throw new SettingFault(`read MONGODB_URL: ${(error as Error).message}`);
  }
}

/** Wrong credentials, missing rights, or a certificate that does not fit, which the driver tells as no answer. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof MongoServerSelectionError)
    return /certificate|\bSSL\b|\bTLS\b|ERR_(?:SSL|TLS|OSSL)_/i.test(error.message);
  return error instanceof MongoServerError && REFUSALS.includes(Number(error.code));
}

/** No server answers, or none is primary now. Waiting helps. */
export function isMongoAway(error: unknown): boolean {
  if (error instanceof Fault) return isMongoAway(error.cause);
  if (error instanceof MongoServerError) return STEPPED_DOWN.includes(Number(error.code));
  return error instanceof MongoServerSelectionError || error instanceof MongoNetworkError;
}

export function databaseName(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
  return path ? decodeURIComponent(path) : DATABASE_DEFAULT;
}

/** Makes an index. The server refuses to change the keys of an index, so an index with other keys is dropped first. */
async function createIndexes(database: Db, collection: Collection<object>): Promise<void> {
  const standing = await existingIndexes(database, collection.name);
  for (const [name, index] of Object.entries(collection.indexes)) {
    const fields = index.unique ? index.fields : [...index.fields, index.order, '_id'];
    const keys = Object.fromEntries(fields.map((field) => [field, 1 as const]));
    const documents = database.collection(collection.name);
    const known = standing.get(name);
    if (known !== undefined && known !== JSON.stringify(keys)) await dropIndex(documents, name);
    await documents.createIndex(keys, { name, unique: index.unique ?? false });
  }
}

/** The keys of the collection's indexes, as JSON by name; none where there is no collection yet. */
async function existingIndexes(database: Db, collection: string): Promise<Map<string, string>> {
  const [exists] = await database.listCollections({ name: collection }, { nameOnly: true }).toArray();
  if (!exists) return new Map();
  const indexes = await database.collection(collection).indexes();
  return new Map(indexes.map(({ name, key }) => [name!, JSON.stringify(key)]));
}

/** Another catalog that starts at the same time may have dropped it. */
async function dropIndex(documents: MongoCollection, name: string): Promise<void> {
  try {
    await documents.dropIndex(name);
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
  }
}

function createStore(client: MongoClient, database: Db, writable: () => boolean): Store {
  const of = (collection: { name: string }): MongoCollection<Document> => database.collection(collection.name);
  return {
    insert: (collection, id, value) =>
      orDuplicate(async (): Promise<'inserted'> => {
        await of(collection).insertOne({ ...value, _id: id, _version: 1 });
        return 'inserted';
      }),
    async get(collection, id) {
      const found = await of(collection).findOne({ _id: id });
      return found && storedOf(collection, found);
    },
    async getMany(collection, ids) {
      const found = await of(collection)
        .find({ _id: { $in: [...ids] } })
        .toArray();
      return found.map((document) => storedOf(collection, document));
    },
    async findMany(collection, index, values) {
      const [field] = collection.indexes[index]!.fields;
      const found = await of(collection)
        .find({ [field!]: { $in: [...values] } })
        .toArray();
      // A server with MongoDB's protocol may give a document once for each of its values.
      const each = new Map(found.map((document) => [document._id, document])).values();
      return [...each].map((document) => storedOf(collection, document));
    },
    replace: (collection, id, version, value) => replace(of(collection), { id, version, value }),
    writeMany: (writes) => writeMany(of, writes),
    async writeInOrder(first, last) {
      const written = await writeMany(of, first);
      if (last.length > 0 && written.every(stands)) await writeMany(of, last);
      return written;
    },
    async delete(collection, id, version) {
      const { deletedCount } = await of(collection).deleteOne({ _id: id, _version: version });
      return deletedCount === 1 ? 'deleted' : 'stale';
    },
    async deleteMany(collection, documents) {
      if (documents.length === 0) return 0;
      const deletes = documents.map(({ id, version }) => ({ deleteOne: { filter: { _id: id, _version: version } } }));
      const { deletedCount } = await of(collection).bulkWrite(deletes, { ordered: false });
      return deletedCount;
    },
    page: (collection, query) => readPage(of(collection), collection, query),
    count(collection, { index, equal, above }) {
      const { fields, order } = collection.indexes[index]!;
      return of(collection).countDocuments({ ...equalTo(fields, equal), [order]: { $gt: above } });
    },
    prepare: (collection) => createIndexes(database, collection),
    // The indexes stay; they are empty.
    drop: (collection) => deleteAll(of(collection)),
    putBlob: (name, bytes) => putBlob(database.collection<Chunk>(mongoBlobs), name, bytes),
    getBlob: (name) => getBlob(database.collection<Chunk>(mongoBlobs), name),
    deleteBlob: (name) => deleteBlob(database.collection<Chunk>(mongoBlobs), name),
    healthy: writable,
    isAway: isMongoAway,
    close: () => client.close(),
  };
}

async function orDuplicate<T>(write: () => Promise<T>): Promise<T | 'duplicate'> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return 'duplicate';
    throw error;
  }
}

function replace<V extends object>(
  documents: MongoCollection<Document>,
  { id, version, value }: Stored<V>,
): Promise<Replaced> {
  return orDuplicate(async (): Promise<'replaced' | 'stale'> => {
    const next = { ...value, _version: version + 1 };
    const { matchedCount } = await documents.replaceOne({ _id: id, _version: version }, next);
    return matchedCount === 1 ? 'replaced' : 'stale';
  });
}

/**
 * The inserts of one collection are one command. Each replace is a command of its own, because only this tells the
 * result of each.
 */
async function writeMany(
  of: (collection: { name: string }) => MongoCollection<Document>,
  writes: readonly Write[],
): Promise<Written[]> {
  const written = new Array<Written>(writes.length).fill('stale');
  const inserts = new Map<string, number[]>();
  const replaces: Promise<void>[] = [];
  for (const [at, { collection, id, version, value }] of writes.entries()) {
    if (version === null) {
      const others = inserts.get(collection.name);
      if (others) others.push(at);
      else inserts.set(collection.name, [at]);
    } else {
      const replacing = replace(of(collection), { id, version, value });
      replaces.push(replacing.then((how) => void written.splice(at, 1, how)));
    }
  }
  const inserting = [...inserts].map(async ([name, places]) => {
    const documents = places.map((at): Document => ({ ...writes[at]!.value, _id: writes[at]!.id, _version: 1 }));
    const taken = await insertMany(of({ name }), documents);
    for (const [nth, at] of places.entries()) written[at] = taken.has(nth) ? 'duplicate' : 'inserted';
  });
  await Promise.all([...replaces, ...inserting]);
  return written;
}

/** The positions of the documents that were refused as duplicates; the others are stored. */
async function insertMany(into: MongoCollection<Document>, documents: Document[]): Promise<Set<number>> {
  try {
    await into.insertMany(documents, { ordered: false });
    return new Set();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return new Set(errors.map(({ index }) => index));
  }
}

export function storedOf<V extends object>(
  collection: { name: string },
  { _id, _version, ...value }: Document,
): Stored<V> {
  // Only top-level fields have bytes; nested values are plain.
  for (const [field, each] of Object.entries(value)) if (each instanceof Binary) value[field] = each.value();
  return storedDocument<V>(collection, _id, { version: _version, value });
}

async function readPage<V extends object>(
  documents: MongoCollection<Document>,
  collection: Collection<V>,
  query: PageQuery,
): Promise<{ documents: Stored<V>[]; next: Position | null }> {
  const { fields, order } = collection.indexes[query.index]!;
  const direction = query.descending ? -1 : 1;
  const beyond = query.descending ? '$lt' : '$gt';
  const { after } = query;
  const rest = after && {
    $or: [{ [order]: { [beyond]: after.order } }, { [order]: after.order, _id: { [beyond]: after.id } }],
  };
  const found = await documents
    .find({ ...equalTo(fields, query.equal), ...rest })
    .sort({ [order]: direction, _id: direction })
    .limit(query.limit + 1)
    .toArray();
  return cutPage(
    found.map((document) => storedOf<V>(collection, document)),
    query.limit,
    order,
  );
}

function equalTo(fields: readonly string[], values: readonly Indexed[]): Record<string, Indexed> {
  return Object.fromEntries(fields.map((field, i) => [field, values[i]!]));
}

export const chunkId = (name: string, chunk: number) => `${name}#${chunk}`;

export async function putBlob(blobs: MongoCollection<Chunk>, name: string, bytes: Uint8Array): Promise<void> {
  const chunks = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES));
  for (let chunk = chunks - 1; chunk >= 0; chunk--) {
    const part = bytes.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
    await blobs.replaceOne({ _id: chunkId(name, chunk) }, { chunks, bytes: new Binary(part) }, { upsert: true });
  }
}

async function getBlob(blobs: MongoCollection<Chunk>, name: string): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let chunks = 1;
  for (let chunk = 0; chunk < chunks; chunk++) {
    const found = await blobs.findOne({ _id: chunkId(name, chunk) });
    if (!found) return null;
    chunks = found.chunks;
    parts.push(found.bytes.value());
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

/** The first part goes first: without it the blob does not exist. */
async function deleteBlob(blobs: MongoCollection<Chunk>, name: string): Promise<void> {
  const first = await blobs.findOneAndDelete({ _id: chunkId(name, 0) });
  for (let chunk = 1; chunk < (first?.chunks ?? 0); chunk++) await blobs.deleteOne({ _id: chunkId(name, chunk) });
}
