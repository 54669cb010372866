/**
 * A shard's heartbeat, sent four times a second and on every change: the partitions that it owns, each with the epoch
 * of its term, the regions whose partitions it prefers, and whether it is leaving. `link` is the address for direct
 * links (link/link.ts): `host:port`, or the path or abstract name of a Unix socket. An abstract name begins with a zero
 * byte. A shard without direct links has none. `form` is the highest form of the journal that the shard reads.
 */
export type Beat = {
  id: string;
  owns: [partition: number, epoch: number][];
  regions: readonly string[];
  leaving: boolean;
  link?: string;
  form: number;
};
