/**
 * Says when a running event needs a snapshot. A snapshot saves the replay of the groups behind it (its tail), and costs
 * the writing of the whole event. The snapshot is therefore due when its tail has as many bytes as the snapshot itself:
 * over time an event writes no more bytes of snapshots than of journal. Three bounds stand beside this rule. A tail
 * below `snapshotTailBytesMin` is replayed in milliseconds and needs no snapshot. A tail above `snapshotTailBytesMax`
 * or `snapshotTailGroupsMax` is too long to replay. An event that changes after `snapshotEveryMs` gets a snapshot in
 * any case, so that few events are behind their snapshots when an owner dies.
 *
 * The tail survives a load: the groups that the load has folded are still the tail of the stored snapshot. A snapshot
 * that could not be stored is tried again at the end of the next tail.
 */
import type { ReadState } from '../rules/state/state.ts';
import { bytesOfSnapshot } from '../rules/turn/turn.ts';
import { snapshotEveryMs, snapshotTailBytesMax, snapshotTailBytesMin, snapshotTailGroupsMax } from './bounds.ts';

/** The groups behind the last snapshot, and the time from which its age counts, in epoch milliseconds. */
export type SnapshotTail = { groups: number; bytes: number; since: number };

/** `at` is the time of the group that was appended last, in epoch milliseconds. */
export function isSnapshotDue(tail: Readonly<SnapshotTail>, state: ReadState, at: number): boolean {
  if (tail.groups >= snapshotTailGroupsMax || at - tail.since >= snapshotEveryMs) return true;
  if (tail.bytes < snapshotTailBytesMin) return false;
  return tail.bytes >= snapshotTailBytesMax || tail.bytes >= bytesOfSnapshot(state);
}
