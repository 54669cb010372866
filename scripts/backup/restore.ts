/**
 * `npx parterre restore DIR`: fills an empty deployment with a backup, and compares what stands there with the backup.
 *
 *   the backup's files are checked → the target is empty, or has this restore's mark → the mark
 *   → journals with the notifiers' places → queues → snapshots → the catalog → everything is read back and compared
 *   → layout and secret → the mark goes
 *
 * Nothing is written before every file of the backup was checked. The mark (the bucket RESTORE in NATS, restore.json in
 * a data folder) has the backup's id and run: a target with another mark, or with data and without a mark, is refused.
 * The launcher does not start on a data folder with a mark. The layout comes last, so that no service that is started
 * too early finds a deployment.
 *
 * States: empty → marked → filled → compared → whole. A restore that is interrupted at any await is begun again by the
 * same command: a journal goes on behind its last message, everything else is written again in place. The projections
 * stand at or behind the journals, and the catalog counts on from there when it starts.
 */
import { createHash } from 'node:crypto';
import { AckPolicy, DeliverPolicy, type StreamConfig } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { Objm } from '@nats-io/obj';
import type { CopiedRecord, FilledStore, ViewedStore } from '../../services/catalog/src/store/store-copies.ts';
import { names, snapshotBucket } from '../../shared/src/protocol/subjects.ts';
import { encodeKept } from '../../shared/src/protocol/wire.ts';
import { type JournalNote, type Manifest, movedRetries, type StreamNote } from './backup-folder.ts';
import { messagesInSegments } from './journals.ts';
import {
  appendMessages,
  hashOfMessage,
  type JetStreams,
  journalMessages,
  type MessageRow,
  messageOf,
  portable,
  type StoredMessage,
  streamInfo,
} from './messages.ts';
import { chunkBytesMax, type ObjectRow, objectsOf } from './objects.ts';
import { counted, progressOf, type Say } from './progress.ts';
import { readRecords } from './record-file.ts';
import { Refused } from './refused.ts';

export type Target = JetStreams & {
  /** The copies of each stream; null keeps those of the backup. */
  replicas: number | null;
  openToFill(): Promise<FilledStore>;
  openToView(): Promise<ViewedStore>;
};

/** `mark` names what fills the target (`markOf`). */
export type Restore = { folder: string; manifest: Manifest; mark: string; target: Target; say: Say };

const markBucket = 'RESTORE';
const markKey = 'backup';

/** The backup that a mark names. */
export const markOf = ({ id, run }: Manifest): string => `${id}.${run}`;

/** The files of the backup were checked. Throws a `Refused` with a sentence for the operator. */
export async function restoreInto(restore: Restore): Promise<void> {
  const { manifest, say } = restore;
  await claim(restore);
  for (const [stream, note] of Object.entries(manifest.journals)) await restoreJournal(restore, stream, note);
  await restoreQueues(restore);
  await restoreSnapshots(restore);
  await restoreCatalog(restore);
  await compare(restore);
  await restoreStream(restore, `KV_${names.clusterBucket}`, [manifest.cluster]);
  await releaseTarget(restore);
  say('Everything that was restored equals the backup.');
}

/** Throws a `Refused` unless the target is empty, or this restore has begun there. */
export async function claim({ manifest, mark, target }: Restore): Promise<void> {
  const { client, manager } = target;
  const bucket = await new Kvm(client).create(markBucket, { replicas: target.replicas ?? 1, history: 1 });
  const standing = (await bucket.get(markKey))?.string() ?? null;
  if (standing === mark) return;
  if (standing !== null) {
    throw new Refused('Another restore has begun here. Go on with its backup, or empty the deployment.');
  }
  const present = await dataIn(target, manifest);
  if (present !== null) {
    await manager.streams.delete(`KV_${markBucket}`);
    throw new Refused(`This deployment has data (${present}). A backup is restored into an empty deployment alone.`);
  }
  await bucket.create(markKey, mark);
}

/** The mark goes. */
export async function releaseTarget({ target }: Restore): Promise<void> {
  await target.manager.streams.delete(`KV_${markBucket}`);
}

async function dataIn({ manager, openToFill }: Target, manifest: Manifest): Promise<string | null> {
  const buckets = [`KV_${names.clusterBucket}`, `KV_${names.ownersBucket}`, snapshotBucket.stream];
  const streams = [names.journalStream(0), ...Object.keys(manifest.journals), ...buckets];
  for (const stream of [...streams, names.deliveryStream, names.backlogStream]) {
    if ((await streamInfo(manager, stream)) !== null) return `the stream ${stream}`;
  }
  const store = await openToFill();
  try {
    return (await store.isEmpty()) ? null : 'the store of the catalog';
  } finally {
    await store.close();
  }
}

function configFor({ target }: Restore, config: StreamConfig): StreamConfig {
  return portable(config, target.replicas ?? config.num_replicas);
}

async function restoreJournal(restore: Restore, stream: string, note: JournalNote): Promise<void> {
  const { folder, target, say } = restore;
  const { segments, last } = note;
  const first = segments[0]?.first ?? 1;
  const standing = await streamInfo(target.manager, stream);
  const config = { ...configFor(restore, note.config), ...(first > 1 && { first_seq: first }) };
  if (standing === null) await target.manager.streams.add(config);
  const from = Math.max(standing?.state.last_seq ?? 0, first - 1) + 1;
  const messages = messagesInSegments(folder, segments, from);
  const line = progressOf(say, `${stream}: messages`, last - from + 1);
  await appendMessages(target, stream, counted(messages, line), true);
  await restorePlace(restore, stream, note);
}

/**
 * Without a place, a notifier would begin with the last day, and every restored message is new. A backup of a
 * deployment without a notifier has no place: its webhooks begin behind the cut.
 */
async function restorePlace({ target }: Restore, stream: string, { last, notifier }: JournalNote): Promise<void> {
  const { opt_start_time: _, ...settings } = notifier?.config ?? { ack_policy: AckPolicy.Explicit };
  await target.manager.consumers.add(stream, {
    ...settings,
    durable_name: 'notifier',
    num_replicas: 0,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: (notifier?.settled ?? last) + 1,
  });
}

export async function restoreQueues(restore: Restore): Promise<void> {
  const { [movedRetries]: moved, ...queues } = restore.manifest.queues;
  for (const [stream, note] of Object.entries(queues)) {
    const later = stream === names.deliveryStream && moved ? [moved] : [];
    await restoreStream(restore, stream, [note, ...later]);
  }
}

/** Makes the stream anew, with the messages of the files. */
async function restoreStream(restore: Restore, stream: string, notes: StreamNote[]): Promise<void> {
  const { folder, target, say } = restore;
  if ((await streamInfo(target.manager, stream)) !== null) await target.manager.streams.delete(stream);
  // The notifiers set the bounds of the queues again. A smaller server has no room for the bounds of before.
  await target.manager.streams.add({ ...configFor(restore, notes[0]!.config), max_bytes: -1 });
  async function* messages(): AsyncGenerator<StoredMessage> {
    for (const { file } of notes) for await (const row of readRecords<MessageRow>(folder, file)) yield messageOf(row);
  }
  await appendMessages(target, stream, counted(messages(), progressOf(say, `${stream}: messages`, null)), false);
  const written = notes.reduce((sum, { records }) => sum + records, 0);
  const standing = (await streamInfo(target.manager, stream))?.state.messages;
  if (standing !== written) throw differs(`${stream} (${standing} messages instead of ${written})`);
}

async function restoreSnapshots({ folder, manifest, target, say }: Restore): Promise<void> {
  const { file, ahead, records } = manifest.snapshots;
  const replicas = target.replicas ?? manifest.cluster.config.num_replicas;
  const bucket = await new Objm(target.client).create(names.snapshotBucket, { replicas });
  const line = progressOf(say, 'Snapshots', records);
  for await (const [name, metadata, bytes] of readRecords<ObjectRow>(folder, file)) {
    line.passed();
    if (ahead.includes(name)) continue;
    await bucket.putBlob({ name, metadata, options: { max_chunk_size: chunkBytesMax } }, bytes);
  }
  line.end();
}

export async function restoreCatalog(
  { folder, manifest, target, say }: Restore,
  isKept: (record: CopiedRecord) => boolean = () => true,
): Promise<void> {
  const { file, records } = manifest.catalog;
  const store = await target.openToFill();
  try {
    const line = progressOf(say, 'Catalog: records', records);
    await store.fill(kept(counted(readRecords<CopiedRecord>(folder, file), line), isKept));
  } finally {
    await store.close();
  }
}

async function compare(restore: Restore): Promise<void> {
  const { folder, manifest, target, say } = restore;
  for (const [stream, { segments, last }] of Object.entries(manifest.journals)) {
    const first = segments[0]?.first ?? last + 1;
    const standing = journalMessages(target, stream, first, last);
    const line = progressOf(say, `${stream}: messages compared`, last - first + 1);
    for await (const message of counted(messagesInSegments(folder, segments, first), line)) {
      const { value } = await standing.next();
      if (value && hashOfMessage(value) === hashOfMessage(message)) continue;
      await standing.return(undefined);
      throw differs(`message ${message.sequence} of ${stream}`);
    }
    await standing.return(undefined);
    const end = (await streamInfo(target.manager, stream))?.state.last_seq;
    if (end !== last) throw differs(`the end of ${stream} (${end} instead of ${last})`);
  }
  await compareSnapshots(restore);
  await compareCatalog(restore);
}

async function compareSnapshots({ folder, manifest, target }: Restore): Promise<void> {
  const { file, ahead } = manifest.snapshots;
  const isKept = ([name]: ObjectRow): boolean => !ahead.includes(name);
  const bucket = await new Objm(target.client).open(names.snapshotBucket);
  const written = await sumOf(readRecords<ObjectRow>(folder, file), isKept);
  if ((await sumOf(objectsOf(target, bucket), isKept)) !== written) throw differs('a snapshot');
}

export async function compareCatalog(
  { folder, manifest, target }: Restore,
  isKept: (record: CopiedRecord) => boolean = () => true,
): Promise<void> {
  const store = await target.openToView();
  try {
    const view = await store.begin();
    const written = await sumOf(readRecords<CopiedRecord>(folder, manifest.catalog.file), isKept);
    const standing = await sumOf(view.records());
    await view.end();
    if (standing !== written) throw differs('the catalog');
  } finally {
    await store.close();
  }
}

async function* kept<T>(records: AsyncIterable<T>, isKept: (record: T) => boolean): AsyncGenerator<T> {
  for await (const record of records) if (isKept(record)) yield record;
}

/** A hash of the records in any order: two stores list their records in different orders. */
async function sumOf<T>(records: AsyncIterable<T>, isKept: (record: T) => boolean = () => true): Promise<string> {
  let sum = 0n;
  let count = 0;
  for await (const record of records) {
    if (!isKept(record)) continue;
    count++;
    sum += BigInt(`0x${createHash('sha256').update(encodeKept(record)).digest('hex')}`);
  }
  return `${count} ${sum.toString(16)}`;
}

function differs(what: string): Refused {
  return new Refused(`The restored deployment differs from the backup: ${what}. Empty it, and restore again.`);
}
