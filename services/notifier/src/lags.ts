/** How far the notifiers are behind, for the metrics: all of them together, since they share every queue. */
import type { JetStreamManager } from '@nats-io/jetstream';
import { names } from '@parterre/shared/protocol/subjects';
import { type Behind, behindIn } from '@parterre/shared/runtime/lag-watch';
import { isStreamMissing } from '@parterre/shared/runtime/stored-message';
import { consumerName } from './journal/journal-consumer.ts';
import { findConsumer } from './streams/consumers.ts';

const nothing: Behind = { messages: 0, oldestAt: null };

/** Of the journals together, whose messages wait for their first attempt, and of both queues of waiting deliveries. */
export async function waitingOf(manager: JetStreamManager, partitions: number): Promise<Map<string, Behind>> {
  const journals = Array.from({ length: partitions }, (_, partition) =>
    behindOf(manager, names.journalStream(partition)),
  );
  const [retries, backlogs] = await Promise.all([
    queueOf(manager, names.deliveryStream),
    queueOf(manager, names.backlogStream),
  ]);
  return new Map([
    ['journal', together(await Promise.all(journals))],
    ['retries', retries],
    ['backlogs', backlogs],
  ]);
}

/** A consumer or a stream that does not exist yet has nothing behind it. */
async function behindOf(manager: JetStreamManager, stream: string): Promise<Behind> {
  try {
    const consumer = await findConsumer(manager, stream, consumerName);
    if (!consumer || consumer.num_pending + consumer.num_ack_pending === 0) return nothing;
    const { oldestAt } = await behindIn(manager, stream, consumer.ack_floor.stream_seq);
    return { messages: consumer.num_pending + consumer.num_ack_pending, oldestAt };
  } catch (error) {
    if (isStreamMissing(error)) return nothing;
    throw error;
  }
}

/** A queue has the messages that are not settled, and no others. */
async function queueOf(manager: JetStreamManager, stream: string): Promise<Behind> {
  try {
    return await behindIn(manager, stream, 0);
  } catch (error) {
    if (isStreamMissing(error)) return nothing;
    throw error;
  }
}

function together(all: readonly Behind[]): Behind {
  const oldest = all.flatMap(({ oldestAt }) => (oldestAt === null ? [] : [oldestAt]));
  return {
    messages: all.reduce((sum, { messages }) => sum + messages, 0),
    oldestAt: oldest.length === 0 ? null : Math.min(...oldest),
  };
}
