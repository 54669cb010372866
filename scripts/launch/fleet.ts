/**
 * The processes of one machine: NATS (unless NATS_URL names one) and the four services. NATS comes first, the services
 * start side by side; the way down is the front door, the shard, the notifier, the catalog, and NATS last.
 */
import { join } from 'node:path';
import { drainDeadlineMs } from '../../shared/src/limits.ts';
import type { Settings } from './config.ts';
import { writeRunFile } from './data-folder.ts';
import { findNatsServer } from './find-nats-server.ts';
import { type LogSink, openLog } from './logs.ts';
import { knowsSyncInterval, type RunningNats, startNatsServer } from './nats-server.ts';
import { type ServiceName, startService } from './service-process.ts';
import { type Part, type Supervised, supervise } from './supervise.ts';

const stopOrder: ServiceName[] = ['frontdoor', 'inventory-shard', 'notifier', 'catalog'];
/** A service bounds its own drain; a little later it is taken to hang. */
const stopDeadlineMs = drainDeadlineMs + 2_000;
const natsStopDeadlineMs = 5_000;
/** Said when a start takes longer than a person waits without wondering. */
const patienceMs = 2_000;

export type Fleet = {
  /** Resolves when every process is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
};

export function fleetOf(settings: Settings, rootToken: string, say: (line: string) => void): Fleet {
  const { dataFolder } = settings;
  const running = new Map<string, Supervised>();
  const processes: Record<string, number> = {};
  let natsUrl = settings.natsUrl ?? '';
  let stopping = false;

  const watcher = {
    say: (line: string) => void (stopping || say(line)),
    changed(name: string, pid: number | null) {
      if (pid === null) delete processes[name];
      else processes[name] = pid;
      writeRunFile(dataFolder, { pid: process.pid, natsUrl, processes });
    },
  };
  const logOf = (name: string): LogSink => openLog(join(dataFolder, 'logs'), name, settings.logToTerminal, watcher.say);

  async function up(part: Part): Promise<void> {
    const supervised = await supervise(part, watcher);
    running.set(part.name, supervised);
    // Ctrl-C while this one was starting: it was not yet there to be stopped.
    if (stopping) await supervised.stop(stopDeadlineMs);
  }

  async function startNats(): Promise<void> {
    const found = await findNatsServer({ say, searchPath: settings.searchPath });
    if (!found.found) throw new Error(found.message);
    tellDurability(found.version, settings.natsSync, say);
    const log = logOf('nats');
    let natsPort = 0;
    const start = async () => {
      const server = await startNatsServer({
        ...{ path: found.path, version: found.version, port: natsPort, sync: settings.natsSync },
        folder: join(dataFolder, 'nats'),
        onLine: log.line,
      });
      natsPort = server.port;
      natsUrl = server.url;
      return liveNats(server);
    };
    await up({ name: 'nats', start });
  }

  function partOf(name: ServiceName): Part {
    const log = logOf(name);
    return {
      name,
      start: () => startService(name, serviceEnvironment(settings, { natsUrl, rootToken }), log),
    };
  }

  async function start(): Promise<void> {
    const patience = setTimeout(() => say('Starting the services …'), patienceMs);
    try {
      if (!settings.natsUrl) await startNats();
      // The shard loads events with deadlines as soon as it starts, and asks the catalog for their charts.
      const catalog = up(partOf('catalog'));
      const shard = catalog.then(() => up(partOf('inventory-shard')));
      await Promise.all([catalog, shard, up(partOf('notifier')), up(partOf('frontdoor'))]);
    } catch (error) {
      await stop();
      throw error;
    } finally {
      clearTimeout(patience);
    }
  }

  async function stop(): Promise<void> {
    stopping = true;
    for (const name of stopOrder) await running.get(name)?.stop(stopDeadlineMs);
    await running.get('nats')?.stop(natsStopDeadlineMs);
  }

  return {
    start,
    stop,
    kill() {
      for (const supervised of running.values()) supervised.kill();
    },
  };
}

function liveNats(server: RunningNats) {
  const exited = server.exited.then(() => 'see nats.log');
  return { pid: server.pid, exited, signal: (signal: NodeJS.Signals) => void server.end(signal) };
}

function tellDurability(version: string, sync: string, say: (line: string) => void): void {
  if (!knowsSyncInterval(version)) {
    say(`nats-server ${version} is older than 2.10 and syncs its files every two minutes: for development only.`);
  } else if (sync !== 'always') {
    say(`PARTERRE_NATS_SYNC=${sync}: what was acknowledged since the last sync is lost when the machine loses power.`);
  }
}

/** Every service reads its own; the launcher sets what has to be the same for all of them. */
function serviceEnvironment(settings: Settings, facts: { natsUrl: string; rootToken: string }): NodeJS.ProcessEnv {
  return {
    // On one's own machine webhooks go to receivers on that machine.
    PARTERRE_WEBHOOK_LOOPBACK: '1',
    NODE_ENV: 'production',
    ...settings.environment,
    NATS_URL: facts.natsUrl,
    PARTERRE_DATA: settings.dataFolder,
    PARTERRE_ROOT_TOKEN: facts.rootToken,
    HOST: settings.host,
    PORT: String(settings.port),
    HEALTH_PORT: '0',
  };
}
