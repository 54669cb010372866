/**
 * inventory-shard: owns events' seats in memory and persists every change before it is answered. Any number of them share
 * the partitions.
 *
 *   ownership.ts            which partitions this process takes, serves and hands over; members.ts: who is alive
 *   inbound/commands.ts     batches of commands from front doors → mailboxes and budgets
 *   budgets.ts              the request budgets of one partition
 *   actor.ts                one event: mailbox → due → decide → apply → a commit group (the flow file)
 *   rules/                  pure: decide.ts and its families (hold, book, block, settings, lifecycle, chart-update, read), apply.ts, due.ts, placement.ts
 *   chart-preparations.ts   commands that name a chart, until it is here
 *   partition.ts            one partition for the time it is this process': opening, serving, recovering, handing over
 *   pipeline.ts             from its actors to its journal and back to the callers; certain-answers.ts: reads and refusals
 *   actor-pool.ts           a partition's events: in memory, asleep until a deadline, at rest; event-memory.ts: the bound
 *   outbound/journal.ts     fenced, pipelined appends, and the read lease; jetstream-log.ts: on JetStream
 *   outbound/recovery.ts    snapshot and replay; snapshots.ts, streams.ts
 *   outbound/replies.ts     changes and answers, the latter batched by front door
 *   outbound/member-bus.ts  shards among themselves; leases.ts: who owns what, for shards that start and for operators
 */
import { hostname } from 'node:os';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { Objm } from '@nats-io/obj';
import { createCatalogClient } from '@parterre/shared/catalog-client';
import { systemClock } from '@parterre/shared/clock';
import { regionOfPartition } from '@parterre/shared/cluster-layout';
import { newId } from '@parterre/shared/ids';
import { createLog } from '@parterre/shared/log';
import { connectNats } from '@parterre/shared/nats';
import { createPlanSource } from '@parterre/shared/plans';
import { type Running, runService } from '@parterre/shared/service';
import { settleLayout } from '@parterre/shared/standing-layout';
import { names, subjects } from '@parterre/shared/subjects';
import type { Registry } from 'prom-client';
import { Budgets } from './budgets.ts';
import { readConfig } from './config.ts';
import { EventMemory } from './event-memory.ts';
import { deliverCommands } from './inbound/commands.ts';
import { watchLink } from './outbound/connection.ts';
import { createJetStreamLog } from './outbound/jetstream-log.ts';
import { Journal } from './outbound/journal.ts';
import { createLeases } from './outbound/leases.ts';
import { createMemberBus } from './outbound/member-bus.ts';
import { measureMemory, measureOwnership } from './outbound/metrics.ts';
import { createEventLoader } from './outbound/recovery.ts';
import { createOutgoing } from './outbound/replies.ts';
import { createSnapshotStore } from './outbound/snapshots.ts';
import { ensureJournalStreams, warnOfDurability } from './outbound/streams.ts';
import { Ownership } from './ownership.ts';
import { Partition } from './partition.ts';
import { logReadTimeoutMs } from './rules/bounds.ts';

const config = readConfig();
const log = createLog('inventory-shard', config.logLevel);

async function start(metrics: Registry): Promise<Running> {
  const nats = await connectNats({ url: config.natsUrl, name: 'inventory-shard' }, log);
  warnOfDurability(nats, config.replicas, log);
  const layout = await settleLayout(nats, config.layout, config.replicas);
  const manager = await jetstreamManager(nats);
  await ensureJournalStreams(manager, layout.partitions, config.replicas, log);
  const client = jetstream(nats);
  const logManager = await jetstreamManager(nats, { timeout: logReadTimeoutMs, checkAPI: false });
  const plans = createPlanSource(createCatalogClient(nats));
  const bucket = await new Objm(client).create(names.snapshotBucket, { replicas: config.replicas });
  const snapshots = createSnapshotStore(bucket, manager, log);
  const memory = new EventMemory({ clock: systemClock, log, bytesMax: config.inventoryMemoryBytes });
  measureMemory(memory, metrics);
  const owners = await new Kvm(client).create(names.ownersBucket, { history: 1, replicas: config.replicas });
  const self = newId('shd');
  const link = watchLink(nats, { onLost: () => ownership.linkLost(), onRestored: () => ownership.linkRestored() });
  const { reply, publishChange } = createOutgoing(nats);
  const ownership = new Ownership({
    clock: systemClock,
    log,
    self,
    process: `${hostname()}/${process.pid}`,
    partitions: layout.partitions,
    regionOf: (partition) => regionOfPartition(layout, partition),
    regions: config.regions,
    bus: createMemberBus(nats, self, log),
    leases: createLeases(owners, log),
    linkIsUp: link.isUp,
    createPartition: (number, lost) =>
      new Partition({
        clock: systemClock,
        log: log.child({ partition: number }),
        plans,
        snapshots,
        memory,
        loader: createEventLoader(client, manager, snapshots, plans, number, systemClock),
        openJournal: (events) =>
          new Journal(createJetStreamLog({ nats, client, manager: logManager }, number), systemClock, self, events),
        reply,
        publishChange: (eventKey, change) => publishChange(subjects.feed(number, eventKey), change),
        lost,
        connected: link.connected,
      }),
    deliverCommands: (number, partition) =>
      deliverCommands(nats, log, number, partition, new Budgets(systemClock, reply)),
  });
  measureOwnership(ownership, metrics);
  await ownership.start();

  return {
    healthy: () => link.isUp() && ownership.owned().every(({ partition }) => partition.state !== 'recovering'),
    async drain() {
      await ownership.stop();
      await nats.drain();
    },
  };
}

await runService({ log, healthPort: config.healthPort, healthHost: config.healthHost }, start);
