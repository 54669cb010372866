/**
 * One run of `npx parterre backup DIR`.
 *
 *   a look at the layout and at the catalog's store    before anything is written
 *   → the journals' messages since the last run        most of the time, before the cut
 *   → snapshots → notifier's places → queues           each at or behind the journal that the cut will end
 *   → layout, secret and the streams' identities       as above: an identity stands in its journal first
 *   → the cut (cut.ts) → the catalog's view
 *   → the journals up to the cut → the manifest
 *
 * The notifier's places come before the queues: a delivery that leaves the journal stands in a queue first. The retries
 * are copied once more behind the backlogs, for a delivery that moved from a backlog to the retries meanwhile. A
 * delivery may so be in the backup twice, or be settled already: receivers know it by its id.
 *
 * States: begun → journals copied, segment by segment (noted in progress.json) → cut → written (backup.json). A run
 * that is interrupted at any await leaves the last whole backup as it was, and its segments for the next run.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Objm } from '@nats-io/obj';
import { events } from '../../services/catalog/src/store/collections.ts';
import type { EventDocument, ProjectionPosition } from '../../services/catalog/src/store/rules/records.ts';
import type { CopiedRecord, StoreView, ViewedStore } from '../../services/catalog/src/store/store-copies.ts';
import { randomText } from '../../shared/src/protocol/ids.ts';
import { names, snapshotBucket, subjects } from '../../shared/src/protocol/subjects.ts';
import type { ClusterLayout } from '../../shared/src/runtime/cluster-layout.ts';
import { createPlacement, type EventAddress } from '../../shared/src/runtime/placement.ts';
import {
  beginRun,
  endRun,
  type JournalNote,
  type Manifest,
  movedRetries,
  type NotifierPlace,
  type Progress,
  runFolder,
  type StreamNote,
  saveProgress,
  unlock,
} from './backup-folder.ts';
import { type Cut, type Lasts, lastSequences, takeCut } from './cut.ts';
import { type Connected, connectTo, type Deployment, standingLayout, viewStore } from './deployment.ts';
import { checkHistory, copyJournal, intactSegments } from './journals.ts';
import { rowOf, storedMessages, streamInfo } from './messages.ts';
import { type ObjectRow, objectsOf } from './objects.ts';
import { counted, progressOf, type Say } from './progress.ts';
import { type FileNote, writeRecords } from './record-file.ts';
import { Refused, wordsOf } from './refused.ts';

const idLength = 16;
/** A shard beats four times a second. */
const silentMs = 1_500;

type Run = {
  folder: string;
  progress: Progress;
  streams: Connected;
  layout: ClusterLayout;
  journals: string[];
  say: Say;
};

/** Throws a `Refused` with a sentence for the operator. */
export async function backUp(deployment: Deployment, folder: string, say: Say): Promise<Manifest> {
  const streams = await connectTo(deployment.nats);
  try {
    const layout = await standingLayout(streams);
    const journals = Array.from({ length: layout.partitions }, (_, partition) => names.journalStream(partition));
    const store = await openStore(deployment);
    try {
      const progress = await beginRun(folder, randomText(idLength));
      try {
        return await take({ folder, progress, streams, layout, journals, say }, deployment, store);
      } finally {
        unlock(folder);
      }
    } finally {
      await store.close();
    }
  } finally {
    await streams.nats.close();
  }
}

/** The catalog is read last, and looked for first: its journals may take an hour to copy. */
async function openStore(deployment: Deployment): Promise<ViewedStore> {
  const store = await viewStore(deployment).catch(refused);
  try {
    await (await store.begin()).end();
    return store;
  } catch (error) {
    await store.close();
    return refused(error);
  }
}

function refused(error: unknown): never {
  if (error instanceof Refused) throw error;
  throw new Refused(`The store of the catalog cannot be read: ${wordsOf(error)}. Nothing was begun.`);
}

async function take(run: Run, deployment: Deployment, store: ViewedStore): Promise<Manifest> {
  const { streams, journals, progress, say } = run;
  const startedAt = new Date().toISOString();
  const wasSilent = await isSilent(streams);
  await openSegments(run);
  await copyJournals(run, await lastSequences(streams, journals));
  const snapshots = await copySnapshots(run);
  const places = await notifierPlaces(run);
  const queues = await copyQueues(run);
  const cluster = await copyStream(run, `KV_${names.clusterBucket}`);
  if (cluster === null) throw new Refused(`The bucket ${names.clusterBucket} is gone.`);
  const cut = await takeCut(streams, journals, store, lastCopied(progress));
  say(`The cut: ${cut.at} (try ${cut.tries})`);
  const { facts, ...catalog } = await copyCatalog(run, deployment, cut.view);
  await copyJournals(run, cut.lasts);
  const ahead = evidenceAhead(run.layout, cut, facts, snapshots.sequences);
  if (ahead.length > 0) say(`Left out, because they are ahead of the journal: ${ahead.length} snapshots`);
  const manifest: Manifest = {
    v: 1,
    id: progress.id,
    run: progress.run,
    stopped: wasSilent && (await isSilent(streams)),
    startedAt,
    cutAt: cut.at,
    layout: run.layout,
    journals: await journalNotes(run, cut.lasts, places),
    queues,
    snapshots: { ...snapshots.note, ahead },
    catalog,
    cluster: cluster.note,
    setup: deployment.setup,
  };
  await endRun(run.folder, manifest);
  return manifest;
}

/** Whether no shard is heard for several beats. */
async function isSilent({ nats }: Connected): Promise<boolean> {
  const members = nats.subscribe(subjects.allMembers, { max: 1 });
  const silence = new AbortController();
  const heard = (async () => {
    for await (const _ of members) return false;
    return true;
  })();
  const answer = await Promise.race([heard, pause(silentMs, true, { signal: silence.signal })]);
  silence.abort();
  members.unsubscribe();
  return answer;
}

/** Keeps the segments that are there, and refuses a journal that is not the one they were taken from. */
async function openSegments({ folder, progress, streams, journals, say }: Run): Promise<void> {
  for (const stream of Object.keys(progress.journals)) {
    if (!journals.includes(stream))
      throw new Refused(`${folder} has ${stream}, and the deployment has no such partition.`);
  }
  for (const stream of journals) {
    const noted = progress.journals[stream] ?? [];
    const segments = intactSegments(folder, noted);
    if (segments.length < noted.length) say(`${stream}: files are missing in the backup, and are taken again`);
    await checkHistory(streams, folder, stream, segments);
    progress.journals[stream] = segments;
  }
}

function lastCopied({ journals }: Progress): Lasts {
  return Object.fromEntries(Object.entries(journals).map(([stream, segments]) => [stream, segments.at(-1)?.last ?? 0]));
}

async function copyJournals({ folder, progress, streams, journals, say }: Run, lasts: Lasts): Promise<void> {
  for (const stream of journals) {
    const segments = progress.journals[stream]!;
    const from = segments.at(-1)?.last ?? (await firstOf(streams, stream)) - 1;
    const to = lasts[stream]!;
    if (to <= from) continue;
    const line = progressOf(say, `${stream}: messages`, to - from);
    await copyJournal(
      streams,
      folder,
      { stream, from: from + 1, to },
      {
        async noted(segment) {
          segments.push(segment);
          await saveProgress(folder, progress);
        },
        passed: () => line.passed(),
      },
    );
    line.end();
  }
}

/** 1, or the first message of a journal that goes on from another stream. */
async function firstOf({ manager }: Connected, stream: string): Promise<number> {
  return Math.max(1, (await streamInfo(manager, stream))?.state.first_seq ?? 1);
}

async function journalNotes(
  { progress, streams, journals }: Run,
  lasts: Lasts,
  places: Map<string, NotifierPlace>,
): Promise<Record<string, JournalNote>> {
  const notes: Record<string, JournalNote> = {};
  for (const stream of journals) {
    const info = await streamInfo(streams.manager, stream);
    if (info === null) throw new Refused(`${stream} is gone.`);
    const segments = progress.journals[stream]!;
    notes[stream] = { config: info.config, last: lasts[stream]!, segments, notifier: places.get(stream) ?? null };
  }
  return notes;
}

/** `sequences` has the sequence of each snapshot. */
async function copySnapshots({ folder, progress, streams, say }: Run) {
  const file = join(runFolder(progress.run), 'snapshots');
  const sequences = new Map<string, number>();
  const isThere = (await streamInfo(streams.manager, snapshotBucket.stream)) !== null;
  async function* rows(): AsyncGenerator<ObjectRow> {
    if (!isThere) return;
    const bucket = await new Objm(streams.client).open(names.snapshotBucket);
    for await (const row of objectsOf(streams, bucket)) {
      const sequence = Number(row[1].sequence);
      if (Number.isSafeInteger(sequence)) sequences.set(row[0], sequence);
      yield row;
    }
  }
  const note = await writeRecords(folder, file, counted(rows(), progressOf(say, 'Snapshots', null)));
  return { note, sequences };
}

async function notifierPlaces({ streams: { manager }, journals }: Run): Promise<Map<string, NotifierPlace>> {
  const places = new Map<string, NotifierPlace>();
  for (const stream of journals) {
    // A deployment whose notifier never ran has none.
    const info = await manager.consumers.info(stream, 'notifier').catch(() => null);
    if (info !== null) places.set(stream, { settled: info.ack_floor.stream_seq, config: info.config });
  }
  return places;
}

async function copyQueues(run: Run): Promise<Record<string, StreamNote>> {
  const retries = await copyStream(run, names.deliveryStream);
  const backlogs = await copyStream(run, names.backlogStream);
  const moved = retries && (await copyStream(run, names.deliveryStream, retries.end + 1, movedRetries));
  const copies = { [names.deliveryStream]: retries, [names.backlogStream]: backlogs, [movedRetries]: moved };
  const queues = Object.entries(copies).flatMap(([name, copy]) => (copy === null ? [] : [[name, copy.note] as const]));
  return Object.fromEntries(queues);
}

type StreamCopy = { note: StreamNote; end: number };

/** The messages that a stream has now, up to the sequence `end`. Null without the stream. */
async function copyStream(run: Run, stream: string, from = 1, name = stream): Promise<StreamCopy | null> {
  const { folder, progress, streams, say } = run;
  const info = await streamInfo(streams.manager, stream);
  if (info === null) return null;
  const { first_seq, last_seq: end } = info.state;
  const messages = storedMessages(streams.manager, stream, Math.max(from, first_seq, 1), end);
  async function* rows(): AsyncGenerator<ReturnType<typeof rowOf>> {
    for await (const message of messages) yield rowOf(message);
  }
  const line = progressOf(say, `${name}: messages`, null);
  const note = await writeRecords(folder, join(runFolder(progress.run), name), counted(rows(), line));
  return { note: { ...note, config: info.config }, end };
}

/** The parts of the catalog that are compared with the journals: positions by stream, regions by event. */
type CatalogFacts = { positions: Lasts; regions: Map<string, string> };

async function copyCatalog(
  { folder, progress, say }: Run,
  { mongodbUrl }: Deployment,
  view: StoreView,
): Promise<Manifest['catalog'] & { facts: CatalogFacts }> {
  const positions: Lasts = {};
  const regions = new Map<string, string>();
  let documents = 0;
  let blobs = 0;
  async function* rows(): AsyncGenerator<CopiedRecord> {
    for await (const record of view.records()) {
      if (record[0] === 'blob') blobs++;
      else {
        documents++;
        const [, collection, id, , value] = record;
        if (collection === events.name) regions.set(id, (value as EventDocument).region);
        if (/^view-positions/.test(collection)) {
          positions[id] = Math.max(positions[id] ?? 0, (value as ProjectionPosition).seq);
        }
      }
      yield record;
    }
  }
  try {
    const line = progressOf(say, 'Catalog: records', null);
    const note: FileNote = await writeRecords(folder, join(runFolder(progress.run), 'catalog'), counted(rows(), line));
    const store = mongodbUrl === null ? ('embedded' as const) : ('mongodb' as const);
    return { ...note, store, documents, blobs, facts: { positions, regions } };
  } finally {
    await view.end();
  }
}

/**
 * The snapshots that are ahead of their journal in the cut. Throws a `Refused` when the catalog is ahead: it has
 * counted messages that the journal does not have.
 */
function evidenceAhead(
  layout: ClusterLayout,
  { lasts }: Cut,
  { positions, regions }: CatalogFacts,
  snapshots: Map<string, number>,
): string[] {
  for (const [stream, position] of Object.entries(positions)) {
    const last = lasts[stream];
    if (last === undefined || position <= last) continue;
    throw new Refused(
      `The catalog has counted ${stream} up to message ${position}, and ${stream} ends at ${last}: the journal has lost ` +
        'records. This deployment cannot be backed up as it is.',
    );
  }
  const place = createPlacement(layout);
  const lastOf = (object: string): number => {
    const key = object.slice(0, object.lastIndexOf('.'));
    return lasts[names.journalStream(place({ key, region: regions.get(key) ?? '' } as EventAddress))]!;
  };
  return [...snapshots].filter(([object, sequence]) => sequence > lastOf(object)).map(([object]) => object);
}
