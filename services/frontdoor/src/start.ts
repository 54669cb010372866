/** Wires the front door, opens its port, and drains it at the end. */

import {
  App,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { fileURLToPath } from 'node:url';
import { compilerThread, createPlanSource, measureCompiler, PlanCompiler } from '@parterre/shared/charts/plans/plans';
import type { Beat } from '@parterre/shared/protocol/beat';
import { done, Fault, type Outcome } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { JobThread, workerThread } from '@parterre/shared/protocol/job-thread';
import {
  bodiesToReadMax,
  bodyReadMsMax,
  bodyThreadHeapMiBMax,
  bulkCallsAtOnce,
  chartRefreshesAtOnce,
  drainDeadlineMs,
  reportFileDeadlineMs,
  reportFilesAtOnce,
  requestDeadlineMs,
} from '@parterre/shared/protocol/limits';
import type { EventConfig } from '@parterre/shared/protocol/records';
import { subjects } from '@parterre/shared/protocol/subjects';
import { encode } from '@parterre/shared/protocol/wire';
import { type CatalogClient, createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, pause, systemClock } from '@parterre/shared/runtime/clock';
import {
  type AcceptedKeys,
  awaitSecret,
  type DeploymentSecrets,
  findSecrets,
  keysFor,
  nameKeyFor,
} from '@parterre/shared/runtime/deployment-secret';
import { createPartyLimiter } from '@parterre/shared/runtime/limiter';
import type { Logger } from '@parterre/shared/runtime/log';
import { counter } from '@parterre/shared/runtime/measures';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { createPlacement, type Placement } from '@parterre/shared/runtime/placement';
import { answerRollCalls } from '@parterre/shared/runtime/roll-call';
import type { Running } from '@parterre/shared/runtime/service';
import { awaitLayout } from '@parterre/shared/runtime/standing-layout';
import type { Registry } from 'prom-client';
import { AccessLog } from './access-log/access-log.ts';
import {
  type BodyThread,
  createBudgets,
  createEventsCache,
  createLargeBodies,
  createLargeLimiter,
  createPrincipals,
  type FromBodyThread,
  type ToBodyThread,
} from './admission/admission.ts';
import { answerWhy, followChanges, followLink, isLinked, listen, tellFigures } from './announcements.ts';
import { routes } from './api/api.ts';
import { createNotifierClient } from './api/calls/notifier-client.ts';
import type { Ports } from './api/calls/ports.ts';
import { createPublicSessions } from './api/calls/public-sessions.ts';
import {
  createAssets,
  createChartDocuments,
  createDemoKeys,
  createEventWords,
  createGroupsCache,
  createPageFiles,
  createPublicCharts,
  createSeasonsCache,
  type PageFiles,
} from './caches/caches.ts';
import { createChartFiles } from './chart-files/chart-files.ts';
import { fileProcesses } from './chart-files/file-process.ts';
import type { Config } from './config.ts';
import {
  DoorsFigures,
  type FiguresAsked,
  RefusalTallies,
  SalesWindows,
  WebhookLags,
} from './control-room/control-room.ts';
import { lookAtDeployment, type StatusPorts } from './deployment-status.ts';
import { Feeds, type FeedsPorts } from './feeds/feeds.ts';
import { createLatestLog } from './feeds/latest-log.ts';
import { createRouter, type HttpCounters, newHttpCounters, serveHttp } from './http/http.ts';
import { measure } from './metrics.ts';
import { createOidc } from './oidc/oidc.ts';
import { createUnitLists } from './pictures/pictures.ts';
import { Readiness, type ReadinessPorts } from './readiness.ts';
import { createCommandBus } from './shards/command-bus.ts';
import { createShardClient } from './shards/shard-client.ts';
import { ShardLinks } from './shards/shard-links.ts';
import { serveSockets } from './sockets/sockets.ts';
import { createSaleSummaries } from './summaries/sale-summaries.ts';
import { createTickets, type Tickets } from './tickets/tickets.ts';

const compilerProgram = new URL('./plan-compiler.js', import.meta.url);

const bodyProgram = new URL('./body-thread.js', import.meta.url);

const fileProgram = new URL('./chart-files.js', import.meta.url);

const DRAIN_POLL_MS = 20;

/** A proxy that asks no health port connects until the port closes. Its last connection still brings its request. */
const DRAIN_LAST_REQUEST_MS = 250;

const SHORT_TURN_MS = 0.1;
const SHORT_TURN_WAIT_MS = 500;

/** The share of `drainDeadlineMs` that requests under way get. */
const DRAIN_SHARE = 0.8;

export async function startFrontDoor(config: Config, log: Logger, metrics: Registry): Promise<Running> {
  const nats = await connectNats({ ...config.nats, name: 'frontdoor' }, log);
  const app = App();
  const compiler = new PlanCompiler(systemClock, log, compilerThread(compilerProgram));
  const bodyThread = startBodyThread(log);
  const ports = await wire(config, log, nats, app, compiler, bodyThread);
  const accessLog = new AccessLog(log, ports.clock, config.accessLog, ports.controlRoom.refusals);
  const counters = newHttpCounters(systemClock, accessLog);
  followChanges(nats, ports, log);
  answerWhy(nats, accessLog, log);
  void followLink(nats, ports);
  answerRollCalls({
    nats,
    service: 'frontdoor',
    id: newId('fdr'),
    dataFolder: null,
    facts: () => ({
      budgets: config.budgets === null ? 'off' : Object.fromEntries(config.budgets),
      trustsProxies: config.isProxy !== null,
      viewers: ports.feeds.viewerCount(),
    }),
  });
  measure(metrics, ports, counters);
  measureCompiler(compiler, metrics);
  counter(metrics, 'frontdoor_body_reader_deaths_total', 'Readers of large bodies that died.', () => bodyThread.deaths);
  serveSockets(app, ports, counters, config.viewerIdleSeconds);
  serveHttp(app, createRouter(routes), ports, counters);
  const listener = await openPort(app, config);
  const port = us_socket_local_port(listener as never);
  return {
    facts: { port, url: `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${port}` },
    healthy: () => ports.linked(),
    async drain() {
      await drain(listener, app, nats, ports, counters, config.drainGraceMs, log);
      await compiler.close();
      await bodyThread.close();
    },
    drainGraceMs: config.drainGraceMs,
    onRejection: (error) => log.error({ err: error }, 'background work was rejected, and nobody waited for it'),
  };
}

/** Reads large bodies. Without work there is no thread. */
function startBodyThread(log: Logger) {
  const start = workerThread<ToBodyThread, FromBodyThread>(bodyProgram, 'body-reader', bodyThreadHeapMiBMax);
  const bounds = { name: 'the reader of large bodies', msMax: bodyReadMsMax, waitingMax: bodiesToReadMax };
  return new JobThread(systemClock, log, start, bounds);
}

async function wire(
  config: Config,
  log: Logger,
  nats: NatsConnection,
  app: TemplatedApp,
  compiler: PlanCompiler,
  bodyThread: BodyThread,
): Promise<Ports> {
  const onFault = (error: unknown) => log.error({ err: error }, 'background work failed');
  const clock = guardedClock(systemClock, onFault);
  const catalog = createCatalogClient(nats, log);
  const layout = await awaitLayout({ nats, clock, log }, config.layout);
  const placement = createPlacement(layout);
  const secrets = await findSecrets(config.secrets, () => awaitSecret({ nats, clock, log }));
  const events = createEventsCache(catalog, clock);
  const plans = createPlanSource(catalog, compiler);
  const shards = createShardClient({
    bus: createCommandBus(nats, new ShardLinks(keysFor('links', secrets), clock, () => isLinked(nats))),
    placement,
    clock,
    onVersion: (eventKey, version) => feeds.expect(eventKey, version),
    atTurnEnd: setImmediate,
    isHopeless: () => readiness.isHopeless(),
    onFault,
    configOf: (eventKey) => configOf(catalog, eventKey),
  });
  const budgets = config.budgets && createBudgets(clock, shards, config.budgets);
  const linked = () => isLinked(nats);
  const principals = createPrincipals(catalog, clock, config.rootTokens, budgets?.lookups ?? null, linked);
  const feedsParts = { nats, app, clock, catalog, plans, shards, principals, events, placement, onFault };
  const feeds = openFeeds(feedsParts, config.watchedEventsMax);
  const readiness = watchReadiness({ clock, log, catalog, linked }, nats, onFault);
  return {
    clock,
    catalog,
    openPublicSession: createPublicSessions(catalog, clock, principals),
    notifier: createNotifierClient(nats, log, clock),
    shards,
    principals,
    events,
    groups: createGroupsCache(catalog, clock),
    seasons: createSeasonsCache(catalog, clock),
    plans,
    words: createEventWords({ plans, clock, onFault }),
    chartRefreshes: createPartyLimiter(chartRefreshesAtOnce),
    reportFiles: createLargeLimiter(clock, reportFilesAtOnce, 1, reportFileDeadlineMs),
    feeds,
    controlRoom: openControlRoom({ nats, log, clock, catalog, events, budgets, onFault }),
    unitLists: createUnitLists(),
    budgets,
    largeBodies: createLargeBodies(clock, bodyThread),
    bulkLimiter: createLargeLimiter(clock, bulkCallsAtOnce, 1),
    clientAddress: config.clientAddress,
    isProxy: config.isProxy,
    summaries: createSaleSummaries({ clock, shards, events, feeds }),
    ...createCharts(catalog),
    chartFiles: createChartFiles({ catalog, clock, run: fileProcesses(fileProgram, clock), onFault }),
    assets: createAssets(catalog),
    demoKeys: createDemoKeys(config.demoKeysFile),
    ...servedPages(),
    ...keysOf(secrets),
    tickets: openTickets(nats, clock, keysFor('tickets', secrets), onFault),
    oidc: config.oidc && createOidc({ settings: config.oidc, key: keysFor('sign-ins', secrets)[0], clock, log }),
    ...healthPorts(readiness, nats, clock, layout.partitions, onFault),
    linked,
    loopbackWebhooks: config.loopbackWebhooks,
    onFault: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
  };
}

function createCharts(catalog: CatalogClient): Pick<Ports, 'documents' | 'publicCharts'> {
  const documents = createChartDocuments(catalog);
  return { documents, publicCharts: createPublicCharts(documents.published) };
}

async function configOf(catalog: CatalogClient, eventKey: string): Promise<Outcome<EventConfig>> {
  const found = await catalog('events.get', { eventKey });
  return found.ok ? done(found.value.config) : found;
}

function healthPorts(
  readiness: Readiness,
  nats: NatsConnection,
  clock: Clock,
  partitions: number,
  onFault: (error: unknown) => void,
): Pick<Ports, 'readiness' | 'status'> {
  const hearMembers: StatusPorts['listen'] = (subject, hear) => listen(nats, subject, hear, onFault);
  return { readiness, status: () => lookAtDeployment({ nats, clock, partitions, listen: hearMembers }) };
}

function watchReadiness(ports: ReadinessPorts, nats: NatsConnection, onFault: (error: unknown) => void): Readiness {
  const readiness = new Readiness(ports);
  listen<Beat>(nats, subjects.allMembers, (beat) => readiness.hear(beat), onFault);
  readiness.watch();
  return readiness;
}

/** A clock whose timers log an exception. Otherwise the exception would end the process. */
export function guardedClock(clock: Clock, onFault: (error: unknown) => void): Clock {
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    after: (delayMs, run) =>
      clock.after(delayMs, () => {
        try {
          run();
        } catch (error) {
          onFault(error);
        }
      }),
  };
}

function keysOf(secrets: DeploymentSecrets): Pick<Ports, 'visitorKey' | 'framerKeys' | 'holdIdKey' | 'addressKey'> {
  return {
    visitorKey: nameKeyFor('visitor addresses', secrets),
    framerKeys: keysFor('designer framers', secrets),
    holdIdKey: nameKeyFor('hold ids', secrets),
    addressKey: nameKeyFor('public addresses', secrets),
  };
}

/** The pages of people: buyers', designers' and sellers'. */
function servedPages(): Pick<Ports, 'demo' | 'designer' | 'console'> {
  return { demo: filesOf('demo'), designer: filesOf('designer'), console: filesOf('console') };
}

function filesOf(page: string): PageFiles {
  return createPageFiles(fileURLToPath(new URL(`${page}/`, import.meta.url)));
}

type FeedsParts = Pick<Ports, 'clock' | 'catalog' | 'plans' | 'shards' | 'principals' | 'events'> & {
  nats: NatsConnection;
  app: TemplatedApp;
  placement: Placement;
  onFault(error: unknown): void;
};

function openFeeds(parts: FeedsParts, watchedEventsMax: number): Feeds {
  const { nats, app, clock, catalog, plans, shards, principals, events, placement, onFault } = parts;
  const ports: FeedsPorts = {
    clock,
    onFault,
    planOf: plans,
    viewOf: (event) => shards.submit(event, readCaller, { type: 'view' }, clock.elapsed() + requestDeadlineMs),
    onEventStatus: events.drop,
    stands: principals.stands,
    async versionOf(event) {
      const counted = await shards.submit(event, readCaller, { type: 'count' }, clock.elapsed() + requestDeadlineMs);
      return counted.ok ? done(counted.value.version) : counted;
    },
    latestLog: createLatestLog(catalog, plans),
    publish: (topic, frame) => void app.publish(topic, frame, typeof frame !== 'string'),
    listen: (event, onChange) => listen(nats, subjects.feed(placement(event), event.key), onChange, onFault),
    share: (eventKey, share) => nats.publish(subjects.presence(eventKey), encode(share)),
    listenToShares: (eventKey, onShare) => listen(nats, subjects.presence(eventKey), onShare, onFault),
  };
  return new Feeds(ports, watchedEventsMax);
}

type ControlRoomParts = Pick<Ports, 'clock' | 'catalog' | 'events' | 'budgets'> & {
  nats: NatsConnection;
  log: Logger;
  onFault(error: unknown): void;
};

function openControlRoom(parts: ControlRoomParts): Ports['controlRoom'] {
  const { nats, log, clock, catalog, events, budgets, onFault } = parts;
  const notifier = createNotifierClient(nats, log, clock);
  const door = newId('fdr');
  const refusals = new RefusalTallies(clock, (eventKey) => events.peek(eventKey)?.event.organisationId ?? null);
  const own = ({ eventKey, organisationId }: FiguresAsked) => ({
    door,
    since: refusals.since,
    refusals: refusals.of(eventKey),
    budgets: budgets?.uses.of(organisationId) ?? [],
  });
  const ask = tellFigures(nats, own, (told) => doors.hear(told, door), onFault);
  const doors = new DoorsFigures({ clock, own, ask });
  const webhooks = new WebhookLags({
    clock,
    catalog,
    async backlogs(subIds) {
      const found = await notifier('backlogs', { subIds }, clock.elapsed() + requestDeadlineMs);
      return found.ok ? found.value.backlogs : null;
    },
  });
  return { refusals, sales: new SalesWindows(catalog, clock), doors, webhooks };
}

function openTickets(
  nats: NatsConnection,
  clock: Clock,
  keys: AcceptedKeys,
  onFault: (error: unknown) => void,
): Tickets {
  const share = (ids: string[]) => {
    try {
      nats.publish(subjects.redeemedTickets, encode(ids));
    } catch (error) {
      // The link is closed for good: this front door ends, and admits nobody any more.
      onFault(error);
    }
  };
  const tickets = createTickets({ keys, clock, atTurnEnd: setImmediate, share });
  listen<string[]>(nats, subjects.redeemedTickets, tickets.noteRedeemed, onFault);
  return tickets;
}

const readCaller = { source: 'timer', actor: null, accessSource: 'public' } as const;

/** LIBUS_LISTEN_EXCLUSIVE_PORT of the server library. Its types lack this form of `listen`. */
const EXCLUSIVE_PORT = 1;

type ListenWithOptions = (
  this: TemplatedApp,
  host: string,
  port: number,
  options: number,
  callback: (socket: us_listen_socket | false) => void,
) => void;

/**
 * Opens the port for this process alone. Otherwise the library would share the port with another process that opens the
 * same port, and each process would get some of the requests.
 */
function openPort(app: TemplatedApp, config: Config): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    (app.listen as unknown as ListenWithOptions).call(app, config.host, config.port, EXCLUSIVE_PORT, (socket) => {
      if (socket) resolve(socket);
      else reject(new Fault(`listen on ${config.host}:${config.port}`));
    });
  });
}

/**
 * Resolves right after a turn of the loop that took the waiting connections and did little else, or after
 * `SHORT_TURN_WAIT_MS`. A connection that came during the turn still waits, so the turn must be short.
 */
async function shortTurn(): Promise<void> {
  const until = performance.now() + SHORT_TURN_WAIT_MS;
  for (let began = performance.now(); ; began = performance.now()) {
    await new Promise(setImmediate);
    const now = performance.now();
    if (now - began < SHORT_TURN_MS || now > until) return;
  }
}

/**
 * The end of a front door. /readyz answers 503 already. The port stays open for the grace, so that the load balancer
 * sends its requests elsewhere: requests are answered with `Connection: close`, new sockets are refused. Then viewers
 * are sent to another front door. The port closes right after the loop has taken the connections that wait: the system
 * resets a connection that waits longer. The last connections bring their requests, the requests under way finish, and
 * the link to NATS closes. Requests that need longer than most of `drainDeadlineMs` are cut off.
 */
async function drain(
  listener: us_listen_socket,
  app: TemplatedApp,
  nats: NatsConnection,
  ports: Ports,
  counters: HttpCounters,
  graceMs: number,
  log: Logger,
): Promise<void> {
  counters.draining = true;
  if (graceMs > 0) await pause(systemClock, graceMs);
  const cutAt = systemClock.elapsed() + drainDeadlineMs * DRAIN_SHARE;
  await ports.feeds.closeAll();
  await shortTurn();
  us_listen_socket_close(listener);
  if (graceMs > 0) await pause(systemClock, DRAIN_LAST_REQUEST_MS);
  while (counters.underWay > 0 && systemClock.elapsed() < cutAt) await pause(systemClock, DRAIN_POLL_MS);
  if (counters.underWay > 0) log.warn({ requests: counters.underWay }, 'requests are cut off at the end of the drain');
  app.close();
  await ports.chartFiles.close();
  await nats.drain();
}
