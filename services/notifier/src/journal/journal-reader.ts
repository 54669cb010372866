/**
 * Reads the journal: one durable consumer for each partition, which all notifiers share. The consumer is the queue of
 * first attempts. A message is acknowledged when each of its deliveries is delivered, over or queued, and its attempts
 * are in the history.
 *
 * States of a message here: read → unheard (no receiver hears of its event), and acknowledged at once; or in line, where
 * signs of life put off its deadline → fanned out, in the order of the journal → unsettled, while its deliveries are
 * under way → acknowledged, or given back with a growing pause when a step failed. When a notifier dies, another reads
 * its unsettled messages within `deliveryAckWaitMs`. Receivers may then get a delivery twice, with the same id. A lost
 * acknowledgement has the same end; an unheard message is unheard again.
 *
 * Messages are read in batches, with a bound of bytes and a rest between two batches. The unheard messages of a batch
 * are acknowledged together. While no receiver hears of the journals, batches are larger and rests longer (0110). Many others wait for the same reports to the history and are acknowledged together
 * too. So acknowledgements share packets. Dispatch bounds how long a hanging endpoint holds a message up. The bounds
 * here are for the notifier's memory.
 *
 * A consumer that is lost (an operator deletes it, a server loses it) is made again. It begins behind the last message
 * that the lost consumer knew to be settled, as far as this notifier asked within `journalPlaceMs`; otherwise, and on a
 * first start, with the messages of the last `journalResumeMs`. So no receiver gets years of old events. Occurrences keep
 * their ids, so receivers recognise those that come again. Failure at an await: the consumer cannot be made, asked or
 * read → the reading starts again after a pause, and keeps the place that it knows.
 */
import { AckPolicy, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Clock } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import type { Pace } from '@parterre/shared/pace';
import type { PulledMessage } from '@parterre/shared/pull';
import { readBatch } from '@parterre/shared/read-batch';
import { eventKeyOf, names, subjects } from '@parterre/shared/subjects';
import {
  deliveryAckWaitMs,
  journalBatchBytesMax,
  journalBatchMax,
  journalPendingMax,
  journalPlaceMs,
  journalQuietBatchMax,
  journalResumeMs,
} from '@parterre/shared/webhook-limits';
import type { Dispatch } from '../deliveries/dispatch.ts';
import type { Delivery } from '../deliveries/rules/delivery.ts';
import { ensureConsumerFrom } from '../streams/consumers.ts';
import { keepReading, type Reading } from '../streams/keep-reading.ts';
import type { Unsettled } from '../streams/unsettled.ts';
import type { FanOut, IsUnheard } from './fan-out.ts';

const LATER_MS_MIN = 1_000;
const LATER_MS_MAX = 60_000;
/**
 * How often a message of an event that the catalog does not have is read before it is given up. The catalog's record is
 * durable before the event's first group, so a person has removed this event.
 */
const UNKNOWN_READINGS_MAX = 10;

export type JournalPorts = {
  nats: NatsConnection;
  manager: JetStreamManager;
  fanOut: FanOut;
  isUnheard: IsUnheard;
  dispatch: Pick<Dispatch, 'dispatchNew' | 'room'>;
  /** `unsettled` and `pace` are shared by all partitions. */
  unsettled: Unsettled;
  pace: Pace;
  clock: Clock;
  log: Logger;
};

/** Reads an existing journal from the consumer's position. */
export function readJournal(ports: JournalPorts, partition: number): Reading {
  const { nats, dispatch, unsettled, pace, clock } = ports;
  const stream = names.journalStream(partition);
  const source = { nats, clock, stream, consumer: 'notifier' };
  let isQuiet = false;
  let sinceRest = 0;
  const consumer = createJournalConsumer(ports, partition);
  return keepReading(ports, { stream }, async (stopping) => {
    // The consumer is made here, so that a removed consumer is made again.
    await consumer.ensure();
    while (!stopping.aborted) {
      await consumer.askPlace();
      await unsettled.room();
      const bounds = { messages: isQuiet ? journalQuietBatchMax : journalBatchMax, bytes: journalBatchBytesMax };
      const { messages, isCut } = await readBatch(source, bounds, stopping);
      const heard = stopping.aborted ? messages : acknowledgeUnheard(ports, messages);
      const batch = heard.map((message) => ({ message, endKeepAlive: unsettled.keepAlive(message) }));
      for (const { message, endKeepAlive } of batch) {
        await unsettled.room();
        await dispatch.room();
        // Messages that were sent before the stop go back at once, so another notifier need not wait for their
        // deadline.
        if (stopping.aborted) message.again(0);
        else await fanOutMessage(ports, partition, message, stopping);
        endKeepAlive();
      }
      isQuiet = heard.length === 0;
      sinceRest += messages.length;
      if (isCut || stopping.aborted) continue;
      const rested = pace.rest(sinceRest);
      if (!isQuiet) pace.hurry();
      await rested;
      sinceRest = 0;
    }
  });
}

/** Acknowledges the messages without a receiver in one go: they share a packet. Returns the others. */
function acknowledgeUnheard({ isUnheard }: JournalPorts, messages: PulledMessage[]): PulledMessage[] {
  return messages.filter((message) => {
    const eventKey = eventKeyOf(message.subject);
    if (eventKey !== null && !isUnheard(eventKey)) return true;
    message.ack();
    return false;
  });
}

/** The consumer, and the place up to which it knew the journal to be settled. */
function createJournalConsumer({ manager, clock, log }: JournalPorts, partition: number) {
  const stream = names.journalStream(partition);
  let settledTo: number | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    async ensure(): Promise<void> {
      const since = clock.now() - journalResumeMs;
      const beginning = settledTo === null ? { since } : { sequence: settledTo + 1 };
      const config = {
        durable_name: 'notifier',
        filter_subject: subjects.journalOfPartition(partition),
        ack_policy: AckPolicy.Explicit,
        ack_wait: nanos(deliveryAckWaitMs),
        max_ack_pending: journalPendingMax,
      };
      const { made } = await ensureConsumerFrom(manager, stream, config, beginning);
      if (!made) return;
      const facts = { stream, ...beginning };
      // A new deployment has none yet.
      if (settledTo === null) log.info(facts, 'the consumer of a journal is made, and begins here');
      else log.warn(facts, 'the consumer of a journal was missing: it is made anew, and begins here');
    },
    /** Asks at most every `journalPlaceMs`. */
    async askPlace(): Promise<void> {
      if (clock.elapsed() - askedAt < journalPlaceMs) return;
      const { ack_floor } = await manager.consumers.info(stream, 'notifier');
      // 0: nothing is settled yet, and a beginning at 1 would be the beginning of the journal.
      settledTo = ack_floor.stream_seq || settledTo;
      askedAt = clock.elapsed();
    },
  };
}

/** Resolves when the deliveries are fanned out and dispatched; they settle by themselves. Never rejects. */
async function fanOutMessage(
  ports: JournalPorts,
  partition: number,
  message: PulledMessage,
  stopping: AbortSignal,
): Promise<void> {
  const { fanOut, dispatch, unsettled, log } = ports;
  const eventKey = eventKeyOf(message.subject)!;
  const facts = { partition, sequence: message.seq, eventKey };
  const putOff = (): void => message.again(stopping.aborted ? 0 : laterMs(message.deliveryCount));
  try {
    const fannedOut = await fanOut({ ...facts, data: message.data });
    if (fannedOut.kind === 'unknown' && message.deliveryCount >= UNKNOWN_READINGS_MAX) {
      log.error({ ...facts, why: fannedOut.why }, 'gave up a journal message: the catalog does not have its event');
      return message.ack();
    }
    if (fannedOut.kind !== 'deliveries') {
      log.info({ ...facts, why: fannedOut.why }, 'a journal message was not settled, reading it again later');
      return putOff();
    }
    const { deliveries } = fannedOut;
    if (deliveries.length === 0) return message.ack();
    const remove = unsettled.add(message, bodyBytesOf(deliveries));
    void dispatch
      .dispatchNew(deliveries)
      .then(message.ack, (error: unknown) => {
        if (!stopping.aborted)
          log.warn({ ...facts, err: error }, 'a journal message was not settled, reading it again later');
        putOff();
      })
      .finally(remove);
  } catch (error) {
    log.error({ ...facts, err: error }, 'a journal message could not be handled, reading it again later');
    putOff();
  }
}

/** An estimate: subscriptions share the body of an occurrence, and most of its characters have one byte. */
function bodyBytesOf(deliveries: readonly Delivery[]): number {
  let bytes = 0;
  let last: string | null = null;
  for (const { body } of deliveries) {
    if (body !== null && body !== last) bytes += body.length;
    last = body;
  }
  return bytes;
}

function laterMs(readings: number): number {
  return Math.min(LATER_MS_MIN * 2 ** Math.min(readings - 1, 10), LATER_MS_MAX);
}
