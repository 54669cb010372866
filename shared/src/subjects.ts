/** Every NATS subject, stream, bucket and consumer name, and the function that places an event on a partition. */
import { hash32 } from './hash.ts';

export const subjects = {
  /** Front door → owner of the partition: one batch of commands. Answered on the message's reply subject. */
  commands: (partition: number) => `cmd.${partition}`,
  /** The same, to the owner of this epoch alone: one that was replaced and does not know it gets none of these. */
  commandsOfEpoch: (partition: number, epoch: number) => `cmd.${partition}.${epoch}`,
  /** Shard → shards, `heartbeatMs` apart: I am here, and this is mine. */
  member: (id: string) => `members.${id}`,
  allMembers: 'members.*',
  /** Shard → one shard: are you there? */
  ping: (id: string) => `ping.${id}`,
  /** Front door → shards: nobody answers for this partition. */
  orphaned: (partition: number) => `orphaned.${partition}`,
  allOrphaned: 'orphaned.*',
  /** Owner → front doors, core NATS, after the commit: what changed on one event. */
  feed: (partition: number, eventKey: string) => `feed.${partition}.${eventKey}`,
  /** Front door → front doors: whom it has on one event. */
  presence: (eventKey: string) => `presence.${eventKey}`,
  /** The journal of one event. */
  journal: (partition: number, eventKey: string) => `journal.${partition}.${eventKey}`,
  /** Epoch records of a partition: who may append (I3). */
  epoch: (partition: number) => `journal.${partition}._`,
  journalOfPartition: (partition: number) => `journal.${partition}.>`,
  /** Webhooks to be tried again, by how long they wait. */
  retry: (queue: number, subId: string) => `deliveries.${queue}.${subId}`,
  retriesOfQueue: (queue: number) => `deliveries.${queue}.>`,
  allRetries: 'deliveries.>',
  /** Webhooks that wait for their endpoint. */
  backlog: (subId: string) => `backlog.${subId}`,
  allBacklogs: 'backlog.*',
  /** Any service → catalog, one subject an operation. */
  catalog: (operation: string) => `catalog.${operation}`,
  catalogAll: 'catalog.>',
  /** Front door → a notifier, one subject an operation. */
  notifier: (operation: string) => `notifier.${operation}`,
  notifierAll: 'notifier.*',
  /** Catalog → everyone: drop what you cache of this (see `Changed`). */
  changed: 'changed',
} as const;

export const names = {
  journalStream: (partition: number) => `JOURNAL-${partition}`,
  ticketBucket: 'TICKETS',
  clusterBucket: 'CLUSTER',
  snapshotBucket: 'SNAPSHOTS',
  /** Who owns which partition and since which epoch: a hint; the journal decides. */
  ownersBucket: 'OWNERS',
  deliveryStream: 'DELIVERIES',
  backlogStream: 'BACKLOG',
  catalogQueue: 'catalog',
  notifierQueue: 'notifier',
  shardQueue: 'inventory-shard',
} as const;

/** Where NATS keeps the objects of the snapshot bucket (its object store's layout): its stream, and a piece of an object. */
export const snapshotBucket = {
  stream: `OBJ_${names.snapshotBucket}`,
  chunk: (nuid: string) => `$O.${names.snapshotBucket}.C.${nuid}`,
} as const;

/** The event key of a journal subject, or null for a partition's epoch subject. */
export function eventKeyOf(journalSubject: string): string | null {
  const key = journalSubject.slice(journalSubject.indexOf('.', 'journal.'.length) + 1);
  return key === '_' ? null : key;
}

/** The partition an event lives on, one of `partitions`. */
export function partitionOf(eventKey: string, partitions: readonly number[]): number {
  return partitions[hash32(eventKey) % partitions.length]!;
}
