/**
 * Named calls: calls with an Idempotency-Key, which front door may run one, and its answer.
 *
 * States of a name: unknown → running → answered → unknown, 24 hours after its first use. Every step is one
 * version-checked write. Of two front doors that begin the same call at once, through any catalogs, one runs it.
 *
 * A run that is under way renews its lease, so a slow call keeps its name (front door, `admission/idempotency.ts`).
 *
 * Failure while running: the front door dies, or cannot tell the end of the call. The name stays taken for
 * `idempotencyLeaseMs` after the last renewal. A repetition then runs the call again. It makes nothing twice, because
 * the ids of everything that a call makes follow from its `callId` (I5). An answer is not stored when another run has
 * taken the name over meanwhile.
 */
import type { BegunCall } from '@parterre/shared/protocol/catalog/idempotency';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { randomText } from '@parterre/shared/protocol/ids';
import { idempotencyKeepMs, idempotencyLeaseMs } from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import { namedCalls } from './collections.ts';
import type { OperationTable, Ports } from './operations.ts';
import { changeAttemptsMax } from './rules/bounds.ts';
import type { NamedCall } from './rules/records.ts';
import type { Store, Stored } from './store.ts';

const CALL_ID_LENGTH = 22;

type IdempotencyOperation = 'idempotency.begin' | 'idempotency.end';

export function createIdempotencyOperations({ store, clock }: Ports): OperationTable<IdempotencyOperation> {
  return {
    'idempotency.begin': ({ name, run, fingerprint, renews }) =>
      renews ? renew(store, clock, name, run) : begin(store, clock, name, { run, fingerprint }),

    async 'idempotency.end'({ name, run, answer }) {
      // Without an answer the name is free at once. The next run has the same `callId`, since this run may have done
      // its work.
      await changeRun(store, name, run, answer === null ? { leaseUntil: 0 } : { answer });
      return done({ ok: true });
    },
  };
}

/** A run that has ended, or was overtaken, renews nothing. */
async function renew(store: Store, clock: Clock, name: string, run: string): Promise<Outcome<BegunCall>> {
  const callId = await changeRun(store, name, run, { leaseUntil: clock.now() + idempotencyLeaseMs });
  return callId === null ? inProgress() : done({ state: 'begun', callId });
}

/**
 * Changes a call while this run has its name; otherwise returns null. A write that is overtaken by this run's own
 * renewal is tried again. A write that is overtaken by another run is not.
 */
async function changeRun(store: Store, name: string, run: string, change: Partial<NamedCall>): Promise<string | null> {
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    const found = await store.get(namedCalls, name);
    const isOver = found?.value.run !== run || found.value.answer !== null || found.value.leaseUntil === 0;
    if (isOver) return null;
    const written = await store.replace(namedCalls, name, found.version, { ...found.value, ...change });
    if (written === 'replaced') return found.value.callId;
  }
  return null;
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
    const standing = found && answerToRepetition(found, asked.fingerprint, now);
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

/** The answer to a repetition of a call; null where the call may run (again). */
function answerToRepetition(
  { value: call }: Stored<NamedCall>,
  fingerprint: string,
  now: number,
): Outcome<BegunCall> | null {
  if (call.expiresAt <= now) return null;
  if (call.fingerprint !== fingerprint) {
    return refuse('conflict', 'This Idempotency-Key was used with another body. Use a new key.', {
      reason: 'idempotency_key_reused',
    });
  }
  if (call.answer !== null) return done({ state: 'answered', answer: call.answer });
  return call.leaseUntil > now ? inProgress() : null;
}

function inProgress(): Outcome<never> {
  return refuse('idempotency_in_progress', 'The first call with this Idempotency-Key is still under way. Try again.', {
    retryable: true,
  });
}
