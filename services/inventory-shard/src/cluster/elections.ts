/**
 * The elections of the streams' leaders. Every server announces its own election. An append that was sent to the leader
 * before may be lost without an answer, and a stream without a leader answers nobody.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { hearing } from '@parterre/shared/runtime/nats';

/** `onElected` is called when the stream of one of the first `partitions` partitions has a new leader. */
export function hearElections(nats: NatsConnection, partitions: number, onElected: (partition: number) => void): void {
  const partitionOf = new Map(
    Array.from({ length: partitions }, (_, number) => [subjects.streamLed(names.journalStream(number)), number]),
  );
  const callback = hearing(({ subject }) => {
    const partition = partitionOf.get(subject);
    if (partition !== undefined) onElected(partition);
  });
  nats.subscribe(subjects.streamLed('*'), { callback });
}
