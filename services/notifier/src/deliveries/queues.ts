/**
 * The queues: two work-queue streams, which lose a message when it is settled.
 *
 *   DELIVERIES  `deliveries.<queue>.<subId>`: one message for each retry. A retry queue has the retries of one pause of
 *               the schedule, with a consumer of its own, so a million retries that are due in hours never stand before
 *               others. Each subscription has a bound in each queue.
 *   BACKLOG     `backlog.<subId>`: one message for the deliveries of one journal message to one subscription without a
 *               free slot. Each subscription has a consumer of its own, made with the backlog and gone when long idle,
 *               and a bound of its own. No backlog stands before another or takes another's room.
 *
 * The server drops a message id that it has seen within `deliveryDuplicateWindowMs`. A message that is queued twice
 * within this time is stored once (I5). An unreadable message is logged and dropped; the others stay. The server
 * refuses a message with the same code whether one subscription's bound or the stream's bound is reached. Only the
 * words of the error differ (tried on 2.9.10 and 2.15.1).
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

/**
 * A message that was read from a queue. `ack` or `again` settles it. Otherwise it comes again once this process is
 * gone.
 */
export type QueueMessage<T> = {
  value: T;
  bytes: number;
  /** Messages behind this one that no notifier has read. */
  pending: number;
  ack(): void;
  again(delayMs: number): void;
  working(): void;
};

export type QueueReader<T> = {
  /**
   * Waits some seconds for messages. Resolves with none when none come, or when `stopping` is aborted. `most` may only
   * narrow the bounds. Throws when the queue cannot be read.
   */
  next(stopping: AbortSignal, most?: Partial<BatchBounds>): Promise<QueueMessage<T>[]>;
};

export type Queues = {
  /**
   * Resolves once the queue has stored the retry, or with false when the subscription's part of the queue is full.
   * Throws where the outcome is unknown. Putting the same retry twice is harmless.
   */
  putRetry(retry: Retry): Promise<boolean>;
  /** The same for deliveries of one subscription that fit into one message. */
  putBacklog(subId: string, piece: Delivery[]): Promise<boolean>;
  /** Both open functions make the consumer where it does not exist. */
  openRetryQueue(number: number): Promise<QueueReader<Retry>>;
  openBacklog(subId: string): Promise<QueueReader<Delivery[]>>;
  /** The number of messages, read ones included, by subscription. */
  backlogSizes(subId?: string): Promise<Map<string, number>>;
};

/**
 * Makes the streams, or updates the bounds of existing ones. The replicas of an existing stream stay as they are. A
 * full stream refuses new messages; their deliveries keep their place in the journal.
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

/** The streams must exist. */
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
