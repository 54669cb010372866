/**
 * Calls with an Idempotency-Key, on the routes that take one: carried out once, answered alike for 24 hours, through
 * whichever front door they come (wire contract 1). Their names are kept by the catalog.
 *
 * States of a call here: asking → running → keeping → answered; or asking → answered, with what was kept or a refusal.
 *
 * Failure at each await: the name cannot be asked for → `catalog_unavailable`, and nothing has been done; it may have been
 * taken without our hearing of it, so it is given back, if that can be said. The call itself ends with 500 or more, or
 * throws → its name is given back, so that it may be repeated at once. The answer cannot be kept, or this process dies
 * before it is → the name stays taken for `idempotencyLeaseMs`. However it comes to be carried out again, it is with the same
 * `callId`, from which follow the ids of what it makes (I5): the run before may have done its work.
 */
import type { KeptAnswer } from '@parterre/shared/catalog/idempotency';
import { randomText, sha256 } from '@parterre/shared/ids';
import { type Answer, answerOfRefusal, jsonType } from '../answers/answer.ts';
import type { Ports } from '../ports.ts';
import type { ConsolePrincipal, EditorPrincipal } from './principals.ts';
import type { Request, Route } from './route.ts';

const RUN_LENGTH = 16;

/** `carryOut` gets the `callId`, the same for every repetition of the call. Throws what it throws. */
export async function once(
  ports: Ports,
  route: Route,
  request: Request,
  principal: ConsolePrincipal | EditorPrincipal,
  carryOut: (callId: string) => Promise<Answer>,
): Promise<Answer> {
  const name = nameOf(route, request, principal);
  const run = randomText(RUN_LENGTH);
  const begun = await ports.catalog('idempotency.begin', { name, run, fingerprint: sha256(request.body) });
  if (!begun.ok) {
    // Not awaited: the answer need not wait for what may not be heard either.
    if (begun.refusal.code === 'catalog_unavailable')
      void ports.catalog('idempotency.end', { name, run, answer: null });
    return answerOfRefusal(begun.refusal, request.requestId);
  }
  if (begun.value.state === 'answered') return replayed(begun.value.answer);
  let kept: KeptAnswer | null = null;
  try {
    const answer = await carryOut(begun.value.callId);
    if (answer.status < 500 && typeof answer.body === 'string') kept = { status: answer.status, body: answer.body };
    return answer;
  } finally {
    await ports.catalog('idempotency.end', { name, run, answer: kept });
  }
}

/**
 * Organisation, mode, method and path; and, since nobody may be answered with what another may not see or do, the
 * workspace of a key that has one. A dashboard session has its role in place of a mode, a designer session its id in place of both.
 */
function nameOf(
  { method, path }: Route,
  { params, idempotencyKey }: Request,
  principal: ConsolePrincipal | EditorPrincipal,
): string {
  const who = whoOf(principal);
  return sha256([principal.organisationId, ...who, method, path, ...params, idempotencyKey].join('\0'));
}

function whoOf(principal: ConsolePrincipal | EditorPrincipal): string[] {
  if (principal.kind === 'dashboard') return [principal.role, ''];
  if (principal.kind === 'designer') return ['designer', principal.sessionId];
  return [principal.mode, principal.workspaceId ?? ''];
}

function replayed({ status, body }: KeptAnswer): Answer {
  return { status, headers: [jsonType, ['Idempotent-Replayed', 'true']], body };
}
