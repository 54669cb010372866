/** The records of one operation over several events, as its events write them; short forms for tests. */
import type { OperationHead, OperationOwner, PartAction } from '@parterre/shared/protocol/operations/operation';
import { internalIdOf, partHoldId } from '@parterre/shared/protocol/operations/operation';
import type { JournalRecord } from '@parterre/shared/protocol/records';

const by = { source: 'buyer', actor: null } as const;

/** `home` stands first in `eventKeys`. */
export function operationRecords(owner: OperationOwner, operationId: string, eventKeys: string[]) {
  const id = internalIdOf(owner, operationId);
  const head: OperationHead = { id, owner, operationId, eventKeys };
  const tag = { id, owner, operationId };
  const expiresAt = 900_000;
  const bookAction = (actionId: string): PartAction => ({ id: actionId, kind: 'book', bookingRef: `ref-${actionId}` });
  return {
    id,
    head,
    held: (eventKey: string, ...units: number[]): JournalRecord[] => {
      const holdId = partHoldId(id, eventKey);
      const lines = units.map((unit) => ({ unit, price: 10 }));
      const more = { sessionId: 'ses_1', buyerRef: 'buyer-7', operation: tag };
      return [
        { type: 'held', holdId, expiresAt, accessSource: 'partner', lines, ...more, by },
        { type: 'part-held', head, holdId, fingerprint: 'f', by },
      ];
    },
    aborted: (): JournalRecord[] => [{ type: 'operation-aborted', head, createdAt: 1_000, by }],
    pinned: (eventKey: string, actionId: string): JournalRecord[] => {
      const holdId = partHoldId(id, eventKey);
      return [{ type: 'part-pinned', id, holdId, action: bookAction(actionId), units: [1], by }];
    },
    pinnedToExtend: (eventKey: string, actionId: string): JournalRecord[] => {
      const action: PartAction = { id: actionId, kind: 'extend', bookingRef: null };
      return [{ type: 'part-pinned', id, holdId: partHoldId(id, eventKey), action, units: [1], by }];
    },
    unpinned: (eventKey: string, actionId: string): JournalRecord[] => {
      return [{ type: 'part-unpinned', id, holdId: partHoldId(id, eventKey), actionId, expiresAt, units: [1], by }];
    },
    extended: (eventKey: string, until: number): JournalRecord[] => {
      const holdId = partHoldId(id, eventKey);
      return [{ type: 'extended', holdId, callId: 'c', expiresAt: until, units: [1], operation: tag, by }];
    },
    refused: (actionId: string): JournalRecord[] => [{ type: 'action-refused', id, actionId, by }],
    booked: (eventKey: string, actionId: string, ...units: number[]): JournalRecord[] => {
      const lines = units.map((unit) => ({ unit, price: 10 }));
      const holdId = partHoldId(id, eventKey);
      const call = {
        callId: `call-${actionId}`,
        bookingRef: `ref-${actionId}`,
        holdId,
        accessSource: 'partner',
      } as const;
      return [{ type: 'booked', ...call, lines, operation: { ...tag, actionId }, by }];
    },
    unbooked: (eventKey: string, actionId: string, ...units: number[]): JournalRecord[] => {
      const call = { callId: `cancel-${eventKey}`, bookingRef: `ref-${actionId}` };
      return [{ type: 'unbooked', ...call, units, operation: tag, by }];
    },
    released: (eventKey: string, ...units: number[]): JournalRecord[] => {
      return [{ type: 'released', holdId: partHoldId(id, eventKey), units, operation: tag, by }];
    },
    expired: (eventKey: string, ...units: number[]): JournalRecord[] => {
      return [{ type: 'expired', holdId: partHoldId(id, eventKey), expiresAt, units, operation: tag, by }];
    },
  };
}
