/**
 * The notifier turns journal records into signed webhooks. Any number may run; they share the consumers.
 *
 *   config.ts      environment → settings
 *   start.ts       wires the parts, starts and stops them in order
 *   metrics.ts     dropped deliveries, lost history, bytes of the queues
 *
 * The way of a delivery:
 *
 *   journal/       journal-reader.ts reads one durable consumer for each partition; journal-consumer.ts makes
 *                  it; fan-out.ts makes a journal message into deliveries; await-journal.ts waits for a partition's
 *                  journal
 *   outbox/        outbox-reader.ts takes the occurrences of seasons from their outbox in the catalog
 *   occurrences/   rules/matching.ts: which subscriptions an occurrence matches; body-source.ts makes long bodies
 *                  again from the journal; occurrences.ts of shared/ makes occurrences and bodies
 *   deliveries/    dispatch.ts gives a delivery a slot or puts it into its backlog; deliver.ts makes the attempt and
 *                  settles it; retry-queues.ts dispatches due retries; backlogs.ts finds and drains backlogs; queues.ts
 *                  puts into both and counts them, queue-readers.ts opens them, queue-streams.ts makes their streams;
 *                  losses.ts tells what full queues drop; recoveries.ts queues again what did not arrive; rules/: the
 *                  delivery, the schedule, the slots, the settled deliveries, the ledger of the queues and its
 *                  subjects, the row of a loss
 *   endpoints/     post.ts makes the HTTP request; connections.ts keeps connections; dial.ts opens one to a checked
 *                  address; resolve.ts looks up a name; rules/: the signature, the result, the words of an error
 *   catalog/       recorder.ts reports attempts to the history; directory.ts caches the catalog's answers;
 *                  rules/history-body.ts: the part of a body that the history stores
 *
 * Beside this way:
 *
 *   manual-posts/  tests and retries that people ask for: answer-calls.ts, operations.ts and their bounds
 *   streams/       for every reader of a stream: consumers.ts, keep-reading.ts, unsettled.ts (bounds, signs of life)
 */

import { jetstreamManager } from '@nats-io/jetstream';
import { compilerThread, createPlanSource, measureCompiler, PlanCompiler } from '@parterre/shared/charts/plans/plans';
import { newId } from '@parterre/shared/protocol/ids';
import { createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { systemClock } from '@parterre/shared/runtime/clock';
import { LagWatch } from '@parterre/shared/runtime/lag-watch';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats } from '@parterre/shared/runtime/nats';
import { answerRollCalls } from '@parterre/shared/runtime/roll-call';
import { runService, settingsOf } from '@parterre/shared/runtime/service';
import { awaitLayout } from '@parterre/shared/runtime/standing-layout';
import { readSettings } from './config.ts';
import { waitingOf } from './lags.ts';
import { measure } from './metrics.ts';
import { startNotifier } from './start.ts';

const compilerProgram = new URL('./plan-compiler.js', import.meta.url);

const settings = settingsOf('notifier', () => readSettings(process.env));
const log = createLog('notifier', settings.logLevel);

const { healthPort, healthHost } = settings;
await runService({ log, healthPort, healthHost, environment: process.env }, async (metrics) => {
  const nats = await connectNats({ ...settings.nats, name: 'notifier' }, log);
  // The launcher opens loopback where HOST is this machine alone.
  if (settings.loopbackOpen) log.info('webhooks may go to loopback addresses and over http: for development only');
  const { partitions } = await awaitLayout({ nats, clock: systemClock, log }, settings.layout);
  const catalog = createCatalogClient(nats, log);
  const compiler = new PlanCompiler(systemClock, log, compilerThread(compilerProgram));
  const plans = createPlanSource(catalog, compiler);
  const ports = { nats, catalog, plans, clock: systemClock, jitter: Math.random, log };
  const { loopbackOpen, nameServers, queuesMb, natsStorageBytes } = settings;
  const notifier = await startNotifier({ ...ports, partitions, loopbackOpen, nameServers, queuesMb, natsStorageBytes });
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const lag = new LagWatch({ clock: systemClock, log, ask: () => waitingOf(manager, partitions) });
  measure(metrics, { ...notifier.measured, lag });
  measureCompiler(compiler, metrics);
  answerRollCalls({ nats, service: 'notifier', id: newId('ntf'), dataFolder: null, facts: () => ({}) });
  return {
    healthy: notifier.connected,
    async drain() {
      await notifier.stop();
      await compiler.close();
      await nats.drain();
    },
  };
});
