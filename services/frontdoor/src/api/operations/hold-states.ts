/** The states and ids of holds over several events, as buyers and platforms see them. */
import { internalIdOf, type OperationOwner } from '@parterre/shared/operations/operation';
import type { OperationView } from '@parterre/shared/operations/ports';
import { z } from 'zod';
import type { Header } from '../../answers/answers.ts';

export const holdState = z.enum([
  'preparing',
  'commit_pending',
  'committed',
  'expire_pending',
  'expired',
  'booked',
  'abort_pending',
  'aborted',
]);

const unfinished: readonly OperationView['state'][] = [
  'preparing',
  'commit_pending',
  'expire_pending',
  'abort_pending',
];

export function isUnfinished({ state, booking }: OperationView): boolean {
  return unfinished.includes(state) || booking?.state === 'book_pending';
}

/** The header of every answer that shows something unfinished. */
export const again: Header = ['Retry-After', '1'];

/** The operation's internal id as the id of a hold. No event has a hold of this id. */
export function ownerHoldId(owner: OperationOwner, operationId: string): string {
  return internalIdOf(owner, operationId).replace('op_', 'hld_');
}

/** The internal id of the operation whose hold this is; null for the id of anything else. */
export function internalIdOfHold(holdId: string): string | null {
  return holdId.startsWith('hld_') ? holdId.replace('hld_', 'op_') : null;
}
