/**
 * Opens the room of the turn, the work of an event on one command or deadline. A partition decides commands, applies
 * records, folds groups and takes snapshots through this file alone. decide.ts and apply.ts are the two places that
 * list the rooms of rules.
 */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { EventState } from '../state/state.ts';
import { apply } from './apply.ts';
import { applyConsequences } from './consequences.ts';
import { due } from './due.ts';

export { apply, closeGroup, foldGroupInSteps } from './apply.ts';
export { feedChangeOf, movesChart } from './changes.ts';
export { isInFuture } from './clock-set.ts';
export { applyConsequences } from './consequences.ts';
export { decide } from './decide.ts';
export { isDue, nextDeadline } from './due.ts';
export { type Performed, performInSteps, setClock, success, takesSteps } from './long-turns.ts';
export { withNames } from './named-places.ts';
export { bytesOfRecord, bytesOfRecords, tooLong } from './record-bytes.ts';
export { bytesOf, bytesOfPlan, bytesOfSnapshot } from './size.ts';
export {
  type CapturedState,
  capture,
  fromSnapshotInSteps,
  readSnapshot,
  type Snapshot,
  toSnapshotInSteps,
} from './snapshot.ts';

/** Applies and returns the due records at `now` and their consequences. Empty if nothing is due. */
export function applyDue(state: EventState, now: number): JournalRecord[] {
  const records = due(state, now);
  for (const record of records) apply(state, record, now);
  applyConsequences(state, now, records);
  return records;
}
