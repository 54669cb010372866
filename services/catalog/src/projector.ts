/**
 * The journal → what the catalog tells of events without asking their actors: units sold, status, hold TTL.
 *
 * Each catalog reads every partition in order, from the kept position on, and counts a group into its event's
 * projection only when its sequence is above the one counted last, by a version-checked write. So any number of
 * catalogs, and a catalog that starts again anywhere before, give the same counts. A shared consumer whose messages are
 * acknowledged one by one would not: what is redelivered after later messages were counted would be taken for old.
 */
import {
  type Consumer,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JsMsg,
  jetstream,
} from '@nats-io/jetstream';
import type { Changed } from '@parterre/shared/catalog-api';
import { type Clock, pause } from '@parterre/shared/clock';
import { Fault } from '@parterre/shared/errors';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import type { Group } from '@parterre/shared/records';
import { eventKeyOf, names } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import { positions, projections } from './collections.ts';
import type { Store, Stored } from './outbound/store.ts';
import { changeAttemptsMax, projectionBatchMax, projectionPaceMs, streamRetryPauseMs } from './rules/bounds.ts';
import { emptyProjection, project } from './rules/projection.ts';
import type { EventProjection } from './rules/records.ts';

export type ProjectorPorts = {
  nats: NatsConnection;
  store: Store;
  clock: Clock;
  announce: (changed: Changed) => void;
  log: Logger;
};

export type Projector = { stop(): Promise<void> };

/** A message of a partition's journal: a group of an event, or an epoch record, which has no event key. */
export type Entry = { seq: number; eventKey: string | null; data: Uint8Array };

/** How long one fetch waits for messages; also how soon a stop is noticed. */
const FETCH_MS = 1_000;

/** Follows the journals of all partitions until it is stopped, waiting for those that do not exist yet. */
export function startProjector(ports: ProjectorPorts, partitions: number): Projector {
  const readers = Array.from({ length: partitions }, (_, partition) => {
    const stopping = new AbortController();
    const ended = follow(ports, partition, stopping.signal);
    return { stopping, ended };
  });
  return {
    async stop() {
      for (const { stopping } of readers) stopping.abort();
      await Promise.all(readers.map(({ ended }) => ended));
    },
  };
}

/** Reads one partition, and again from the kept position after whatever went wrong. Never rejects. */
async function follow(ports: ProjectorPorts, partition: number, stopping: AbortSignal): Promise<void> {
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
async function readOn(ports: ProjectorPorts, stream: string, stopping: AbortSignal): Promise<void> {
  const position = (await ports.store.get(positions, stream))?.value.seq ?? 0;
  const consumer = await jetstream(ports.nats).consumers.get(stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: position + 1,
  });
  try {
    while (!stopping.aborted) await readSome(ports, stream, consumer, stopping);
  } finally {
    // The server also forgets it by itself, some minutes later, which is what a lost connection comes to.
    await consumer.delete().catch((error) => ports.log.debug({ err: error, stream }, 'the reader was not deleted'));
  }
}

/**
 * One fetch. Messages that arrive while a batch is being written make the next batch; no more are fetched before all of
 * these are written, so that at most `projectionBatchMax` wait.
 */
async function readSome(
  ports: ProjectorPorts,
  stream: string,
  consumer: Consumer,
  stopping: AbortSignal,
): Promise<void> {
  let waiting: Entry[] = [];
  let writing: Promise<void> | null = null;
  const writeAll = async () => {
    while (waiting.length > 0) {
      // Every batch costs writes to the disk, however small it is: on a busy event many groups share them.
      await pause(ports.clock, projectionPaceMs);
      const batch = waiting;
      waiting = [];
      await projectBatch(ports, stream, batch);
    }
    writing = null;
  };
  const messages = await consumer.fetch({ max_messages: projectionBatchMax, expires: FETCH_MS });
  const stop = () => messages.stop();
  stopping.addEventListener('abort', stop);
  try {
    for await (const message of messages) {
      waiting.push(entryOf(message));
      if (!writing) {
        writing = writeAll();
        // Awaited below; a rejection must not count as unhandled until then.
        writing.catch(() => {});
      }
    }
  } finally {
    stopping.removeEventListener('abort', stop);
    await writing;
  }
}

function entryOf(message: JsMsg): Entry {
  return { seq: message.seq, eventKey: eventKeyOf(message.subject), data: message.data };
}

/** Counts messages that follow each other in one stream: a write for all of their events, then the new position. */
export async function projectBatch(ports: BatchPorts, stream: string, batch: readonly Entry[]): Promise<void> {
  const byEvent: EventGroups = new Map();
  for (const { seq, eventKey, data } of batch) {
    if (eventKey === null) continue;
    const groups = byEvent.get(eventKey) ?? [];
    byEvent.set(eventKey, groups);
    groups.push({ seq, group: decodeKept<Group>(data) });
  }
  for (let attempt = 0; byEvent.size > 0; attempt++) {
    if (attempt === changeAttemptsMax) {
      throw new Fault(`project the journal of ${[...byEvent.keys()]}: their projections keep changing`);
    }
    for (const eventKey of await projectEvents(ports, byEvent)) byEvent.delete(eventKey);
  }
  const last = batch.at(-1);
  if (last) await keepPosition(ports.store, stream, last.seq);
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
async function keepPosition(store: Store, stream: string, seq: number): Promise<void> {
  const stored = await store.get(positions, stream);
  if (!stored) await store.insert(positions, stream, { seq });
  else if (stored.value.seq < seq) await store.replace(positions, stream, stored.version, { seq });
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
