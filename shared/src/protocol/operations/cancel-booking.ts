/**
 * Cancels the units of a booking in every event. The events need no order: the caller has decided. An event that does
 * not answer is told as `pending`, and a repetition under the same name is harmless.
 */
import type { Caller } from '../commands.ts';
import { derivedId } from '../ids.ts';
import { internalIdOf } from './operation.ts';
import { isUncertain } from './operation-refusals.ts';
import type { CancelOutcome, Coordinator, CoordinatorPorts, OperationRef } from './ports.ts';

export function cancelBooking(
  { ask }: CoordinatorPorts,
  { owner, operationId, eventKeys }: OperationRef,
  { cancelActionId, bookingRef, labels }: Parameters<Coordinator['cancelBooking']>[1],
  caller: Caller,
  deadlineAt: number,
): Promise<CancelOutcome[]> {
  const id = internalIdOf(owner, operationId);
  const operation = { id, owner, operationId, actionId: cancelActionId };
  return Promise.all(eventKeys.map(cancelIn));

  async function cancelIn(eventKey: string): Promise<CancelOutcome> {
    const own = labels[eventKey] ?? [];
    if (own.length === 0) return { eventKey, state: 'cancelled', code: null };
    const callId = derivedId('call', id, 'cancel', cancelActionId, eventKey);
    const command = { type: 'unbook-part' as const, operation, callId, bookingRef, labels: [...own] };
    const told = await ask(eventKey, command, caller, deadlineAt);
    if (told.ok) return { eventKey, state: 'cancelled', code: null };
    return { eventKey, state: isUncertain(told.refusal) ? 'pending' : 'failed', code: told.refusal.code };
  }
}
