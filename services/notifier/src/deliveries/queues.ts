/**
 * What waits for an endpoint, in two work-queue streams whose messages go when they are settled:
 *
 *   DELIVERIES  `deliveries.<lane>.<subId>`: one message for each retry. A lane holds those that wait equally long for their next
 *               attempt, with a consumer of its own, so that a million retries due in hours never stand before others,
 *               and a bound for each subscription.
 *   BACKLOG     `backlog.<subId>`: one message for the deliveries of a journal message to a subscription whose endpoint has no
 *               room. Each subscription has a consumer of its own, made when there is a backlog and gone when it has been
 *               idle for long, and a bound of its own: no backlog stands before another, or takes another's room.
 *
 * The server drops a message id it has seen within `deliveryDuplicateWindowMs`: what is queued twice is there once (I5), as
 * long as the second time is not much later. A message that cannot be read is told in the log and dropped, alone. Whether one
 * subscription's room is taken or that of all, the server says by words alone: both have the same code (tried on 2.9.10 and 2.15.1).
 */
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Clock } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import type { PulledMessage, PullSource } from '@parterre/shared/pull';
import { type BatchBounds, readBatch } from '@parterre/shared/read-batch';
import { names, subjects } from '@parterre/shared/subjects';
import {
  backlogBatchBytesMax,
  backlogIdleMs,
  backlogMessagesMax,
  backlogPendingMax,
  deliveriesQueuedMax,
  deliveryAckWaitMs,
  deliveryDuplicateWindowMs,
  deliveryKeepMs,
  journalBatchMax,
  retriesPendingPerQueueMax,
  retriesPerSubscriptionMax,
  retryBatchBytesMax,
  retryBatchMax,
} from '@parterre/shared/webhook-limits';
import { decodeKept, encodeKept } from '@parterre/shared/wire';
import { ensureConsumer } from '../streams/consumers.ts';
import { asStored, backlogIdOf, type Delivery, type Retry, retryIdOf, storedRetry } from './rules/delivery.ts';

const PUT_DEADLINE_MS = 5_000;

/** Taken from a queue, and to be settled by either of the two, or it comes again when this process is gone. */
export type QueueMessage<T> = {
  value: T;
  bytes: number;
  /** Messages behind it that nobody has taken. */
  pending: number;
  ack(): void;
  again(delayMs: number): void;
  working(): void;
};

export type QueueReader<T> = {
  /**
   * Waits some seconds where there is nothing; then, and when `stopping` says so, there is none. `most` may only narrow. Throws when it
   * cannot be read.
   */
  next(stopping: AbortSignal, most?: Partial<BatchBounds>): Promise<QueueMessage<T>[]>;
};

export type Queues = {
  /**
   * Resolves when the queue has it for good, or with false when too many of its subscription wait there; throws when that is
   * not known. Putting it twice is harmless.
   */
  putRetry(retry: Retry): Promise<boolean>;
  /** The same for deliveries to one subscription, which one message has room for. */
  putBacklog(subId: string, piece: Delivery[]): Promise<boolean>;
  /** The consumers of lanes and backlogs are made where they do not stand. */
  openRetryQueue(number: number): Promise<QueueReader<Retry>>;
  openBacklog(subId: string): Promise<QueueReader<Delivery[]>>;
  /** How many messages wait, or are in hand, by subscription. */
  backlogSizes(subId?: string): Promise<Map<string, number>>;
};

/**
 * Makes the streams, or brings the bounds of existing ones up to date; the replicas of an existing stream stay as they are. A stream that
 * is full refuses what is new, which then keeps its place in the journal.
 */
export async function ensureQueues(manager: JetStreamManager, replicas: number): Promise<void> {
  const shared = {
    discard: DiscardPolicy.New,
    max_msgs: deliveriesQueuedMax,
    max_age: nanos(deliveryKeepMs),
    duplicate_window: nanos(deliveryDuplicateWindowMs),
    discard_new_per_subject: true,
  };
  await ensureStream(manager, names.deliveryStream, replicas, {
    ...shared,
    subjects: [subjects.allRetries],
    max_msgs_per_subject: retriesPerSubscriptionMax,
  });
  await ensureStream(manager, names.backlogStream, replicas, {
    ...shared,
    subjects: [subjects.allBacklogs],
    max_msgs_per_subject: backlogMessagesMax,
  });
}

async function ensureStream(
  manager: JetStreamManager,
  name: string,
  replicas: number,
  bounds: Partial<StreamConfig>,
): Promise<void> {
  const exists = await manager.streams.info(name).then(
    () => true,
    () => false,
  );
  const fixed = { retention: RetentionPolicy.Workqueue, storage: StorageType.File, num_replicas: replicas };
  if (exists) await manager.streams.update(name, bounds);
  else await manager.streams.add({ name, ...fixed, ...bounds });
}

export type QueuePorts = {
  nats: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
  clock: Clock;
  log: Logger;
};

/** The queue must exist. */
export function createQueues({ nats, jetstream, manager, clock, log }: QueuePorts): Queues {
  const put = async (subject: string, value: unknown, msgID: string): Promise<boolean> => {
    try {
      await jetstream.publish(subject, encodeKept(value), { msgID, timeout: PUT_DEADLINE_MS });
      return true;
    } catch (error) {
      if (isFullForSubscription(error)) return false;
      throw error;
    }
  };

  return {
    putRetry: (retry) => put(subjects.retry(retry.lane, retry.subId), asStored(retry), retryIdOf(retry)),

    putBacklog: (subId, piece) => put(subjects.backlog(subId), piece.map(asStored), backlogIdOf(piece)),

    async openRetryQueue(number) {
      const { name } = await ensureConsumer(manager, names.deliveryStream, {
        durable_name: `lane-${number}`,
        filter_subject: subjects.retriesOfQueue(number),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(deliveryAckWaitMs),
        max_ack_pending: retriesPendingPerQueueMax,
      });
      const source = { nats, clock, stream: names.deliveryStream, consumer: name };
      const bounds = { messages: retryBatchMax, bytes: retryBatchBytesMax };
      return readerOf(source, bounds, log, (data) => storedRetry(decodeKept(data)));
    },

    async openBacklog(subId) {
      const { name } = await ensureConsumer(manager, names.backlogStream, {
        durable_name: subId,
        filter_subject: subjects.backlog(subId),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(deliveryAckWaitMs),
        max_ack_pending: backlogPendingMax,
        inactive_threshold: nanos(backlogIdleMs),
      });
      const source = { nats, clock, stream: names.backlogStream, consumer: name };
      return readerOf(source, { messages: journalBatchMax, bytes: backlogBatchBytesMax }, log, decodeKept<Delivery[]>);
    },

    async backlogSizes(subId) {
      const subjects_filter = subId === undefined ? subjects.allBacklogs : subjects.backlog(subId);
      const { state } = await manager.streams.info(names.backlogStream, { subjects_filter });
      const prefix = subjects.backlog('').length;
      return new Map(Object.entries(state.subjects ?? {}).map(([subject, count]) => [subject.slice(prefix), count]));
    },
  };
}

function isFullForSubscription(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.message.includes('maximum messages per subject exceeded');
}

function readerOf<T>(
  source: PullSource,
  bounds: BatchBounds,
  log: Logger,
  read: (data: Uint8Array) => T,
): QueueReader<T> {
  return {
    async next(stopping, most) {
      const messages = await readBatch(source, { ...bounds, ...most }, stopping);
      return messages.flatMap((message) => {
        try {
          return [queued(message, read)];
        } catch (error) {
          log.error({ err: error, subject: message.subject, sequence: message.seq }, 'a queued message cannot be read');
          message.ack();
          return [];
        }
      });
    },
  };
}

function queued<T>(message: PulledMessage, read: (data: Uint8Array) => T): QueueMessage<T> {
  const { data, pending, ack, again, working } = message;
  return { value: read(data), bytes: data.length, pending, ack, again, working };
}
