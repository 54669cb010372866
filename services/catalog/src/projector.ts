/**
 * The journal → what the catalog tells of events without asking their actors: units sold, status, hold TTL.
 *
 * Each catalog reads every partition in order, from the kept position on, and counts a group into its event's
 * projection only when its sequence is above the one counted last, by a version-checked write. So any number of
 * catalogs, and a catalog that starts again anywhere before, give the same counts. A shared consumer whose messages are
 * acknowledged one by one would not: what is redelivered after later messages were counted would be taken for old.
 * `sold` in lists lags by `projectionPaceMs` at most while the catalog keeps up.
 *
 * On failure, at each await: reading fails → what was read is dropped, nothing of it was counted; a write fails → the
 * partitions that shared it read again from their kept positions, and what it has counted changes nothing then; the
 * process dies between the counts and the positions → the same.
 */
import { DeliverPolicy, JetStreamApiCodes, JetStreamApiError, type JsMsg, jetstream } from '@nats-io/jetstream';
import type { Changed } from '@parterre/shared/catalog-api';
import { type Clock, pause } from '@parterre/shared/clock';
import { Fault } from '@parterre/shared/errors';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import { createPace, type Pace, readBatch } from '@parterre/shared/read-batch';
import type { Group } from '@parterre/shared/records';
import { eventKeyOf, names } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import { positions, projections } from './collections.ts';
import type { Store, Stored } from './outbound/store.ts';
import {
  changeAttemptsMax,
  projectionBatchMax,
  projectionGatherMs,
  projectionPaceMs,
  streamRetryPauseMs,
} from './rules/bounds.ts';
import { emptyProjection, project } from './rules/projection.ts';
import type { EventProjection, ProjectionPosition } from './rules/records.ts';

export type ProjectorPorts = {
  nats: NatsConnection;
  store: Store;
  clock: Clock;
  announce: (changed: Changed) => void;
  log: Logger;
};

export type Projector = { stop(): Promise<void> };

/** A message of a partition's journal: a group of an event, or an epoch record, which has neither key nor group. */
export type Entry = { seq: number } & ({ eventKey: string; group: Group } | { eventKey: null });

/** Messages of one partition that follow each other in its stream. */
export type Batch = { stream: string; entries: readonly Entry[] };

/** Resolves when the batch has been counted and its stream's position kept. */
type WriteBatch = (batch: Batch) => Promise<void>;

/** Follows the journals of all partitions until it is stopped, waiting for those that do not exist yet. */
export function startProjector(ports: ProjectorPorts, partitions: number): Projector {
  const stopping = new AbortController();
  const shared = { ...ports, pace: createPace(ports.clock, projectionPaceMs), write: gatherWrites(ports) };
  const readers = Array.from({ length: partitions }, (_, partition) => follow(shared, partition, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(readers);
    },
  };
}

type ReaderPorts = ProjectorPorts & { pace: Pace; write: WriteBatch };

/** Reads one partition, and again from the kept position after whatever went wrong. Never rejects. */
async function follow(ports: ReaderPorts, partition: number, stopping: AbortSignal): Promise<void> {
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
      await pauseUnless(stopping, ports.clock);
    }
  }
}

/** From the kept position on, until it is stopped. Throws whatever keeps it from reading or writing. */
async function readOn(ports: ReaderPorts, stream: string, stopping: AbortSignal): Promise<void> {
  const position = (await ports.store.get(positions, stream))?.value.seq ?? 0;
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
  return eventKey === null ? { seq, eventKey } : { seq, eventKey, group: decodeKept<Group>(data) };
}

/**
 * Every write costs a flush to the disk, however small it is, so the partitions share it: what has come within
 * `projectionGatherMs` of the first batch is written together, and fails together. At most one batch a partition waits.
 */
function gatherWrites(ports: BatchPorts & Pick<ProjectorPorts, 'clock'>): WriteBatch {
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

/** Counts batches of different streams: a write for all of their events, then one for the new positions. */
export async function projectBatches(ports: BatchPorts, batches: readonly Batch[]): Promise<void> {
  const byEvent: EventGroups = new Map();
  for (const entry of batches.flatMap(({ entries }) => entries)) {
    if (entry.eventKey === null) continue;
    const groups = byEvent.get(entry.eventKey) ?? [];
    byEvent.set(entry.eventKey, groups);
    groups.push(entry);
  }
  for (let attempt = 0; byEvent.size > 0; attempt++) {
    if (attempt === changeAttemptsMax) {
      throw new Fault(`project the journal of ${[...byEvent.keys()]}: their projections keep changing`);
    }
    for (const eventKey of await projectEvents(ports, byEvent)) byEvent.delete(eventKey);
  }
  await keepPositions(ports.store, batches);
}

type BatchPorts = Pick<ProjectorPorts, 'store' | 'announce'>;
type EventGroups = Map<string, { seq: number; group: Group }[]>;

/** The events that are counted now. Those which another catalog has changed meanwhile are not among them. */
async function projectEvents({ store, announce }: BatchPorts, byEvent: EventGroups): Promise<string[]> {
  const found = await store.getMany(projections, [...byEvent.keys()]);
  const stored = new Map(found.map((document) => [document.id, document]));
  const counted: string[] = [];
  const replacements: Stored<EventProjection>[] = [];
  const tell = (eventKey: string, before: EventProjection, after: EventProjection): void => {
    counted.push(eventKey);
    if (after.status !== before.status) announce({ kind: 'event', eventKey });
  };
  for (const [eventKey, groups] of byEvent) {
    const document = stored.get(eventKey);
    const before = document?.value ?? emptyProjection;
    const after = groups.reduce((projection, { seq, group }) => project(projection, seq, group), before);
    if (after === before) counted.push(eventKey);
    else if (document) replacements.push({ ...document, value: after });
    else if ((await store.insert(projections, eventKey, after)) === 'inserted') tell(eventKey, before, after);
  }
  const written = replacements.length > 0 ? await store.replaceMany(projections, replacements) : [];
  for (const [at, { id, value }] of replacements.entries()) {
    if (written[at] === 'replaced') tell(id, stored.get(id)!.value, value);
  }
  return counted;
}

/** A position that another catalog has moved meanwhile is left to it: reading a little again is harmless. */
async function keepPositions(store: Store, batches: readonly Batch[]): Promise<void> {
  const found = await store.getMany(
    positions,
    batches.map(({ stream }) => stream),
  );
  const moved: Stored<ProjectionPosition>[] = [];
  for (const { stream, entries } of batches) {
    const seq = entries.at(-1)!.seq;
    const stored = found.find(({ id }) => id === stream);
    if (!stored) await store.insert(positions, stream, { seq });
    else if (stored.value.seq < seq) moved.push({ ...stored, value: { seq } });
  }
  if (moved.length > 0) await store.replaceMany(positions, moved);
}

function pauseUnless(stopping: AbortSignal, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stopping.removeEventListener('abort', end);
      cancel();
      resolve();
    };
    const cancel = clock.after(streamRetryPauseMs, end);
    stopping.addEventListener('abort', end);
  });
}
