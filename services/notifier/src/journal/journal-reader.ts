/**
 * Reads the journal: one durable consumer for each partition, which all notifiers share. The consumer is the queue of
 * first attempts. A message is acknowledged when each of its deliveries is delivered, over or queued, and its attempts
 * are in the history.
 *
 * States of a message here: read → unheard (no receiver hears of its event), and acknowledged at once; or in line,
 * where signs of life put off its deadline → fanned out, in the order of the journal → unsettled, while its deliveries
 * are under way → acknowledged, or given back with a growing pause when a step failed. When a notifier dies, another
 * reads its unsettled messages within `deliveryAckWaitMs`. Receivers may then get a delivery twice, with the same id. A
 * lost acknowledgement has the same end; an unheard message is unheard again.
 *
 * Messages are read in batches, with a bound of bytes and a rest between two batches. The unheard messages of a batch
 * are acknowledged together. While no receiver hears of the journals, batches are larger and rests longer. Messages
 * with deliveries wait for reports to the history. One report ends the wait of many messages, which are acknowledged
 * together. So acknowledgements share packets. Dispatch bounds how long a hanging endpoint holds a message up. The
 * bounds here are for the notifier's memory.
 *
 * A consumer that is lost (an operator deletes it, a server loses it) is made again. It begins behind the last message
 * that the lost consumer knew to be settled, as far as this notifier asked within `journalPlaceMs`; otherwise, and on a
 * first start, with the messages of the last `journalResumeMs`. So no receiver gets years of old events. Occurrences
 * keep their ids, so receivers recognise those that come again. Failure at an await: the consumer cannot be made, asked
 * or read → the reading starts again after a pause, and keeps the place that it knows.
 */
import { AckPolicy, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { groupsOf, type PackedGroup } from '@parterre/shared/protocol/journal/messages';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import {
  deliveryAckWaitMs,
  journalBatchBytesMax,
  journalBatchMax,
  journalPendingMax,
  journalPlaceMs,
  journalQuietBatchMax,
  journalResumeMs,
} from '@parterre/shared/protocol/webhook-limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import type { Pace } from '@parterre/shared/runtime/pace';
import type { PulledMessage } from '@parterre/shared/runtime/pull';
import { readBatch } from '@parterre/shared/runtime/read-batch';
import { ensureConsumerFrom } from '../streams/consumers.ts';
import { keepReading, type Reading } from '../streams/keep-reading.ts';
import type { IsUnheard } from './fan-out.ts';
import { laterMs, type SettlePorts, settleGroups } from './settle-groups.ts';

export type JournalPorts = SettlePorts & {
  nats: NatsConnection;
  manager: JetStreamManager;
  isUnheard: IsUnheard;
  /** Shared by all partitions. */
  pace: Pace;
  clock: Clock;
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
      const heard = stopping.aborted ? messages.map(unread) : acknowledgeUnheard(ports, messages);
      const batch = heard.map((each) => ({ ...each, endKeepAlive: unsettled.keepAlive(each.message) }));
      for (const { message, groups, endKeepAlive } of batch) {
        await unsettled.room();
        await dispatch.room();
        // Messages that were sent before the stop go back at once, so another notifier need not wait for their
        // deadline.
        if (stopping.aborted) message.again(0);
        else {
          const place = { partition, sequence: message.seq };
          await settleGroups(ports, { message, place, groups }, stopping);
        }
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

type HeardMessage = { message: PulledMessage; groups: PackedGroup[] };

const unread = (message: PulledMessage): HeardMessage => ({ message, groups: [] });

/**
 * Acknowledges the messages without a receiver in one go: they share a packet. Returns the others, each with its groups
 * that may have receivers. The caches are asked once for each event of the batch.
 */
function acknowledgeUnheard({ isUnheard, log }: JournalPorts, messages: PulledMessage[]): HeardMessage[] {
  const heard: HeardMessage[] = [];
  const answers = new Map<string, boolean>();
  const isHeard = ({ eventKey }: PackedGroup): boolean => {
    let answer = answers.get(eventKey);
    if (answer === undefined) {
      answer = !isUnheard(eventKey);
      answers.set(eventKey, answer);
    }
    return answer;
  };
  for (const message of messages) {
    try {
      const groups = groupsOf(message.subject, message.data).filter(isHeard);
      if (groups.length > 0) heard.push({ message, groups });
      else message.ack();
    } catch (error) {
      log.error({ err: error, subject: message.subject, sequence: message.seq }, 'a journal message cannot be read');
      message.again(laterMs(message.deliveryCount));
    }
  }
  return heard;
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
