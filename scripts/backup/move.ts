/**
 * `npx parterre move DIR --partitions N`: fills an empty deployment with the backup of a stopped one, under another
 * number of partitions. The source is the backup, so nothing here can change the deployment that it was taken from.
 *
 *   the backup's files are checked → the target is empty, or has this move's mark → the mark
 *   → the journals anew → queues → the catalog without its projections → everything is read back and compared
 *   → the secret, the streams' identities, the layout → the mark goes
 *
 * **Journals.** The partition of an event follows from the number of partitions, so the events of one old stream go to
 * many new ones. Each part of an event is appended again, in the event's order, as a commit of its own on the event's
 * subject. Its records stay byte for byte. `from`, the event's link and the stream's link are made anew. Parts that no
 * load folds (behind an accepted loss) and anchors have no content and are left out. Every new stream is a successor
 * (I7): its first sequence is above the last sequence of every old stream, so snapshotVersion, `sequence` and log ids
 * never run backwards, and it has an identity of its own, so no occurrence id comes twice (I9). A stream begins with an
 * epoch record and ends with the record of a release, so the first owner writes one record and serves at once.
 *
 * **Caches of the fold** do not move: snapshots, rosters, leases, accepted losses, the catalog's projections with their
 * positions and generations. They name sequences of the old streams. Shards fold the journals, and the catalog counts
 * them from the beginning, credits included: it serves the counted part meanwhile.
 *
 * **Webhooks.** Occurrences up to the notifiers' places are not sent again. The parts behind these places, which an
 * ended notifier had not settled, stand at the end of each new stream, and the places are before them.
 *
 * **Idempotency.** Names of holds, calls and bookings stand in the records and in the catalog's documents, and the
 * deployment secret that makes them moves too.
 *
 * States: empty → marked → filled → compared → whole. An interrupted move is begun again by the same command: journals
 * and queues are made anew, the catalog's records are written in place. Failure at each await: an error of NATS, of the
 * store or of a file → thrown, the mark stays, and no service starts on the target (there is no layout).
 *
 * The comparison: a hash over the parts of each event, without the places that are made anew, is taken while the backup
 * is read, and again from the messages of the new streams, whose links are checked on the way. A fold is a function of
 * these parts (I6), so equal hashes are equal states.
 */
import { createHash } from 'node:crypto';
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { MsgHdrsImpl } from '@nats-io/transport-node';
import { events, generations, viewsOf } from '../../services/catalog/src/store/collections.ts';
import type { EventDocument } from '../../services/catalog/src/store/rules/records.ts';
import type { CopiedRecord } from '../../services/catalog/src/store/store-copies.ts';
import { streamIdLength } from '../../services/inventory-shard/src/journal/bounds.ts';
import { makeSuccessorStream } from '../../services/inventory-shard/src/journal/streams.ts';
import { randomText } from '../../shared/src/protocol/ids.ts';
import { streamIdentity } from '../../shared/src/protocol/journal/heads.ts';
import { isSameLink, type Link, linkOf } from '../../shared/src/protocol/journal/links.ts';
import {
  encodeCommit,
  encodeEpochRecord,
  followsGap,
  groupsOf,
  headOf,
  linkAfter,
  movedPart,
  readGroup,
} from '../../shared/src/protocol/journal/messages.ts';
import { names, subjects } from '../../shared/src/protocol/subjects.ts';
import type { ClusterLayout } from '../../shared/src/runtime/cluster-layout.ts';
import { createPlacement, type EventAddress } from '../../shared/src/runtime/placement.ts';
import type { Manifest } from './backup-folder.ts';
import { messagesInSegments } from './journals.ts';
import { appendMessages, journalMessages, type MessageRow, type StoredMessage, streamInfo } from './messages.ts';
import { progressOf } from './progress.ts';
import { readRecords } from './record-file.ts';
import { Refused } from './refused.ts';
import {
  claim,
  compareCatalog,
  markOf,
  type Restore,
  releaseTarget,
  restoreCatalog,
  restoreQueues,
} from './restore.ts';

type Move = Restore & { layout: ClusterLayout };

/** An event while its parts move: where it stands in the old stream and in the new one, and the hash so far. */
type MovedEvent = {
  partition: number;
  old: { version: number; link: Link };
  version: number;
  link: Link;
  hash: string;
  parts: number;
  /** Lost parts that a restoration has not appended yet. */
  left: number;
};

type NewStream = {
  partition: number;
  identity: string;
  sequence: number;
  link: Link;
  n: number;
  settledTo: number;
};

const noLink = new Uint8Array(16);
const differencesShown = 10;

/** The mark of a move into this many partitions. Throws a `Refused` for the backup of a deployment that served. */
export function markOfMove(manifest: Manifest, partitions: number): string {
  if (manifest.stopped) return `${markOf(manifest)}.move.${partitions}`;
  throw new Refused(
    'The backup was taken while shards served: sales behind its cut would be lost. Stop the deployment, and give ' +
      '`npx parterre backup` once more into the same folder.',
  );
}

/** Throws a `Refused` with a sentence for the operator. */
export async function moveInto(move: Move): Promise<Record<string, unknown>> {
  const { manifest, layout, say } = move;
  await claim(move);
  const behind = Math.max(0, ...Object.values(manifest.journals).map(({ last }) => last));
  const streams = await makeStreams(move, behind);
  const moved = await moveJournals(move, streams, behind);
  await placeNotifiers(move, streams);
  await restoreQueues(move);
  await restoreCatalog(move, isMoved);
  await compareCatalog(move, isMoved);
  const parts = await compareEvents(move, streams, moved, behind);
  await writeCluster(move, streams);
  await releaseTarget(move);
  say('Every event of the new partitions equals the backup.');
  const before = manifest.layout.partitions;
  return { events: moved.size, parts, partitions: `${before} → ${layout.partitions}`, different: 0 };
}

/** A stream of an interrupted move goes. No service has seen it. */
async function makeStreams({ target, manifest, layout }: Move, behind: number): Promise<NewStream[]> {
  const streams: NewStream[] = [];
  const replicas = target.replicas ?? manifest.cluster.config.num_replicas;
  for (let partition = 0; partition < layout.partitions; partition++) {
    const stream = names.journalStream(partition);
    if ((await streamInfo(target.manager, stream)) !== null) await target.manager.streams.delete(stream);
    await makeSuccessorStream(target.manager, partition, replicas, behind);
    const last = (await streamInfo(target.manager, stream))?.state.last_seq;
    if (last !== behind) throw new Refused('A move needs a nats-server of version 2.10 or newer.');
    const identity = streamIdentity(layout.deployment, randomText(streamIdLength));
    streams.push({ partition, identity, sequence: behind, link: linkOf(identity), n: 0, settledTo: behind });
  }
  return streams;
}

async function moveJournals(move: Move, streams: NewStream[], behind: number): Promise<Map<string, MovedEvent>> {
  const { folder, manifest, target, say } = move;
  const moved = new Map<string, MovedEvent>();
  const place = await placementOf(move);
  const line = progressOf(say, 'Messages of the journals', null);
  async function* parts(settled: boolean): AsyncGenerator<StoredMessage> {
    for (const [stream, { segments, notifier, last }] of Object.entries(manifest.journals)) {
      const settledTo = notifier?.settled ?? last;
      for await (const message of messagesInSegments(folder, segments, settled ? 1 : settledTo + 1)) {
        if (settled && message.sequence > settledTo) break;
        line.passed();
        for (const { eventKey, data } of groupsOf(message.subject, message.data)) {
          const event = moved.get(eventKey) ?? newEvent(eventKey, place(eventKey));
          if (!moveEvent(event, stream, message.sequence, eventKey, data)) continue;
          moved.set(eventKey, event);
          yield commitOf(streams[event.partition]!, event, eventKey, data, behind + 1);
        }
      }
    }
  }
  async function* messages(): AsyncGenerator<StoredMessage> {
    for (const stream of streams) yield epochRecord(stream, behind + 1, false);
    yield* parts(true);
    for (const stream of streams) stream.settledTo = stream.sequence;
    yield* parts(false);
    for (const stream of streams) yield epochRecord(stream, behind + 1, true);
  }
  const streamOf = (subject: string) => names.journalStream(Number(subject.split('.')[1]));
  await appendMessages(target, streamOf, messages(), true);
  line.end();
  for (const [eventKey, { left }] of moved) {
    if (left === 0) continue;
    throw new Refused(`The restoration of ${eventKey} has not ended. Start the deployment, and end it first.`);
  }
  return moved;
}

function newEvent(eventKey: string, partition: number): MovedEvent {
  const link = linkOf(eventKey);
  return { partition, old: { version: 0, link }, version: 0, link, hash: '', parts: 0, left: 0 };
}

/** Notes the part in the old stream. False for a part that changes nothing: no load folds it, or it is an anchor. */
function moveEvent(event: MovedEvent, stream: string, sequence: number, eventKey: string, data: Uint8Array): boolean {
  const { old } = event;
  const group = readGroup(data);
  if (group.from !== old.version) return false;
  if (!isSameLink(group.link, old.link) && !followsGap(group.records)) {
    throw new Refused(
      `Message ${sequence} of ${stream} does not follow the part of ${eventKey} before it. ` +
        'Start the deployment, and settle the event first: npx parterre journal verify',
    );
  }
  const [first] = group.records;
  event.old = { version: sequence, link: linkAfter(data) };
  event.left = first?.type === 'restored' ? first.left : 0;
  return group.records.length > 0;
}

/** The part as a commit of its own, the next message of its new stream. */
function commitOf(
  stream: NewStream,
  event: MovedEvent,
  eventKey: string,
  data: Uint8Array,
  epoch: number,
): StoredMessage {
  const part = movedPart(data, event.version, event.link);
  const low = stream.sequence;
  const payload = encodeCommit({ epoch, n: ++stream.n, low, link: stream.link }, [part]);
  event.version = stream.sequence + 1;
  event.link = linkAfter(part);
  event.hash = hashBehind(event.hash, part);
  event.parts++;
  return nextMessage(stream, subjects.journal(stream.partition, eventKey), payload, epoch);
}

/** Of a part, without the places that a move makes anew. */
function hashBehind(before: string, part: Uint8Array): string {
  return createHash('sha256')
    .update(before)
    .update(movedPart(part, 0, noLink))
    .digest('base64url');
}

function epochRecord(stream: NewStream, epoch: number, released: boolean): StoredMessage {
  const record = { epoch, owner: 'move', at: Date.now(), low: stream.sequence, stream: stream.identity };
  const payload = encodeEpochRecord({ ...record, link: stream.link, ...(released && { released }) });
  return nextMessage(stream, subjects.epoch(stream.partition), payload, epoch);
}

function nextMessage(stream: NewStream, subject: string, data: Uint8Array, epoch: number): StoredMessage {
  const headers = new MsgHdrsImpl();
  headers.set('Nats-Expected-Last-Sequence', String(stream.sequence));
  stream.sequence++;
  stream.link = linkOf(data);
  headers.set('Nats-Msg-Id', `${epoch}.${stream.sequence}`);
  return { sequence: stream.sequence, time: '', subject, headers: headers.encode(), data };
}

async function placementOf({ folder, manifest, layout }: Move): Promise<(eventKey: string) => number> {
  const regions = new Map<string, string>();
  for await (const record of readRecords<CopiedRecord>(folder, manifest.catalog.file)) {
    if (record[0] === 'document' && record[1] === events.name) {
      regions.set(record[2], (record[4] as EventDocument).region);
    }
  }
  const place = createPlacement(layout);
  return (key) => place({ key, region: regions.get(key) ?? '' } as EventAddress);
}

async function placeNotifiers({ target, manifest }: Move, streams: NewStream[]): Promise<void> {
  const known = Object.values(manifest.journals).find(({ notifier }) => notifier !== null)?.notifier;
  const { opt_start_time: _, ...settings } = known?.config ?? { ack_policy: AckPolicy.Explicit };
  for (const { partition, settledTo } of streams) {
    await target.manager.consumers.add(names.journalStream(partition), {
      ...settings,
      durable_name: 'notifier',
      filter_subject: subjects.journalOfPartition(partition),
      num_replicas: 0,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: settledTo + 1,
    });
  }
}

const projectionNames = new Set([generations.name, ...Object.values(viewsOf(1)).map(({ name }) => name)]);

/** Everything but the projections, of any generation: `view-positions-2` too. */
function isMoved(record: CopiedRecord): boolean {
  return record[0] === 'blob' || !projectionNames.has(record[1].replace(/-\d+$/, ''));
}

/** Resolves with the number of parts. Throws a `Refused` that names events that differ. */
async function compareEvents(
  { target, say }: Move,
  streams: NewStream[],
  moved: Map<string, MovedEvent>,
  behind: number,
): Promise<number> {
  const written = new Map<string, Pick<MovedEvent, 'version' | 'link' | 'hash' | 'parts'>>();
  const different = new Set<string>();
  const line = progressOf(say, 'Messages compared', null);
  for (const { partition, identity, sequence: last } of streams) {
    const stream = names.journalStream(partition);
    let link = linkOf(identity);
    for await (const { sequence, subject, data } of journalMessages(target, stream, behind + 1, last)) {
      line.passed();
      if (!isSameLink(headOf(data).link, link)) throw new Refused(`Message ${sequence} of ${stream} differs.`);
      link = linkOf(data);
      for (const { eventKey, data: part } of groupsOf(subject, data)) {
        const event = written.get(eventKey) ?? { version: 0, link: linkOf(eventKey), hash: '', parts: 0 };
        const group = readGroup(part);
        if (group.from !== event.version || !isSameLink(group.link, event.link)) different.add(eventKey);
        const hash = hashBehind(event.hash, part);
        written.set(eventKey, { version: sequence, link: linkAfter(part), hash, parts: event.parts + 1 });
      }
    }
  }
  line.end();
  for (const [eventKey, { hash }] of moved) if (written.get(eventKey)?.hash !== hash) different.add(eventKey);
  if (different.size === 0) return [...written.values()].reduce((sum, { parts }) => sum + parts, 0);
  const shown = [...different].slice(0, differencesShown).join(', ');
  throw new Refused(`${different.size} of ${moved.size} events differ from the backup: ${shown}. Begin again.`);
}

/** The layout comes last: no service that is started too early finds a deployment. */
async function writeCluster({ folder, manifest, target, layout }: Move, streams: NewStream[]): Promise<void> {
  const replicas = target.replicas ?? manifest.cluster.config.num_replicas;
  const settings = { replicas, history: 1, allow_direct: false };
  const bucket = await new Kvm(target.client).create(names.clusterBucket, settings);
  let secret: Uint8Array | null = null;
  for await (const [, , subject, , data] of readRecords<MessageRow>(folder, manifest.cluster.file)) {
    if (subject === `$KV.${names.clusterBucket}.secret`) secret = data;
  }
  if (secret !== null) await bucket.put('secret', secret);
  for (const { partition, identity } of streams) await bucket.put(`stream.${partition}`, identity);
  await bucket.put('layout', JSON.stringify(layout));
}
