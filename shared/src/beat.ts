/**
 * What a shard says of itself, four times a second and whenever it changes: what it owns (partition, and the epoch it
 * took it with), the regions whose partitions it would rather own, and whether it is on its way out.
 */
export type Beat = {
  id: string;
  owns: [partition: number, epoch: number][];
  regions: readonly string[];
  leaving: boolean;
};
