/**
 * The ports of every operation, the type of the table of operations, and the one way to change a stored document or
 * list a page.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { AuditedBy } from '@parterre/shared/protocol/catalog/accounts';
import type { Page } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput, CatalogOperation, CatalogOutput, Changed } from '@parterre/shared/protocol/catalog-api';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { changeAttemptsMax } from './rules/bounds.ts';
import { clampLimit, decodeCursor, encodeCursor } from './rules/paging.ts';
import type { Collection, Indexed, Store, Stored } from './store.ts';

export type Ports = {
  store: Store;
  clock: Clock;
  /** Tells every service to drop a cached answer. Caches also expire without it. */
  announce: (changed: Changed) => void;
  /** Asks the projector to end its rest: a caller waits for the journal to be counted. */
  hurryProjector: () => void;
  ask: AskEvent;
  log: Logger;
};

/**
 * Sends a command to the event's actor. Refused with `not_found` without such an event, and with `shard_unavailable` if
 * there is no answer by `deadlineAt` (`Clock.elapsed`).
 */
export type AskEvent = <C extends Command>(
  eventKey: string,
  command: C,
  caller: Caller,
  deadlineAt: number,
) => Promise<Outcome<Answers[C['type']]>>;

/**
 * After `deadlineAt` (`Clock.elapsed`) nobody waits for the outcome, and an operation with a long queue drops the call.
 * Calls of the catalog itself have no deadline.
 * `by` is the caller of an operation that the audit tells; null for calls of the catalog itself.
 */
type Operation<O extends CatalogOperation> = (
  input: CatalogInput<O>,
  deadlineAt?: number,
  by?: AuditedBy | null,
) => Promise<Outcome<CatalogOutput<O>>>;
export type OperationTable<O extends CatalogOperation = CatalogOperation> = { [Each in O]: Operation<Each> };

/**
 * Reads a document, lets `decide` make its next value or refuse, and writes the value if no other writer came between.
 * Otherwise it decides again on the new document. `absent` is the refusal where the document does not exist.
 */
export async function change<V extends object>(
  store: Store,
  collection: Collection<V>,
  id: string,
  absent: () => Outcome<never>,
  decide: (value: V) => Outcome<V> | Promise<Outcome<V>>,
): Promise<Outcome<Stored<V>>> {
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    const found = await store.get(collection, id);
    if (!found) return absent();
    const decided = await decide(found.value);
    if (!decided.ok) return decided;
    const { value } = decided;
    if (value === found.value) return { ok: true, value: found };
    const written = await store.replace(collection, id, found.version, value);
    if (written === 'replaced') return { ok: true, value: { id, version: found.version + 1, value } };
  }
  return refuse('overloaded', 'Too many changes at once. Try again.', { retryable: true });
}

/** One page of an index, in its order, each document as `show` gives it, and the cursor of the next page. */
export async function listPage<V extends object, Item>(
  store: Store,
  collection: Collection<V>,
  found: { index: string; equal: readonly Indexed[]; descending?: boolean },
  page: Page,
  show: (document: Stored<V>) => Item,
): Promise<{ items: Item[]; more: { nextCursor?: string } }> {
  const query = { ...found, limit: clampLimit(page.limit), after: decodeCursor(page.cursor) };
  const { documents, next } = await store.page(collection, query);
  return { items: documents.map(show), more: next === null ? {} : { nextCursor: encodeCursor(next) } };
}
