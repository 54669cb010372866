/**
 * Calls with an Idempotency-Key, on idempotent routes. A call is carried out once. For 24 hours every front door gives
 * repetitions the same answer. The catalog keeps the names of calls.
 *
 * States of a call here: asking → running → keeping → answered; or asking → answered, with the kept answer or a
 * refusal.
 *
 * While a call runs it renews the lease of its name, three times in `idempotencyLeaseMs`. So the lease outlasts the
 * longest call, and a repetition hears `idempotency_in_progress` instead of a second run beside the first. Few calls
 * last until the first renewal.
 *
 * Failure at each await. If the catalog does not answer whether the name is free: `catalog_unavailable`, and nothing
 * was done. The catalog may still have taken the name, so the front door tries to give it back. If the call ends with
 * an answer that is not kept, or throws, its name is given back, so that the call may be repeated at once. If the
 * answer cannot be kept, or this process dies before it is kept, the name stays taken for `idempotencyLeaseMs`. The
 * caller gets the answer when the catalog has kept it, or at the request's deadline; the keeping goes on after the
 * deadline. A renewal that gets no answer is not repeated: the next one may succeed. A call that is carried out again
 * has the same `callId`, from which the ids of its records follow (I5), because the earlier run may have done its work.
 */
import type { KeptAnswer } from '@parterre/shared/protocol/catalog/idempotency';
import { randomText, sha256 } from '@parterre/shared/protocol/ids';
import { idempotencyLeaseMs } from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import { type Answer, answerOfRefusal, jsonType } from '../answers/answers.ts';
import { untilDeadline } from '../caches/caches.ts';
import type { ConsolePrincipal, EditorPrincipal } from './principal.ts';
import type { AdmissionPorts, Request, Row } from './route.ts';

const RUN_LENGTH = 16;
const RENEWALS_PER_LEASE = 3;

/** `carryOut` gets the `callId`, the same for every repetition of the call. Its exceptions pass through. */
export async function once(
  ports: Pick<AdmissionPorts, 'catalog' | 'clock'>,
  route: Row,
  request: Request,
  principal: ConsolePrincipal | EditorPrincipal,
  carryOut: (callId: string) => Promise<Answer>,
): Promise<Answer> {
  const name = nameOf(route, request, principal);
  const run = randomText(RUN_LENGTH);
  const { deadlineAt } = request;
  const begin = { name, run, fingerprint: request.fingerprint ?? sha256(request.body) };
  const begun = await ports.catalog('idempotency.begin', begin, deadlineAt);
  if (!begun.ok) {
    // Not awaited: this message may be lost, too, and the answer need not wait for it.
    if (begun.refusal.code === 'catalog_unavailable')
      void ports.catalog('idempotency.end', { name, run, answer: null });
    return answerOfRefusal(begun.refusal, request.requestId);
  }
  if (begun.value.state === 'answered') return replayed(begun.value.answer);
  let kept: KeptAnswer | null = null;
  const stopRenewing = everySoOften(
    ports.clock,
    () => void ports.catalog('idempotency.begin', { ...begin, renews: true }),
  );
  try {
    const answer = await carryOut(begun.value.callId);
    if (answer.status < keptBelow(route) && typeof answer.body === 'string')
      kept = { status: answer.status, body: answer.body };
    return answer;
  } finally {
    stopRenewing();
    await untilDeadline(ports.clock, deadlineAt, ports.catalog('idempotency.end', { name, run, answer: kept }));
  }
}

/** A refused change of an event is decided anew, as the event decides its other named calls (turn/named-calls.ts). */
function keptBelow({ idempotent }: Row): number {
  return idempotent === 'required' ? 400 : 500;
}

function everySoOften(clock: Clock, renew: () => void): () => void {
  let stop = (): void => {};
  const arm = (): void => {
    stop = clock.after(idempotencyLeaseMs / RENEWALS_PER_LEASE, () => {
      renew();
      arm();
    });
  };
  arm();
  return () => stop();
}

/**
 * The name of a call: organisation, mode, workspace, method, path and key. The workspace of a key is part of the name,
 * so that no key gets an answer that it may not see. A dashboard session has its role and the mode that the call names
 * instead, a designer session its id.
 */
function nameOf(
  { method, path }: Row,
  { params, idempotencyKey }: Request,
  principal: ConsolePrincipal | EditorPrincipal,
): string {
  const who = whoOf(principal);
  return sha256([principal.organisationId, ...who, method, path, ...params, idempotencyKey].join('\0'));
}

function whoOf(principal: ConsolePrincipal | EditorPrincipal): string[] {
  if (principal.kind === 'dashboard') return [principal.role, principal.mode ?? ''];
  if (principal.kind === 'designer') return ['designer', principal.sessionId];
  return [principal.mode, principal.workspaceId ?? ''];
}

function replayed({ status, body }: KeptAnswer): Answer {
  return { status, headers: [jsonType, ['Idempotent-Replayed', 'true']], body };
}
