/**
 * The queue of waiting parts: parts of commits whose receivers the catalog cannot tell now. The queue shares the stream
 * of the retries, and the bounds of its bytes. A part waits as its place and its event; the journal keeps its records.
 *
 * States of a part: put → read, and its group is read from the journal → settled like a message of the journal
 * (settle-groups.ts), or given back with a growing pause. Failure at each await: the journal or the queue is away → the
 * part is given back, or the server gives it to another notifier within `deliveryAckWaitMs`; the stream is full → the
 * put throws, and the caller keeps the whole commit. A part that the journal no longer has, and a message that is no
 * waiting part, are logged and gone.
 */
import { AckPolicy, DeliverPolicy, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { textOfLink } from '@parterre/shared/protocol/journal/links';
import { linkAfter } from '@parterre/shared/protocol/journal/messages';
import { readStored, type StoredForm } from '@parterre/shared/protocol/stored';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import {
  deliveryAckWaitMs,
  retriesPendingPerQueueMax,
  retryBatchBytesMax,
  retryBatchMax,
} from '@parterre/shared/protocol/webhook-limits';
import { encodeKept } from '@parterre/shared/protocol/wire';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import type { PulledMessage } from '@parterre/shared/runtime/pull';
import { readBatch } from '@parterre/shared/runtime/read-batch';
import type { StoredGroup } from '../occurrences/stored-group.ts';
import { ensureConsumer } from '../streams/consumers.ts';
import { keepReading, type Reading } from '../streams/keep-reading.ts';
import { laterMs, type PutPart, type SettlePorts, settleGroups, type WaitingPart } from './settle-groups.ts';

const PUT_DEADLINE_MS = 5_000;
const waitingPartForm: StoredForm<WaitingPart> = {
  partition: 'number',
  sequence: 'number',
  event: 'text',
  link: 'text',
};

/** Putting a part twice stores it once. */
export function createPutPart(client: JetStreamClient): PutPart {
  return async (part) => {
    const { partition, event, link } = part;
    const msgID = `part.${partition}.${event}.${link}`;
    await client.publish(subjects.waitingPart(partition, event), encodeKept(part), { msgID, timeout: PUT_DEADLINE_MS });
  };
}

export type WaitingPartPorts = SettlePorts & {
  nats: NatsConnection;
  manager: JetStreamManager;
  storedGroup: StoredGroup;
  clock: Clock;
};

/** The stream must exist. */
export function readWaitingParts(ports: WaitingPartPorts): Reading {
  const { nats, manager, clock, unsettled, dispatch } = ports;
  const bounds = { messages: retryBatchMax, bytes: retryBatchBytesMax };
  return keepReading(ports, { queue: 'parts' }, async (stopping) => {
    const { name } = await ensureConsumer(manager, names.deliveryStream, {
      durable_name: 'parts',
      filter_subject: subjects.allWaitingParts,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(deliveryAckWaitMs),
      max_ack_pending: retriesPendingPerQueueMax,
    });
    const source = { nats, clock, stream: names.deliveryStream, consumer: name };
    while (!stopping.aborted) {
      await unsettled.room();
      const { messages } = await readBatch(source, bounds, stopping);
      const batch = messages.map((message) => ({ message, endKeepAlive: unsettled.keepAlive(message) }));
      for (const { message, endKeepAlive } of batch) {
        await unsettled.room();
        await dispatch.room();
        if (stopping.aborted) message.again(0);
        else await settlePart(ports, message, stopping);
        endKeepAlive();
      }
    }
  });
}

/** Never rejects. */
async function settlePart(ports: WaitingPartPorts, message: PulledMessage, stopping: AbortSignal): Promise<void> {
  const { storedGroup, log } = ports;
  let part: WaitingPart;
  try {
    part = readStored('read a waiting part', message.data, waitingPartForm);
  } catch (error) {
    log.error({ err: error, subject: message.subject, sequence: message.seq }, 'a waiting part is given up');
    message.ack();
    return;
  }
  try {
    const { partition, sequence, event, link } = part;
    const place = { partition, sequence };
    const group = await storedGroup(place, event);
    const isThere = group !== null && textOfLink(linkAfter(group.data)) === link;
    if (isThere) return await settleGroups(ports, { message, place, groups: [group] }, stopping);
    log.error({ ...place, eventKey: event }, 'the journal no longer has a waiting part');
    message.ack();
  } catch (error) {
    log.warn({ err: error }, 'a waiting part cannot be read now');
    message.again(laterMs(message.deliveryCount));
  }
}
