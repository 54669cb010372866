/** Commands of one operation and one offer at the event `test-night`, which is the operation's home or a member. */
import type { Command } from '@parterre/shared/protocol/commands';
import { internalIdOf, type OperationOwner } from '@parterre/shared/protocol/operations/operation';
import { MINUTE, START } from '../inventory/house.ts';

const owner: OperationOwner = { kind: 'season', key: 'sea_1' };
const selectionsOf = (labels: string[]) => labels.map((label) => ({ label }));
const actsUntil = START + MINUTE;

export const lock: Command = { type: 'lock', owner, lockId: 'activation', actsUntil };

/** `at` is the time of the calls that may come too late. */
export function operationHere(operationId: string, eventKeys: string[]) {
  const id = internalIdOf(owner, operationId);
  const head = { id, owner, operationId, eventKeys };
  const actionId = `book-${operationId}`;
  return {
    hold: (expiresAt: number, ...labels: string[]): Command => ({
      type: 'hold-part',
      head,
      selections: selectionsOf(labels),
      expiresAt,
      actsUntil,
      fingerprint: 'f',
    }),
    pin: { type: 'pin-part', id, action: { id: actionId, kind: 'book', bookingRef: 'order' }, actsUntil } as Command,
    unpin: { type: 'unpin-part', id, actionId } as Command,
    book: { type: 'book-part', id, actionId, bookingRef: 'order' } as Command,
    release: { type: 'release-part', id } as Command,
    inspect: { type: 'inspect-operation', id } as Command,
  };
}

export function offerHere(offerId: string) {
  const callId = `call-${offerId}`;
  return {
    reserve: (...labels: string[]): Command => ({
      type: 'reserve',
      callId,
      offerId,
      owner,
      selections: selectionsOf(labels),
      actsUntil,
    }),
    unreserve: { type: 'unreserve', callId, offerId } as Command,
    book: { type: 'book-reserved', callId, offerId, bookingRef: 'renewal' } as Command,
  };
}
