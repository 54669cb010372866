/**
 * Does what follows from the state of an operation over several events, and from the exchange of a booking: the
 * occurrences of a season, and its contracts. The projection marks an operation as due when its state changes, and a
 * booking when its units are exchanged. Every catalog looks for due documents twice a second. So the index has due
 * documents only, and a look grows with open work. A caller who must see the consequences at once asks for `settle`.
 *
 * Every follower may run twice, and in two processes at once: the ids of what it makes follow from the operation, and
 * the places of a contract follow from the journals.
 *
 * Failure at each await: the store fails, or a follower does → the document is due still, and the next look tries
 * again; the projector has counted a further record meanwhile → the mark stays, for this record; this process dies →
 * every other catalog sees the mark. Many exchanged bookings delay no operation: each kind has a loop of its own.
 */
import type { KeptOperation } from '@parterre/shared/protocol/catalog/operations';
import type { OperationOwner } from '@parterre/shared/protocol/operations/operation';
import { type Clock, pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { currentViews } from '../projections/generations.ts';
import { ownerIdOf } from '../projections/rules/operation-view.ts';
import type { Views } from '../store/collections.ts';
import { openOperationsPerLook, openOperationsPollMs } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { BookingProjection, OperationProjection } from '../store/rules/records.ts';
import type { Collection, Store, Stored } from '../store/store.ts';
import { keptOperation } from './rules/kept-operation.ts';

export type Follower = (operation: KeptOperation) => Promise<void>;

export type ExchangedBooking = Pick<BookingProjection, 'eventKey' | 'bookingRef'>;
export type Followers = {
  ofOperations: readonly Follower[];
  ofExchanged: (booking: ExchangedBooking) => Promise<void>;
};

/** The due documents of one collection, and what is done for each. */
type Queue<V> = { collection: (views: Views) => Collection<V & object>; follow: (value: V) => Promise<void> };

export type Following = {
  /** Resolves when everything that follows from the operation's present state is done. */
  settle(internalId: string): Promise<void>;
  /** The same for every operation of the owner, and for exchanges in these events. Looks at due documents alone. */
  settleOwner(owner: OperationOwner, eventKeys: readonly string[]): Promise<void>;
  /** Looks for due documents until `stop`. */
  watch(): void;
  stop(): Promise<void>;
};

export function createFollowing(
  { store, clock, log }: { store: Store; clock: Clock; log: Logger },
  { ofOperations, ofExchanged }: Followers,
): Following {
  const stopping = new AbortController();
  let watching: Promise<unknown> = Promise.resolve();

  const operationQueue: Queue<OperationProjection> = {
    collection: ({ operations }) => operations,
    async follow(value) {
      const operation = keptOperation(value);
      for (const follower of ofOperations) await follower(operation);
    },
  };
  const bookingQueue: Queue<BookingProjection> = { collection: ({ bookings }) => bookings, follow: ofExchanged };

  async function follow<V extends object>(queue: Queue<V>, { id, version, value }: Stored<V>): Promise<void> {
    const collection = queue.collection(await currentViews(store));
    await queue.follow(value);
    await store.replace(collection, id, version, { ...value, due: null });
  }

  async function look<V extends object>(queue: Queue<V>, isAsked: (value: V) => boolean): Promise<void> {
    let after: Position | null | undefined;
    while (after !== null && !stopping.signal.aborted) {
      const query = { index: 'due', equal: [true], limit: openOperationsPerLook, after };
      const { documents, next } = await store.page<V>(queue.collection(await currentViews(store)), query);
      for (const document of documents) {
        if (stopping.signal.aborted) return;
        if (!isAsked(document.value)) continue;
        try {
          await follow(queue, document);
        } catch (error) {
          log.warn({ err: error, document: document.id }, 'what follows from a document waits for the next look');
        }
      }
      after = next;
    }
  }

  async function lookOn<V extends object>(queue: Queue<V>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await look(queue, () => true);
      } catch (error) {
        log.warn({ err: error }, 'due documents cannot be read now');
      }
      await pauseUnless(stopping.signal, clock, openOperationsPollMs);
    }
  }

  return {
    async settle(internalId) {
      const { operations } = await currentViews(store);
      const found = await store.get(operations, internalId);
      if (found?.value.due) await follow(operationQueue, found);
    },
    async settleOwner(owner, eventKeys) {
      const asked = new Set(eventKeys);
      await look(operationQueue, ({ ownerId }) => ownerId === ownerIdOf(owner));
      await look(bookingQueue, ({ eventKey }) => asked.has(eventKey));
    },
    watch() {
      watching = Promise.all([lookOn(operationQueue), lookOn(bookingQueue)]);
    },
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
