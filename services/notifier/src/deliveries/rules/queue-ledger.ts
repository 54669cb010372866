/**
 * The ledger of the queues: the bytes that wait for each subscription and each organisation, and the admission of
 * further messages (I8). A full queue is its owner's loss: no organisation can use up the room of another.
 *
 * The server is the source. It counts messages by subject, and a subject names the queue, the subscription, the
 * organisation and the size of the message. Every notifier therefore sees the same counts, after any restart. Between
 * two counts a notifier adds its own puts. Acknowledged messages leave the ledger with the next count. So the bounds
 * hold up to the puts of other notifiers since the last count. The bound of a stream itself is the server's, and exact.
 *
 * States: empty → (`begin` → puts are remembered → `count` replaces the counts and adds the remembered puts) → … A
 * count that fails leaves the counts as they were, with every put since.
 */

import {
  organisationShareWhenScarceMax,
  queuedBytesPerOrganisationMax,
  queuedBytesPerSubscriptionMax,
  queueScarceShare,
  retriesAmongOthersMax,
  retryBytesAmongOthersMax,
} from '@parterre/shared/protocol/webhook-limits';
import { KIB } from '@parterre/shared/runtime/units';
import { type QueuedPlace, type QueueName, queueNames, readQueueSubject } from './queue-subjects.ts';

/**
 * The reason why a queue takes no more: the subscription's bytes, the organisation's bytes, or the room for all
 * webhooks, which is the operator's matter.
 */
export type FullReason = 'subscription' | 'organisation' | 'deployment';
export const fullReasons: readonly FullReason[] = ['subscription', 'organisation', 'deployment'];

/** A stream's answer to a count. */
export type StreamCount = { subjects: Record<string, number>; bytes: number; bytesMax: number };

type Amount = { messages: number; bytes: number };

type Table = {
  bySubscription: Map<string, number>;
  postsBySubscription: Map<string, number>;
  byOrganisation: Map<string, number>;
  /** Of retries, by queue and subscription. */
  byRetryQueue: Map<string, Amount>;
  bytes: number;
  /** Infinite until the first count. */
  bytesMax: number;
};

export type QueueLedger = {
  /** Null where the queue may take the message. */
  refusal(place: QueuedPlace): FullReason | null;
  /** The queue has taken the message, or may have taken it. */
  add(place: QueuedPlace): void;
  /** Whether the subscription's next retry waits in a queue of its own. */
  isCrowded(retryQueue: number, subId: string): boolean;
  /** Whether the stream of backlogs has messages of the subscription. */
  hasBacklog(subId: string): boolean;
  /** The deliveries of the subscription that wait in all queues, and their bytes. */
  waiting(subId: string): { count: number; bytes: number };
  /** A count of this stream begins. */
  begin(queue: QueueName): void;
  count(queue: QueueName, found: StreamCount): void;
  /** Whether the storage of all streams together is short. */
  setStorageShort(isShort: boolean): void;
  amounts(): Record<QueueName, { bytes: number; bytesMax: number }>;
};

export function createQueueLedger(): QueueLedger {
  const tables: Record<QueueName, Table> = { retries: emptyTable(), backlogs: emptyTable() };
  /** Puts since `begin`. Null where no count is under way. */
  const since: Record<QueueName, QueuedPlace[] | null> = { retries: null, backlogs: null };
  let isStorageShort = false;

  const sum = (of: (table: Table) => number | undefined): number =>
    queueNames.reduce((total, queue) => total + (of(tables[queue]) ?? 0), 0);

  return {
    refusal({ queue, subId, organisationId, kib }) {
      const bytes = kib * KIB;
      const ofSubscription = sum(({ bySubscription }) => bySubscription.get(subId)) + bytes;
      if (ofSubscription > queuedBytesPerSubscriptionMax) return 'subscription';
      const ofOrganisation = sum(({ byOrganisation }) => byOrganisation.get(organisationId)) + bytes;
      if (ofOrganisation > queuedBytesPerOrganisationMax) return 'organisation';
      if (isStorageShort) return 'deployment';
      const { bytes: used, bytesMax } = tables[queue];
      if (used + bytes > bytesMax) return 'deployment';
      const isScarce = used + bytes > bytesMax * queueScarceShare;
      return isScarce && ofOrganisation > bytesMax * organisationShareWhenScarceMax ? 'deployment' : null;
    },
    add(place) {
      addTo(tables[place.queue], place, 1);
      tables[place.queue].bytes += place.kib * KIB;
      since[place.queue]?.push(place);
    },
    isCrowded(retryQueue, subId) {
      const amount = tables.retries.byRetryQueue.get(retryQueueKey(retryQueue, subId));
      return (
        amount !== undefined && (amount.messages >= retriesAmongOthersMax || amount.bytes >= retryBytesAmongOthersMax)
      );
    },
    hasBacklog: (subId) => (tables.backlogs.bySubscription.get(subId) ?? 0) > 0,
    waiting: (subId) => ({
      count: sum(({ postsBySubscription }) => postsBySubscription.get(subId)),
      bytes: sum(({ bySubscription }) => bySubscription.get(subId)),
    }),
    begin(queue) {
      since[queue] = [];
    },
    count(queue, { subjects, bytes, bytesMax }) {
      const table = { ...emptyTable(), bytes, bytesMax };
      for (const [subject, messages] of Object.entries(subjects)) {
        const place = readQueueSubject(subject);
        if (place) addTo(table, place, messages);
      }
      for (const place of since[queue] ?? []) {
        addTo(table, place, 1);
        table.bytes += place.kib * KIB;
      }
      since[queue] = null;
      tables[queue] = table;
    },
    setStorageShort(isShort) {
      isStorageShort = isShort;
    },
    amounts: () => ({ retries: amountOf(tables.retries), backlogs: amountOf(tables.backlogs) }),
  };
}

function amountOf({ bytes, bytesMax }: Table): { bytes: number; bytesMax: number } {
  return { bytes, bytesMax };
}

function emptyTable(): Table {
  return {
    bySubscription: new Map(),
    postsBySubscription: new Map(),
    byOrganisation: new Map(),
    byRetryQueue: new Map(),
    bytes: 0,
    bytesMax: Number.POSITIVE_INFINITY,
  };
}

function addTo(table: Table, place: QueuedPlace, messages: number): void {
  const { subId, organisationId, kib, posts } = place;
  const bytes = messages * kib * KIB;
  grow(table.bySubscription, subId, bytes);
  grow(table.postsBySubscription, subId, messages * posts);
  grow(table.byOrganisation, organisationId, bytes);
  if (place.queue !== 'retries') return;
  const key = retryQueueKey(place.retryQueue, subId);
  const known = table.byRetryQueue.get(key) ?? { messages: 0, bytes: 0 };
  table.byRetryQueue.set(key, { messages: known.messages + messages, bytes: known.bytes + bytes });
}

function grow(amounts: Map<string, number>, key: string, bytes: number): void {
  amounts.set(key, (amounts.get(key) ?? 0) + bytes);
}

function retryQueueKey(retryQueue: number, subId: string): string {
  return `${retryQueue} ${subId}`;
}
