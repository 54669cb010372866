/**
 * The store port: everything that the catalog asks of a database, and no more. The embedded store and MongoDB pass the
 * same contract (test/store/store-contract.ts).
 *
 * Every write touches one document and is durable when its promise resolves. There are no transactions over several
 * documents. A unique index, or a version-checked replace that is tried again, upholds an invariant over several
 * documents.
 */
import { checkStored, type StoredForm } from '@parterre/shared/protocol/stored';
import type { Position } from './rules/paging.ts';

const entryForm: StoredForm<{ version: number; value: object }> = { version: 'number', value: 'fields' };

/** The values of an indexed field. Null counts like any other value, also in a unique index. */
export type Indexed = string | number | boolean | null;

/**
 * Finds documents whose `fields` have given values, ordered by `order` and then by id. With `unique`, no second
 * document with equal `fields` can exist. One field of an index may have a list: each value in the list finds the
 * document, and an empty list is found by none. With `unique`, two documents share no value of their lists. With
 * `only`, queries ask for documents with these values of the field alone; a store may leave out other documents.
 */
export type Index = {
  fields: readonly string[];
  order: string;
  unique?: true;
  only?: { field: string; values: readonly Indexed[] };
};

/**
 * A declared kind of document. `Value` is a flat record of plain JSON values. Nested values and bytes (Uint8Array) may
 * be in unindexed fields.
 */
export type Collection<Value extends object> = {
  readonly name: string;
  readonly indexes: Readonly<Record<string, Index>>;
  /** Never set: carries the type of the values. */
  readonly value?: Value;
};

/** A stored value. `version` is 1 when inserted and grows by one with each replace. */
export type Stored<Value> = { id: string; version: number; value: Value };

/**
 * A document as an adapter read it. Throws a `Fault` when the database has something else there. The fields of a value
 * are not checked again: the catalog alone writes them, through operations that checked them, and both databases
 * refuse damaged bytes by themselves.
 */
export function storedDocument<Value extends object>(
  { name }: { name: string },
  id: string,
  entry: { version: unknown; value: unknown },
): Stored<Value> {
  const { version, value } = checkStored(`read the document ${id} of ${name}`, entry, entryForm);
  return { id, version, value: value as Value };
}

export type Replaced = 'replaced' | 'stale' | 'duplicate';

/** One document to write: inserted where `version` is null, otherwise replaced if it still has this version. */
export type Write<Value extends object = object> = {
  collection: Collection<Value>;
  id: string;
  version: number | null;
  value: Value;
};
export type Written = 'inserted' | Replaced;

export type PageQuery = {
  index: string;
  /** The values of the index's `fields`, in their order. */
  equal: readonly Indexed[];
  descending?: boolean;
  /** The most documents of the page. */
  limit: number;
  /** The end of an earlier page. */
  after?: Position | undefined;
};

export type CountQuery = {
  /** The name of an index that is not unique. */
  index: string;
  equal: readonly Indexed[];
  /** Only documents whose `order` is greater. */
  above: number;
};

export type Store = {
  /** `duplicate` when the id or a place in a unique index is taken; then nothing is written. */
  insert<V extends object>(collection: Collection<V>, id: string, value: V): Promise<'inserted' | 'duplicate'>;
  get<V extends object>(collection: Collection<V>, id: string): Promise<Stored<V> | null>;
  /** In no order, without missing documents. */
  getMany<V extends object>(collection: Collection<V>, ids: readonly string[]): Promise<Stored<V>[]>;
  /** The documents that a unique index of one field finds for any of these values: each once, in no order. */
  findMany<V extends object>(collection: Collection<V>, index: string, values: readonly string[]): Promise<Stored<V>[]>;
  /** Writes `value` only if the document still has `version`; `stale` when it has another version or is gone. */
  replace<V extends object>(collection: Collection<V>, id: string, version: number, value: V): Promise<Replaced>;
  /**
   * Writes to any collections. Each stands or fails by itself; the store may share flushes among them. Results come in
   * the order of the writes. No document may be written twice.
   */
  writeMany(writes: readonly Write[]): Promise<Written[]>;
  /**
   * Writes `first` as `writeMany` does. If every write of `first` stands, writes `last` too, in the same flush where
   * the store can. No reader sees a write of `last` without all of `first`, and no crash leaves one. Resolves with the
   * results of `first`.
   */
  writeInOrder(first: readonly Write[], last: readonly Write[]): Promise<Written[]>;
  /** Only if the document still has `version`. */
  delete<V extends object>(collection: Collection<V>, id: string, version: number): Promise<'deleted' | 'stale'>;
  /** Deletes documents whose version still stands, sharing flushes. Resolves with the number of deleted documents. */
  deleteMany<V extends object>(collection: Collection<V>, documents: readonly Stored<V>[]): Promise<number>;
  /** Documents in the index's order. `next` is null at the end. */
  page<V extends object>(
    collection: Collection<V>,
    query: PageQuery,
  ): Promise<{ documents: Stored<V>[]; next: Position | null }>;
  /** The number of documents that a page without a limit would have. */
  count(collection: Collection<object>, query: CountQuery): Promise<number>;

  /** Makes the indexes of a collection that was not given at opening; harmless when repeated. */
  prepare(collection: Collection<object>): Promise<void>;
  /** Deletes all documents of a collection, a bounded number at a time. */
  drop(collection: Collection<object>): Promise<void>;

  /** Stores bytes under a name for good. Storing the same bytes again is harmless. */
  putBlob(name: string, bytes: Uint8Array): Promise<void>;
  getBlob(name: string): Promise<Uint8Array | null>;
  deleteBlob(name: string): Promise<void>;

  /** False while the database cannot be reached. */
  healthy(): boolean;
  /** Whether an error of this store passes by itself, or by an operator's hand: no server, or no room on the disk. */
  isAway(error: unknown): boolean;
  close(): Promise<void>;
};

/** Whether the document has the written value. */
export function stands(written: Written): boolean {
  return written === 'inserted' || written === 'replaced';
}

/** The first document that an index finds; of a unique index the only one. */
export async function findOne<V extends object>(
  store: Store,
  collection: Collection<V>,
  index: string,
  equal: readonly Indexed[],
): Promise<Stored<V> | null> {
  const { documents } = await store.page(collection, { index, equal, limit: 1 });
  return documents[0] ?? null;
}

/** Cuts up to `limit` + 1 documents to a page of at most `limit`, with its end if a document was left over. */
export function cutPage<V extends object>(
  documents: Stored<V>[],
  limit: number,
  order: string,
): { documents: Stored<V>[]; next: Position | null } {
  const kept = documents.slice(0, limit);
  const last = kept.at(-1);
  if (documents.length <= limit || !last) return { documents: kept, next: null };
  return {
    documents: kept,
    next: { order: (last.value as Record<string, string | number>)[order]!, id: last.id },
  };
}
