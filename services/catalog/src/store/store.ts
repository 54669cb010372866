/**
 * The store port: what the catalog asks of a database, and no more, so that the embedded store and MongoDB can be held
 * to one contract (test/store/store-contract.ts).
 *
 * Every write touches one document and is durable when its promise resolves. There are no transactions over documents:
 * whatever must hold over several is upheld by a unique index or by a version-checked replace that is tried again.
 */
import type { Position } from './rules/paging.ts';

export type { Position } from './rules/paging.ts';

/** What an index can be over. Null counts as a value like any other, also in a unique index. */
export type Indexed = string | number | boolean | null;

/**
 * Finds documents whose `fields` have given values, in the order of `order` and then of id. With `unique`, a second
 * document with equal `fields` cannot exist. One field of an index that is not unique may hold a list: its document is found by each
 * value in it, and by none where the list is empty.
 */
export type Index = { fields: readonly string[]; order: string; unique?: true };

/**
 * A declared kind of document. `Value` is a flat record of plain JSON values; nested ones, and bytes (Uint8Array), may
 * stand in unindexed fields.
 */
export type Collection<Value extends object> = {
  readonly name: string;
  readonly indexes: Readonly<Record<string, Index>>;
  /** Never set: carries the type of the values. */
  readonly value?: Value;
};

/** A stored value. `version` is 1 when inserted and grows by one with each replace. */
export type Stored<Value> = { id: string; version: number; value: Value };

export type Replaced = 'replaced' | 'stale' | 'duplicate';

/** One document to write: inserted where `version` is null, else replaced if it still has that version. */
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
  /** The most documents to give. */
  limit: number;
  /** Where an earlier page ended. */
  after?: Position | undefined;
};

export type CountQuery = {
  /** Not a unique one. */
  index: string;
  equal: readonly Indexed[];
  /** Only those that the index's `order` puts behind this. */
  above: number;
};

export type Store = {
  /** `duplicate` when the id or a unique index is taken; nothing is written then. */
  insert<V extends object>(collection: Collection<V>, id: string, value: V): Promise<'inserted' | 'duplicate'>;
  get<V extends object>(collection: Collection<V>, id: string): Promise<Stored<V> | null>;
  /** In no order, without those that do not exist. */
  getMany<V extends object>(collection: Collection<V>, ids: readonly string[]): Promise<Stored<V>[]>;
  /** Writes `value` only if the document still has `version`; `stale` when it has another or is gone. */
  replace<V extends object>(collection: Collection<V>, id: string, version: number, value: V): Promise<Replaced>;
  /**
   * As many writes, of any collections, each standing or failing by itself, for the price of few writes to the disk where
   * the store can; results in their order. No document may be in it twice.
   */
  writeMany(writes: readonly Write[]): Promise<Written[]>;
  /** Only if the document still has `version`. */
  delete<V extends object>(collection: Collection<V>, id: string, version: number): Promise<'deleted' | 'stale'>;
  /** As many deletes, each by itself, for the price of one write; resolves with how many there were. */
  deleteMany<V extends object>(collection: Collection<V>, documents: readonly Stored<V>[]): Promise<number>;
  /** Documents in the index's order. `next` is null at the end. */
  page<V extends object>(
    collection: Collection<V>,
    query: PageQuery,
  ): Promise<{ documents: Stored<V>[]; next: Position | null }>;
  /** How many documents a page without a limit would give. */
  count(collection: Collection<object>, query: CountQuery): Promise<number>;

  /** Makes the indexes of a collection that was not given when the store was opened; harmless again and again. */
  prepare(collection: Collection<object>): Promise<void>;
  /** Deletes all documents of a collection, little by little. */
  drop(collection: Collection<object>): Promise<void>;

  /** Keeps bytes under a name for good; the same name again with the same bytes is harmless. */
  putBlob(name: string, bytes: Uint8Array): Promise<void>;
  getBlob(name: string): Promise<Uint8Array | null>;
  deleteBlob(name: string): Promise<void>;

  /** False while the database cannot be reached. */
  healthy(): boolean;
  close(): Promise<void>;
};

/** The first document an index finds, which is the only one when the index is unique. */
export async function findOne<V extends object>(
  store: Store,
  collection: Collection<V>,
  index: string,
  equal: readonly Indexed[],
): Promise<Stored<V> | null> {
  const { documents } = await store.page(collection, { index, equal, limit: 1 });
  return documents[0] ?? null;
}

/** A page of at most `limit` out of up to one document more, and where it ended if there was one more. */
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
