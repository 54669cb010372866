/**
 * inventory-shard: keeps the events of its partitions in memory and persists every change before the caller is
 * answered. Any number of shards share the partitions. The rooms, from the top down; a room imports only rooms below
 * it:
 *
 *   main.ts, config.ts, metrics.ts   wiring, settings, figures for operators
 *   steady-clock/      a wall clock that never jumps, compared with the time of NATS
 *   cluster/           the partitions that this process takes, serves and hands over; living members; leases
 *   links/             direct links of front doors: batches in, replies out
 *   partition/         one partition for an owner's term: mailboxes, actors, commit groups, answers, event memory
 *   watch/             the events out of memory: their deadlines, the survey at a takeover, the roster
 *   readers/           large reads in a thread of their own, shared by the callers of a version
 *   journal/           fenced appends on JetStream, replay, snapshots in the object store
 *   rules/turn/        decide, apply, due, consequences, snapshot: what the partition calls
 *   rules/reads/       counts, the whole map, the report
 *   rules/chart/       the move of an event to another chart
 *   rules/exchange/    a booking gives units up for others, in one step
 *   rules/best-available/   the event chooses the units
 *   rules/channels/    named stocks: calls, assignments, reads
 *   rules/event/       the life and the settings of an event
 *   rules/sales/       hold, book, block, box office, resale, session quantities
 *   rules/selection/   from labels to units with frozen prices, and the refusals that name conflicts
 *   rules/reach/       the units that a caller may select
 *   rules/pricing/     ticket releases, tiers, channel prices, currencies
 *   rules/availability/   divisions that are hidden or closed, thresholds, sold out
 *   rules/state/       the state of an event
 *   rules/packed/      many similar values in few bytes
 */
import { hostname, uptime } from 'node:os';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { Objm } from '@nats-io/obj';
import {
  compilerThread,
  createPlanSource,
  measureCompiler,
  PlanCompiler,
  type PlanSource,
} from '@parterre/shared/charts/plans/plans';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { newId } from '@parterre/shared/protocol/ids';
import type { AskedEvent, PartitionStatus } from '@parterre/shared/protocol/shard-status';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { type CatalogClient, createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { systemClock } from '@parterre/shared/runtime/clock';
import { type ClusterLayout, placementOf, regionOfPartition } from '@parterre/shared/runtime/cluster-layout';
import { findSecrets, keysFor, settleSecret } from '@parterre/shared/runtime/deployment-secret';
import { measureDisk } from '@parterre/shared/runtime/disk';
import { roomOnDisk } from '@parterre/shared/runtime/disk-watch';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { answerRollCalls } from '@parterre/shared/runtime/roll-call';
import { hearEnds, type Running, runService, settingsOf } from '@parterre/shared/runtime/service';
import { settleLayout } from '@parterre/shared/runtime/standing-layout';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { whenReady } from '@parterre/shared/runtime/when-ready';
import type { Registry } from 'prom-client';
import {
  createLeases,
  createMemberBus,
  hearAcceptances,
  hearElections,
  Ownership,
  raiseFormIfAsked,
  roomOf,
  StoreWatch,
  storeAnswerMsMax,
  watchLink,
} from './cluster/cluster.ts';
import { readConfig } from './config.ts';
import {
  type AcceptedLosses,
  countedParts,
  countedPosition,
  createEventLoader,
  createJetStreamLog,
  createRosterStore,
  createSnapshotStore,
  ensureJournalStreams,
  hasJournalStream,
  Journal,
  type JournalEvents,
  JournalReader,
  logReadTimeoutMs,
  lossOfStream,
  makeSuccessorStream,
  openAcceptedLosses,
  PreparedEvents,
  Remembered,
  SharedParts,
  type SnapshotStore,
  StreamIdentities,
  warnOfDurability,
} from './journal/journal.ts';
import { LinkServer } from './links/link-server.ts';
import {
  measureClock,
  measureCommands,
  measureLinks,
  measureLoop,
  measureMemory,
  measureOwnership,
  measureReaders,
  measureStorage,
} from './metrics.ts';
import {
  Budgets,
  createOutgoing,
  type DeliveryPorts,
  deliverCommands,
  EventMemory,
  Figures,
  LoopTurn,
  Partition,
  type PartitionPorts,
} from './partition/partition.ts';
import { Readers } from './readers/event-readers.ts';
import { ReaderThread } from './readers/reader-thread.ts';
import { workerOf } from './readers/reader-worker.ts';
import { createNatsTime } from './steady-clock/nats-time.ts';
import { SteadyClock } from './steady-clock/steady-clock.ts';

const readerProgram = new URL('./inventory-reader.js', import.meta.url);
const compilerProgram = new URL('./plan-compiler.js', import.meta.url);

const config = settingsOf('inventory-shard', () => readConfig(process.env));
const log = createLog('inventory-shard', config.logLevel);
const bucketOptions = { replicas: config.replicas, ...placementOf(config.placementTags) };
/** Of the catalogs, for all partitions (journal/counted-evidence.ts). */
const silence = { until: 0 };

/** A step of the start that waits while NATS has no leader for it. */
const patiently = <T>(step: string, run: () => Promise<T>): Promise<T> =>
  whenReady({ clock: systemClock, log }, step, run);

/** The connection, and the deployment's layout, secret and streams. The first shard of a deployment makes them. */
async function joinDeployment() {
  const { replicas } = config;
  const nats = await connectNats({ ...config.nats, name: 'inventory-shard' }, log);
  warnOfDurability(nats, replicas, log);
  const standing = await patiently('settle the layout', () =>
    settleLayout(nats, config.layout, replicas, config.placementTags),
  );
  const raising = { nats, clock: systemClock, log };
  const layout = await patiently('raise the form', () => raiseFormIfAsked(raising, standing, config.layout));
  const secrets = await findSecrets(config.secrets, () => patiently('settle the secret', () => settleSecret(nats)));
  const manager = await patiently('reach JetStream', () => jetstreamManager(nats));
  const identities = await patiently('open the identities of streams', () => StreamIdentities.open(nats));
  const ports = { clock: systemClock, log };
  await ensureJournalStreams(manager, layout.partitions, replicas, ports, identities, placedBy(layout));
  return { nats, layout, secrets, manager, identities };
}

const placedBy = (layout: ClusterLayout) => (partition: number) => placementOf(config.placementTags, layout, partition);

/** The buckets of snapshots and of leases, and the losses that the operator has accepted. */
async function openBuckets(nats: NatsConnection, client: JetStreamClient) {
  const { snapshotBucket, ownersBucket } = names;
  return {
    bucket: await patiently('make the bucket of snapshots', () =>
      new Objm(client).create(snapshotBucket, { ...bucketOptions }),
    ),
    owners: await patiently('make the bucket of leases', () =>
      new Kvm(client).create(ownersBucket, { history: 1, ...bucketOptions }),
    ),
    accepted: await patiently('open the accepted losses', () => openAcceptedLosses(nats)),
  };
}

async function start(metrics: Registry): Promise<Running> {
  const { nats, layout, secrets, manager, identities } = await joinDeployment();
  const client = jetstream(nats);
  const logManager = await jetstreamManager(nats, { timeout: logReadTimeoutMs, checkAPI: false });
  const { bucket, owners, accepted } = await openBuckets(nats, client);
  const clock = new SteadyClock(systemClock, () => uptime() * SECOND_MS, log);
  await clock.begin(createNatsTime(logManager, layout.partitions, systemClock));
  const compiler = new PlanCompiler(systemClock, log, compilerThread(compilerProgram));
  const catalog = createCatalogClient(nats, log);
  const plans = createPlanSource(catalog, compiler);
  // Loads and snapshots have a turn of their own, so that sales do not wait behind them.
  const loading = new LoopTurn(clock);
  const snapshots = createSnapshotStore(bucket, manager, log, loading);
  const remembered = new Remembered();
  const memory = new EventMemory({ clock, log, bytesMax: config.inventoryMemoryBytes });
  const thread = new ReaderThread(clock, log, loading, workerOf(readerProgram));
  const readers = new Readers(log, thread);
  const links = new LinkServer({ keys: keysFor('links', secrets), clock, log });
  const figures = measureParts({ clock, memory, readers, thread, compiler, links }, metrics);
  const prepared = createPrepared({ nats, clock, manager, snapshots, plans, catalog, loading, remembered, accepted });
  const self = newId('shd');
  const link = watchLink(nats, { onLost: () => ownership.linkLost(), onRestored: () => ownership.linkRestored() });
  const linkAddress = await openPort(links);
  const { reply, publishChange } = createOutgoing(nats, links);
  const delivery: DeliveryPorts = { nats, log, deliverDirectly: (...term) => links.deliver(...term) };
  const jetStream = { nats, client, manager: logManager };
  const turn = new LoopTurn(clock);
  const { connected } = link;
  const parts = { clock, plans, snapshots, memory, turn, readers, reply, remembered, accepted, connected, figures };
  const createPartition = partitionMaker(parts, {
    stream: evidenceOfStreams({ manager: logManager, clock, identities, catalog, accepted, remembered }),
    rosters: (number) => createRosterStore(bucket, number, log),
    loader: (number, shared) => prepared.loader(number, shared),
    openJournal: (number, low, events) =>
      new Journal(createJetStreamLog(jetStream, number), clock, self, events, low, layout.deployment),
    publishChange: (number, eventKey, change) => publishChange(subjects.feed(number, eventKey), change),
  });
  const storage = await watchStorage(nats, () => ownership.owned(), metrics);
  const bus = createMemberBus(nats, clock, self, log);
  const ownership = new Ownership({
    clock,
    log,
    self,
    process: `${hostname()}/${process.pid}`,
    partitions: layout.partitions,
    regionOf: (partition) => regionOfPartition(layout, partition),
    regions: config.regions,
    linkAddress,
    bus,
    leases: createLeases(owners, log),
    linkIsUp: () => link.isUp() && bus.hearsItself(),
    storage: () => ({ ...storage.told(), haltedEvents: memory.troubles.halted().length }),
    createPartition,
    prepare: (number, events) => prepared.prepare(number, events),
    deliverCommands: (number, partition) => deliverCommands(delivery, number, partition, new Budgets(clock, reply)),
  });
  hearOperator({ nats, clock, manager, identities, accepted, layout }, ownership);
  measureOwnership(ownership, layout.partitions, clock, metrics);
  answerOperator({ nats, self, bus, memory, linkAddress }, ownership);
  hearEnds((ids) => ownership.membersEnded(ids));
  hearElections(nats, layout.partitions, (partition) => ownership.leaderElected(partition));
  compiler.wake();
  storage.start();
  await ownership.start();

  return {
    id: self,
    healthy: () => link.isUp() && ownership.owned().every(({ partition }) => partition.state !== 'recovering'),
    async drain() {
      await ownership.stop();
      storage.stop();
      links.close();
      await Promise.all([thread.close(), compiler.close()]);
      clock.end();
      await nats.drain();
    },
  };
}

/** The parts that differ from partition to partition. */
type OwnParts = {
  stream(partition: number): PartitionPorts['stream'];
  rosters(partition: number): PartitionPorts['rosters'];
  loader(partition: number, shared: SharedParts): PartitionPorts['loader'];
  openJournal(partition: number, low: () => number, events: JournalEvents): Journal;
  publishChange(partition: number, eventKey: string, change: FeedChange): void;
};

type CommonParts = Pick<
  PartitionPorts,
  | 'clock'
  | 'plans'
  | 'snapshots'
  | 'memory'
  | 'turn'
  | 'readers'
  | 'reply'
  | 'remembered'
  | 'accepted'
  | 'connected'
  | 'figures'
>;

/** The result makes a partition of this process. It calls `lost` when another owner has taken the partition. */
function partitionMaker(parts: CommonParts, own: OwnParts): (partition: number, lost: () => void) => Partition {
  return (number, lost) => {
    const shared = new SharedParts();
    return new Partition({
      ...parts,
      shared,
      lost,
      stream: own.stream(number),
      log: log.child({ partition: number }),
      rosters: own.rosters(number),
      loader: own.loader(number, shared),
      openJournal: (events) => own.openJournal(number, () => shared.mark, events),
      publishChange: (eventKey, change) => own.publishChange(number, eventKey, change),
    });
  };
}

type StreamKeepers = {
  clock: SteadyClock;
  manager: JetStreamManager;
  identities: StreamIdentities;
  accepted: AcceptedLosses;
};

function evidenceOfStreams({
  clock,
  manager,
  identities,
  accepted,
  remembered,
  catalog,
}: StreamKeepers & { catalog: CatalogClient; remembered: Remembered }): OwnParts['stream'] {
  return (number) => ({
    loss: () => lossOfStream(manager, clock, number),
    isAnother: (identity) => identities.isAnother(number, identity),
    counted: () => countedPosition({ catalog, clock, log, silence }, number),
    acceptedUpTo: () => accepted.ofStream(number),
    noteShort: () => remembered.noteShort(number),
  });
}

function hearOperator(
  {
    nats,
    clock,
    manager,
    identities,
    accepted,
    layout,
  }: StreamKeepers & { nats: NatsConnection; layout: ClusterLayout },
  ownership: Ownership,
): void {
  hearAcceptances({
    nats,
    clock,
    log,
    find: (number) => ownership.owned().find((owned) => owned.number === number)?.partition ?? null,
    hasStream: (number) => hasJournalStream(manager, number),
    makeStream: (number, behind) => makeSuccessorStream(manager, number, config.replicas, behind, placedBy(layout)),
    async overrule(number, above) {
      await accepted.noteStream(number, above);
      await identities.forget(number);
    },
    retake: (number) => ownership.retake(number),
  });
}

type AskedParts = {
  nats: NatsConnection;
  self: string;
  bus: ReturnType<typeof createMemberBus>;
  memory: EventMemory;
  linkAddress: string | null;
};

/** Questions about this shard, and roll calls. */
function answerOperator({ nats, self, bus, memory, linkAddress }: AskedParts, ownership: Ownership): void {
  bus.answerStatus((asked) => ({
    id: self,
    partitions: ownership.owned().map(({ number, partition }) => statusOf(number, partition)),
    asked: asked.map((eventKey) => eventStatus(ownership.owned(), eventKey)),
  }));
  answerRollCalls({
    nats,
    service: 'inventory-shard',
    id: self,
    dataFolder: config.dataFolder,
    facts: () => ({
      loadedEvents: memory.loaded,
      eventBytes: memory.bytes,
      eventBytesMax: memory.bytesMax,
      ...(linkAddress !== null && { link: linkAddress }),
    }),
  });
}

function statusOf(number: number, partition: Partition): PartitionStatus {
  const { epoch, state } = partition;
  return { partition: number, epoch, state, ...partition.halts() };
}

function eventStatus(owned: ReturnType<Ownership['owned']>, eventKey: string): AskedEvent {
  const versions = owned.map(({ partition }) => partition.loadedVersion(eventKey));
  return { eventKey, loadedVersion: versions.find((version) => version !== null) ?? null };
}

async function watchStorage(
  nats: NatsConnection,
  owned: () => ReturnType<Ownership['owned']>,
  metrics: Registry,
): Promise<StoreWatch> {
  const manager = await jetstreamManager(nats, { timeout: storeAnswerMsMax, checkAPI: false });
  const { dataFolder } = config;
  const storage = new StoreWatch({
    clock: systemClock,
    log,
    infoOf: (partition) => manager.streams.info(names.journalStream(partition)),
    owned,
    measureDisk: dataFolder === null ? null : () => roomOnDisk(dataFolder),
    measureRoom: async () => roomOf(await manager.getAccountInfo(), config.natsStorageBytes),
  });
  measureStorage(storage, metrics);
  if (dataFolder !== null) measureDisk(dataFolder, metrics);
  return storage;
}

type Loading = {
  nats: NatsConnection;
  clock: SteadyClock;
  manager: JetStreamManager;
  snapshots: SnapshotStore;
  plans: PlanSource;
  catalog: CatalogClient;
  loading: LoopTurn;
  remembered: Remembered;
  accepted: AcceptedLosses;
};

/** The loads of all partitions, which share one reader of journals. */
function createPrepared({
  nats,
  clock,
  manager,
  snapshots,
  plans,
  catalog,
  loading,
  ...known
}: Loading): PreparedEvents {
  const reader = new JournalReader(nats, clock);
  const losses = { clock, counted: countedParts({ catalog, clock, log, silence }), ...known };
  return new PreparedEvents(clock, (number, shared) =>
    createEventLoader(reader, manager, snapshots, plans, number, loading, shared, losses),
  );
}

type Parts = {
  clock: SteadyClock;
  memory: EventMemory;
  readers: Readers;
  thread: ReaderThread;
  compiler: PlanCompiler;
  links: LinkServer;
};

function measureParts({ clock, memory, readers, thread, compiler, links }: Parts, metrics: Registry): Figures {
  const figures = new Figures();
  measureCommands(figures, metrics);
  measureClock(clock, metrics);
  measureMemory(memory, clock, metrics);
  measureReaders(readers, thread, metrics);
  measureLinks(links, metrics);
  measureLoop(systemClock, metrics);
  measureCompiler(compiler, metrics);
  return figures;
}

/** The address of direct links for front doors, or null. */
async function openPort(links: LinkServer): Promise<string | null> {
  if (config.links === 'off') return null;
  const opened = await links.listen(config.links);
  return opened && (config.announcedLink ?? opened);
}

await runService(
  { log, healthPort: config.healthPort, healthHost: config.healthHost, environment: process.env },
  start,
);
