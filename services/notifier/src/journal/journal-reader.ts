/**
 * Reads the journal: one durable consumer per partition, shared by all notifiers. It is the queue of first attempts: a message
 * is acknowledged when every delivery that follows from it is delivered, over or queued elsewhere, and told to the history.
 *
 * States of a message here: read, and from then on said to be worked on → made out, in the order of the journal → in hand, while its
 * deliveries are under way → acknowledged, or put back with a growing pause when something failed. A notifier that dies leaves what it
 * had in hand to be read again by another within `deliveryAckWaitMs`; receivers may then get a delivery twice, with the same id.
 *
 * Messages are read in batches, bounded in bytes too, a short pause apart. What many of them wait for (the history) comes
 * to all at once, so that their acknowledgements share a packet. What a message holds up while its posts hang is
 * bounded by the line of each endpoint (dispatch.ts); the bounds here are for what a notifier has in memory.
 */
import { AckPolicy, DeliverPolicy, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Clock } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import type { PulledMessage } from '@parterre/shared/pull';
import { type Pace, readBatch } from '@parterre/shared/read-batch';
import { eventKeyOf, names, subjects } from '@parterre/shared/subjects';
import {
  deliveryAckWaitMs,
  journalBatchBytesMax,
  journalBatchMax,
  journalPendingMax,
} from '@parterre/shared/webhook-limits';
import type { Dispatch } from '../deliveries/dispatch.ts';
import type { Delivery } from '../deliveries/rules/delivery.ts';
import { ensureConsumer } from '../streams/consumers.ts';
import { keepReading, type Reading } from '../streams/keep-reading.ts';
import type { Unsettled } from '../streams/unsettled.ts';
import type { FanOut } from './fan-out.ts';

const LATER_MS_MIN = 1_000;
const LATER_MS_MAX = 60_000;
/**
 * Readings of a message whose event the catalog does not have, before it is given up. The catalog's record is durable
 * before the event's first group is, so this is an event that somebody removed by hand.
 */
const UNKNOWN_READINGS_MAX = 10;

export type JournalPorts = {
  nats: NatsConnection;
  manager: JetStreamManager;
  fanOut: FanOut;
  dispatch: Pick<Dispatch, 'dispatchNew' | 'room'>;
  /** Both shared by all partitions. */
  unsettled: Unsettled;
  pace: Pace;
  clock: Clock;
  log: Logger;
};

/** Reads an existing journal from where the notifiers stand in it, on a first start from its beginning. */
export function readJournal(ports: JournalPorts, partition: number): Reading {
  const { nats, manager, dispatch, unsettled, pace, clock } = ports;
  const stream = names.journalStream(partition);
  const source = { nats, clock, stream, consumer: 'notifier' };
  const bounds = { messages: journalBatchMax, bytes: journalBatchBytesMax };
  return keepReading(ports, { stream }, async (stopping) => {
    // Here, so that one that somebody removed is made again, and the journal read from its beginning.
    await ensureConsumer(manager, stream, {
      durable_name: 'notifier',
      filter_subject: subjects.journalOfPartition(partition),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(deliveryAckWaitMs),
      max_ack_pending: journalPendingMax,
    });
    while (!stopping.aborted) {
      await unsettled.room();
      const messages = await readBatch(source, bounds, stopping);
      const batch = messages.map((message) => ({ message, endKeepAlive: unsettled.keepAlive(message) }));
      for (const { message, endKeepAlive } of batch) {
        await unsettled.room();
        await dispatch.room();
        // What was sent before the stop was heard goes to another notifier without waiting for its deadline.
        if (stopping.aborted) message.again(0);
        else await handle(ports, partition, message, stopping);
        endKeepAlive();
      }
      if ((messages.at(-1)?.pending ?? 0) === 0 && !stopping.aborted) await pace();
    }
  });
}

/** Resolves when its deliveries are made out and on their way; they go on by themselves. Never rejects. */
async function handle(
  ports: JournalPorts,
  partition: number,
  message: PulledMessage,
  stopping: AbortSignal,
): Promise<void> {
  const { fanOut, dispatch, unsettled, log } = ports;
  const eventKey = eventKeyOf(message.subject);
  if (eventKey === null) return message.ack();
  const facts = { partition, sequence: message.seq, eventKey };
  const putOff = (): void => message.again(stopping.aborted ? 0 : laterMs(message.deliveryCount));
  try {
    const fannedOut = await fanOut({ ...facts, data: message.data });
    if (fannedOut.kind === 'unknown' && message.deliveryCount >= UNKNOWN_READINGS_MAX) {
      log.error({ ...facts, why: fannedOut.why }, 'no webhooks for a journal message of an unknown event');
      return message.ack();
    }
    if (fannedOut.kind !== 'deliveries') {
      log.info({ ...facts, why: fannedOut.why }, 'journal message will be read again');
      return putOff();
    }
    const { deliveries } = fannedOut;
    if (deliveries.length === 0) return message.ack();
    const remove = unsettled.add(message, bodyBytesOf(deliveries));
    void dispatch
      .dispatchNew(deliveries)
      .then(message.ack, (error: unknown) => {
        if (!stopping.aborted) log.warn({ ...facts, err: error }, 'journal message will be read again');
        putOff();
      })
      .finally(remove);
  } catch (error) {
    log.error({ ...facts, err: error }, 'journal message could not be handled, will be read again');
    putOff();
  }
}

/** About: subscriptions share the body of an occurrence, and its characters are mostly of one byte. */
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
