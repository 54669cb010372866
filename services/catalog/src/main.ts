/**
 * The catalog: records that callers find by query, and projections of the journal. Any number may run on one MongoDB.
 *
 *   main.ts             wiring, this file
 *   config.ts           environment → settings
 *   serve.ts            `catalog.>` → the operation → its outcome; the flow of this service
 *   operation-table.ts  the operations of all rooms, by name
 *   deployment.ts       the deployment that the store belongs to
 *
 * A room has its operations, and in its rules/ the pure decisions:
 *
 *   store/         the store port and its adapters, embedded-store.ts (LMDB) and mongo-store.ts (MongoDB);
 *                  collections.ts declares every collection with its indexes, records.ts the stored values;
 *                  operations.ts has the one way to change a document or list a page; named calls; the sweeper
 *   tenants/       what other rooms ask of organisations and workspaces
 *   accounts/      organisations, workspaces, keys, users with their passwords and sessions
 *   access/        embedded sessions (buyer, manage, designer), access links, access to channels
 *   charts/        charts with their drafts, versions, adjustments and panoramas
 *   events/        event records and posters
 *   booking-imports/  bookings of an older system, booked in events piece by piece
 *   lifecycles/    the lifecycle of groups and seasons (lifecycle-machine.ts), which lifecycles.ts carries on in any
 *                  process; the locks of events
 *   batches/       blocks and unblocks of several events, all or none
 *   groups/        performance groups and their lifecycle
 *   season-sales/  what follows from the sales of seasons, and the cancellations of their bookings
 *   seasons/       seasons: lifecycle, plans, sales states, amendments, audit, outbox
 *   rights/        rights to seats of a season: contracts, imports of holders, renewal offers
 *   webhooks/      subscriptions, the history of their deliveries, their health
 *   projections/   journal → states of events, bookings, audit log, credits: projector.ts has the flow,
 *                  journal-reader.ts reads, project-batches.ts counts, generations.ts rebuilds
 *   history/       bookings and logs as callers read them
 *   operations/    operations over several events as callers read them; carry-on.ts goes on with open ones, follow.ts
 *                  does what follows from their states
 *   shards/        commands of the catalog to the actors of events
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Changed } from '@parterre/shared/protocol/catalog-api';
import { newId } from '@parterre/shared/protocol/ids';
import { JobThread, workerThread } from '@parterre/shared/protocol/job-thread';
import { bodiesToReadMax, bodyReadMsMax, bodyThreadHeapMiBMax } from '@parterre/shared/protocol/limits';
import { createCoordinator } from '@parterre/shared/protocol/operations/coordinator';
import { Announcer } from '@parterre/shared/runtime/announcements';
import { systemClock } from '@parterre/shared/runtime/clock';
import type { ClusterLayout } from '@parterre/shared/runtime/cluster-layout';
import { measureDisk } from '@parterre/shared/runtime/disk';
import { DiskWatch, roomOnDisk } from '@parterre/shared/runtime/disk-watch';
import { LagWatch } from '@parterre/shared/runtime/lag-watch';
import { createLog } from '@parterre/shared/runtime/log';
import { family } from '@parterre/shared/runtime/measures';
import { connectNats } from '@parterre/shared/runtime/nats';
import { createPace } from '@parterre/shared/runtime/pace';
import { createPlacement, type Placement } from '@parterre/shared/runtime/placement';
import { answerRollCalls } from '@parterre/shared/runtime/roll-call';
import { runService, settingsOf } from '@parterre/shared/runtime/service';
import { whenReady } from '@parterre/shared/runtime/when-ready';
import { Histogram, type Registry } from 'prom-client';
import { passwordLogN } from './accounts/passwords.ts';
import type { FromDraftThread, ToDraftThread } from './charts/draft-program.ts';
import { type Config, readConfig } from './config.ts';
import { compareAgain, heldBack, layoutAtFirst, layoutWhenThere } from './deployment.ts';
import { createCatalogLifecycles, createOperations } from './operation-table.ts';
import { startCarryOn } from './operations/carry-on.ts';
import { currentViews } from './projections/generations.ts';
import { Halts } from './projections/halts.ts';
import { type Projector, type ProjectorPorts, startProjector, uncounted } from './projections/projector.ts';
import { type Observe, serve } from './serve.ts';
import { createAskEvent } from './shards/ask-events.ts';
import { collections, expiring } from './store/collections.ts';
import { openEmbeddedStore } from './store/embedded-store.ts';
import { projectionRestMs } from './store/rules/bounds.ts';
import type { Store } from './store/store.ts';
import { startSweeper } from './store/sweeper.ts';

const config = settingsOf('catalog', () => readConfig(process.env));
const draftProgram = new URL('./draft-thread.js', import.meta.url);
const log = createLog('catalog', config.logLevel);

const { healthPort, healthHost } = config;
await runService({ log, healthPort, healthHost, environment: process.env }, async (metrics) => {
  const store = await openStore(config);
  if (config.passwordLogN < passwordLogN.usual) log.warn('PARTERRE_PASSWORD_COST is below 15, which is for tests only');
  const nats = await connectNats({ ...config.nats, name: 'catalog' }, log);
  const id = newId('cat');
  const announcer = new Announcer(nats, id);
  const announce = (changed: Changed) => announcer.announce(changed);
  const seconds = new Histogram({
    name: 'parterre_catalog_operation_seconds',
    help: 'Duration of catalog operations in seconds.',
    labelNames: ['operation', 'outcome'],
    registers: [metrics],
  });
  const pace = createPace(systemClock, projectionRestMs);
  let placement: Placement | null = null;
  const ask = createAskEvent({ nats, store, clock: systemClock, placement: () => placement });
  const ports = { store, clock: systemClock, announce, hurryProjector: pace.hurry, ask, log };
  const lifecycles = createCatalogLifecycles(ports);
  const draftThread = startDraftThread();
  const halts = new Halts();
  const laidOut = { partitions: 0 };
  const notCounted = () => uncounted({ nats, store }, laidOut.partitions);
  measureProjections(halts, notCounted, metrics);
  if (!config.mongodbUrl) measureDisk(config.dataFolder, metrics);
  const operations = createOperations({ ...ports, draftThread, halts, uncounted: notCounted }, config, lifecycles);
  const deployment = { nats, store, clock: systemClock, log };
  const atFirst = await layoutAtFirst(deployment, config.layout);
  if (atFirst) placement = createPlacement(atFirst);
  compareAgain(deployment, config.layout);
  const served = heldBack(operations, () => placement !== null);
  const observe: Observe = (operation, outcome, took) => seconds.observe({ operation, outcome }, took);
  const disk = watchDisk();
  const self = {
    id,
    reachesStore: store.healthy,
    isAway: store.isAway,
    beat: () => ({ announced: announcer.count, ...(disk && { disk: disk.state }) }),
  };
  const serving = serve(nats, served, systemClock, log, observe, self);
  const kind = config.mongodbUrl ? 'mongodb' : 'embedded';
  const dataFolder = config.mongodbUrl ? null : config.dataFolder;
  answerRollCalls({ nats, service: 'catalog', id, dataFolder, facts: () => ({ store: kind }) });
  for (const { engine } of Object.values(lifecycles)) engine.watch();
  const coordinator = createCoordinator({ ask, now: systemClock.now });
  const carryOn = startCarryOn({ store, clock: systemClock, log, coordinator });
  const sweeper = startSweeper({ store, clock: systemClock, log }, async () => [
    ...expiring,
    { collection: (await currentViews(store)).occurrences, keepMs: 0 },
  ]);
  const projecting = { nats, store, clock: systemClock, pace, announce, halts, log };
  const layout = atFirst ? Promise.resolve(atFirst) : layoutWhenThere(deployment, config.layout);
  const projector = projectWhenLaidOut(projecting, layout, (found) => {
    placement ??= createPlacement(found);
    laidOut.partitions = found.partitions;
  });
  return {
    healthy: () => !nats.isClosed() && store.healthy(),
    facts: { store: kind },
    async drain() {
      disk?.stop();
      await serving.drain();
      const engines = Object.values(lifecycles).map(({ engine }) => engine.stop());
      await Promise.all([projector.stop(), carryOn.stop(), sweeper.stop(), ...engines]);
      // Buffered broadcasts go out first.
      await nats.drain();
      await draftThread.close();
      await store.close();
    },
  };
});

/** Reads large chart documents. Without work there is no thread. */
function startDraftThread() {
  const start = workerThread<ToDraftThread, FromDraftThread>(draftProgram, 'draft-reader', bodyThreadHeapMiBMax);
  const bounds = { name: 'the reader of drafts', msMax: bodyReadMsMax, waitingMax: bodiesToReadMax };
  return new JobThread(systemClock, log, start, bounds);
}

/** The disk of the embedded store; null for MongoDB, whose servers have their own disks. */
function watchDisk(): DiskWatch | null {
  if (config.mongodbUrl) return null;
  const measure = () => roomOnDisk(config.dataFolder);
  return new DiskWatch({ clock: systemClock, log }, "the disk of the catalog's store", measure).start();
}

/** The streams are the only label. */
function measureProjections(halts: Halts, notCounted: () => ReturnType<typeof uncounted>, metrics: Registry): void {
  const halted = '1 for each journal that lacks records which the catalog has counted, by stream.';
  family(metrics, 'gauge', 'parterre_projection_halted', halted, () =>
    Array.from(halts.streams(), (stream) => [{ stream }, 1]),
  );
  const lag = new LagWatch({ clock: systemClock, log, ask: notCounted });
  const lagging = 'The age of the oldest message of a journal that is not counted, by stream.';
  family(metrics, 'gauge', 'parterre_projection_lag_seconds', lagging, () => lag.seconds());
  const behind = 'Messages of a journal that are not counted, by stream.';
  family(metrics, 'gauge', 'parterre_projection_behind_messages', behind, () => lag.messages());
}

/**
 * A deployment's first shard makes the layout, and the launcher starts it behind the catalog. So only the projector
 * waits for the layout. A layout other than the configured one ends the process, here as at the start.
 */
function projectWhenLaidOut(
  ports: ProjectorPorts,
  laid: Promise<ClusterLayout>,
  laidOut: (layout: ClusterLayout) => void,
): Projector {
  let projector: Projector | null = null;
  let stopped = false;
  // A refusal stays uncaught on purpose: runService logs it and ends the process.
  void laid.then((layout) => {
    laidOut(layout);
    if (!stopped) projector = startProjector(ports, layout.partitions);
  });
  return {
    async stop() {
      stopped = true;
      await projector?.stop();
    },
  };
}

/** The MongoDB driver costs start-up time and memory, so it is loaded only where it is used. */
async function openStore({ mongodbUrl, dataFolder }: Config): Promise<Store> {
  if (mongodbUrl) {
    const { isMongoAway, openMongoStore } = await import('./store/mongo-store.ts');
    const waiting = { clock: systemClock, log };
    return whenReady(waiting, 'enter MongoDB', () => openMongoStore(mongodbUrl, collections), isMongoAway);
  }
  const folder = join(dataFolder, 'catalog');
  mkdirSync(folder, { recursive: true });
  return openEmbeddedStore(folder, collections);
}
