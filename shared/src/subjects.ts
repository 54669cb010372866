/** Every NATS subject, stream, bucket and consumer name, and the function that places an event on a partition. */

export const subjects = {
  /** Front door → owner of the partition: one batch of commands. Answered on the message's reply subject. */
  commands: (partition: number) => `cmd.${partition}`,
  /** Owner → front doors, core NATS, after the commit: what changed on one event. */
  feed: (partition: number, eventKey: string) => `feed.${partition}.${eventKey}`,
  /** The journal of one event. */
  journal: (partition: number, eventKey: string) => `journal.${partition}.${eventKey}`,
  /** Epoch records of a partition: who may append (I3). */
  epoch: (partition: number) => `journal.${partition}._`,
  journalOfPartition: (partition: number) => `journal.${partition}.>`,
  /** Any service → catalog, one subject an operation. */
  catalog: (operation: string) => `catalog.${operation}`,
  catalogAll: 'catalog.>',
  /** Catalog → everyone: drop what you cache of this (see `Changed`). */
  changed: 'changed',
} as const;

export const names = {
  journalStream: (partition: number) => `JOURNAL-${partition}`,
  ticketBucket: 'TICKETS',
  snapshotBucket: 'SNAPSHOTS',
  deliveryStream: 'DELIVERIES',
  catalogQueue: 'catalog',
  shardQueue: 'inventory-shard',
} as const;

/** The event key of a journal subject, or null for a partition's epoch subject. */
export function eventKeyOf(journalSubject: string): string | null {
  const key = journalSubject.slice(journalSubject.indexOf('.', 'journal.'.length) + 1);
  return key === '_' ? null : key;
}

/**
 * The partition an event lives on, 0 to partitions − 1; `partitions` is a power of two.
 * FNV-1a over the key's UTF-16 units, finished with murmur3's 32-bit mixer so that the low bits are usable.
 */
export function partitionOf(eventKey: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < eventKey.length; i++) {
    hash = Math.imul(hash ^ eventKey.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) & (partitions - 1);
}
