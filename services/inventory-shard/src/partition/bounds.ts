/**
 * The bounds of the partition room (I8): mailboxes, answers, events in memory. Bounds that other services share are in
 * shared/limits.
 */
import { MIB, SECOND_MS } from '@parterre/shared/units';

export const snapshotEveryGroups = 2_000;
export const snapshotEveryMs = 60 * SECOND_MS;
/** Reads of snapshot heads under way at once in one shard, while partitions open. */
export const snapshotReadsAtOnce = 64;
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
export const attemptsKept = 32_768;
/** The pause before a failed load of an event is repeated. */
export const reloadPauseMs = SECOND_MS;
/** Budget answers that an owner keeps for repeated questions. */
export const budgetAnswersKept = 65_536;
/**
 * Groups of one event in flight at once. The number is small, so that a busy event's commands gather into large groups:
 * each group costs an fsync.
 */
export const appendWindowPerEvent = 2;
/** The encoded size of a message of answers to one front door, well under NATS' max_payload. */
export const repliesBytesMax = 4 * MIB;
