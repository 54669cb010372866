/** The shard's own bounds (I8). Bounds that other services share are in shared/limits. */
import { MIB, MINUTE_MS, SECOND_MS } from '@parterre/shared/units';

// Snapshots, and events in and out of memory
export const snapshotEveryGroups = 2_000;
export const snapshotEveryMs = 60 * SECOND_MS;
export const snapshotsKept = 2;
/** The size of a stored piece of a snapshot, well under NATS' max_payload. */
export const snapshotChunkBytesMax = 4 * MIB;
/** Snapshot writes under way at once in one shard. */
export const snapshotWritesAtOnce = 16;
/** Reads of snapshot heads under way at once in one shard, while partitions open. */
export const snapshotReadsAtOnce = 64;
/** Stale deadline entries that an event may have beyond the number of live ones, before the entries are rebuilt. */
export const staleDeadlinesMin = 64;
/** Activations (snapshot and replay) under way at once in one shard, for events that a command asked for. */
export const activationsAtOnce = 16;
/** Background activations under way at once in one shard, for events with a deadline or behind their journal. */
export const backgroundActivationsAtOnce = 8;
/** The estimated memory that a shard's loaded events may take, unless INVENTORY_MEMORY_MB is set. */
export const inventoryMemoryMbDefault = 1_024;
/** Events that leave memory at once in one shard. */
export const passivationsAtOnce = 32;
/** The pause after a shard over its memory bound found only busy events, or could not store a snapshot. */
export const memoryPauseMs = 250;
export const memoryWarningEveryMs = 60 * SECOND_MS;

// Ownership
/** How often a shard sends its beat and checks the silence of the others. */
export const heartbeatMs = 250;
/** A member that is silent for this long counts as dead. */
export const memberSilenceMs = 1_000;
/** If nobody listens under a member's id, the member is pinged again after this pause. Then it counts as dead. */
export const memberPingPauseMs = 100;
export const memberPingTimeoutMs = 500;
export const membersMax = 1_024;
/**
 * Partitions that one shard hands over at once, so that its other partitions work undisturbed. A leaving shard has no
 * limit.
 */
export const movesAtOnce = 2;
/** The time to store snapshots before a partition is handed over. Events without a stored snapshot are replayed. */
export const handOverSnapshotsMs = 3_000;
/** The time that a partition under handover waits for its appends in flight. */
export const handOverDrainMs = 2_000;
/** A shard that lost a partition to another owner does not take it again for this long. */
export const retakePauseMs = 1_000;
/** How often an idle owner checks that the log still ends with its own last record. */
export const tailLookMs = 5 * SECOND_MS;

// Actors, appends and answers
/** Commands of one partition that wait for the plan of another chart. The next command is refused with `overloaded`. */
export const chartPreparationsMax = 256;
/**
 * Commands that wait in one event's mailbox, while it loads or the append window is full. The next is refused with
 * `overloaded`.
 */
export const mailboxCommandsMax = 8_192;
/** Journal messages that a replay requests ahead of the message it folds. */
export const replayMessagesAhead = 1_000;
/** Repeated commands whose latest copy an owner remembers for `requestDeadlineMs`, so that a late copy is dropped. */
export const attemptsKept = 32_768;
/** A replay that gets no message for this long fails and begins again. */
export const replayStallMs = 3 * SECOND_MS;
/** The pause before a failed load of an event is repeated. */
export const reloadPauseMs = SECOND_MS;
/** Journal streams that a starting shard checks or creates at once. */
export const streamsAtOnce = 16;
/** Reaches for which an event keeps a table of channels. */
export const poolsKept = 128;
/** Reaches for which an event remembers the first free place of each area. */
export const areaIndexesKept = 64;
/** The size of an answer that lists many units. The caller asks for the rest with a further call. */
export const unitColumnsBytesMax = 2 * MIB;
/** Budget answers that an owner keeps for repeated questions. */
export const budgetAnswersKept = 65_536;
/**
 * Groups of one event in flight at once. The number is small, so that a busy event's commands gather into large groups:
 * each group costs an fsync.
 */
export const appendWindowPerEvent = 2;
/** The encoded size of a message of answers to one front door, well under NATS' max_payload. */
export const repliesBytesMax = 4 * MIB;
/**
 * Pairs of a set of accessibility kinds and a reach for which an event keeps summaries of its rows. Each takes one of
 * 32 bits; one bit has another use.
 */
export const summariesKept = 31;
/** Former currencies that an event keeps. A hold that is over shows its amounts in the currency of its time. */
export const formerCurrenciesKept = 32;
/**
 * Access sessions with a `maxQuantity` that an event counts at one time, and the time it counts each after its last
 * change.
 */
export const sessionsCountedMax = 100_000;
export const sessionUseKeepMs = 24 * 60 * MINUTE_MS;
/** A read of the log that gets no answer for this long is repeated: a stream without a leader answers nobody. */
export const logReadTimeoutMs = SECOND_MS;
