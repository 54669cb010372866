/**
 * Operations over several events whose callers were told of them (202, 504) before any event had answered. If no event
 * ever sees such an operation, no journal knows it. The note keeps its address alive, and brings the operation to an
 * end.
 *
 * States of a note: open → (patience) → the home is asked to abort → closed. The home aborts, or it has the operation:
 * then the journals tell the rest.
 *
 * Failure at each await: the note cannot be stored → the caller is told a retryable refusal in place of the address;
 * the home does not answer → the note stays open, and the next look asks again; two processes ask the home → the second
 * abort finds the first; this process dies → every other catalog sees the open note. A late copy of a member's hold
 * comes behind the abort → carry-on.ts finds its part, and releases it.
 */
import { done, refuse } from '@parterre/shared/protocol/errors';
import { endedHoldKeepMs } from '@parterre/shared/protocol/limits';
import { createCoordinator } from '@parterre/shared/protocol/operations/coordinator';
import { isUncertain } from '@parterre/shared/protocol/operations/operation-refusals';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import { toldOperations } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import { operationPatienceMs, operationResumeMs } from '../store/rules/bounds.ts';
import type { ToldOperation } from '../store/rules/records.ts';

export type ToldOperations = {
  operations: OperationTable<'operations.note' | 'operations.noted'>;
  engine: Lifecycles<ToldOperation>;
};

export function createToldOperations({ store, clock, log, ask }: Ports): ToldOperations {
  const coordinator = createCoordinator({ ask, now: clock.now });
  const engine = createLifecycles<ToldOperation>({
    store,
    clock,
    log,
    collection: toldOperations,
    async advance({ value }) {
      const { head, createdAt } = value;
      // The caller may repeat the call at once, and hold.
      if (clock.now() < createdAt + operationPatienceMs) return null;
      const ended = await coordinator.abandon(head, createdAt, clock.elapsed() + operationResumeMs);
      if (!ended.ok && isUncertain(ended.refusal)) return null;
      return { ...value, open: null, updatedAt: clock.now() };
    },
    written: () => {},
  });
  return {
    engine,
    operations: {
      async 'operations.note'({ head, sessionId }) {
        const now = clock.now();
        const times = { createdAt: now, updatedAt: now, expiresAt: now + endedHoldKeepMs };
        await store.insert(toldOperations, noteId(head.id, sessionId), { head, sessionId, open: true, ...times });
        return done({ ok: true });
      },

      async 'operations.noted'({ id, sessionIds }) {
        const ids = sessionIds.map((sessionId) => noteId(id, sessionId));
        const [found] = await store.getMany(toldOperations, ids);
        return found ? done({ head: found.value.head, isOpen: found.value.open !== null }) : notNoted;
      },
    },
  };
}

function noteId(operation: string, sessionId: string): string {
  return `${operation}.${sessionId}`;
}

const notNoted = refuse('not_found', 'There is no such operation of this session. Check its operationId.');
