/**
 * Runs one nats-server with JetStream on this machine: loopback only, a free port that is kept over restarts, data in
 * the caller's folder. For development and tests; production runs its own cluster (compose.yaml).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { natsPayloadBytesRoomy } from '../../shared/src/protocol/limits.ts';
import { knowsSyncInterval } from '../../shared/src/runtime/nats-version.ts';

export type NatsServerSettings = {
  path: string;
  version: string;
  /** Holds nats.conf, nats.pid and the streams. */
  folder: string;
  /** 0 lets the server pick a free port; pass its port to get the same one after a restart. */
  port: number;
  /** `always` writes every append through to the disk before its acknowledgement; otherwise a duration such as `2m`. */
  sync: string;
  /** More lines for nats.conf. */
  config?: string;
  /** Called with every line of the server's log. */
  onLine?: (line: string) => void;
};

export type RunningNats = {
  url: string;
  port: number;
  pid: number;
  /** Settles when the process is gone, for any reason. */
  exited: Promise<void>;
  /** Sends the signal and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
};

/** Recovery of the streams in a large data folder takes a while; each logged line is progress. */
const readyMsMax = 60_000;

/** Starts the server and waits until it accepts connections. Throws with the server's last lines when it does not. */
export async function startNatsServer(settings: NatsServerSettings): Promise<RunningNats> {
  await mkdir(settings.folder, { recursive: true, mode: 0o700 });
  const config = join(settings.folder, 'nats.conf');
  // It may hold passwords.
  await writeFile(config, configText(settings), { mode: 0o600 });
  // A process group of its own: Ctrl-C on the terminal reaches the supervisor only, which stops NATS last.
  const child = spawn(settings.path, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const port = await waitUntilReady(child, settings);
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: child.pid!,
    exited,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    },
  };
}

function configText({ folder, port, sync, version, config = '' }: NatsServerSettings): string {
  const syncLine = knowsSyncInterval(version) ? `, sync_interval: ${JSON.stringify(sync)}` : '';
  return [
    `listen: "127.0.0.1:${port === 0 ? -1 : port}"`,
    `max_payload: ${natsPayloadBytesRoomy}`,
    // Within 6 s a server forgets a client or another server that hangs, and hands it no more messages.
    'ping_interval: "2s"',
    'ping_max: 2',
    `pid_file: ${JSON.stringify(join(folder, 'nats.pid'))}`,
    `jetstream { store_dir: ${JSON.stringify(join(folder, 'data'))}${syncLine} }`,
    config,
    '',
  ].join('\n');
}

/** The server logs its port, and then that it is ready: there is no port to guess and nothing to poll. */
async function waitUntilReady(child: ChildProcess, settings: NatsServerSettings): Promise<number> {
  const lines = createInterface({ input: child.stderr! });
  let port = settings.port;
  let lastWords = '';
  const ready = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      settings.onLine?.(line);
      lastWords = line;
      const listening = /Listening for client connections on .*:(\d+)\s*$/.exec(line);
      if (listening) port = Number(listening[1]);
      if (line.includes('Server is ready')) resolve();
    });
  });
  const timeout = AbortSignal.timeout(readyMsMax);
  const outcome = await Promise.race([
    ready.then(() => 'ready' as const),
    once(child, 'close').then(
      () => 'gone' as const,
      (error: Error) => error,
    ),
    once(timeout, 'abort').then(() => 'late' as const),
  ]);
  if (outcome === 'ready') return port;
  child.kill('SIGKILL');
  const why = outcome instanceof Error ? outcome.message : lastWords || outcome;
  throw new Error(`nats-server ${settings.version} did not start: ${why}`);
}
