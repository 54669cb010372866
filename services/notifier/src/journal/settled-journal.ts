/**
 * How far the notifiers have come with the journals. All notifiers share one consumer for each partition, so its places
 * are those of all of them.
 *
 * Failure at the await: NATS does not answer, or the consumer is missing → the question fails, and its caller asks
 * again later.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import { names } from '@parterre/shared/protocol/subjects';
import type { ProgressOf } from '../deliveries/recoveries.ts';
import { consumerName } from './journal-consumer.ts';

export function createProgressOf(manager: JetStreamManager): ProgressOf {
  return async (places) => {
    const last = new Map<number, number>();
    for (const { partition, sequence } of places) last.set(partition, Math.max(sequence, last.get(partition) ?? 0));
    const consumers = await Promise.all(
      [...last].map(async ([partition, sequence]) => {
        const consumer = await manager.consumers.info(names.journalStream(partition), consumerName);
        return { sequence, read: consumer.delivered.stream_seq, settled: consumer.ack_floor.stream_seq };
      }),
    );
    if (consumers.some(({ sequence, read }) => read < sequence)) return 'unread';
    return consumers.every(({ sequence, settled }) => settled >= sequence) ? 'settled' : 'unsettled';
  };
}
