/**
 * Calls that their callers name with an Idempotency-Key: who may carry one out, and what it was answered (wire contract 1).
 *
 * States of a name: unknown → running → answered → unknown, 24 hours after it was first used. Every step is one
 * version-checked write, so that of two front doors that begin the same call at once, through any catalogs, one does it.
 *
 * Failure while running: the front door dies, or cannot say how the call ended. The name stays taken for
 * `idempotencyLeaseMs`; then a repetition carries the call out again, which makes nothing
 * twice because what a call makes gets ids that follow from its `callId` (I5). An answer that comes from a run whose name
 * was taken over meanwhile is not kept.
 */
import type { BegunCall } from '@parterre/shared/catalog/idempotency';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { randomText } from '@parterre/shared/ids';
import { idempotencyKeepMs, idempotencyLeaseMs } from '@parterre/shared/limits';
import { namedCalls } from './collections.ts';
import type { OperationTable, Ports } from './operations.ts';
import { changeAttemptsMax } from './rules/bounds.ts';
import type { NamedCall } from './rules/records.ts';
import type { Store, Stored } from './store.ts';

const CALL_ID_LENGTH = 22;

type IdempotencyOperation = 'idempotency.begin' | 'idempotency.end';

export function createIdempotencyOperations({ store, clock }: Ports): OperationTable<IdempotencyOperation> {
  return {
    'idempotency.begin': ({ name, run, fingerprint }) => begin(store, clock, name, { run, fingerprint }),

    async 'idempotency.end'({ name, run, answer }) {
      const found = await store.get(namedCalls, name);
      if (found?.value.run !== run || found.value.answer !== null) return done({ ok: true });
      // A write that is refused was overtaken by another run, whose answer is the one to keep.
      // Without an answer the name is free at once; the next run has the same `callId`, since this one may have done its work.
      const ended = answer === null ? { leaseUntil: 0 } : { answer };
      await store.replace(namedCalls, name, found.version, { ...found.value, ...ended });
      return done({ ok: true });
    },
  };
}

async function begin(
  store: Store,
  clock: Clock,
  name: string,
  asked: { run: string; fingerprint: string },
): Promise<Outcome<BegunCall>> {
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    const found = await store.get(namedCalls, name);
    const now = clock.now();
    const standing = found && standingOf(found, asked.fingerprint, now);
    if (standing) return standing;
    const before = found && found.value.expiresAt > now ? found.value : null;
    const call: NamedCall = {
      ...asked,
      callId: before?.callId ?? randomText(CALL_ID_LENGTH),
      leaseUntil: now + idempotencyLeaseMs,
      answer: null,
      expiresAt: before?.expiresAt ?? now + idempotencyKeepMs,
    };
    const written = found
      ? await store.replace(namedCalls, name, found.version, call)
      : await store.insert(namedCalls, name, call);
    if (written === 'inserted' || written === 'replaced') return done({ state: 'begun', callId: call.callId });
  }
  return inProgress();
}

/** What is to be said of a call that was named before, or null where it may be carried out (again). */
function standingOf({ value: call }: Stored<NamedCall>, fingerprint: string, now: number): Outcome<BegunCall> | null {
  if (call.expiresAt <= now) return null;
  if (call.fingerprint !== fingerprint) {
    return refuse('conflict', 'This Idempotency-Key was used with another body.', { reason: 'idempotency_key_reused' });
  }
  if (call.answer !== null) return done({ state: 'answered', answer: call.answer });
  return call.leaseUntil > now ? inProgress() : null;
}

function inProgress(): Outcome<never> {
  return refuse('idempotency_in_progress', 'The first call with this Idempotency-Key is still under way.', {
    retryable: true,
  });
}
