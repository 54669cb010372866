/**
 * Reads the journals of all partitions in order, for one generation of the projections, each from its stored position.
 *
 * Each catalog reads every partition by itself and stores its position. A shared consumer with single acknowledgements
 * would be wrong: it may redeliver a message after later ones were counted, and the message would then be taken for
 * counted. Lists lag by at most `projectionRestMs.msMax` while the catalog keeps up. A read of the history that waits
 * for its event ends the rest early.
 *
 * The projections are evidence of the journal's history (I9). A position names a message by sequence and link. At every
 * start of reading, the leader's message at this sequence must have the link; then each message must carry the link of
 * the message before it. States of a partition:
 *
 *   compared → read → … → a difference → in doubt, and compared again → alike → read
 *                                        → different for `lossCertainMs` → halted, and compared again every
 *                                          `haltedLookMs` → alike (an operator has restored the journal) → read
 *
 * A message that does not follow is read on where the operator has accepted the break (accepted-breaks.ts).
 *
 * A halted partition counts nothing. Its sales stay as they were counted, until an operator restores the journal, or
 * rebuilds the projections from the journal that is there.
 *
 * On failure, at each await: the comparison or the reading fails → the messages are dropped uncounted, and a doubt
 * begins anew; a write fails → the partitions that shared it read again from their stored positions (project-batches.ts
 * says why this is harmless).
 */
import { AckPolicy, DeliverPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Fault } from '@parterre/shared/protocol/errors';
import { followsMessage, lateIn } from '@parterre/shared/protocol/journal/heads';
import { isSameLink, linkFromText, linkOf, textOfLink } from '@parterre/shared/protocol/journal/links';
import { headOf } from '@parterre/shared/protocol/journal/messages';
import { layoutPatienceMs, lossCertainMs } from '@parterre/shared/protocol/limits';
import { names } from '@parterre/shared/protocol/subjects';
import { hasAcceptedBreak, isAcceptedBreak } from '@parterre/shared/runtime/accepted-breaks';
import { type Clock, pause, pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { NatsConnection } from '@parterre/shared/runtime/nats';
import type { Pace } from '@parterre/shared/runtime/pace';
import type { PullSource } from '@parterre/shared/runtime/pull';
import { readBatch } from '@parterre/shared/runtime/read-batch';
import { isStreamMissing, storedMessage } from '@parterre/shared/runtime/stored-message';
import { tracing } from '@parterre/shared/runtime/tracing';
import { natsIsNotReady } from '@parterre/shared/runtime/when-ready';
import {
  haltedLookMs,
  projectionBatchBytesMax,
  projectionBatchMax,
  projectionGatherMs,
  projectionGroupsMax,
  readerIdleMs,
  streamRetryPauseMs,
} from '../store/rules/bounds.ts';
import type { ProjectionPosition } from '../store/rules/records.ts';
import { type Entry, entryOf, listsOf } from './entries.ts';
import type { HaltsOfGeneration } from './halts.ts';
import { createFollowers } from './passed-over.ts';
import { type Batch, type BatchPorts, projectBatches } from './project-batches.ts';
import { beginProjections } from './traced-messages.ts';

/** `pace` is shared by all partitions and generations. */
export type ReaderPorts = BatchPorts & {
  nats: NatsConnection;
  clock: Clock;
  pace: Pace;
  halts: HaltsOfGeneration;
  log: Logger;
};

/** Resolves when the batch is counted and its stream's position is stored. */
type WriteBatch = (batch: Batch) => Promise<void>;

/** Follows every partition until `stopping` is aborted, waiting for streams that do not exist yet. Never rejects. */
export async function readJournals(ports: ReaderPorts, partitions: number, stopping: AbortSignal): Promise<void> {
  const shared = { ...ports, write: gatherWrites(ports) };
  await Promise.all(Array.from({ length: partitions }, (_, partition) => follow(shared, partition, stopping)));
}

type PartitionPorts = ReaderPorts & { write: WriteBatch };

/** The stream lacks the history that was counted up to `position`. */
class OtherHistory extends Fault {
  readonly position: ProjectionPosition | null;

  constructor(stream: string, position: ProjectionPosition | null) {
    super(`read ${stream}: it does not have the history that was counted up to ${position?.seq ?? 0}`);
    this.position = position;
  }
}

/** Reads one partition, and again from the stored position after every failure. Never rejects. */
async function follow(ports: PartitionPorts, partition: number, stopping: AbortSignal): Promise<void> {
  const stream = names.journalStream(partition);
  const doubt = createDoubt(ports, stream);
  const startedAt = ports.clock.elapsed();
  while (!stopping.aborted) {
    try {
      await readOn(ports, partition, doubt.end, stopping);
    } catch (error) {
      if (stopping.aborted) return;
      if (error instanceof OtherHistory) {
        await pauseUnless(stopping, ports.clock, doubt.found(error) === 'halted' ? haltedLookMs : streamRetryPauseMs);
        continue;
      }
      doubt.interrupted();
      // Every new deployment begins without its streams, and new streams without leaders. Any other error needs
      // attention.
      const isStarting = ports.clock.elapsed() - startedAt < layoutPatienceMs && natsIsNotReady(error);
      ports.log[isStreamMissing(error) ? 'debug' : isStarting ? 'info' : 'warn'](
        { err: error, stream },
        'the journal cannot be projected now',
      );
      await pauseUnless(stopping, ports.clock, streamRetryPauseMs);
    }
  }
}

/** The doubt about the history of one stream: none, or since a time, or certain: halted. */
function createDoubt({ clock, halts, log }: PartitionPorts, stream: string) {
  let since: number | null = null;
  return {
    found({ position }: OtherHistory): 'in doubt' | 'halted' {
      since ??= clock.elapsed();
      if (halts.has(stream)) return 'halted';
      if (clock.elapsed() - since < lossCertainMs) return 'in doubt';
      halts.set(stream, position);
      log.error(
        { stream, seq: position?.seq ?? 0, link: position?.link ?? null },
        'the journal lacks records that were counted: it is counted no further until it is restored, or until ' +
          '`npx parterre projections rebuild` counts the journal that is there',
      );
      return 'halted';
    },
    /** Nobody answered, so the next leader's answers count anew. */
    interrupted(): void {
      since = null;
    },
    end(): void {
      since = null;
      if (halts.delete(stream)) log.info({ stream }, 'the journal has the counted records again, and is counted on');
    },
  };
}

/** Reads from the stored position until it is stopped. Throws when reading or writing fails. */
async function readOn(
  ports: PartitionPorts,
  partition: number,
  endDoubt: () => void,
  stopping: AbortSignal,
): Promise<void> {
  const stream = names.journalStream(partition);
  const counted = (await ports.store.get(ports.views.positions, stream))?.value ?? null;
  const listed = (await ports.store.get(ports.views.listed, stream))?.value ?? null;
  const manager = await jetstreamManager(ports.nats, { checkAPI: false });
  // Catalogs of an earlier version count on, and list nothing. Their groups are read again.
  const isBehind = counted !== null && listed !== null && listed.seq < counted.seq;
  if (isBehind) await compare(manager, stream, counted);
  const position = isBehind ? listed : counted;
  const chain = await beginChain(manager, stream, position);
  const source = await openReader(ports, manager, stream, position?.seq ?? 0);
  const bounds = { messages: projectionBatchMax, bytes: projectionBatchBytesMax };
  let followers = (await hasAcceptedBreak(manager, partition)) ? createFollowers(ports.store, ports.views) : null;
  let handedOut = 0;
  let sinceRest = 0;
  try {
    while (!stopping.aborted) {
      const { messages, isCut } = await readBatch(source, bounds, stopping);
      const spans = tracing === null ? [] : beginProjections(tracing, messages);
      for (const { consumerSeq } of messages) {
        if (consumerSeq !== ++handedOut) throw new Fault(`read ${stream}: a message was lost on its way`);
      }
      for (let entries = messages.map(entryOf); entries.length > 0; ) {
        const linked = entries.slice(0, chain.linked(entries));
        const following = followers ? await followers(linked) : linked;
        for (const list of listsOf(following, projectionGroupsMax)) await ports.write({ stream, entries: list });
        entries = entries.slice(linked.length);
        const next = entries[0];
        if (!next) break;
        const { seq: sequence, link } = next;
        if (!(await isAcceptedBreak(manager, partition, { sequence, link }))) {
          throw new OtherHistory(stream, chain.position());
        }
        chain.goOnWith(next);
        followers ??= createFollowers(ports.store, ports.views);
      }
      for (const span of spans) span.end();
      endDoubt();
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

/** The messages of one stream, each of which must carry the link of the message before it. */
type Chain = {
  /** The number of entries, from the first on, that follow what was read before. */
  linked(entries: readonly Entry[]): number;
  /** The operator has accepted the break before this entry. */
  goOnWith(entry: Entry): void;
  /** The last entry that follows. */
  position(): ProjectionPosition | null;
};

/** Throws `OtherHistory` where the stream does not have the message of the position. */
async function beginChain(
  manager: JetStreamManager,
  stream: string,
  position: ProjectionPosition | null,
): Promise<Chain> {
  const late = position && (await compare(manager, stream, position));
  const firstSeq = position === null ? (await manager.streams.info(stream)).config.first_seq || 1 : null;
  let last = position && { seq: position.seq, link: linkFromText(position.link)!, late };
  const follows = (entry: Entry): boolean => (last === null ? isFirst(entry, firstSeq!) : followsMessage(entry, last));
  return {
    linked(entries) {
      for (const [index, entry] of entries.entries()) {
        if (!follows(entry)) return index;
        last = entry;
      }
      return entries.length;
    },
    goOnWith(entry) {
      last = { seq: entry.seq - 1, link: entry.before, late: null };
    },
    position: () => last && { seq: last.seq, link: textOfLink(last.link) },
  };
}

/** Resolves with `lateIn` of the message at the position. */
async function compare(
  manager: JetStreamManager,
  stream: string,
  position: ProjectionPosition,
): Promise<number | null> {
  try {
    const message = await storedMessage(manager, stream, position.seq);
    if (message && textOfLink(linkOf(message.data)) === position.link) return lateIn(headOf(message.data));
  } catch (error) {
    // A stream that was counted once is never missing in a whole deployment.
    if (!isStreamMissing(error)) throw error;
  }
  throw new OtherHistory(stream, position);
}

/** A stream that follows another one begins with a later sequence, and with the link of the stream before. */
function isFirst({ seq, before, identity }: Entry, firstSeq: number): boolean {
  if (seq !== firstSeq) return false;
  return seq > 1 || identity === null || isSameLink(before, linkOf(identity));
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
