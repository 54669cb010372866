/**
 * Does what follows from the state of an operation over several events: the occurrences of its season. The projection
 * marks an operation as due when its state changes, and every catalog looks for due operations twice a second. So the
 * index has due operations only, and a look grows with open work. A caller who must see the consequences at once asks
 * for `settle`.
 *
 * Every follower may run twice, and in two processes at once: the ids of what it makes follow from the operation.
 *
 * Failure at each await: the store fails, or a follower does → the operation is due still, and the next look tries
 * again; the projector has counted a further record meanwhile → the mark stays, for this record; this process dies →
 * every other catalog sees the mark.
 */
import type { KeptOperation } from '@parterre/shared/protocol/catalog/operations';
import type { OperationOwner } from '@parterre/shared/protocol/operations/operation';
import { type Clock, pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { currentViews } from '../projections/generations.ts';
import { ownerIdOf } from '../projections/rules/operation-view.ts';
import { openOperationsPerLook, openOperationsPollMs } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { OperationProjection } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import { keptOperation } from './rules/kept-operation.ts';

export type Follower = (operation: KeptOperation) => Promise<void>;

export type Following = {
  /** Resolves when everything that follows from the operation's present state is done. */
  settle(internalId: string): Promise<void>;
  /** The same for every operation of the owner. Looks at due operations alone. */
  settleOwner(owner: OperationOwner): Promise<void>;
  /** Looks for due operations until `stop`. */
  watch(): void;
  stop(): Promise<void>;
};

export function createFollowing(
  { store, clock, log }: { store: Store; clock: Clock; log: Logger },
  followers: readonly Follower[],
): Following {
  const stopping = new AbortController();
  let watching: Promise<unknown> = Promise.resolve();

  async function follow({ id, version, value }: Stored<OperationProjection>): Promise<void> {
    const { operations } = await currentViews(store);
    const operation = keptOperation(value);
    for (const follower of followers) await follower(operation);
    await store.replace(operations, id, version, { ...value, due: null });
  }

  async function look(owner?: OperationOwner): Promise<void> {
    let after: Position | null | undefined;
    while (after !== null && !stopping.signal.aborted) {
      const { operations } = await currentViews(store);
      const query = { index: 'due', equal: [true], limit: openOperationsPerLook };
      const { documents, next } = await store.page(operations, { ...query, after });
      for (const document of documents) {
        if (stopping.signal.aborted) return;
        if (owner && document.value.ownerId !== ownerIdOf(owner)) continue;
        try {
          await follow(document);
        } catch (error) {
          log.warn({ err: error, operation: document.id }, 'what follows from an operation waits for the next look');
        }
      }
      after = next;
    }
  }

  async function lookOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await look();
      } catch (error) {
        log.warn({ err: error }, 'due operations cannot be read now');
      }
      await pauseUnless(stopping.signal, clock, openOperationsPollMs);
    }
  }

  return {
    async settle(internalId) {
      const { operations } = await currentViews(store);
      const found = await store.get(operations, internalId);
      if (found?.value.due) await follow(found);
    },
    settleOwner: (owner) => look(owner),
    watch() {
      watching = lookOn();
    },
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
