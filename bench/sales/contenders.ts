/**
 * The contenders: Parterre and the baselines, each started on this machine with data in a temporary folder, and ended
 * by process id. A baseline without its server is missing, with the reason.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from '../../scripts/launch/run-command.ts';
import { startNats } from '../../test/support/servers/nats.ts';
import { post } from '../load/post.ts';
import type { Contender, StartOptions } from './contender.ts';
import { startParterreContender } from './parterre.ts';
import type { ContenderName } from './passes.ts';
import { findProgram, freePort, startServer, versionOf } from './programs.ts';

export type Missing = { missing: string };

/** The contenders by name. Every event has the seats of `labels`. */
const starts: Record<ContenderName, (options: StartOptions) => Promise<Contender | Missing>> = {
  parterre: ({ beside: _, ...options }) => startParterreContender('parterre', 'lifted', options),
  'parterre-beside': (options) => startParterreContender('parterre-beside', 'lifted', options),
  'parterre-budgets': ({ beside: _, ...options }) => startParterreContender('parterre-budgets', 'on', options),
  echo: startEcho,
  'nats-echo': startNatsEcho,
  'redis-everysec': ({ labels }) => startRedis('redis', 'everysec', labels),
  'redis-always': ({ labels }) => startRedis('redis', 'always', labels),
  'redis-uws-everysec': ({ labels }) => startRedis('redis-uws', 'everysec', labels),
  'redis-uws-always': ({ labels }) => startRedis('redis-uws', 'always', labels),
  postgres: ({ labels }) => startPostgres(labels),
};

const initdbMs = 60_000;
/** An unprivileged user of every Unix: PostgreSQL does not run as root. */
const nobody = 65_534;

/** A baseline that cannot start is missing. Without Parterre there is no benchmark. */
export async function startContender(name: ContenderName, options: StartOptions): Promise<Contender | Missing> {
  if (name === 'parterre') return (await starts.parterre(options)) as Contender;
  return starts[name](options).catch((error: unknown) => ({ missing: String(error) }));
}

async function startEcho(): Promise<Contender> {
  const front = await startBaseline('echo');
  const contender = contenderOf('echo', front, { echo: front.child }, async () => 'any', []);
  return { ...contender, soldSeatStatus: 200 };
}

async function startNatsEcho(): Promise<Contender> {
  const nats = await startNats();
  const worker = await startBaseline('nats-echo-worker', nats.url);
  const front = await startBaseline('nats-echo', nats.url);
  const processes = { front: front.child, worker: worker.child, nats };
  return contenderOf('nats-echo', front, processes, async () => 'any', [worker.stop, nats.stop]);
}

/** A Redis of its own, behind the front of this name. */
async function startRedis(
  name: 'redis' | 'redis-uws',
  appendfsync: 'everysec' | 'always',
  labels: readonly string[],
): Promise<Contender | Missing> {
  const sought = await findProgram('redis-server', 'redis-server');
  if (!sought.found) return { missing: sought.why };
  const folder = await mkdtemp(join(tmpdir(), 'parterre-bench-redis-'));
  const port = await freePort();
  // Redis would rewrite its log in the middle of a round. The rewrite is postponed, which favours Redis.
  const settings = { port, dir: folder, bind: '127.0.0.1', appendonly: 'yes', appendfsync, save: '' };
  const args = Object.entries({ ...settings, 'auto-aof-rewrite-percentage': 0 }).flatMap(([key, value]) => [
    `--${key}`,
    String(value),
  ]);
  const server = await startServer(sought.program, args, 'stdout', /Ready to accept connections/);
  const stopServer = async () => {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  const front = await startBaseline(name, String(port)).catch(undo(stopServer));
  const processes = { front: front.child, redis: server };
  const contender = contenderOf(`${name}-${appendfsync}`, front, processes, opener(front.port, labels), [stopServer]);
  return { ...contender, version: await versionOf(sought.program) };
}

async function startPostgres(labels: readonly string[]): Promise<Contender | Missing> {
  const sought = await findProgram('postgres', 'postgresql');
  if (!sought.found) return { missing: sought.why };
  const { path, env } = sought.program;
  const folder = await mkdtemp(join(tmpdir(), 'parterre-bench-postgres-'));
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if (user.uid !== undefined) await chown(folder, nobody, nobody);
  const data = join(folder, 'data');
  const initdb = join(dirname(path), 'initdb');
  const initArgs = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale'];
  const made = await runCommand(initdb, initArgs, { deadlineMs: initdbMs, env, cwd: folder, ...user });
  if (!made.ok) {
    await rm(folder, { recursive: true, force: true });
    return { missing: `initdb: ${made.why}` };
  }
  const settings = { fsync: 'on', synchronous_commit: 'on', shared_buffers: '512MB', max_wal_size: '4GB' };
  const sockets = { listen_addresses: '', unix_socket_directories: folder };
  const args = Object.entries({ ...settings, ...sockets }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const program = { path, env };
  const server = await startServer(program, ['-D', data, ...args], 'stderr', /ready to accept connections/, user);
  const stopServer = async () => {
    // SIGINT: PostgreSQL's "fast" shutdown, which does not wait for clients.
    await server.end('SIGINT');
    await rm(folder, { recursive: true, force: true });
  };
  const front = await startBaseline('postgres', folder).catch(undo(stopServer));
  const processes = { front: front.child, postgres: server };
  const contender = contenderOf('postgres', front, processes, opener(front.port, labels), [stopServer]);
  return { ...contender, version: await versionOf(sought.program) };
}

type Front = { child: ChildProcess; port: number; stop: () => Promise<void> };

function contenderOf(
  name: string,
  front: Front,
  processes: Record<string, { pid?: number | undefined }>,
  openEvent: () => Promise<string>,
  stops: (() => Promise<void>)[],
): Contender {
  const pids = Object.fromEntries(Object.entries(processes).map(([process, { pid }]) => [process, pid!]));
  return {
    name,
    ports: [front.port],
    token: 'none',
    processes: () => pids,
    openEvent,
    soldSeatStatus: 409,
    async stop() {
      for (const stop of [front.stop, ...stops]) await stop();
    },
  };
}

/** Events have numbered names. The call that opens an event is not in Parterre's API. */
function opener(port: number, labels: readonly string[]): () => Promise<string> {
  let last = 0;
  return async () => {
    const event = `event-${++last}`;
    await post(`http://127.0.0.1:${port}/v1/events/${event}`, { labels });
    return event;
  };
}

async function startBaseline(name: string, ...args: string[]): Promise<Front> {
  const child = fork(join('dist', 'bench', 'baselines', `${name}.js`), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const exited = once(child, 'exit');
  const outcome = await Promise.race([once(child, 'message'), exited.then(() => null)]);
  if (!outcome) throw new Error(`the baseline ${name} did not start`);
  const [{ port }] = outcome as [{ port: number }];
  return {
    child,
    port,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/** Ends the servers that were started before, and keeps the error. */
function undo(stop: () => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    await stop();
    throw error;
  };
}
