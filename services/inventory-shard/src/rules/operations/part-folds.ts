/**
 * Folds the records of parts. A part's hold has its own records beside them: the folds of sales end and extend the part
 * with its hold.
 */
import { neverMs, newPart, type Part } from '../parts/parts.ts';
import { type Folds, schedule } from '../state/state.ts';
import { abortedAt } from './part-holds.ts';

type PartRecord = 'part-held' | 'part-pinned' | 'part-unpinned' | 'operation-aborted' | 'action-refused';

/** Refused actions that a part knows. Each has pins first, so an older one is over. */
const refusedActionsKept = 64;

export const partFolds: Folds<PartRecord> = {
  'part-held'({ holds, parts }, { head, holdId, fingerprint }, at) {
    // The hold's time may have begun before the operation.
    const { expiresAt } = holds.get(holdId)!;
    parts.begin(newPart(head, { state: 'held', holdId, fingerprint, createdAt: at, expiresAt, endedAt: null }), at);
  },
  'operation-aborted'({ parts }, { head, createdAt }, at) {
    parts.begin(newPart(head, abortedAt(createdAt, at)), at);
  },
  'part-pinned'(state, { id, action, holdId }) {
    state.parts.change(id, { state: 'pinned', action });
    state.holds.toChange(holdId)!.expiresAt = neverMs;
  },
  'part-unpinned'(state, { id, holdId, expiresAt }) {
    state.parts.change(id, { state: 'held', action: null });
    state.holds.toChange(holdId)!.expiresAt = expiresAt;
    schedule(state, { at: expiresAt, what: { holdId } });
  },
  'action-refused'({ parts }, { id, actionId }) {
    const refused = [...(parts.get(id) as Part).refused, actionId].slice(-refusedActionsKept);
    parts.change(id, { refused });
  },
};
