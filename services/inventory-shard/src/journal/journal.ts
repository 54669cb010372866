/**
 * Opens the room of the journal: fenced appends (appends.ts) on JetStream (jetstream-log.ts), the streams and their
 * durability, snapshots and rosters in the object store, the index of shared commits (shared-parts.ts), and the replay
 * of an event from its snapshot (recovery.ts).
 */

export { type AcceptedLosses, openAcceptedLosses } from './accepted-losses.ts';
export { type Fence, type HistoryPosition, Journal, type JournalEvents, type LostAppend } from './appends.ts';
export { fenceQuietMs, logReadTimeoutMs, preparedPerPartitionMax, snapshotWritesAtOnce } from './bounds.ts';
export { countedParts, countedPosition } from './counted-evidence.ts';
export { createJetStreamLog } from './jetstream-log.ts';
export { JournalReader } from './journal-reader.ts';
export type { EventPlace, LostHistory, SalvagedEvent } from './lost-history.ts';
export { LostRecords, Remembered } from './lost-records.ts';
export { PreparedEvents } from './prepared-events.ts';
export { createEventLoader, type EventLoader, type JournaledEvent } from './recovery.ts';
export { createRosterStore, type Roster, type RosterEntry, type RosterStore } from './rosters.ts';
export { SharedParts } from './shared-parts.ts';
export { inSlices } from './slices.ts';
export {
  createSnapshotStore,
  type FrozenSnapshot,
  freeze,
  type SnapshotHead,
  type SnapshotStore,
} from './snapshots/snapshots.ts';
export { StreamIdentities } from './stream-identities.ts';
export {
  ensureJournalStreams,
  hasJournalStream,
  lossOfStream,
  makeSuccessorStream,
  warnOfDurability,
} from './streams.ts';
