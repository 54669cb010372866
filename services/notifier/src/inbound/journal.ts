/**
 * Reads the journal: one durable consumer per partition, shared by all notifiers. A message is acknowledged when the
 * deliveries that follow from it are queued; what cannot be handled just now is put back with a growing pause.
 *
 * Messages are read in batches, a short pause apart, and settled together at the end of theirs: on a busy partition
 * that is one packet for many. A notifier that dies before leaves its batch to be read again, and the queue drops what it
 * has already (I5). So does one that takes longer over a batch than `journalAckWaitMs`.
 */
import { AckPolicy, DeliverPolicy, type JetStreamClient, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type Clock, pause } from '@parterre/shared/clock';
import { journalAckWaitMs, journalBatchMax, journalPendingMax } from '@parterre/shared/limits';
import type { Logger } from '@parterre/shared/log';
import { type Pace, readBatch } from '@parterre/shared/read-batch';
import { eventKeyOf, names, subjects } from '@parterre/shared/subjects';
import type { Deliver } from '../deliver.ts';
import { keepReading, type Pull } from './pull.ts';

const STREAM_POLL_MS = 1_000;
const LATER_MS_MIN = 1_000;
const LATER_MS_MAX = 60_000;
/**
 * Readings of a message whose event the catalog does not have, before it is given up. The catalog's record is durable
 * before the event's first group is, so this is an event that somebody removed by hand.
 */
const UNKNOWN_READINGS_MAX = 10;

export type JournalPorts = {
  manager: JetStreamManager;
  jetstream: JetStreamClient;
  hear: Deliver['hear'];
  /** Shared by all partitions. */
  pace: Pace;
  clock: Clock;
  log: Logger;
};

/** Waits until the journal of `partition` exists and gives its replicas; null when `stopped` says so first. */
export async function waitForJournal(
  ports: Pick<JournalPorts, 'manager' | 'clock'>,
  partition: number,
  stopped: () => boolean,
): Promise<number | null> {
  while (!stopped()) {
    try {
      const info = await ports.manager.streams.info(names.journalStream(partition));
      return info.config.num_replicas;
    } catch {
      // Not there yet, or no server to ask: a shard makes it when it first owns the partition.
      await pause(ports.clock, STREAM_POLL_MS);
    }
  }
  return null;
}

/** Reads an existing journal from where the notifiers stand in it, on a first start from its beginning. */
export async function readJournal(ports: JournalPorts, partition: number): Promise<Pull> {
  const stream = names.journalStream(partition);
  await ports.manager.consumers.add(stream, {
    durable_name: 'notifier',
    filter_subject: subjects.journalOfPartition(partition),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(journalAckWaitMs),
    max_ack_pending: journalPendingMax,
  });
  const { jetstream, pace, clock, log } = ports;
  return keepReading({ jetstream, stream, consumer: 'notifier', clock, log }, async (source, stopping) => {
    while (!stopping.aborted) {
      const settlements: (() => void)[] = [];
      const take = async (message: JsMsg) => {
        // What was sent before the stop was heard goes to another notifier without waiting for its deadline.
        settlements.push(stopping.aborted ? () => message.nak() : await handle(ports, partition, message));
      };
      const count = await readBatch(source, journalBatchMax, stopping, take).finally(() => {
        for (const settle of settlements) settle();
      });
      if (count < journalBatchMax) await pace();
    }
  });
}

/** Resolves with what is to be said to the server; never throws. */
async function handle(ports: JournalPorts, partition: number, message: JsMsg): Promise<() => void> {
  const ack = () => message.ack();
  const eventKey = eventKeyOf(message.subject);
  if (eventKey === null) return ack;
  const readings = message.info.deliveryCount;
  const facts = { partition, sequence: message.seq, eventKey };
  try {
    const heard = await ports.hear({ ...facts, data: message.data });
    if (heard.kind === 'done') return ack;
    if (heard.kind === 'unknown' && readings >= UNKNOWN_READINGS_MAX) {
      ports.log.error({ ...facts, why: heard.why }, 'no webhooks for a journal message of an unknown event');
      return ack;
    }
    ports.log.info({ ...facts, why: heard.why }, 'journal message will be read again');
  } catch (error) {
    ports.log.error({ ...facts, err: error }, 'journal message could not be handled, will be read again');
  }
  return () => message.nak(Math.min(LATER_MS_MIN * 2 ** Math.min(readings - 1, 10), LATER_MS_MAX));
}
