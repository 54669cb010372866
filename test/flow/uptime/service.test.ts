/** The life of a service process: rejections that nobody handled, and the health port while it drains. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { loopLookMs } from '../../../shared/src/runtime/service.ts';
import { SECOND_MS } from '../../../shared/src/runtime/units.ts';

/** A service under orders of its parent. Its gauge can throw. */
const source = `
  import { Gauge } from 'prom-client';
  import { createLog } from './shared/src/runtime/log.ts';
  import { runService } from './shared/src/runtime/service.ts';
  const log = createLog('test', 'fatal');
  await runService({ log, healthPort: 0, healthHost: '127.0.0.1', environment: {} }, async (metrics) => {
    let broken = false;
    let drained = () => {};
    const gauge = { collect() { if (broken) throw new Error('a bug'); this.set(1); } };
    new Gauge({ name: 'test_gauge', help: 'A gauge.', registers: [metrics], ...gauge });
    process.on('message', (said) => {
      if (said === 'reject') void Promise.reject(new Error('a bug'));
      if (said === 'break') broken = true;
      if (said === 'mend') broken = false;
      if (said === 'drained') drained();
      process.send('done ' + said);
    });
    return {
      healthy: () => true,
      drain: () => new Promise((resolve) => { drained = resolve; process.send('draining'); }),
      ...(process.env.GOES_ON && { onRejection: () => process.send('rejected') }),
    };
  });
`;

let folder: string;
let child: ChildProcess;
let said: unknown[];
let exited: Promise<unknown[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-service-'));
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    outfile: join(folder, 'service.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
});
afterEach(async () => {
  child.kill('SIGKILL');
  await exited;
});
afterAll(() => rm(folder, { recursive: true }));

/** The address of the health port. */
async function start(env: Record<string, string> = {}): Promise<string> {
  said = [];
  child = fork(join(folder, 'service.mjs'), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  exited = once(child, 'exit');
  const [ready] = (await once(child, 'message')) as [{ healthUrl: string }];
  child.on('message', (message) => said.push(message));
  return ready.healthUrl;
}

it('leaves with 1 at a rejection that nobody handled', async () => {
  await start();
  child.send('reject');
  expect((await exited)[0]).toBe(1);
});

it('goes on after such a rejection, if the service says so', async () => {
  const url = await start({ GOES_ON: '1' });
  child.send('reject');
  await expect.poll(() => said).toContain('rejected');
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

it('is not ready from SIGTERM on, and answers its health port until it leaves', async () => {
  const url = await start();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  child.kill('SIGTERM');
  await expect.poll(() => said).toContain('draining');
  const statuses = await Promise.all(['healthz', 'readyz', 'metrics'].map((page) => fetch(`${url}/${page}`)));
  expect(statuses.map(({ status }) => status)).toEqual([200, 503, 200]);
  child.send('drained');
  expect((await exited)[0]).toBe(0);
});

it('survives a metric that cannot be read', async () => {
  const url = await start();
  child.send('break');
  await expect.poll(() => said).toContain('done break');
  await expect(fetch(`${url}/metrics`)).rejects.toThrow();
  child.send('mend');
  await expect.poll(() => said).toContain('done mend');
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
});

it('sleeps between two looks at its event loop', async () => {
  const url = await start();
  // Each answer is about the time since the answer before it, so some looks lie between two questions.
  const shortestMs = async (): Promise<number> => {
    const page = await (await fetch(`${url}/metrics`)).text();
    return Number(/^nodejs_eventloop_lag_min_seconds (\S+)/m.exec(page)![1]) * SECOND_MS;
  };
  const isOneLook = (ms: number): boolean => ms > loopLookMs / 2 && ms < 10 * SECOND_MS;
  await expect.poll(shortestMs, { interval: 5 * loopLookMs, timeout: 10 * SECOND_MS }).toSatisfy(isOneLook);
});
