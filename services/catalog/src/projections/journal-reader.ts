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
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type Clock, pause, pauseUnless } from '@parterre/shared/clock';
import { Fault } from '@parterre/shared/errors';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import type { PulledMessage, PullSource } from '@parterre/shared/pull';
import { createPace, type Pace, readBatch } from '@parterre/shared/read-batch';
import type { Group } from '@parterre/shared/records';
import { eventKeyOf, names } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import {
  projectionBatchBytesMax,
  projectionBatchMax,
  projectionGatherMs,
  projectionPaceMs,
  readerIdleMs,
  streamRetryPauseMs,
} from '../store/rules/bounds.ts';
import { type Batch, type BatchPorts, type Entry, projectBatches } from './project-batches.ts';

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
  const manager = await jetstreamManager(ports.nats, { checkAPI: false });
  const source = await openReader(ports, manager, stream, position);
  const bounds = { messages: projectionBatchMax, bytes: projectionBatchBytesMax };
  let handedOut = 0;
  try {
    while (!stopping.aborted) {
      const messages = await readBatch(source, bounds, stopping);
      for (const { consumerSeq } of messages) {
        if (consumerSeq !== ++handedOut) throw new Fault(`read ${stream}: a message was lost on its way`);
      }
      if (messages.length > 0) await ports.write({ stream, entries: messages.map(entryOf) });
      if ((messages.at(-1)?.pending ?? 0) === 0 && !stopping.aborted) await ports.pace();
    }
  } finally {
    // The server also forgets it by itself, some minutes later, which is what a lost connection comes to.
    await manager.consumers
      .delete(stream, source.consumer)
      .catch((error) => ports.log.debug({ err: error, stream }, 'the reader was not deleted'));
  }
}

async function openReader(
  { nats, clock }: PartitionPorts,
  manager: JetStreamManager,
  stream: string,
  position: number,
): Promise<PullSource> {
  const { name } = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: position + 1,
    inactive_threshold: nanos(readerIdleMs),
    mem_storage: true,
    num_replicas: 1,
  });
  return { nats, clock, stream, consumer: name };
}

function entryOf({ seq, subject, data }: PulledMessage): Entry {
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
