/** Every NATS subject, stream, bucket and consumer name, and the function that places an event on a partition. */
import { hash32 } from '../runtime/hash.ts';

const epochToken = '_';
const commitsToken = '_COMMITS';

export const subjects = {
  /** Front door → owner of the partition: one batch of commands. Answered on the message's reply subject. */
  commands: (partition: number) => `cmd.${partition}`,
  /**
   * The same, to the owner of this epoch alone: a replaced owner that does not know of its replacement gets none of
   * these.
   */
  commandsOfEpoch: (partition: number, epoch: number) => `cmd.${partition}.${epoch}`,
  /** Shard → shards, every `heartbeatMs`: the shard's heartbeat (beat.ts). */
  member: (id: string) => `members.${id}`,
  allMembers: 'members.*',
  /** Of the journal streams of all partitions. */
  allJournals: 'journal.>',
  /** Shard → one shard: the shard asks whether the other is alive. */
  ping: (id: string) => `ping.${id}`,
  /** Operator → one shard: its partitions and their halted events (shard-status.ts). */
  shardStatus: (id: string) => `status.${id}`,
  /** Operator → all services: each publishes its account of itself (member.ts) on `present`. No content. */
  rollCall: 'roll-call',
  present: (service: string, id: string) => `present.${service}.${id}`,
  allPresent: 'present.>',
  /** Owner → heir: the heir should load these events before it takes their partition. Answered when they are loaded. */
  prepare: (id: string) => `prepare.${id}`,
  /** Operator → the partition's owner: go on without lost records (loss-acceptance.ts). */
  acceptance: (partition: number) => `accept.${partition}`,
  allAcceptances: 'accept.*',
  /** Front door → shards: no owner answers for this partition. */
  orphaned: (partition: number) => `orphaned.${partition}`,
  allOrphaned: 'orphaned.*',
  /** Owner → front doors, core NATS, after the commit: the changes of one event while it is watched (feed-watch.ts). */
  feed: (partition: number, eventKey: string) => `feed.${partition}.${eventKey}`,
  /** Front door → front doors: the viewers that it has on one event. */
  presence: (eventKey: string) => `presence.${eventKey}`,
  /** Front door → front doors: the tickets that it has redeemed. */
  redeemedTickets: 'tickets.redeemed',
  /** Operator → every front door: why was this request refused (refused-requests.ts)? */
  refusals: 'refusals.find',
  /** Front door → front doors: what each has counted for the control room of an event. */
  doorFigures: 'door-figures',
  /** The journal of one event. */
  journal: (partition: number, eventKey: string) => `journal.${partition}.${eventKey}`,
  /** Epoch records of a partition, which say which owner may append (I3). */
  epoch: (partition: number) => `journal.${partition}.${epochToken}`,
  /** Commits of several events. No event key has capital letters. */
  commits: (partition: number) => `journal.${partition}.${commitsToken}`,
  journalOfPartition: (partition: number) => `journal.${partition}.>`,
  /**
   * Deliveries that wait for their next attempt, by the length of the wait. `kib` is the message's size, a power of
   * two: the server counts messages by subject, and so tells the bytes of each subscription and organisation.
   */
  retry: (queue: number, subId: string, organisationId: string, kib: number) =>
    `deliveries.${queue}.${subId}.${organisationId}.${kib}`,
  retriesOfQueue: (queue: number) => `deliveries.${queue}.>`,
  allRetries: 'deliveries.>',
  retriesOf: (subId: string) => `deliveries.*.${subId}.>`,
  /** Parts of commits whose receivers the catalog cannot tell now. The tokens are as many as those of a retry. */
  waitingPart: (partition: number, eventKey: string) => `deliveries.parts.${partition}.${eventKey}.1`,
  allWaitingParts: 'deliveries.parts.>',
  /** Deliveries that wait for their endpoint, and retries in a queue of their subscription alone. */
  /** `posts` is the number of deliveries in the message; one is left out. */
  backlog: (name: string, organisationId: string, kib: number, posts = 1) =>
    `backlog.${name}.${organisationId}.${kib}${posts === 1 ? '' : `.${posts}`}`,
  backlogOf: (name: string) => `backlog.${name}.>`,
  allBacklogs: 'backlog.>',
  /** Any service → catalog, one subject an operation. */
  catalog: (operation: string) => `catalog.${operation}`,
  catalogAll: 'catalog.>',
  /** Catalog → its callers, every `catalogBeatMs`: it serves. The content is a `CatalogBeat`. */
  catalogBeat: (id: string) => `catalogs.${id}`,
  allCatalogBeats: 'catalogs.*',
  /** Any service → one catalog: the operation, and the question whether the catalog answers at all. */
  oneCatalog: (id: string, operation: string) => `catalogs.${id}.${operation}`,
  catalogHere: (id: string) => `catalogs.${id}.here`,
  oneCatalogAll: (id: string) => `catalogs.${id}.>`,
  /** Front door → a notifier, one subject an operation. */
  notifier: (operation: string) => `notifier.${operation}`,
  notifierAll: 'notifier.*',
  /** NATS server → shards: this stream has a new leader. */
  streamLed: (stream: string) => `$JS.EVENT.ADVISORY.STREAM.LEADER_ELECTED.${stream}`,
  /** Catalog → everyone: drop the cached copy of this (see `Changed`). */
  changed: 'changed',
} as const;

export const names = {
  journalStream: (partition: number) => `JOURNAL-${partition}`,
  clusterBucket: 'CLUSTER',
  snapshotBucket: 'SNAPSHOTS',
  /** The owner and epoch of each partition: a hint only, the journal decides. */
  ownersBucket: 'OWNERS',
  deliveryStream: 'DELIVERIES',
  backlogStream: 'BACKLOG',
  catalogQueue: 'catalog',
  notifierQueue: 'notifier',
  shardQueue: 'inventory-shard',
} as const;

/** The stream and the subjects of the snapshot bucket, by the layout of NATS's object store. */
export const snapshotBucket = {
  stream: `OBJ_${names.snapshotBucket}`,
  chunk: (nuid: string) => `$O.${names.snapshotBucket}.C.${nuid}`,
  /** The subject of an object's metadata: base64url, padded. */
  meta: (name: string) =>
    `$O.${names.snapshotBucket}.M.${Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_')}`,
} as const;

/** The event key of a journal subject, or null for a subject that a partition's events share. */
export function eventKeyOf(journalSubject: string): string | null {
  const token = lastTokenOf(journalSubject);
  return token === epochToken || token === commitsToken ? null : token;
}

export function isCommitSubject(journalSubject: string): boolean {
  return lastTokenOf(journalSubject) === commitsToken;
}

function lastTokenOf(journalSubject: string): string {
  return journalSubject.slice(journalSubject.indexOf('.', 'journal.'.length) + 1);
}

/** The partition an event lives on, one of `partitions`. */
export function partitionOf(eventKey: string, partitions: readonly number[]): number {
  return partitions[hash32(eventKey) % partitions.length]!;
}

/** The partition of a journal's stream. */
export function partitionOfStream(stream: string): number {
  return Number(stream.slice(names.journalStream(0).length - 1));
}
