/** Opens the room of operations over several events. Not built yet: nothing calls it. */
import { refuse } from '@parterre/shared/errors';
import type { Folds, Rules } from '../state/state.ts';

type OperationCommand =
  | ('hold-part' | 'abort-operation' | 'pin-part' | 'unpin-part' | 'book-part' | 'extend-part' | 'release-part')
  | ('refuse-action' | 'unbook-part' | 'inspect-operation' | 'lock' | 'drain-lock' | 'unlock' | 'inspect-locks')
  | ('reserve' | 'unreserve' | 'book-reserved');

type OperationRecordType =
  | ('part-held' | 'part-pinned' | 'part-unpinned' | 'operation-aborted' | 'action-refused')
  | ('locked' | 'lock-drained' | 'unlocked' | 'reserved' | 'unreserved');

/** A throw would cost the event its state in memory. */
const refused = refuse('not_found', 'This inventory does not sell several events at once yet.');
const refusing = () => refused;

function notBuilt(): never {
  throw new Error('operations over several events are not built yet');
}

export const operationRules: Rules<OperationCommand> = {
  'hold-part': refusing,
  'abort-operation': refusing,
  'pin-part': refusing,
  'unpin-part': refusing,
  'book-part': refusing,
  'extend-part': refusing,
  'release-part': refusing,
  'refuse-action': refusing,
  'unbook-part': refusing,
  'inspect-operation': refusing,
  lock: refusing,
  'drain-lock': refusing,
  unlock: refusing,
  'inspect-locks': refusing,
  reserve: refusing,
  unreserve: refusing,
  'book-reserved': refusing,
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
