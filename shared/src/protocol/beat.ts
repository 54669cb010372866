/**
 * A shard's heartbeat, sent four times a second and on every change: the partitions that it owns, each with the epoch
 * of its term, the regions whose partitions it prefers, and whether it is leaving. `link` is the address for direct
 * links (link/link.ts): `host:port`, or the path or abstract name of a Unix socket. An abstract name begins with a zero
 * byte. A shard without direct links has none. `form` is the highest form of the journal that the shard reads.
 * `store` and `disk` are the storage of the journal and the disk of the data folder as the shard sees them. Events and
 * partitions that are halted sell nothing, because their journal has lost records (I9).
 */
export type Beat = {
  id: string;
  owns: [partition: number, epoch: number][];
  regions: readonly string[];
  leaving: boolean;
  link?: string;
  form: number;
  /** `down`: no partition of this shard can append. */
  store?: 'ok' | 'down';
  disk?: DiskState;
  /** [0] */
  haltedEvents?: number;
  /** [0] */
  haltedPartitions?: number;
};

/** `low`: a tenth or less is free. `full`: so little is free that appends fail. */
export type DiskState = 'ok' | 'low' | 'full';
