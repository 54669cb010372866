/** Waits for the journal of a partition. */
import type { JetStreamManager } from '@nats-io/jetstream';
import { type Clock, pause } from '@parterre/shared/clock';
import { names } from '@parterre/shared/subjects';

const STREAM_POLL_MS = 1_000;

/** Waits until the journal of `partition` exists and gives its replicas; null when `stopped` says so first. */
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
      // Not there yet, or no server to ask: a shard makes it when it first owns the partition.
      await pause(ports.clock, STREAM_POLL_MS);
    }
  }
  return null;
}
