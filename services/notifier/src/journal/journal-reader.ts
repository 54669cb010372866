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
 * The consumer is made, and made again where it is lost, in journal-consumer.ts. Failure at an await: the consumer
 * cannot be made, asked or read → the reading starts again after a pause, and keeps the places that it knows.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import { groupsOf, type PackedGroup } from '@parterre/shared/protocol/journal/messages';
import { names } from '@parterre/shared/protocol/subjects';
import { journalBatchBytesMax, journalBatchMax, journalQuietBatchMax } from '@parterre/shared/protocol/webhook-limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import type { Pace } from '@parterre/shared/runtime/pace';
import type { PulledMessage } from '@parterre/shared/runtime/pull';
import { readBatch } from '@parterre/shared/runtime/read-batch';
import { keepReading, type Reading } from '../streams/keep-reading.ts';
import type { IsUnheard } from './fan-out.ts';
import { consumerName, JournalConsumer } from './journal-consumer.ts';
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
  const source = { nats, clock, stream, consumer: consumerName };
  let isQuiet = false;
  let sinceRest = 0;
  const consumer = new JournalConsumer(ports, partition);
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
