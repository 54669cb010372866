/**
 * A shard's answer to `npx parterre status` and `event`: the partitions that it owns, the events that are halted (I9),
 * and whether events that the question names are in memory.
 */

export type ShardStatus = {
  id: string;
  partitions: PartitionStatus[];
  /** In the order of the question. [a shard of an earlier build does not tell] */
  asked?: AskedEvent[];
};

/** A question without content asks for no event. */
export type StatusQuestion = { events?: string[] };

/** `loadedVersion`: the sequence of the event's last group, decided or committed. Null: not in this shard's memory. */
export type AskedEvent = { eventKey: string; loadedVersion: number | null };

/** Of one question. Further events are not told. */
export const askedEventsMax = 1_000;

export type PartitionStatus = {
  partition: number;
  epoch: number;
  /** opening, serving, recovering, halted */
  state: string;
  /** Why the whole partition is halted; null while it is not. */
  haltedBy: string | null;
  /** In a halted partition: the events that somebody has asked for. */
  haltedEvents: number;
  /** The first of them, with the cause in words for the operator. */
  events: { eventKey: string; reason: string }[];
};
