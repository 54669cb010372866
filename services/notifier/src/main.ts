/**
 * The notifier: turns journal records into signed webhooks. Any number may run; they share the consumers.
 *
 *   config.ts               environment → settings
 *   start.ts                puts the parts together, starts and stops them in order
 *   make-out.ts             journal message → deliveries
 *   deliver.ts              the flow: delivery → attempt → what follows
 *   dispatch.ts             where a delivery goes next: to its endpoint, into its line, or into its backlog
 *   inbound/journal.ts      durable consumers on the journal's partitions
 *   inbound/lanes.ts        retries, when they are due
 *   inbound/backlogs.ts     finds the backlogs there are, and drains them
 *   inbound/in-hand.ts      what is taken and not settled: bounds, and signs of life
 *   inbound/reading.ts      something that is read on through failures
 *   inbound/calls.ts        tests and retries by hand, asked by front doors
 *   inbound/changes.ts      drops what is cached when the catalog says so
 *   rules/occurrences.ts    journal group → bodies of webhooks
 *   rules/hearing.ts        who hears what
 *   rules/delivery.ts       a delivery and its steps
 *   rules/schedule.ts       attempts, pauses, what a result means
 *   rules/signature.ts      the headers a receiver verifies
 *   rules/turns.ts          bounds over all endpoints and for each
 *   outbound/queue.ts       the work-queue streams of retries and backlogs
 *   outbound/consumers.ts   durable consumers, made or brought up to date
 *   outbound/bodies.ts      bodies that no queue carries, made again from the journal
 *   outbound/post.ts        the HTTP request, from its deadline to its answer
 *   outbound/connections.ts connections to receivers, kept for a while
 *   outbound/dial.ts        opens one, to an address that was checked
 *   outbound/resolve.ts     the addresses of a name
 *   rules/post-errors.ts    what a subscriber is told of a post that failed
 *   rules/hand-posts.ts     bounds on what is posted by hand
 *   rules/kept-body.ts      what the history keeps of a body
 *   outbound/history.ts     tells the catalog of attempts, many at a time
 *   outbound/directory.ts   the catalog's answers, cached
 */
import { createCatalogClient } from '@parterre/shared/catalog-client';
import { systemClock } from '@parterre/shared/clock';
import { createLog } from '@parterre/shared/log';
import { connectNats } from '@parterre/shared/nats';
import { createPlanSource } from '@parterre/shared/plans';
import { runService } from '@parterre/shared/service';
import { awaitLayout } from '@parterre/shared/standing-layout';
import { readSettings } from './config.ts';
import { startNotifier } from './start.ts';

const settings = readSettings(process.env);
const log = createLog('notifier', settings.logLevel);

await runService({ log, healthPort: settings.healthPort, healthHost: settings.healthHost }, async () => {
  const nats = await connectNats({ url: settings.natsUrl, name: 'notifier' }, log);
  if (settings.loopbackOpen) log.warn('webhooks may go to loopback addresses and over http: for development only');
  const { partitions } = await awaitLayout({ nats, clock: systemClock, log }, settings.layout);
  const catalog = createCatalogClient(nats);
  const plans = createPlanSource(catalog);
  const ports = { nats, catalog, plans, clock: systemClock, jitter: Math.random, log };
  const { loopbackOpen, nameServers } = settings;
  const notifier = await startNotifier({ ...ports, partitions, loopbackOpen, nameServers });
  return {
    healthy: notifier.connected,
    async drain() {
      await notifier.stop();
      await nats.drain();
    },
  };
});
