/** One process's ownership of a partition on a real server: tests send it commands and read its published changes. */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { watchLink } from '../../../services/inventory-shard/src/cluster/connection.ts';
import { type AcceptedLosses, nothingAccepted } from '../../../services/inventory-shard/src/journal/accepted-losses.ts';
import { Journal } from '../../../services/inventory-shard/src/journal/appends.ts';
import { logReadTimeoutMs } from '../../../services/inventory-shard/src/journal/bounds.ts';
import { type CountedParts, nothingCounted } from '../../../services/inventory-shard/src/journal/counted-evidence.ts';
import { createJetStreamLog } from '../../../services/inventory-shard/src/journal/jetstream-log.ts';
import { JournalReader } from '../../../services/inventory-shard/src/journal/journal-reader.ts';
import { Remembered } from '../../../services/inventory-shard/src/journal/lost-records.ts';
import { createEventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { createRosterStore } from '../../../services/inventory-shard/src/journal/rosters.ts';
import { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';
import { createSnapshotStore } from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import type { StreamIdentities } from '../../../services/inventory-shard/src/journal/stream-identities.ts';
import { ensureJournalStream, lossOfStream } from '../../../services/inventory-shard/src/journal/streams.ts';
import { EventMemory } from '../../../services/inventory-shard/src/partition/event-memory.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { Partition } from '../../../services/inventory-shard/src/partition/partition.ts';
import { Readers } from '../../../services/inventory-shard/src/readers/event-readers.ts';
import { server as caller, planNamed } from '../inventory/house.ts';
import { knownStream } from '../journal/links.ts';

export type OwnerOptions = {
  unanchoredBytesMax?: number;
  acceptedLosses?: AcceptedLosses;
  /** The catalog's parts. */
  counted?: CountedParts;
  /** Of repeated reads: evidence that differs is read for `lossCertainMs`. */
  lossClock?: Clock;
  /** Of the deployment. Without them any stream is the known one. */
  identities?: StreamIdentities | null;
  /** Fails the loads that it fails. */
  beforeLoad?: (eventKey: string) => Promise<void>;
  nats: NatsConnection;
  number: number;
  name: string;
  bytesMax?: number;
  /** Replicas of the stream, used when this owner creates it. */
  replicas?: number;
  /** What the deployment knows of the stream. */
  stream?: typeof knownStream;
};

/** A loss counts as certain after a tenth of a second. */
export const hastyClock: Clock = { ...systemClock, elapsed: () => 100 * systemClock.elapsed() };

export type PartitionOwner = Awaited<ReturnType<typeof ownPartition>>;

/** Takes over partition `number`. All its events have one of the plans in support/inventory/house.ts. */
export async function ownPartition(options: OwnerOptions) {
  const owner = await meetPartition(options);
  await owner.partition.open();
  return owner;
}

/** The same owner, before `partition.open()`. */
export async function meetPartition({
  nats,
  number,
  name,
  bytesMax = 2 ** 30,
  replicas = 1,
  stream = knownStream,
  unanchoredBytesMax,
  beforeLoad = async () => {},
  acceptedLosses = nothingAccepted,
  counted = nothingCounted,
  lossClock = systemClock,
  identities = null,
}: OwnerOptions) {
  const log = createLog('test', 'silent');
  const manager = await jetstreamManager(nats);
  const client = jetstream(nats);
  const logManager = await jetstreamManager(nats, { timeout: logReadTimeoutMs, checkAPI: false });
  const waiting = new Map<number, (reply: Reply) => void>();
  const changes: (FeedChange & { eventKey: string })[] = [];
  const loading = new LoopTurn(systemClock);
  const bucket = await new Objm(client).create('SNAPSHOTS');
  const snapshots = createSnapshotStore(bucket, manager, log, loading);
  await ensureJournalStream(manager, number, replicas, identities ?? undefined);
  const plans = async (hash: string) => planNamed(hash);
  const memory = new EventMemory({ clock: systemClock, log, bytesMax });
  const remembered = new Remembered();
  const accepted = acceptedLosses;
  const shared = new SharedParts(unanchoredBytesMax);
  const reader = new JournalReader(nats, systemClock);
  const loader = createEventLoader(reader, manager, snapshots, plans, number, loading, shared, {
    clock: lossClock,
    remembered,
    counted,
    accepted,
  });
  let journal: Journal | null = null;
  let released = false;
  let id = 0;
  const partition = new Partition({
    clock: systemClock,
    log,
    plans,
    snapshots,
    rosters: createRosterStore(bucket, number, log),
    memory,
    remembered,
    accepted,
    stream: {
      ...stream,
      ...(identities && {
        loss: () => lossOfStream(manager, lossClock, number),
        isAnother: (identity: string) => identities.isAnother(number, identity),
        acceptedUpTo: () => accepted.ofStream(number),
      }),
      noteShort: () => remembered.noteShort(number),
    },
    turn: new LoopTurn(systemClock),
    readers: new Readers(log, null),
    shared,
    loader: { ...loader, load: async (eventKey) => beforeLoad(eventKey).then(() => loader.load(eventKey)) },
    openJournal: (events) => {
      journal = new Journal(
        createJetStreamLog({ nats, client, manager: logManager }, number),
        systemClock,
        name,
        events,
        () => shared.mark,
      );
      return journal;
    },
    reply({ reply }) {
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
    },
    publishChange: (eventKey, change) => changes.push({ ...change, eventKey }),
    lost: () => {
      released = true;
    },
    connected: () => link.connected(),
  });
  const link = watchLink(nats, { onLost: () => partition.connectionLost(), onRestored: () => {} });

  /** Queues a command; `partition.pump()` must follow. */
  function submit(eventKey: string, command: Command): Promise<Reply> {
    const envelope = { id: ++id, eventKey, caller, command };
    return new Promise((resolve) => {
      waiting.set(envelope.id, resolve);
      partition.submit({ envelope, replyTo: 'inbox.1' });
    });
  }
  function ask(eventKey: string, command: Command): Promise<Reply> {
    const reply = submit(eventKey, command);
    partition.pump();
    return reply;
  }
  return { partition, journal: journal!, shared, memory, remembered, changes, submit, ask, released: () => released };
}
