/** Wires the front door and stops it: listening, serving, draining. */
import {
  App,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { fileURLToPath } from 'node:url';
import type { Changed } from '@parterre/shared/catalog-api';
import { createCatalogClient } from '@parterre/shared/catalog-client';
import { pause, systemClock } from '@parterre/shared/clock';
import { done, Fault } from '@parterre/shared/errors';
import { chartRefreshesAtOnce, reportFilesAtOnce } from '@parterre/shared/limits';
import type { Logger } from '@parterre/shared/log';
import { connectNats, type NatsConnection } from '@parterre/shared/nats';
import { createPlanSource } from '@parterre/shared/plans';
import type { Running } from '@parterre/shared/service';
import { awaitLayout } from '@parterre/shared/standing-layout';
import { subjects } from '@parterre/shared/subjects';
import { createTurns } from '@parterre/shared/turns';
import { decode, encode } from '@parterre/shared/wire';
import { Counter, Gauge, type Registry } from 'prom-client';
import { createBudgets } from './admission/budgets.ts';
import { createEventsCache } from './admission/events-cache.ts';
import { createPrincipals } from './admission/principals.ts';
import { routes } from './api/routes.ts';
import { createAssets } from './caches/assets.ts';
import { createChartDocuments } from './caches/chart-documents.ts';
import { createDemoFiles } from './caches/demo-files.ts';
import type { Config } from './config.ts';
import { Feeds } from './feeds/feeds.ts';
import { createLatestLog } from './feeds/latest-log.ts';
import { openTickets } from './feeds/tickets.ts';
import type { HttpCounters } from './http/exchange.ts';
import { serveHttp } from './http/http.ts';
import { createRouter } from './http/router.ts';
import { serveSockets } from './http/sockets.ts';
import { createNotifierClient } from './notifier-client.ts';
import { createUnitLists } from './pictures/units.ts';
import type { Ports } from './ports.ts';
import { createNatsCommandBus } from './shards/command-bus.ts';
import { createPlacement } from './shards/placement.ts';
import { createShardClient } from './shards/shard-client.ts';
import { createSaleSummaries } from './summaries/sale-summaries.ts';

const DRAIN_POLL_MS = 20;

export async function startFrontDoor(config: Config, log: Logger, metrics: Registry): Promise<Running> {
  const nats = await connectNats({ ...config.nats, name: 'frontdoor' }, log);
  const app = App();
  const ports = await wire(config, log, nats, app);
  const counters: HttpCounters = { underWay: 0, draining: false, answered: new Map() };
  followChanges(nats, ports, log);
  void followLink(nats, ports);
  measure(metrics, ports, counters);
  serveSockets(app, ports, config.viewerIdleSeconds);
  serveHttp(app, createRouter(routes), ports, counters);
  const listener = await openPort(app, config);
  const port = us_socket_local_port(listener as never);
  return {
    facts: { port, url: `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${port}` },
    healthy: () => ports.linked(),
    drain: () => drain(listener, app, nats, ports, counters),
  };
}

async function wire(config: Config, log: Logger, nats: NatsConnection, app: TemplatedApp): Promise<Ports> {
  const clock = systemClock;
  const catalog = createCatalogClient(nats);
  const placement = createPlacement(await awaitLayout({ nats, clock, log }, config.layout));
  const events = createEventsCache(catalog, clock);
  const principals = createPrincipals(catalog, clock, config.rootToken);
  const plans = createPlanSource(catalog);
  const onFault = (error: unknown) => log.error({ err: error }, 'fault');
  const shards = createShardClient({
    bus: createNatsCommandBus(nats),
    placement,
    clock,
    atTurnEnd: setImmediate,
    onFault,
    async configOf(eventKey) {
      const found = await catalog('events.get', { eventKey });
      return found.ok ? done(found.value.config) : found;
    },
  });
  const feeds = new Feeds({
    clock,
    onFault,
    planOf: plans,
    viewOf: (event) => shards.submit(event, readCaller, { type: 'view' }),
    onEventStatus: events.drop,
    stands: principals.stands,
    async versionOf(event) {
      const counted = await shards.submit(event, readCaller, { type: 'count' });
      return counted.ok ? done(counted.value.version) : counted;
    },
    latestLog: createLatestLog(catalog, plans),
    publish: (topic, frame) => void app.publish(topic, frame, typeof frame !== 'string'),
    listen: (event, onChange) => listen(nats, subjects.feed(placement(event), event.key), onChange, onFault),
    share: (eventKey, share) => nats.publish(subjects.presence(eventKey), encode(share)),
    listenToShares: (eventKey, onShare) => listen(nats, subjects.presence(eventKey), onShare, onFault),
  });
  return {
    clock,
    catalog,
    notifier: createNotifierClient(nats),
    shards,
    principals,
    events,
    plans,
    chartRefreshes: createTurns(chartRefreshesAtOnce),
    reportFiles: createTurns(reportFilesAtOnce),
    feeds,
    unitLists: createUnitLists(),
    budgets: config.budgets && createBudgets(clock, shards, config.budgets),
    clientAddress: config.clientAddress,
    summaries: createSaleSummaries({ clock, shards, events, feeds }),
    documents: createChartDocuments(catalog),
    assets: createAssets(catalog),
    demo: createDemoFiles(fileURLToPath(new URL('demo/', import.meta.url))),
    tickets: await openTickets(nats, clock, config.replicas),
    linked: () => linked.get(nats) ?? true,
    loopbackWebhooks: config.loopbackWebhooks,
    onFault: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
  };
}

const readCaller = { source: 'timer', actor: null, accessSource: 'public' } as const;
const linked = new WeakMap<NatsConnection, boolean>();

function listen<T>(
  nats: NatsConnection,
  subject: string,
  hear: (message: T) => void,
  onFault: (error: unknown) => void,
): () => void {
  const subscription = nats.subscribe(subject, {
    callback(error, message) {
      try {
        if (error) throw error;
        hear(decode<T>(message.data));
      } catch (cause) {
        onFault(new Fault(`follow ${subject}`, cause));
      }
    },
  });
  return () => subscription.unsubscribe();
}

/** What the catalog says has changed is dropped from the caches at once: a revoked key works nowhere a second later. */
function followChanges(nats: NatsConnection, ports: Ports, log: Logger): void {
  nats.subscribe(subjects.changed, {
    callback(error, message) {
      if (error) return log.error({ err: error }, 'cannot follow changes');
      const changed = readChanged(message.data, log);
      if (!changed) return;
      if (changed.kind === 'event') ports.events.drop(changed.eventKey);
      if (changed.kind !== 'key') return;
      ports.principals.drop(changed.hash);
      ports.feeds.onKeyChanged(changed.hash).catch((fault) => ports.onFault(fault, ''));
    },
  });
}

/** Null for what cannot be read: thrown from a callback, it would end the client's reading of the whole connection. */
function readChanged(payload: Uint8Array, log: Logger): Changed | null {
  try {
    return decode<Changed>(payload);
  } catch (error) {
    log.error({ err: error }, 'a change could not be read');
    return null;
  }
}

/** While the link was gone, changes were announced that nobody here heard. */
async function followLink(nats: NatsConnection, ports: Ports): Promise<void> {
  for await (const status of nats.status()) {
    if (status.type === 'disconnect') linked.set(nats, false);
    if (status.type !== 'reconnect') continue;
    linked.set(nats, true);
    ports.principals.clear();
    ports.events.clear();
    ports.feeds.resync();
  }
}

function measure(metrics: Registry, ports: Ports, counters: HttpCounters): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(read());
      },
    });
  gauge('frontdoor_requests_under_way', 'HTTP requests not yet answered', () => counters.underWay);
  gauge('frontdoor_commands_in_flight', 'Commands that wait for an answer', () => ports.shards.inFlight());
  gauge('frontdoor_viewers', 'Open sockets and event streams', () => ports.feeds.viewerCount());
  new Counter({
    name: 'frontdoor_answers_total',
    help: 'HTTP answers by status',
    labelNames: ['status'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [status, count] of counters.answered) this.inc({ status: String(status) }, count);
    },
  });
}

/** LIBUS_LISTEN_EXCLUSIVE_PORT, which the library has, and its types for this form of `listen` leave out. */
const EXCLUSIVE_PORT = 1;
type ListenWithOptions = (
  this: TemplatedApp,
  host: string,
  port: number,
  options: number,
  callback: (socket: us_listen_socket | false) => void,
) => void;

/** Exclusively: the library would else share the port with whoever opens it likewise, and each get some of the requests. */
function openPort(app: TemplatedApp, config: Config): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    (app.listen as unknown as ListenWithOptions).call(app, config.host, config.port, EXCLUSIVE_PORT, (socket) => {
      if (socket) resolve(socket);
      else reject(new Fault(`listen on ${config.host}:${config.port}`));
    });
  });
}

/** No new connections; viewers are sent to another front door; what is under way is answered; then the link goes. */
async function drain(
  listener: us_listen_socket,
  app: TemplatedApp,
  nats: NatsConnection,
  ports: Ports,
  counters: HttpCounters,
): Promise<void> {
  us_listen_socket_close(listener);
  counters.draining = true;
  ports.feeds.closeAll();
  while (counters.underWay > 0) await pause(systemClock, DRAIN_POLL_MS);
  app.close();
  await nats.drain();
}
