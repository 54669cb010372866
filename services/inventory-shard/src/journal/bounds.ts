/**
 * The bounds of the journal room (I8): streams, replay, snapshots. Bounds that other services share are in
 * shared/limits.
 */
import { MIB, SECOND_MS } from '@parterre/shared/units';

export const snapshotsKept = 2;
/** The size of a stored piece of a snapshot, well under NATS' max_payload. */
export const snapshotChunkBytesMax = 4 * MIB;
/** Snapshot writes under way at once in one shard. */
export const snapshotWritesAtOnce = 16;
/** Journal messages that a replay requests ahead of the message it folds. */
export const replayMessagesAhead = 1_000;
/** A replay that gets no message for this long fails and begins again. */
export const replayStallMs = 3 * SECOND_MS;
/** Journal streams that a starting shard checks or creates at once. */
export const streamsAtOnce = 16;
/** A read of the log that gets no answer for this long is repeated: a stream without a leader does not answer. */
export const logReadTimeoutMs = SECOND_MS;
