/**
 * The life of every service process: open /healthz, /readyz and /metrics, start, tell the parent that it is ready,
 * drain within `drainDeadlineMs` on SIGTERM or SIGINT, and leave with 0.
 *
 * States: starting → ready → draining → gone. While starting, /healthz answers 200 and /readyz 503: a start may wait
 * for NATS for a long time. While draining, too, until the process is gone. A signal while starting leaves at once: the
 * service has taken in no work yet. A failure while starting leaves with 1. An uncaught error at any time leaves with 1
 * too: the supervisor starts the process again, and the next owner recovers its partitions from the journal. A service
 * that keeps no truth may go on after a rejection that nobody handled (`Running.onRejection`). An invalid setting is
 * reported without a stack trace.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import build from '../../../package.json' with { type: 'json' };
import { drainDeadlineMs } from '../protocol/limits.ts';
import { SettingFault } from './environment.ts';
import { createLog, type Logger } from './log.ts';
import { family } from './measures.ts';
import { endTracing, startTracing } from './tracing.ts';

/**
 * The time between two looks at the event loop, for `nodejs_eventloop_lag_*`. The library's 10 ms would wake up an idle
 * process a hundred times a second.
 */
export const loopLookMs = 100;

export type Running = {
  /** Stops taking work, finishes the work under way, closes connections. /readyz answers 503 before the call. */
  drain(): Promise<void>;
  /** Added to `drainDeadlineMs`: the time in which the service still takes work, so that others notice /readyz. */
  drainGraceMs?: number;
  /** Background work was rejected, and nobody handled the rejection. Without this the process leaves. */
  onRejection?(error: unknown): void;
  /** The id under which the parent tells other services of the end of this process. */
  id?: string;
  /** Logged with `ready`. */
  facts?: Record<string, unknown>;
  /** False while a dependency is gone; /readyz then answers 503. */
  healthy(): boolean;
};

export type ServiceSettings = {
  log: Logger;
  /** Port of /healthz, /readyz and /metrics on `healthHost`; 0 picks a free one, null opens none. */
  healthPort: number | null;
  healthHost: string;
  /** Turns traces on (tracing.ts). */
  environment: NodeJS.ProcessEnv;
};

/** Message a service sends to the parent that forked it. */
export type ReadyMessage = { type: 'ready'; healthUrl: string | null; id?: string };

/** Message of the parent to a service: it has waited for the processes of these ids, so they have ended. */
export type EndedMessage = { type: 'ended'; ids: string[] };

/** A service that no process has forked hears nothing. Node keeps the messages that come before this call. */
export function hearEnds(onEnded: (ids: string[]) => void): void {
  process.on('message', (message: EndedMessage) => {
    if (message.type === 'ended') onEnded(message.ids);
  });
}

/** The settings of a service. An invalid setting ends the process with 1 and one line. */
export function settingsOf<S>(service: string, read: () => S): S {
  try {
    return read();
  } catch (error) {
    return leaveBroken(createLog(service, 'fatal'), error);
  }
}

/** Runs a service to its end. `start` gets the registry for the service's metrics. */
export async function runService(
  settings: ServiceSettings,
  start: (metrics: Registry) => Promise<Running>,
): Promise<void> {
  const { log } = settings;
  let running: Running | null = null;
  process.on('uncaughtException', (error) => leaveBroken(log, error));
  process.on('unhandledRejection', (error) => {
    if (running?.onRejection) running.onRejection(error);
    else leaveBroken(log, error);
  });
  const metrics = new Registry();
  const isStopping = stopOnSignals(log, () => running);
  const isReady = (): boolean => !isStopping() && (running?.healthy() ?? false);
  measureProcess(metrics, isReady);
  const health = await openHealth(settings, metrics, isReady);
  await startTracing(String(log.bindings().service), settings.environment, log);
  running = await start(metrics);
  const healthUrl = health && `http://${urlHost(settings.healthHost)}:${(health.address() as AddressInfo).port}`;
  const { id } = running;
  process.send?.({ type: 'ready', healthUrl, ...(id && { id }) } satisfies ReadyMessage);
  log.info({ ...running.facts, ...(healthUrl && { healthUrl }) }, 'ready');
}

/** Gauges of the library with the ending of a counter. */
const leftOut = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

function measureProcess(metrics: Registry, isReady: () => boolean): void {
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: loopLookMs });
  for (const name of leftOut) metrics.removeSingleMetric(name);
  const labels = { version: build.version, node: process.versions.node };
  family(metrics, 'gauge', 'parterre_build_info', 'Always 1: the version of this service, and of its Node.', () => [
    [labels, 1],
  ]);
  const ready = '1 while /readyz answers 200. 0 while the process starts, drains, or cannot reach what it needs.';
  family(metrics, 'gauge', 'parterre_ready', ready, () => [[{}, isReady() ? 1 : 0]]);
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function leaveBroken(log: Logger, error: unknown): never {
  if (error instanceof SettingFault) log.fatal(error.message);
  else log.fatal({ err: error }, 'uncaught error, leaving');
  process.exit(1);
}

async function openHealth(settings: ServiceSettings, metrics: Registry, ready: () => boolean): Promise<Server | null> {
  const port = settings.healthPort;
  if (port === null) return null;
  const server = createServer((request, response) => {
    answerHealth(request, response, metrics, ready).catch((error) => {
      settings.log.error({ err: error }, `GET ${request.url} failed`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, settings.healthHost, resolve);
  });
  return server;
}

async function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Registry,
  ready: () => boolean,
): Promise<void> {
  if (request.url === '/healthz') {
    response.writeHead(200).end('ok\n');
  } else if (request.url === '/readyz') {
    const isReady = ready();
    response.writeHead(isReady ? 200 : 503).end(isReady ? 'ready\n' : 'not ready\n');
  } else if (request.url === '/metrics') {
    const text = await metrics.metrics();
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
  } else {
    response.writeHead(404).end();
  }
}

/** The returned function tells whether the service is stopping. */
function stopOnSignals(log: Logger, started: () => Running | null): () => boolean {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const running = started();
    if (!running) process.exit(0);
    log.info({ signal }, 'draining');
    const deadlineMs = drainDeadlineMs + (running.drainGraceMs ?? 0);
    setTimeout(() => {
      log.error(`drain took longer than ${deadlineMs} ms, leaving`);
      process.exit(1);
    }, deadlineMs).unref();
    try {
      await running.drain();
      await endTracing();
    } catch (error) {
      leaveBroken(log, error);
    }
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  // A child must not outlive the supervisor that forked it.
  process.on('disconnect', () => void stop('disconnect'));
  if (process.send && !process.connected) void stop('disconnect');
  return () => stopping;
}
