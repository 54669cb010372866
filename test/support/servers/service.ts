/** One service as a process of its own, from dist/, which `npm test` has built. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../../scripts/launch/root.ts';
import type { ServiceName } from '../../../scripts/launch/service-process.ts';

export type TestService = {
  child: ChildProcess;
  /** Resolves when the service says that it is ready; rejects when it ends before. */
  ready: Promise<void>;
  /** Its exit code, or the signal that ended it. */
  exited: Promise<number | NodeJS.Signals>;
  /** Its log lines of level fatal, and its other output that is no log line. */
  lastWords(): string[];
  /** SIGTERM, and waits for its end. */
  stop(): Promise<number | NodeJS.Signals>;
};

export function startService(name: ServiceName, env: Record<string, string>): TestService {
  const child = fork(join(root, 'dist', `${name}.js`), {
    env: { ...process.env, PORT: '0', HEALTH_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const words: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => {
    const entry = line.startsWith('{') ? (JSON.parse(line) as { level: string; msg: string; err?: object }) : null;
    if (entry === null) words.push(line);
    else if (entry.level === 'fatal') words.push(entry.err ? `${entry.msg} ${JSON.stringify(entry.err)}` : entry.msg);
  });
  const exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    void exited.then((how) => reject(new Error(`${name} ended with ${how}: ${words.join('\n')}`)));
  });
  // A test that needs the outcome awaits `ready`.
  ready.catch(() => {});
  return {
    child,
    ready,
    exited,
    lastWords: () => words,
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
