/**
 * The life of every service process: open /healthz, /readyz and /metrics, start, tell the parent that it is ready,
 * drain within `drainDeadlineMs` on SIGTERM or SIGINT, and leave with 0.
 *
 * States: starting → ready → draining → gone. While starting, /healthz answers 200 and /readyz 503: a start may wait
 * for NATS for a long time. A signal while starting leaves at once: the service has taken in no work yet. A failure
 * while starting leaves with 1. So does an uncaught error at any time: the supervisor starts the process again, and the
 * next owner recovers its partitions from the journal. An invalid setting is reported without a stack trace.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { SettingFault } from './environment.ts';
import { drainDeadlineMs } from './limits.ts';
import { createLog, type Logger } from './log.ts';

export type Running = {
  /** Stops taking work, finishes the work under way, closes connections. */
  drain(): Promise<void>;
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
};

/** Message a service sends to the parent that forked it. */
export type ReadyMessage = { type: 'ready'; healthUrl: string | null };

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
  process.on('uncaughtException', (error) => leaveBroken(log, error));
  process.on('unhandledRejection', (error) => leaveBroken(log, error));
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  let running: Running | null = null;
  let health: Server | null = null;
  stopOnSignals(log, () => running && { running, health });
  health = await openHealth(settings, metrics, () => running?.healthy() ?? false);
  running = await start(metrics);
  const healthUrl = health && `http://${urlHost(settings.healthHost)}:${(health.address() as AddressInfo).port}`;
  process.send?.({ type: 'ready', healthUrl } satisfies ReadyMessage);
  log.info({ ...running.facts, ...(healthUrl && { healthUrl }) }, 'ready');
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
  const server = createServer(async (request, response) => {
    if (request.url === '/healthz') return void response.writeHead(200).end('ok\n');
    if (request.url === '/readyz') {
      return void (ready() ? response.writeHead(200).end('ready\n') : response.writeHead(503).end('not ready\n'));
    }
    if (request.url === '/metrics') {
      return void response.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.metrics());
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, settings.healthHost, resolve);
  });
  return server;
}

function stopOnSignals(log: Logger, started: () => { running: Running; health: Server | null } | null): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const service = started();
    if (!service) process.exit(0);
    log.info({ signal }, 'draining');
    setTimeout(() => {
      log.error(`drain took longer than ${drainDeadlineMs} ms, leaving`);
      process.exit(1);
    }, drainDeadlineMs).unref();
    service.health?.close();
    await service.running.drain();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  // A child must not outlive the supervisor that forked it.
  process.on('disconnect', () => void stop('disconnect'));
  if (process.send && !process.connected) void stop('disconnect');
}
