/**
 * A shard's heartbeat, sent four times a second and on every change: the partitions that it owns, each with the epoch
 * of its term, the regions whose partitions it prefers, and whether it is leaving. `link` is the address for direct
 * links (link/link.ts): `host:port`, or the path or abstract name of a Unix socket. An abstract name begins with a zero
 * byte. A shard without direct links has none. `form` is the highest form of the journal that the shard reads.
 * `store` is the storage of the journal as the shard sees it. `disk` is the fuller one of the disk of the data folder
 * and the storage that NATS may use. Events and
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

/** `filling`: a fifth or less is free. `low`: a tenth or less. `full`: so little that appends fail. */
export type DiskState = 'ok' | 'filling' | 'low' | 'full';

/** A catalog's beat. `announced` is the number of its last announcement. `disk` is the disk of an embedded store. */
export type CatalogBeat = { announced: number; disk?: DiskState };
