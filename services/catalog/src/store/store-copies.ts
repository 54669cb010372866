/**
 * A view of a store at one moment, for a backup, and the way back. Both stores have the same records, so a backup of
 * one fills the other. Indexes are no part: the catalog makes them when it opens the store.
 *
 * States of a view: begun (its moment is fixed) → read, while the catalogs go on writing → ended. Failure at an await:
 * a read throws, and the view has to begin anew.
 */

/** Documents keep their versions: clients name them. A blob stands for good under its name. */
export type CopiedRecord =
  | [kind: 'document', collection: string, id: string, version: number, value: object]
  | [kind: 'blob', name: string, bytes: Uint8Array];

export type StoreView = {
  /** Every record of the store at the view's moment. */
  records(): AsyncIterable<CopiedRecord>;
  end(): Promise<void>;
};

export type ViewedStore = {
  /** Fixes the moment of the view: after the call, and before its promise resolves. */
  begin(): Promise<StoreView>;
  close(): Promise<void>;
};

export type FilledStore = {
  isEmpty(): Promise<boolean>;
  /** Writes each record under its name, in place of any record there. */
  fill(records: AsyncIterable<CopiedRecord>): Promise<void>;
  close(): Promise<void>;
};
