/**
 * inventory-shard: owns events' seats in memory and persists every change before it is answered.
 *
 *   inbound/commands.ts     batches of commands from front doors → mailboxes and budgets
 *   budgets.ts              the request budgets of one partition
 *   actor.ts                one event: mailbox → due → decide → apply → a commit group (the flow file)
 *   rules/                  pure: decide.ts and its families (hold, book, block, settings, read), apply.ts, due.ts
 *   partition.ts            the actors of one partition and the pipeline to its journal; recovery
 *   actor-pool.ts           a partition's events: in memory, asleep until a deadline, at rest; event-memory.ts: the bound
 *   outbound/journal.ts     fenced, pipelined appends
 *   outbound/recovery.ts    snapshot and replay; snapshots.ts, streams.ts
 *   outbound/replies.ts     answers, batched by front door
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import type { Subscription } from '@nats-io/transport-node';
import { createCatalogClient } from '@parterre/shared/catalog-client';
import { pause, systemClock } from '@parterre/shared/clock';
import { newId } from '@parterre/shared/ids';
import { createLog } from '@parterre/shared/log';
import { connectNats } from '@parterre/shared/nats';
import { createPlanSource } from '@parterre/shared/plans';
import { type Running, runService } from '@parterre/shared/service';
import { names, subjects } from '@parterre/shared/subjects';
import { encode } from '@parterre/shared/wire';
import type { Registry } from 'prom-client';
import { Budgets } from './budgets.ts';
import { readConfig } from './config.ts';
import { EventMemory } from './event-memory.ts';
import { subscribeCommands } from './inbound/commands.ts';
import { watchLink } from './outbound/connection.ts';
import { Journal } from './outbound/journal.ts';
import { measureMemory } from './outbound/metrics.ts';
import { createEventLoader } from './outbound/recovery.ts';
import { createReplies } from './outbound/replies.ts';
import { createSnapshotStore } from './outbound/snapshots.ts';
import { ensureJournalStream } from './outbound/streams.ts';
import { Partition } from './partition.ts';

const DRAIN_POLL_MS = 10;

const config = readConfig();
const log = createLog('inventory-shard', config.logLevel);

async function start(metrics: Registry): Promise<Running> {
  const nats = await connectNats({ url: config.natsUrl, name: 'inventory-shard' }, log);
  const manager = await jetstreamManager(nats);
  const client = jetstream(nats);
  const plans = createPlanSource(createCatalogClient(nats));
  const bucket = await new Objm(client).create(names.snapshotBucket, { replicas: config.replicas });
  const snapshots = createSnapshotStore(bucket, log);
  const owner = newId('key');
  const memory = new EventMemory({ clock: systemClock, log, bytesMax: config.inventoryMemoryBytes });
  measureMemory(memory, metrics);
  const partitions: Partition[] = [];
  const subscriptions: Subscription[] = [];
  const link = watchLink(nats, () => {
    for (const partition of partitions) partition.connectionLost();
  });
  const reply = createReplies(nats);
  const journalPorts = { nats, jetstream: client, manager, clock: systemClock };

  for (let number = 0; number < config.partitions; number++) {
    await ensureJournalStream(manager, number, config.replicas);
    partitions.push(
      new Partition({
        clock: systemClock,
        log: log.child({ partition: number }),
        plans,
        snapshots,
        memory,
        loader: createEventLoader(client, manager, snapshots, plans, number, systemClock),
        openJournal: (events) => new Journal(journalPorts, number, owner, events),
        reply,
        publishChange: (eventKey, change) => nats.publish(subjects.feed(number, eventKey), encode(change)),
        released: () => subscriptions[number]?.unsubscribe(),
        connected: link.connected,
      }),
    );
  }
  await Promise.all(partitions.map((partition) => partition.open()));
  partitions.forEach((partition, number) => {
    subscriptions.push(subscribeCommands(nats, log, number, partition, new Budgets(systemClock, reply)));
  });

  return {
    healthy: () => link.isUp() && partitions.every((partition) => partition.state !== 'recovering'),
    async drain() {
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
      while (partitions.some((partition) => !partition.isIdle())) await pause(systemClock, DRAIN_POLL_MS);
      for (const partition of partitions) await partition.snapshotAll();
      await nats.drain();
    },
  };
}

await runService({ log, healthPort: config.healthPort, healthHost: config.healthHost }, start);
