/**
 * Reads the journals of all partitions in order, for one generation of the projections, each from its stored position.
 *
 * Each catalog reads every partition by itself and stores its position. A shared consumer with single acknowledgements
 * would be wrong: it may redeliver a message after later ones were counted, and the message would then be taken for
 * counted. Lists lag by at most `projectionRestMs.msMax` while the catalog keeps up. A read of the history that waits
 * for its event ends the rest early.
 *
 * On failure, at each await: reading fails → the messages are dropped uncounted; a write fails → the partitions that
 * shared it read again from their stored positions (project-batches.ts says why this is harmless).
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
import { Fault } from '@parterre/shared/protocol/errors';
import { names } from '@parterre/shared/protocol/subjects';
import { type Clock, pause, pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import type { Pace } from '@parterre/shared/runtime/pace';
import type { PullSource } from '@parterre/shared/runtime/pull';
import { readBatch } from '@parterre/shared/runtime/read-batch';
import {
  projectionBatchBytesMax,
  projectionBatchMax,
  projectionGatherMs,
  projectionGroupsMax,
  readerIdleMs,
  streamRetryPauseMs,
} from '../store/rules/bounds.ts';
import { entryOf, listsOf } from './entries.ts';
import { type Batch, type BatchPorts, projectBatches } from './project-batches.ts';

/** `pace` is shared by all partitions and generations. */
export type ReaderPorts = BatchPorts & { nats: NatsConnection; clock: Clock; pace: Pace; log: Logger };

/** Resolves when the batch is counted and its stream's position is stored. */
type WriteBatch = (batch: Batch) => Promise<void>;

/** Follows every partition until `stopping` is aborted, waiting for streams that do not exist yet. Never rejects. */
export async function readJournals(ports: ReaderPorts, partitions: number, stopping: AbortSignal): Promise<void> {
  const shared = { ...ports, write: gatherWrites(ports) };
  await Promise.all(Array.from({ length: partitions }, (_, partition) => follow(shared, partition, stopping)));
}

type PartitionPorts = ReaderPorts & { write: WriteBatch };

/** Reads one partition, and again from the stored position after every failure. Never rejects. */
async function follow(ports: PartitionPorts, partition: number, stopping: AbortSignal): Promise<void> {
  const stream = names.journalStream(partition);
  while (!stopping.aborted) {
    try {
      await readOn(ports, stream, stopping);
    } catch (error) {
      if (stopping.aborted) return;
      // Every new deployment begins without its streams. Any other error needs attention.
      const level =
        error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound ? 'debug' : 'warn';
      ports.log[level]({ err: error, stream }, 'the journal cannot be projected now');
      await pauseUnless(stopping, ports.clock, streamRetryPauseMs);
    }
  }
}

/** Reads from the stored position until it is stopped. Throws when reading or writing fails. */
async function readOn(ports: PartitionPorts, stream: string, stopping: AbortSignal): Promise<void> {
  const position = (await ports.store.get(ports.views.positions, stream))?.value.seq ?? 0;
  const manager = await jetstreamManager(ports.nats, { checkAPI: false });
  const source = await openReader(ports, manager, stream, position);
  const bounds = { messages: projectionBatchMax, bytes: projectionBatchBytesMax };
  let handedOut = 0;
  let sinceRest = 0;
  try {
    while (!stopping.aborted) {
      const { messages, isCut } = await readBatch(source, bounds, stopping);
      for (const { consumerSeq } of messages) {
        if (consumerSeq !== ++handedOut) throw new Fault(`read ${stream}: a message was lost on its way`);
      }
      const lists = listsOf(messages.map(entryOf), projectionGroupsMax);
      for (const entries of lists) await ports.write({ stream, entries });
      sinceRest += messages.length;
      if (isCut || stopping.aborted) continue;
      await ports.pace.rest(sinceRest);
      sinceRest = 0;
    }
  } finally {
    // After a lost connection the delete fails. The server then forgets the reader itself after some minutes.
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

/**
 * Every write costs a flush, however small it is, so the partitions share writes. Batches that come within
 * `projectionGatherMs` of the first are written together, and fail together. At most one batch of each partition waits.
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
