/**
 * What a running deployment tells of itself: its members by a roll call, the shards' partitions by their beats and
 * answers, every stream of NATS with its copies, and how far the followers of each journal are behind. Only asks, and
 * changes nothing.
 *
 * Failure at each await: a member, a shard or a stream that does not answer within its time is missing among the facts,
 * and the rules (rules/) tell it as a fault or as unknown. Without a connection or a layout → `Refused`.
 */
import type { AccountLimits, ConsumerInfo, JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Beat } from '../../shared/src/protocol/beat.ts';
import type { ProjectionState } from '../../shared/src/protocol/catalog/projections.ts';
import type { Member } from '../../shared/src/protocol/member.ts';
import type { ShardStatus, StatusQuestion } from '../../shared/src/protocol/shard-status.ts';
import { names, subjects } from '../../shared/src/protocol/subjects.ts';
import { decode, encode } from '../../shared/src/protocol/wire.ts';
import { type CatalogClient, createCatalogClient } from '../../shared/src/runtime/catalog-client.ts';
import { createLog } from '../../shared/src/runtime/log.ts';
import { storedMessage } from '../../shared/src/runtime/stored-message.ts';
import { type Connected, connectTo, type Deployment, standingLayout } from '../backup/deployment.ts';

/** Four beats. */
const listenMs = 1_000;
const answerMs = 2_000;
const streamsAtOnce = 16;

/** A member, and how far its clock is before that of this machine, as exactly as the answer's way allows. */
export type HeardMember = Member & { aheadMs: number; roundTripMs: number };

export type StreamFact = {
  name: string;
  copiesWanted: number;
  /** The leader included. `lag`: messages that the copy has yet to get. */
  copies: { server: string; isCurrent: boolean; isOffline: boolean; lag: number }[];
  bytes: number;
  messages: number;
  lastSequence: number;
  isOnDisk: boolean;
  /** Of the oldest message (epoch ms); null for an empty stream. */
  oldestAt: number | null;
};

/** A follower of a journal. `behind`: messages. `behindMs`: the age of the oldest of them, 0 without any. */
export type Follower = { behind: number; behindMs: number };

export type JournalFact = {
  partition: number;
  lastSequence: number;
  /** Null where no catalog or no consumer tells. */
  projector: (Follower & { halted: boolean }) | null;
  webhooks: Follower | null;
};

export type Facts = {
  at: number;
  partitions: number;
  server: { name: string; version: string; maxPayload: number; tlsUsed: boolean };
  /** The time of NATS minus that of this machine; null where NATS does not tell. */
  natsAheadMs: number | null;
  members: HeardMember[];
  beats: Beat[];
  shards: ShardStatus[];
  streams: StreamFact[];
  journals: JournalFact[];
  /** The account's storage; -1 for no limit. */
  account: { bytes: number; bytesMax: number } | null;
  catalogAnswers: boolean;
};

/** A connection to the deployment with the ways to ask. */
export type Looking = Connected & {
  nats: NatsConnection;
  catalog: CatalogClient;
  partitions: number;
  say(line: string): void;
};

/** Runs `look` on a connection that ends with it. */
export async function lookInto<T>(
  deployment: Pick<Deployment, 'nats'>,
  say: (line: string) => void,
  look: (looking: Looking) => Promise<T>,
): Promise<T> {
  const connected = await connectTo(deployment.nats);
  try {
    const { partitions } = await standingLayout(connected);
    const catalog = createCatalogClient(connected.nats, createLog('operator', 'silent'));
    return await look({ ...connected, catalog, partitions, say });
  } finally {
    await connected.nats.close();
  }
}

export async function gather(looking: Looking): Promise<Facts> {
  const { nats, manager, partitions, say } = looking;
  say('Asking the members …');
  const [{ members, beats }, natsAheadMs] = await Promise.all([callRoll(nats), natsAhead(manager)]);
  const answers = await Promise.all(beats.map(({ id }) => statusOf(nats, id)));
  say('Asking NATS for its streams …');
  const streams = await readStreams(manager);
  const state = await looking.catalog('projections.state', {});
  const journals = await readJournals(looking, streams, state.ok ? state.value : null);
  return {
    at: Date.now(),
    partitions,
    server: serverOf(nats),
    natsAheadMs,
    members,
    beats,
    shards: answers.filter((answer) => answer !== null),
    streams,
    journals,
    account: await accountOf(manager),
    catalogAnswers: state.ok,
  };
}

/** The server that this command is connected to. */
export function serverOf({ info }: NatsConnection): Facts['server'] {
  return {
    name: info?.server_name ?? '?',
    version: info?.version ?? '?',
    maxPayload: info?.max_payload ?? 0,
    tlsUsed: info?.tls_required === true,
  };
}

/** Every member that answers, and the latest beat of each shard. */
export async function callRoll(
  nats: NatsConnection,
  waitMs = listenMs,
): Promise<{ members: HeardMember[]; beats: Beat[] }> {
  // By id: another operator may call the roll at the same time.
  const members = new Map<string, HeardMember>();
  const beats = new Map<string, Beat>();
  let askedAt = 0;
  const subscriptions = [
    nats.subscribe(subjects.allMembers, {
      callback(error, message) {
        if (error) return;
        const beat = decode<Beat>(message.data);
        beats.set(beat.id, beat);
      },
    }),
    nats.subscribe(subjects.allPresent, {
      callback(error, message) {
        if (error || askedAt === 0) return;
        const member = decode<Member>(message.data);
        const roundTripMs = Date.now() - askedAt;
        if (members.has(member.id)) return;
        members.set(member.id, { ...member, roundTripMs, aheadMs: member.now - (askedAt + roundTripMs / 2) });
      },
    }),
  ];
  await nats.flush();
  askedAt = Date.now();
  nats.publish(subjects.rollCall);
  await new Promise((resolve) => void setTimeout(resolve, waitMs));
  for (const subscription of subscriptions) subscription.unsubscribe();
  const order = (member: Member): string => `${member.service} ${member.host} ${member.pid}`;
  return {
    members: [...members.values()].sort((a, b) => order(a).localeCompare(order(b))),
    beats: [...beats.values()],
  };
}

/** Null where the shard does not answer. `events`: the keys to ask for. */
export async function statusOf(nats: NatsConnection, id: string, events: string[] = []): Promise<ShardStatus | null> {
  const question: StatusQuestion = { events };
  try {
    const payload = events.length === 0 ? undefined : encode(question);
    return decode<ShardStatus>((await nats.request(subjects.shardStatus(id), payload, { timeout: answerMs })).data);
  } catch {
    return null;
  }
}

/** By the bucket that every deployment has. */
async function natsAhead({ streams }: JetStreamManager): Promise<number | null> {
  const askedAt = Date.now();
  const info = await streams.info(`KV_${names.clusterBucket}`).catch(() => null);
  if (info?.ts === undefined) return null;
  return Date.parse(info.ts) - (askedAt + Date.now()) / 2;
}

/**
 * NATS leaves out a stream without a leader (rules/copies.ts), and gives the last one of a page twice in its place.
 */
async function readStreams({ streams }: JetStreamManager): Promise<StreamFact[]> {
  const facts = new Map<string, StreamFact>();
  for await (const info of streams.list()) facts.set(info.config.name, factOf(info));
  return [...facts.values()].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

export function factOf({ config, state, cluster }: StreamInfo): StreamFact {
  const others = (cluster?.replicas ?? []).map(({ name, current, offline, lag }) => ({
    server: name,
    isCurrent: current,
    isOffline: offline === true,
    lag: lag ?? 0,
  }));
  const leader = cluster?.leader;
  const first = { server: leader || 'this server', isCurrent: true, isOffline: false, lag: 0 };
  return {
    name: config.name,
    copiesWanted: config.num_replicas ?? 1,
    // A stream of a cluster without a leader names none.
    copies: cluster?.replicas && !leader ? others : [first, ...others],
    bytes: state.bytes,
    messages: state.messages,
    lastSequence: state.last_seq,
    isOnDisk: config.storage === 'file',
    oldestAt: state.messages === 0 ? null : Date.parse(state.first_ts as unknown as string),
  };
}

async function readJournals(
  looking: Looking,
  streams: readonly StreamFact[],
  projections: ProjectionState | null,
): Promise<JournalFact[]> {
  const waiting = Array.from({ length: looking.partitions }, (_, partition) => partition).values();
  const facts: JournalFact[] = [];
  const work = async (): Promise<void> => {
    for (const partition of waiting) {
      const name = names.journalStream(partition);
      const stream = streams.find((each) => each.name === name);
      if (stream) facts.push(await readJournal(looking, partition, stream, projections));
    }
  };
  await Promise.all(Array.from({ length: streamsAtOnce }, work));
  return facts.sort((a, b) => a.partition - b.partition);
}

async function readJournal(
  { manager }: Looking,
  partition: number,
  { name, lastSequence }: StreamFact,
  projections: ProjectionState | null,
): Promise<JournalFact> {
  const progress = projections?.partitions.find(({ stream }) => stream === name);
  // A journal of which nothing is counted yet is not listed: it may have epoch records alone.
  const counted = projections === null ? null : (progress?.counted ?? 0);
  const consumer = await manager.consumers.info(name, 'notifier').catch(() => null);
  const [projector, webhooks] = await Promise.all([
    counted === null ? null : followerAt(manager, name, counted, lastSequence),
    consumer === null ? null : followerOf(manager, name, consumer),
  ]);
  return {
    partition,
    lastSequence,
    projector: projector && { ...projector, halted: progress?.halted === true },
    webhooks,
  };
}

/** One partition's journal; undefined where NATS does not tell. */
export async function gatherJournal(
  looking: Looking,
  partition: number,
): Promise<{ journal: JournalFact | undefined; stream: StreamFact | undefined }> {
  const info = await looking.manager.streams.info(names.journalStream(partition)).catch(() => null);
  const state = await looking.catalog('projections.state', {});
  if (info === null) return { journal: undefined, stream: undefined };
  const stream = factOf(info);
  return { stream, journal: await readJournal(looking, partition, stream, state.ok ? state.value : null) };
}

/** Epoch records count as messages, and are none to count: the tail of a quiet journal is not behind. */
async function followerAt(
  manager: JetStreamManager,
  stream: string,
  position: number,
  last: number,
): Promise<Follower> {
  for (let sequence = position + 1; sequence <= last && sequence <= position + epochRecordsMax; sequence++) {
    const message = await storedMessage(manager, stream, sequence).catch(() => null);
    if (message === null || message.subject.endsWith('._')) continue;
    return { behind: last - sequence + 1, behindMs: Math.max(0, Date.now() - message.time.getTime()) };
  }
  return { behind: Math.max(0, last - position - epochRecordsMax), behindMs: 0 };
}

/** A fence is of a few records. */
const epochRecordsMax = 64;

async function followerOf(manager: JetStreamManager, stream: string, consumer: ConsumerInfo): Promise<Follower> {
  const behind = consumer.num_pending + consumer.num_ack_pending;
  if (behind === 0) return { behind, behindMs: 0 };
  const oldest = await storedMessage(manager, stream, consumer.ack_floor.stream_seq + 1).catch(() => null);
  return { behind, behindMs: oldest === null ? 0 : Math.max(0, Date.now() - oldest.time.getTime()) };
}

async function accountOf(manager: JetStreamManager): Promise<Facts['account']> {
  const info = await manager.getAccountInfo().catch(() => null);
  if (info === null) return null;
  const { max_storage: bytesMax } = info.limits as AccountLimits;
  return { bytes: info.storage, bytesMax };
}
