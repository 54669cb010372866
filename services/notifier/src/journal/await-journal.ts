/** Waits until the journal of a partition exists. */
import type { JetStreamManager } from '@nats-io/jetstream';
import { names } from '@parterre/shared/protocol/subjects';
import { type Clock, pause } from '@parterre/shared/runtime/clock';

const STREAM_POLL_MS = 1_000;

/** Resolves with the journal's number of replicas; null when `stopped` turns true first. */
export async function awaitJournal(
  ports: { manager: JetStreamManager; clock: Clock },
  partition: number,
  stopped: () => boolean,
): Promise<number | null> {
  while (!stopped()) {
    try {
      const info = await ports.manager.streams.info(names.journalStream(partition));
      return info.config.num_replicas;
    } catch {
      // The stream does not exist yet, or no server answers. A shard makes the stream when it first owns the partition.
      await pause(ports.clock, STREAM_POLL_MS);
    }
  }
  return null;
}
