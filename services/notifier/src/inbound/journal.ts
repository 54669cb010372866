/**
 * Reads the journal: one durable consumer per partition, shared by all notifiers. A message is acknowledged when the
 * deliveries that follow from it are queued; what cannot be handled just now is put back with a growing pause.
 */
import { AckPolicy, DeliverPolicy, type JetStreamClient, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type Clock, pause } from '@parterre/shared/clock';
import { journalAckWaitMs, journalPendingMax } from '@parterre/shared/limits';
import type { Logger } from '@parterre/shared/log';
import { eventKeyOf, names, subjects } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import type { Deliver, JournalEntry } from '../deliver.ts';
import { type Pull, startPull } from './pull.ts';

const STREAM_POLL_MS = 1_000;
const MESSAGES_AHEAD = 64;
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
  const { jetstream, clock, log } = ports;
  const settings = { jetstream, stream, consumer: 'notifier', ahead: MESSAGES_AHEAD, clock, log };
  return startPull(settings, (message) => handle(ports, partition, message));
}

async function handle(ports: JournalPorts, partition: number, message: JsMsg): Promise<void> {
  const eventKey = eventKeyOf(message.subject);
  if (eventKey === null) return message.ack();
  const readings = message.info.deliveryCount;
  const facts = { partition, sequence: message.seq, eventKey };
  try {
    const entry: JournalEntry = { ...facts, group: decodeKept(message.data) };
    const heard = await ports.hear(entry);
    if (heard.kind === 'done') return message.ack();
    if (heard.kind === 'unknown' && readings >= UNKNOWN_READINGS_MAX) {
      ports.log.error({ ...facts, why: heard.why }, 'no webhooks for a journal message of an unknown event');
      return message.ack();
    }
    ports.log.info({ ...facts, why: heard.why }, 'journal message will be read again');
  } catch (error) {
    ports.log.error({ ...facts, err: error }, 'journal message could not be handled, will be read again');
  }
  message.nak(Math.min(LATER_MS_MIN * 2 ** Math.min(readings - 1, 10), LATER_MS_MAX));
}
