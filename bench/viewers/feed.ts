/**
 * `npm run bench -- feed`: viewers of one event arrive, writers sell its seats one after the other, and every viewer
 * must hear of every change. Beside it, in the same run and to the same viewers, the WebSocket library alone publishes
 * frames of that size. Everything shares this machine's cores, so a ratio says more than a figure.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startParterre } from '../../test/support/servers/server.ts';
import { readArguments } from '../arguments.ts';
import { cpuBetween, cpuSeconds } from '../load/cpu.ts';
import { post } from '../load/post.ts';
import { quantile } from '../load/quantile.ts';
import { labelsForSale, publishHall } from '../sales/parterre.ts';
import type { Arrived, Change, TravelReport } from './feed-viewers.ts';
import { startViewers } from './watching.ts';

const options = readArguments({
  viewers: { type: 'string', default: '10000' },
  seconds: { type: 'string', default: '10' },
  writers: { type: 'string', default: '10' },
  /** A writer's pause between two sales, ms. */
  pace: { type: 'string', default: '0' },
  rawFrames: { type: 'string', default: '100' },
  /** Another built checkout, whose services are measured instead. */
  checkout: { type: 'string' },
});
const viewers = Number(options.viewers);
const seconds = Number(options.seconds);
const arrivalMs = 10_000;
const settleMs = 3_000;
const waitMsMax = 60_000;

type Measured = TravelReport & { cpuSeconds: number; changes: Change[] };

const now = (): number => performance.timeOrigin + performance.now();

async function sell(url: string, token: string, eventKey: string, labels: string[], until: number): Promise<Change[]> {
  const changes: Change[] = [];
  for (let label = labels.shift(); label !== undefined && now() < until; label = labels.shift()) {
    const sentAt = now();
    await post(`${url}/v1/events/${eventKey}/hold`, { labels: [label] }, token);
    changes.push({ label, sentAt, answeredAt: now() });
    if (options.pace !== '0') await pause(Number(options.pace));
  }
  return changes;
}

async function measureParterre(): Promise<Measured> {
  const env = { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' };
  const parterre = await startParterre({ env, ...(options.checkout && { checkout: resolve(options.checkout) }) });
  const { url } = parterre;
  const { secretTest, publishableTest } = parterre.demo.keys;
  const watch = startViewers();
  try {
    const chartId = await publishHall(url, secretTest);
    const { meta } = await post<{ meta: { key: string } }>(`${url}/v1/events`, { chartId }, secretTest);
    const at = `/pub/events/${meta.key}`;
    const arrived = await watch<Arrived>({
      order: 'arrive',
      count: viewers,
      port: Number(new URL(url).port),
      path: `${at}/subscribe`,
      tickets: { path: `${at}/subscribe-tickets`, token: publishableTest, origin: url },
      overMs: arrivalMs,
    });
    console.log(`${arrived.viewers} viewers arrived in ${(arrived.tookMs / 1000).toFixed(1)} s`);
    await pause(settleMs);
    const labels = labelsForSale();
    const cpu = cpuOf(parterre.pidOf('frontdoor'));
    const until = now() + seconds * 1_000;
    const writers = Array.from({ length: Number(options.writers) }, () =>
      sell(url, secretTest, meta.key, labels, until),
    );
    const changes = (await Promise.all(writers)).flat();
    const told = await toldAll(watch, changes, 1);
    console.log(`${changes.length} changes in ${seconds} s by ${options.writers} writers`);
    return { ...told, changes, cpuSeconds: cpu() };
  } finally {
    await watch({ order: 'leave' });
    await parterre.stop();
  }
}

/** The CPU time of a process from now on. It includes all work of the process. */
function cpuOf(pid: number): () => number {
  const before = cpuSeconds({ pid });
  return () => cpuBetween(before, cpuSeconds({ pid })).pid!;
}

/** The viewers' report once it is complete, or after a minute as it is. */
async function toldAll(
  watch: ReturnType<typeof startViewers>,
  changes: Change[],
  changesMin: number,
): Promise<TravelReport> {
  for (let waited = 0; ; waited += settleMs) {
    await pause(settleMs);
    const told = await watch<TravelReport>({ order: 'tell', changes });
    const isAll = told.incomplete === 0 && told.untold === 0 && told.heard >= changesMin;
    if (isAll || waited > waitMsMax) return told;
  }
}

async function measureRaw(bytes: number): Promise<Measured> {
  const server = fork(join('dist', 'bench', 'baselines', 'raw-publish.js'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const watch = startViewers();
  try {
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    await watch<Arrived>({ order: 'arrive', count: viewers, port, path: '/', overMs: 0 });
    const cpu = cpuOf(server.pid!);
    server.send({ frames: Number(options.rawFrames), bytes });
    const [changes] = (await once(server, 'message')) as [Change[]];
    const told = await toldAll(watch, changes, Number(options.rawFrames));
    return { ...told, changes, cpuSeconds: cpu() };
  } finally {
    await watch({ order: 'leave' });
    server.kill();
  }
}

const perSecond = ({ frames, overMs }: TravelReport): number => frames / (overMs / 1_000);
const microsPerFrame = (measured: Measured): string => ((measured.cpuSeconds * 1e6) / measured.frames).toFixed(1);
const round = (value: number): string => Math.round(value).toLocaleString('en');

const own = await measureParterre();
const raw = await measureRaw(own.bytesPerFrame);
const ms = ({ p50, p99, max }: TravelReport['fromAnswer']): string => `p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`;
console.log(`machine: ${cpus().length} × ${cpus()[0]?.model}, ${process.version}`);
console.log(
  `changes heard: ${own.heard}, ${own.incomplete} of them not by every viewer once, ${own.untold} untold; ${own.made} frames made of ${own.bytesPerFrame} bytes; ${own.lost} sockets lost`,
);
console.log(`change to frame, from the answer: ${ms(own.fromAnswer)}; from the request: ${ms(own.fromRequest)}`);
console.log(
  `raw publish: publish to frame ${ms(raw.fromAnswer)}; p99 ratio ${(own.fromAnswer.p99 / raw.fromAnswer.p99).toFixed(2)}`,
);
const holds = own.changes.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b);
const held = (share: number): string => quantile(holds, share).toFixed(0);
console.log(`holds beside: p50 ${held(0.5)} ms, p99 ${held(0.99)} ms`);
console.log(`CPU of the server a frame: ${microsPerFrame(own)} µs; raw publish ${microsPerFrame(raw)} µs`);
console.log(
  `CPU of the front door a viewer and second of the sale: ${((own.cpuSeconds * 1e6) / viewers / seconds).toFixed(1)} µs; ${(own.frames / viewers / seconds).toFixed(1)} frames a viewer and second`,
);
console.log(
  `delivered: ${round(perSecond(own))} frames/s; raw publish ${round(perSecond(raw))} frames/s (${raw.incomplete} not by every viewer once); ratio ${(perSecond(own) / perSecond(raw)).toFixed(2)}`,
);
