/** Opens the room of operations over several events. Not built yet: nothing calls it. */
import type { Folds, Rules } from '../state/state.ts';

type OperationCommand =
  | ('hold-part' | 'abort-operation' | 'pin-part' | 'unpin-part' | 'book-part' | 'extend-part' | 'release-part')
  | ('refuse-action' | 'unbook-part' | 'inspect-operation' | 'lock' | 'drain-lock' | 'unlock' | 'inspect-locks')
  | ('reserve' | 'unreserve' | 'book-reserved');

type OperationRecordType =
  | ('part-held' | 'part-pinned' | 'part-unpinned' | 'operation-aborted' | 'action-refused')
  | ('locked' | 'lock-drained' | 'unlocked' | 'reserved' | 'unreserved');

function notBuilt(): never {
  throw new Error('operations over several events are not built yet');
}

export const operationRules: Rules<OperationCommand> = {
  'hold-part': notBuilt,
  'abort-operation': notBuilt,
  'pin-part': notBuilt,
  'unpin-part': notBuilt,
  'book-part': notBuilt,
  'extend-part': notBuilt,
  'release-part': notBuilt,
  'refuse-action': notBuilt,
  'unbook-part': notBuilt,
  'inspect-operation': notBuilt,
  lock: notBuilt,
  'drain-lock': notBuilt,
  unlock: notBuilt,
  'inspect-locks': notBuilt,
  reserve: notBuilt,
  unreserve: notBuilt,
  'book-reserved': notBuilt,
};

export const operationFolds: Folds<OperationRecordType> = {
  'part-held': notBuilt,
  'part-pinned': notBuilt,
  'part-unpinned': notBuilt,
  'operation-aborted': notBuilt,
  'action-refused': notBuilt,
  locked: notBuilt,
  'lock-drained': notBuilt,
  unlocked: notBuilt,
  reserved: notBuilt,
  unreserved: notBuilt,
};
