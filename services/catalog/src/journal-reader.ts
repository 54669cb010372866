/**
 * Reads the journals of all partitions in order, for one generation of the projections, each from its kept position on.
 *
 * Each catalog reads every partition by itself and keeps its place in the store. A shared consumer whose messages are
 * acknowledged one by one would not do: what is redelivered after later messages were counted would be taken for old.
 * What is told in lists lags by `projectionPaceMs` at most while the catalog keeps up.
 *
 * On failure, at each await: reading fails → what was read is dropped, nothing of it was counted; a write fails → the
 * partitions that shared it read again from their kept positions (project-batches.ts says why that is harmless).
 */
import { DeliverPolicy, JetStreamApiCodes, JetStreamApiError, type JsMsg, jetstream } from '@nats-io/jetstream';
import { type Clock, pause } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import { createPace, type Pace, readBatch } from '@parterre/shared/read-batch';
import type { Group } from '@parterre/shared/records';
import { eventKeyOf, names } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import { type Batch, type BatchPorts, type Entry, projectBatches } from './project-batches.ts';
import { projectionBatchMax, projectionGatherMs, projectionPaceMs, streamRetryPauseMs } from './rules/bounds.ts';

export type ReaderPorts = BatchPorts & { nats: NatsConnection; clock: Clock; log: Logger };

/** Resolves when the batch has been counted and its stream's position kept. */
type WriteBatch = (batch: Batch) => Promise<void>;

/** Follows every partition until `stopping` says so, waiting for streams that do not exist yet. Never rejects. */
export async function readJournals(ports: ReaderPorts, partitions: number, stopping: AbortSignal): Promise<void> {
  const shared = { ...ports, pace: createPace(ports.clock, projectionPaceMs), write: gatherWrites(ports) };
  await Promise.all(Array.from({ length: partitions }, (_, partition) => follow(shared, partition, stopping)));
}

type PartitionPorts = ReaderPorts & { pace: Pace; write: WriteBatch };

/** Reads one partition, and again from the kept position after whatever went wrong. Never rejects. */
async function follow(ports: PartitionPorts, partition: number, stopping: AbortSignal): Promise<void> {
  const stream = names.journalStream(partition);
  while (!stopping.aborted) {
    try {
      await readOn(ports, stream, stopping);
    } catch (error) {
      if (stopping.aborted) return;
      // A stream that no shard has made yet is how every new deployment begins; anything else somebody should see.
      const level =
        error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound ? 'debug' : 'warn';
      ports.log[level]({ err: error, stream }, 'the journal cannot be projected just now');
      await pauseUnless(stopping, ports.clock, streamRetryPauseMs);
    }
  }
}

/** From the kept position on, until it is stopped. Throws whatever keeps it from reading or writing. */
async function readOn(ports: PartitionPorts, stream: string, stopping: AbortSignal): Promise<void> {
  const position = (await ports.store.get(ports.views.positions, stream))?.value.seq ?? 0;
  const consumer = await jetstream(ports.nats).consumers.get(stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: position + 1,
  });
  try {
    while (!stopping.aborted) {
      const entries: Entry[] = [];
      await readBatch(consumer, projectionBatchMax, stopping, (message) => void entries.push(entryOf(message)));
      if (entries.length > 0) await ports.write({ stream, entries });
      if (entries.length < projectionBatchMax && !stopping.aborted) await ports.pace();
    }
  } finally {
    // The server also forgets it by itself, some minutes later, which is what a lost connection comes to.
    await consumer.delete().catch((error) => ports.log.debug({ err: error, stream }, 'the reader was not deleted'));
  }
}

function entryOf({ seq, subject, data }: JsMsg): Entry {
  const eventKey = eventKeyOf(subject);
  return eventKey === null ? { seq, eventKey } : { seq, eventKey, group: decodeKept<Group>(data), data };
}

/**
 * Every write costs a flush to the disk, however small it is, so the partitions share it: what has come within
 * `projectionGatherMs` of the first batch is written together, and fails together. At most one batch a partition waits.
 */
function gatherWrites(ports: BatchPorts & { clock: Clock }): WriteBatch {
  let waiting: Batch[] = [];
  let written: Promise<void> | null = null;
  async function writeGathered(): Promise<void> {
    await pause(ports.clock, projectionGatherMs);
    const batches = waiting;
    waiting = [];
    written = null;
    await projectBatches(ports, batches);
  }
  return (batch) => {
    waiting.push(batch);
    written ??= writeGathered();
    return written;
  };
}

/** Resolves after the time, or at once when it is to stop. */
export function pauseUnless(stopping: AbortSignal, clock: Clock, delayMs: number): Promise<void> {
  if (stopping.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      stopping.removeEventListener('abort', end);
      cancel();
      resolve();
    };
    const cancel = clock.after(delayMs, end);
    stopping.addEventListener('abort', end);
  });
}
