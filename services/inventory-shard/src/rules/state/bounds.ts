/** The shard's own bounds (I8); those that other services share stand in shared/limits. */
import { MIB, MINUTE_MS, SECOND_MS } from '@parterre/shared/units';

// Snapshots, and events in and out of memory
export const snapshotEveryGroups = 2_000;
export const snapshotEveryMs = 60 * SECOND_MS;
export const snapshotsKept = 2;
/** Pieces a snapshot is stored in; well under NATS' max_payload. */
export const snapshotChunkBytesMax = 4 * MIB;
/** Snapshot writes under way at once in one shard. */
export const snapshotWritesAtOnce = 16;
/** Lookups of what a snapshot says of itself, under way at once in one shard; while a partition opens. */
export const snapshotReadsAtOnce = 64;
/** Stale entries that an event's deadlines may have beside as many as are live, before they are made anew. */
export const staleDeadlinesMin = 64;
/** Activations (snapshot and replay) under way at once in one shard, of events that a command asked for. */
export const activationsAtOnce = 16;
/** And beside these, of events with a deadline, or of which nobody knows whether they have one. */
export const backgroundActivationsAtOnce = 8;
/** What the loaded events of one shard may take in memory (estimated), unless INVENTORY_MEMORY_MB says otherwise. */
export const inventoryMemoryMbDefault = 1_024;
/** Events on their way out of memory at once in one shard. */
export const passivationsAtOnce = 32;
/** Pause after every event over the memory bound was busy, or a snapshot could not be stored. */
export const memoryPauseMs = 250;
export const memoryWarningEveryMs = 60 * SECOND_MS;

// Ownership
/** How often a shard tells the others that it is there, and looks whether they are. */
export const heartbeatMs = 250;
/** A member that is silent for this long is taken for dead. */
export const memberSilenceMs = 1_000;
/** A member that nobody answers for is asked once more after this pause, then taken for dead. */
export const memberPingPauseMs = 100;
export const memberPingTimeoutMs = 500;
export const membersMax = 1_024;
/** Partitions that one shard hands over at once, unless it leaves: the others go on undisturbed. */
export const movesAtOnce = 2;
/** What storing snapshots may take before a partition is handed over; what is not stored by then is replayed. */
export const handOverSnapshotsMs = 3_000;
/** What a partition that is handed over waits for its appends in flight. */
export const handOverDrainMs = 2_000;
/** A shard that lost a partition against its will leaves it alone for this long. */
export const retakePauseMs = 1_000;
/** How often an owner looks whether the log still ends where it left it, when nothing else tells. */
export const tailLookMs = 5 * SECOND_MS;

// Actors, appends and answers
/** Commands of one partition that wait for the plan of another chart; past it `overloaded`. */
export const chartPreparationsMax = 256;
/** Commands waiting in one event's mailbox (while it loads, or behind a full window); past it `overloaded`. */
export const mailboxCommandsMax = 8_192;
/** Journal messages a replay asks for ahead of the one it folds. */
export const replayMessagesAhead = 1_000;
/** Commands sent more than once whose latest copy an owner remembers for `requestDeadlineMs`, so that a late one is dropped. */
export const attemptsKept = 32_768;
/** A replay that gets nothing for this long is given up and begun again. */
export const replayStallMs = 3 * SECOND_MS;
/** Pause before an event that could not be loaded is loaded again. */
export const reloadPauseMs = SECOND_MS;
/** Journal streams looked at or made at once while a shard starts. */
export const streamsAtOnce = 16;
/** Reaches of callers that an event keeps a table of channels for. */
export const poolsKept = 128;
/** Reaches of callers for which an event remembers where the first free place of each area is. */
export const areaIndexesKept = 64;
/** Answers that tell of many units one by one: as much of it as an answer takes, and what is left is asked for anew. */
export const unitColumnsBytesMax = 2 * MIB;
/** Answers a partition's owner keeps for copies of their asking. */
export const budgetAnswersKept = 65_536;
/**
 * Of the groups of a partition that are being appended, those of one event. Few, so that a busy event's commands gather into large
 * groups: each costs an fsync.
 */
export const appendWindowPerEvent = 2;
/** Answers to one front door that leave as one message (encoded), well under NATS' max_payload. */
export const repliesBytesMax = 4 * MIB;
/** Sets of accessibility kinds, each for callers of one reach, that an event keeps summaries of its rows for; a bit each in 32, beside one. */
export const summariesKept = 31;
/** Currencies that an event had before and held seats in: holds that are over are told in theirs. */
export const formerCurrenciesKept = 32;
/** Access sessions with a largest quantity that an event counts at one time, and how long it does after their last change. */
export const sessionsCountedMax = 100_000;
export const sessionUseKeepMs = 24 * 60 * MINUTE_MS;
/** A look into the log without an answer for this long is asked anew: where a stream has no leader nobody hears it. */
export const logReadTimeoutMs = SECOND_MS;
