/** A shard's answer to `npx parterre status`: the partitions that it owns, and the events that are halted (I9). */

export type ShardStatus = { id: string; partitions: PartitionStatus[] };

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
