/**
 * The queue of deliveries: the work-queue stream DELIVERIES, one message per delivery, `deliveries.<lane>.<subId>`, removed
 * when it is settled. A lane holds the deliveries that wait equally long for their next attempt, with a consumer of its
 * own, so that a million retries due in hours never stand before a first attempt. The server drops a message id
 * it has seen within `deliveryDuplicateWindowMs`: a journal message read twice is queued once (I5).
 */
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import {
  deliveriesPendingPerLaneMax,
  deliveriesQueuedMax,
  deliveryAckWaitMs,
  deliveryDuplicateWindowMs,
  deliveryKeepMs,
} from '@parterre/shared/limits';
import { names } from '@parterre/shared/subjects';
import { encodeKept } from '@parterre/shared/wire';
import type { PutDelivery } from '../deliver.ts';
import { messageIdOf } from '../rules/delivery.ts';
import { laneCount } from '../rules/schedule.ts';

const PUT_DEADLINE_MS = 5_000;

export function laneConsumer(lane: number): string {
  return `lane-${lane}`;
}

/**
 * Makes the stream and its consumers, or brings the bounds of existing ones up to date; the replicas of an existing
 * stream stay as they are. A full queue refuses new deliveries, which holds up the journal's reading and loses nothing.
 */
export async function ensureQueue(manager: JetStreamManager, replicas: number): Promise<void> {
  const bounds = {
    subjects: ['deliveries.>'],
    discard: DiscardPolicy.New,
    max_msgs: deliveriesQueuedMax,
    max_age: nanos(deliveryKeepMs),
    duplicate_window: nanos(deliveryDuplicateWindowMs),
  };
  const fixed = { retention: RetentionPolicy.Workqueue, storage: StorageType.File, num_replicas: replicas };
  const name = names.deliveryStream;
  const exists = await manager.streams.info(name).then(
    () => true,
    () => false,
  );
  if (exists) await manager.streams.update(name, bounds);
  else await manager.streams.add({ name, ...fixed, ...bounds });
  for (let lane = 0; lane < laneCount; lane++) {
    await manager.consumers.add(name, {
      durable_name: laneConsumer(lane),
      filter_subject: `deliveries.${lane}.>`,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(deliveryAckWaitMs),
      max_ack_pending: deliveriesPendingPerLaneMax,
    });
  }
}

export function createPut(jetstream: JetStreamClient): PutDelivery {
  return async (delivery) => {
    const subject = `deliveries.${delivery.lane}.${delivery.subId}`;
    const options = { msgID: messageIdOf(delivery), timeout: PUT_DEADLINE_MS };
    await jetstream.publish(subject, encodeKept(delivery), options);
  };
}
