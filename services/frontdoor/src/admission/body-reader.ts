/**
 * Reads large bodies in a thread (body-program.ts, job-thread.ts), so that the loop answers other requests meanwhile.
 * One body is read at a time; tenants take turns.
 *
 * States of a body: waiting → open in the thread → judged by its small fields → checked → taken over in parts → read. A
 * body that is refused in between is forgotten by the thread at the next body.
 *
 * Failures at the awaits: the thread dies or takes too long, or too many bodies wait → 503 `overloaded`, `retryable`.
 * The next body gets another thread. The judgement has a time of its own, since the thread waits for it.
 */
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { AskThread } from '@parterre/shared/protocol/job-thread';
import { addPart, type FromBodyThread, type ToBodyThread } from './body-program.ts';
import type { BodyRead, BodyReader, Judge, Received, Row } from './route.ts';

/** The thread, or a stand-in of it in tests. */
export type BodyThread = {
  inTurn<T>(party: string, run: (ask: AskThread<ToBodyThread, FromBodyThread>) => Promise<T>): Promise<T>;
};

const broken = refuse(
  'overloaded',
  'The body could not be read, because the reader of large bodies ended. Try again.',
  {
    retryable: true,
  },
);

export function createBodyReader(thread: BodyThread): BodyReader {
  return async (tenant, route, request, dropped, judge) => {
    try {
      return await thread.inTurn(tenant, (ask) => readWith(ask, route, request, dropped, judge));
    } catch (error) {
      if (error instanceof Fault) return broken;
      throw error;
    }
  };
}

async function readWith(
  ask: AskThread<ToBodyThread, FromBodyThread>,
  { signature }: Row,
  { idempotencyKey, contentType, body }: Received,
  dropped: readonly string[],
  judge: Judge | null,
): Promise<Outcome<BodyRead>> {
  const job = { type: 'open' as const, signature, contentType, idempotencyKey, dropped, body };
  const opened = await ask(job, [body.buffer as ArrayBuffer]);
  if (opened.type === 'refused') return opened.refused;
  if (opened.type !== 'opened') throw unexpected(opened);
  const refused = judge && (await judge(opened.fields));
  if (refused) return refused;
  const checked = await ask({ type: 'check' }, []);
  if (checked.type === 'refused') return checked.refused;
  if (checked.type !== 'value') throw unexpected(checked);
  for (let { hasMore } = checked; hasMore; ) {
    const next = await ask({ type: 'more' }, []);
    if (next.type !== 'part') throw unexpected(next);
    addPart(checked.value, next.part);
    hasMore = next.hasMore;
  }
  return done({ value: checked.value, fingerprint: opened.fingerprint });
}

function unexpected({ type }: FromBodyThread): Error {
  return new Error(`read a large body: the thread answered ${type} at the wrong time`);
}
