/**
 * The bounds of the partition room (I8): mailboxes, answers, events in memory. Bounds that other services share are in
 * shared/limits.
 */
import { MIB, MINUTE_MS, SECOND_MS } from '@parterre/shared/runtime/units';
import { fenceQuietMs } from '../journal/journal.ts';

/** Journal bytes behind a snapshot: with fewer, no snapshot is due. With more than the second bound, it always is. */
export const snapshotTailBytesMin = MIB;
export const snapshotTailBytesMax = 16 * MIB;
/** The number of groups behind a snapshot that makes the next snapshot due. The size of the groups does not matter. */
export const snapshotTailGroupsMax = 10_000;
/** The age of a snapshot after which a change of its event makes the next due. */
export const snapshotEveryMs = 6 * 60 * MINUTE_MS;
/** Reads of snapshot heads under way at once in one shard, while partitions open. */
export const snapshotReadsAtOnce = 64;
/**
 * A partition that is taken over looks for deadlines after this time: buyers wait for the loads of their own events,
 * and an heir of a dead owner may not cut before.
 */
export const surveyRestMs = fenceQuietMs;
/** Activations (snapshot and replay) under way at once in one shard, for events that a command asked for. */
export const activationsAtOnce = 16;
/** Background activations under way at once in one shard, for events with a deadline or behind their journal. */
export const backgroundActivationsAtOnce = 8;
/** The estimated memory that a shard's loaded events may take, unless INVENTORY_MEMORY_MB is set. */
export const inventoryMemoryMbDefault = 1_024;
/** How late a used event's memory is estimated. */
export const usedEveryMs = 100;
/** Events that leave memory at once in one shard. */
export const passivationsAtOnce = 32;
/** The pause after a shard over its memory bound found only busy events, or could not store a snapshot. */
export const memoryPauseMs = 250;
export const memoryWarningEveryMs = 60 * SECOND_MS;
/** The time that a partition under handover waits for its appends in flight. */
export const handOverDrainMs = 2_000;
/** Commands of one partition that wait for the plan of another chart. The next command is refused with `overloaded`. */
export const chartPreparationsMax = 256;
/**
 * Commands that wait in one event's mailbox, while it loads or the append window is full. The next is refused with
 * `overloaded`.
 */
export const mailboxCommandsMax = 8_192;
/** Repeated commands whose latest copy an owner remembers for `requestDeadlineMs`, so that a late copy is dropped. */
export const copiesKept = 32_768;
/** The time for which partitions cut groups in one turn of the event loop, in milliseconds. */
export const loopTurnMs = 4;
/** The pause before a failed load of an event is repeated. It doubles with each failure in a row. */
export const reloadPauseMs = 250;
export const reloadPauseMsMax = 8 * SECOND_MS;
/** The time for which callers of an event that cannot be loaded ask again by themselves. Then they get 503 at once. */
export const troubleAnsweredMs = 2 * SECOND_MS;
/** Events of one process that cannot be loaded. Past this bound the pauses of further events do not grow. */
export const troubledEventsMax = 10_000;
/** How long the last known map of a halted event serves further front doors. */
export const staleViewKeptMs = 10 * SECOND_MS;
/** The kept maps of halted events of one partition. Past this bound the oldest goes. */
export const staleViewsMax = 256;
/** The halted events of a partition that a shard names for `npx parterre status`. */
export const haltedEventsNamed = 1_000;
/** The events in trouble that /metrics names. */
export const troubledEventsNamed = 100;
/** The longest and the shortest pledge that a refusal stands, in milliseconds. */
export const standsMsMax = 50;
export const standsMsMin = 10;
/** Events of one partition with pledges. Past this bound refusals of further events carry none. */
export const pledgedEventsMax = 1_024;
/** Commands of one partition that wait for the end of a pledge. The next is refused with `overloaded`. */
export const pledgeWaitsMax = 1_024;
/** Budget answers that an owner keeps for repeated questions. */
export const budgetAnswersKept = 65_536;
/**
 * Groups of one event in flight at once. The number is small, so that a busy event's commands gather into large groups:
 * each group costs an fsync.
 */
export const appendWindowPerEvent = 2;
/** The encoded size of a message of answers to one front door, well under NATS' max_payload. */
export const repliesBytesMax = 4 * MIB;
/** Commits of many events that one partition has in flight. The next commit gathers what comes meanwhile. */
export const sharedCommitsInFlightMax = 4;

/** While an accepted loss waits for the journal, the owner looks this often. */
export const acceptanceLookMs = 2;
/** The progress of an accepted loss is told this often. */
export const acceptanceSayMs = SECOND_MS / 2;
/** An accepted loss that is not durable after this time is given up. */
export const acceptanceWaitMs = MINUTE_MS;
export const acceptanceNoteTries = 20;
/** The answer to an accepted loss waits this long for the load of the event. */
export const acceptanceLoadMs = MINUTE_MS / 2;
