/**
 * Whose a hold over several events is. The caller of a hold names it, and names may be guessed. So a hold belongs to the
 * session that made it, and to a session that has adopted this one. To any other session it is unknown.
 */
import type { OwnerSession } from '@parterre/shared/catalog/scope';
import type { Outcome } from '@parterre/shared/errors';
import { refuse } from '@parterre/shared/errors';
import { internalIdOf } from '@parterre/shared/operations/operation';
import type { Coordinator, OperationView } from '@parterre/shared/operations/ports';
import { asVisitor, type Call } from '../calls/calls.ts';
import { callerOfOwnerBuyer, coordinatorOf, type FoundOperation, findById, shortestTtlMs } from './find-operation.ts';

/** A call of a buyer of a group or season. */
export type OwnerBuyerCall = Pick<Call<'group-buyer'>, 'ports' | 'request' | 'principal'>;

export function buyersCoordinator(call: OwnerBuyerCall): Coordinator {
  return coordinatorOf(call, (event) => asVisitor(call, event, callerOfOwnerBuyer(call.principal, event.event.key)));
}

/** Part of the request's time is left for the answer. */
const answerMs = 500;
export function deadlineOf({ request }: Pick<OwnerBuyerCall, 'request'>): number {
  return request.deadlineAt - answerMs;
}

/** How long a hold or an extension lasts. A visitor of public sale gets no more than the events' own time. */
export async function ttlMsOf(call: OwnerBuyerCall, eventKeys: readonly string[], asked?: number): Promise<number> {
  if (asked !== undefined && call.principal.keyId === undefined) return asked;
  return Math.min(asked ?? Number.POSITIVE_INFINITY, await shortestTtlMs(call, eventKeys));
}

export const takenName = refuse(
  'conflict',
  'Another buyer has an operation of this name. Choose another operationId.',
  { reason: 'operation_id_taken' },
);
const unknownHold = refuse('not_found', 'There is no such operation of this session. Check its operationId.');

/** Whether no other session than the caller's has a part of the operation. */
export function isOwn(principal: OwnerSession, { parts }: OperationView): boolean {
  const sessions = parts.flatMap(({ detail }) => detail?.sessionId ?? []);
  return sessions.every((sessionId) => reaches(principal, sessionId));
}

function reaches({ sessionId, adopted = [] }: OwnerSession, holder: string): boolean {
  return holder === sessionId || adopted.includes(holder);
}

export function ownOperation(
  call: OwnerBuyerCall,
  operationId: string,
  eventKeys: readonly string[],
): Promise<Outcome<FoundOperation>> {
  return ownById(call, internalIdOf(call.principal.owner, operationId), eventKeys);
}

/** The buyer's own operation. `eventKeys` as in `findById`. */
export async function ownById(
  call: OwnerBuyerCall,
  id: string,
  eventKeys: readonly string[],
): Promise<Outcome<FoundOperation>> {
  const found = await findById(call, call.principal.owner, id, eventKeys);
  if (!found.ok) return found.refusal.code === 'not_found' ? unknownHold : found;
  const { holder, part } = found.value;
  const isOwnHold = holder === null ? part.state === 'aborted' : reaches(call.principal, holder);
  return isOwnHold ? found : unknownHold;
}
