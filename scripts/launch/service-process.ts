/**
 * One service as a child process: forked from dist/, ready when it says so with the address of its /metrics, its log
 * lines handed on.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ReadyMessage } from '../../shared/src/runtime/service.ts';
import type { LogSink } from './logs.ts';
import { root } from './root.ts';
import type { LiveProcess } from './supervise.ts';

export type ServiceName = 'catalog' | 'notifier' | 'inventory-shard' | 'frontdoor';

/**
 * The secrets of each service, besides its credentials of NATS. A program that runs inside a service reads the whole
 * environment, so no service gets the secrets of another one.
 */
const secretsOf: Record<ServiceName, readonly string[]> = {
  frontdoor: [
    'PARTERRE_ROOT_TOKEN',
    'PARTERRE_ROOT_TOKEN_PREVIOUS',
    'PARTERRE_SECRET',
    'PARTERRE_SECRET_PREVIOUS',
    'PARTERRE_DEMO_KEYS_FILE',
  ],
  'inventory-shard': ['PARTERRE_SECRET', 'PARTERRE_SECRET_PREVIOUS'],
  catalog: ['MONGODB_URL'],
  notifier: [],
};

export function withoutOthersSecrets(service: ServiceName, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = secretsOf[service];
  const others = Object.values(secretsOf)
    .flat()
    .filter((name) => !own.includes(name));
  const left = { ...environment };
  for (const name of others) {
    delete left[name];
    delete left[`${name}_FILE`];
  }
  return left;
}

/**
 * A large space for new objects is collected less often: the slowest p99 of choosing 50 seats halves. Without
 * pretenuring each request dies in that space. With it a front door under load keeps every request until the next full
 * collection, since V8 decides once that requests live long: an answer then costs a quarter more CPU.
 */
export const nodeFlags = [
  '--enable-source-maps',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
];

/** A shard that replays a large journal takes a while; past this a start counts as failed. */
const readyMsMax = 60_000;

export async function startService(
  name: ServiceName,
  env: NodeJS.ProcessEnv,
  log: LogSink,
  onForked: (child: ChildProcess) => void = () => {},
): Promise<LiveProcess> {
  const child = fork(join(root, 'dist', `${name}.js`), {
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: nodeFlags,
    // Out of the terminal's process group: Ctrl-C reaches the launcher only, which stops everything in order.
    detached: true,
  });
  onForked(child);
  createInterface({ input: child.stderr! }).on('line', log.line);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    // An error of a process that runs is no end: a signal or a message did not reach it.
    child.on('error', (error) => child.pid === undefined && resolve(error.message));
  });
  const healthUrl = await ready(child, exited, log);
  return { pid: child.pid!, healthUrl, exited, signal: (signal) => void child.kill(signal) };
}

function ready(child: ChildProcess, exited: Promise<string>, log: LogSink): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`it was not ready after ${readyMsMax / 1000} s; its log is ${log.path}`));
    }, readyMsMax);
    child.on('message', (message: ReadyMessage) => {
      if (message.type !== 'ready') return;
      clearTimeout(timer);
      resolve(message.healthUrl);
    });
    void exited.then((how) => {
      clearTimeout(timer);
      const words = log.lastWords();
      reject(new Error(`it ended (${how})${words ? `: ${words}` : ''}; its log is ${log.path}`));
    });
  });
}
