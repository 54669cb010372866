/**
 * The subjects of queued messages, made and read. The streams of the queues have two kinds of places:
 *
 *   retries   a retry queue, which subscriptions share
 *   backlogs  a queue of one subscription: its backlog, or its own part of a retry queue (`ownRetriesName`)
 */
import { subjects } from '@parterre/shared/protocol/subjects';
import { queuedMessageExtraBytes } from '@parterre/shared/protocol/webhook-limits';
import { KIB } from '@parterre/shared/runtime/units';

export type QueueName = 'retries' | 'backlogs';
export const queueNames: readonly QueueName[] = ['retries', 'backlogs'];

/** `retryQueue` is the number of the queue, `name` the backlog's. */
export type Queue = { queue: 'retries'; retryQueue: number } | { queue: 'backlogs'; name: string };

export type QueuedPlace = Queue & {
  subId: string;
  organisationId: string;
  /** The size of the message in KiB, a power of two. */
  kib: number;
  /** Deliveries in the message. */
  posts: number;
};

/** A message's size as its subject and the ledger have it. */
export function kibOf(bytes: number): number {
  let kib = 1;
  while (kib * KIB < bytes + queuedMessageExtraBytes) kib *= 2;
  return kib;
}

/**
 * The name of a subscription's own part of a retry queue. A backlog has the name of its subscription, without a "-".
 */
export function ownRetriesName(subId: string, retryQueue: number): string {
  return `${subId}-${retryQueue}`;
}

export function queueSubjectOf(place: QueuedPlace): string {
  const { subId, organisationId, kib, posts } = place;
  if (place.queue === 'retries') return subjects.retry(place.retryQueue, subId, organisationId, kib);
  return subjects.backlog(place.name, organisationId, kib, posts);
}

/** Null for a foreign subject. */
export function readQueueSubject(subject: string): QueuedPlace | null {
  const [stream, ...tokens] = subject.split('.');
  if (stream === 'deliveries') {
    const [retryQueue, subId, organisationId, kib] = tokens;
    if (subId === undefined || organisationId === undefined || Number.isNaN(Number(retryQueue))) return null;
    return { queue: 'retries', subId, organisationId, retryQueue: Number(retryQueue), kib: Number(kib), posts: 1 };
  }
  const name = backlogNameOf(subject);
  const [, organisationId, kib, posts = '1'] = tokens;
  if (name === null || organisationId === undefined) return null;
  return {
    queue: 'backlogs',
    subId: name.split('-')[0]!,
    organisationId,
    name,
    kib: Number(kib),
    posts: Number(posts),
  };
}

/** The name of the subject's backlog. */
export function backlogNameOf(subject: string): string | null {
  const [stream, name] = subject.split('.');
  return stream === 'backlog' ? (name ?? null) : null;
}
