/**
 * Opens the room of operations over several events: the part that this event has of an operation, the locks of groups
 * and seasons, and the reservations for offers. docs/operations-over-events.md has the design. The event knows nothing
 * of other events: the coordinator (shared/operations) sends its commands in the order that keeps a sale whole.
 *
 * States of a part (`PartState`): held → pinned → held or booked; held or pinned → released; held → expired. At the
 * home also: aborted, without a hold. A pinned part does not expire. Ended parts stay as they are.
 */
import type { Folds, Reads, Rules } from '../state/state.ts';
import { drainLock, inspectLocks, lock, lockFolds, unlock } from './locks.ts';
import { bookPart, extendPart, pinPart, refuseAction, unpinPart } from './part-actions.ts';
import { unbookPart } from './part-cancels.ts';
import { partFolds } from './part-folds.ts';
import { abortOperation, holdPart, inspectOperation, releasePart } from './part-holds.ts';
import { bookReserved, reservationFolds, reserve, unreserve } from './reservations.ts';
import { inspectUnits } from './unit-inspection.ts';

type OperationCommand =
  | ('hold-part' | 'abort-operation' | 'pin-part' | 'unpin-part' | 'book-part' | 'extend-part' | 'release-part')
  | ('refuse-action' | 'unbook-part' | 'lock' | 'drain-lock' | 'unlock')
  | ('reserve' | 'unreserve' | 'book-reserved');

type OperationRecordType =
  | ('part-held' | 'part-pinned' | 'part-unpinned' | 'operation-aborted' | 'action-refused')
  | ('locked' | 'lock-drained' | 'unlocked' | 'reserved' | 'unreserved');

export const operationRules: Rules<OperationCommand> = {
  'hold-part': holdPart,
  'abort-operation': abortOperation,
  'pin-part': pinPart,
  'unpin-part': unpinPart,
  'book-part': bookPart,
  'extend-part': extendPart,
  'release-part': releasePart,
  'refuse-action': refuseAction,
  'unbook-part': unbookPart,
  lock,
  'drain-lock': drainLock,
  unlock,
  reserve,
  unreserve,
  'book-reserved': bookReserved,
};

/** May be refused, but never writes. */
export const unitInspections: Rules<'inspect-units'> = { 'inspect-units': inspectUnits };

export const operationReads: Reads<'inspect-operation' | 'inspect-locks'> = {
  'inspect-operation': inspectOperation,
  'inspect-locks': inspectLocks,
};

export const operationFolds: Folds<OperationRecordType> = {
  ...partFolds,
  ...lockFolds,
  ...reservationFolds,
};
