/**
 * Opens the queues for reading: a consumer for each retry queue, and for each backlog that is drained. The consumer is
 * made where it does not exist.
 *
 * States of a message: in its stream → read (unacknowledged: the server gives it to another notifier after
 * `deliveryAckWaitMs` without a sign of life) → acknowledged and gone, or given back. An unreadable message is logged
 * and acknowledged. Failure at an await: the consumer cannot be made or read → the caller hears the error and opens
 * again.
 */
import { AckPolicy, DeliverPolicy, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Fault } from '@parterre/shared/protocol/errors';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import {
  backlogBatchBytesMax,
  backlogIdleMs,
  backlogPendingMax,
  deliveryAckWaitMs,
  journalBatchMax,
  retriesPendingPerQueueMax,
  retryBatchBytesMax,
  retryBatchMax,
} from '@parterre/shared/protocol/webhook-limits';
import { decodeKept } from '@parterre/shared/protocol/wire';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import type { PulledMessage, PullSource } from '@parterre/shared/runtime/pull';
import { type BatchBounds, readBatch } from '@parterre/shared/runtime/read-batch';
import { ensureConsumer } from '../streams/consumers.ts';
import type { Delivery, Retry } from './rules/delivery.ts';

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

export type QueueReaders = {
  openRetryQueue(number: number): Promise<QueueReader<Retry>>;
  /** Messages have deliveries, or one retry in a subscription's own part of a retry queue. */
  openBacklog(name: string): Promise<QueueReader<(Delivery | Retry)[]>>;
};

export type ReaderPorts = { nats: NatsConnection; manager: JetStreamManager; clock: Clock; log: Logger };

export function createQueueReaders({ nats, manager, clock, log }: ReaderPorts): QueueReaders {
  return {
    async openRetryQueue(number) {
      const { name } = await ensureConsumer(manager, names.deliveryStream, {
        durable_name: `retries-${number}`,
        filter_subject: subjects.retriesOfQueue(number),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(deliveryAckWaitMs),
        max_ack_pending: retriesPendingPerQueueMax,
      });
      const source = { nats, clock, stream: names.deliveryStream, consumer: name };
      const bounds = { messages: retryBatchMax, bytes: retryBatchBytesMax };
      return readerOf(source, bounds, log, readRetry);
    },

    async openBacklog(name) {
      const { name: consumer } = await ensureConsumer(manager, names.backlogStream, {
        durable_name: name,
        filter_subject: subjects.backlogOf(name),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(deliveryAckWaitMs),
        max_ack_pending: backlogPendingMax,
        inactive_threshold: nanos(backlogIdleMs),
      });
      const source = { nats, clock, stream: names.backlogStream, consumer };
      const bounds = { messages: journalBatchMax, bytes: backlogBatchBytesMax };
      return readerOf(source, bounds, log, decodeKept<(Delivery | Retry)[]>);
    },
  };
}

function readRetry(data: Uint8Array): Retry {
  const retry = decodeKept<Partial<Retry>>(data);
  if (typeof retry.deliveryId !== 'string') throw new Fault('read a queued retry: it has no delivery');
  return retry as Retry;
}

function readerOf<T>(
  source: PullSource,
  bounds: BatchBounds,
  log: Logger,
  read: (data: Uint8Array) => T,
): QueueReader<T> {
  return {
    async next(stopping, most) {
      const { messages } = await readBatch(source, { ...bounds, ...most }, stopping);
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
  const { data, pending } = message;
  return {
    value: read(data),
    bytes: data.length,
    pending,
    ack: () => message.ack(),
    again: (delayMs) => message.again(delayMs),
    working: () => message.working(),
  };
}
