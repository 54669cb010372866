/**
 * The catalog: what is found by query, and projections of the journal. Any number may run on one MongoDB.
 *
 *   main.ts         wiring, this file
 *   config.ts       environment → settings
 *   serve.ts        `catalog.>` → the operation → its outcome; the flow of this service
 *   operations/     what each operation does, a file a resource; table.ts has them all
 *   rules/          pure decisions: drafts, slugs, states of charts, cursors, what is kept of each kind
 *   collections.ts  how what is kept is found, and what is unique
 *   passwords.ts    how passwords are kept, and how many are worked on at once
 *   projector.ts    journal → projections: states of events, bookings, audit log, credits; reading in journal-reader.ts,
 *                   counting in project-batches.ts, building anew in generations.ts
 *   sweeper.ts      deletes what has expired
 *   outbound/       the store port, and its adapters: embedded-store.ts (LMDB) and mongo-store.ts (MongoDB)
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Changed } from '@parterre/shared/catalog-api';
import { systemClock } from '@parterre/shared/clock';
import type { AskedLayout } from '@parterre/shared/cluster-layout';
import { createLog } from '@parterre/shared/log';
import { connectNats } from '@parterre/shared/nats';
import { runService } from '@parterre/shared/service';
import { awaitLayout } from '@parterre/shared/standing-layout';
import { subjects } from '@parterre/shared/subjects';
import { encode } from '@parterre/shared/wire';
import { Histogram } from 'prom-client';
import { passwordLogN } from './accounts/passwords.ts';
import { type Config, readConfig } from './config.ts';
import { createOperations } from './operation-table.ts';
import { type Projector, type ProjectorPorts, startProjector } from './projections/projector.ts';
import { serve } from './serve.ts';
import { collections, expiring } from './store/collections.ts';
import { openEmbeddedStore } from './store/embedded-store.ts';
import type { Store } from './store/store.ts';
import { startSweeper } from './store/sweeper.ts';

const config = readConfig();
const log = createLog('catalog', config.logLevel);

await runService({ log, healthPort: config.healthPort, healthHost: config.healthHost }, async (metrics) => {
  const store = await openStore(config);
  if (config.passwordLogN < passwordLogN.usual)
    log.warn('PARTERRE_PASSWORD_COST is below what passwords of people need');
  const nats = await connectNats({ url: config.natsUrl, name: 'catalog' }, log);
  const announce = (changed: Changed) => nats.publish(subjects.changed, encode(changed));
  const seconds = new Histogram({
    name: 'parterre_catalog_operation_seconds',
    help: 'How long operations of the catalog take.',
    labelNames: ['operation', 'outcome'],
    registers: [metrics],
  });
  const operations = createOperations({ store, clock: systemClock, announce, log }, config);
  const serving = serve(nats, operations, log, (operation, outcome, took) => {
    seconds.observe({ operation, outcome }, took);
  });
  const sweeper = startSweeper({ store, clock: systemClock, log }, expiring);
  const projector = projectWhenLaidOut({ nats, store, clock: systemClock, announce, log }, config.layout);
  return {
    healthy: () => !nats.isClosed() && store.healthy(),
    facts: { store: config.mongodbUrl ? 'mongodb' : 'embedded' },
    async drain() {
      await serving.drain();
      await Promise.all([projector.stop(), sweeper.stop()]);
      // Broadcasts that are still in the buffer go out first.
      await nats.drain();
      await store.close();
    },
  };
});

/**
 * A deployment's first shard makes the layout, and needs charts from a catalog that serves. Only the projector waits for
 * it; a layout that is not the one asked for ends the process, as it does where it is known at the start.
 */
function projectWhenLaidOut(ports: ProjectorPorts, asked: AskedLayout): Projector {
  let projector: Projector | null = null;
  let stopped = false;
  // Nobody catches a refusal: runService tells it, and ends the process.
  void awaitLayout(ports, asked).then(({ partitions }) => {
    if (!stopped) projector = startProjector(ports, partitions);
  });
  return {
    async stop() {
      stopped = true;
      await projector?.stop();
    },
  };
}

/** The MongoDB driver is only loaded where it is used: it costs start-up time and memory. */
async function openStore({ mongodbUrl, dataFolder }: Config): Promise<Store> {
  if (mongodbUrl) {
    const { openMongoStore } = await import('./store/mongo-store.ts');
    return openMongoStore(mongodbUrl, collections);
  }
  const folder = join(dataFolder, 'catalog');
  mkdirSync(folder, { recursive: true });
  return openEmbeddedStore(folder, collections);
}
