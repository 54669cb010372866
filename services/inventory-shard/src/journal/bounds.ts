/**
 * The bounds of the journal room (I8): streams, replay, snapshots. Bounds that other services share are in
 * shared/limits.
 */
import { MIB, MINUTE_MS, SECOND_MS } from '@parterre/shared/runtime/units';

/**
 * After a confirmed append, or a confirmed look at the tail, an owner answers reads and refusals for this long without
 * another look: no other shard answers for the partition within this time.
 */
export const readLeaseMs = 300;
/**
 * A new owner waits until this long after the ack of its fence's first record, unless the previous owner gave up the
 * partition: the read lease plus the difference of clocks.
 */
export const fenceQuietMs = readLeaseMs + 50;
/**
 * The same behind a commit of an owner whose process has ended. This owner answers nothing more. A front door may
 * refuse in its name for 50 ms, by a pledge. Clocks run differently by a sixth at most.
 */
export const endedQuietMs = 60;
export const snapshotsKept = 2;
/** The size of a stored piece of a snapshot. The library hashes and sends a piece in one turn of the event loop. */
export const snapshotChunkBytesMax = MIB;
/** The bytes that are copied or hashed in one step. */
export const snapshotStepBytes = MIB / 4;
/** How often a write finds its object written by another process before it is given up. */
export const snapshotWriteAttemptsMax = 3;
/** Snapshot writes under way at once in one shard. */
export const snapshotWritesAtOnce = 16;
/** The bytes and messages that a replay asks for at once. A replay has one request under way. */
export const replayRequestBytes = MIB;
export const replayRequestMessages = 4_000;
/** The first groups of a short replay, which are read one by one, and the sequences of the stream that are short. */
export const replaySinglyMax = 4;
export const replaySinglySpan = 64;
/** Reads of one group under way at once in one shard. Each may answer with the largest group. */
export const replaySinglyAtOnce = 4;
/** Requests under way at once in one shard for groups that are larger than `replayRequestBytes`, each for one group. */
export const replayLargeGroupsAtOnce = 2;
/** A replay that gets no message for this long fails and begins again. */
export const replayStallMs = 3 * SECOND_MS;
/** Journal streams that a starting shard checks or creates at once. */
export const streamsAtOnce = 16;
/** Events that one shard prepares at once, because it is about to take their partitions. */
export const preparedEventsMax = 64;
/** Events of one partition that an owner asks its heir to prepare. */
export const preparedPerPartitionMax = 16;
/** A prepared event that nobody asked for is forgotten after this time. */
export const preparedKeepMs = 10 * SECOND_MS;
/** A read of the log that gets no answer for this long is repeated: a stream without a leader does not answer. */
export const logReadTimeoutMs = SECOND_MS;
/** The server forgets the consumer of a replay that asks for nothing for this long. */
export const consumerKeepMs = MINUTE_MS;
/** The requests for one consumer of a replay, each with the patience of `logReadTimeoutMs`. */
export const consumerTries = 5;
/** While a read of the log waits, it is sent anew this often. */
export const logReadAgainMs = 50;
/** The same for a read of a snapshot, whose answer may be large. */
export const snapshotReadAgainMs = 300;
/** Bytes of shared commits behind the low-water mark. Past this bound the event that holds the mark gets an anchor. */
export const unanchoredBytesMax = 16 * MIB;
/** A replay that goes on this many messages further reads them all. Behind a larger gap it begins anew. */
export const nearbyMessages = 1_000;

/** The letters of a stream's identity. */
export const streamIdLength = 16;
/** After a catalog that did not answer, loads ask no catalog for this time. */
export const catalogSilenceMs = 2 * SECOND_MS;
