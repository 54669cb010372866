/**
 * `npm run bench`: hold + book over HTTP at 64 connections on a 20,000-seat event, all features on, budgets lifted,
 * beside a raw uWebSockets.js JSON echo under the same load in the same run. The two take turns, and the ratio is the
 * median over the pairs: machines drift, ratios much less. `-- --json FILE` writes the figures.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePlan } from '@parterre/shared/chart/compile';
import type { ChartDocument } from '@parterre/shared/chart/document';
import { categoryOf } from '@parterre/shared/chart/plan';
import { theatreAndArena } from '../scripts/generate-charts.mjs';
import { type Parterre, startParterre } from '../test/support/server.ts';
import { type Load, quantile, runLoad, type Script } from './http-load.ts';

const CONNECTIONS = 64;
const PAIRS = 5;
const HOLDS_PER_CONNECTION = 150;
const ECHOES_PER_CONNECTION = 600;
const SYNC = process.env.PARTERRE_NATS_SYNC ?? 'always';

type Figures = { perSecond: number; p50Ms: number; p99Ms: number };

async function main(): Promise<void> {
  const parterre = await startParterre({ env: { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: SYNC } });
  const echo = fork(join('bench', 'baselines', 'echo.mjs'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    const [{ port: echoPort }] = (await once(echo, 'message')) as [{ port: number }];
    const { chartId, labels } = await publishChart(parterre);
    console.log(`hold+book beside echo, ${CONNECTIONS} connections, ${PAIRS} pairs in turn, NATS sync ${SYNC}`);
    await sellRound(parterre, chartId, labels); // warm-up
    await echoRound(echoPort);
    const pairs: { sold: Figures; echoed: Figures }[] = [];
    for (let pair = 1; pair <= PAIRS; pair++) {
      const sold = await sellRound(parterre, chartId, labels);
      const echoed = await echoRound(echoPort);
      pairs.push({ sold, echoed });
      console.log(line(`${pair} hold+book`, sold));
      console.log(line(`${pair} echo`, echoed));
    }
    tell(pairs);
  } finally {
    echo.kill();
    await parterre.stop();
  }
}

function tell(pairs: { sold: Figures; echoed: Figures }[]): void {
  const median = (of: (pair: { sold: Figures; echoed: Figures }) => number): number => quantile(pairs.map(of), 0.5);
  const figures = {
    sync: SYNC,
    connections: CONNECTIONS,
    holdAndBookPerSecond: median(({ sold }) => sold.perSecond),
    echoPerSecond: median(({ echoed }) => echoed.perSecond),
    ratio: median(({ sold, echoed }) => sold.perSecond / echoed.perSecond),
    pairs,
  };
  const { holdAndBookPerSecond, echoPerSecond, ratio } = figures;
  console.log(
    `median: ${holdAndBookPerSecond.toFixed(0)} successes/s, echo ${echoPerSecond.toFixed(0)}/s, ratio ${ratio.toFixed(3)}`,
  );
  const at = process.argv.indexOf('--json');
  if (at > 0) writeFileSync(process.argv[at + 1]!, `${JSON.stringify(figures, null, 2)}\n`);
}

/** One event sold seat by seat: each connection holds and books seats of its own. Successes are holds and bookings. */
async function sellRound(parterre: Parterre, chartId: string, labels: readonly string[]): Promise<Figures> {
  const { meta } = await call<{ meta: { key: string } }>(parterre, '/v1/events', { chartId });
  const path = `/v1/events/${meta.key}`;
  const script = (client: number): Script => {
    let turn = 0;
    let isHeld = false;
    return (answer) => {
      if (answer && answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
      isHeld = answer !== null && !isHeld;
      if (isHeld) {
        const { holdId } = JSON.parse(answer!.body) as { holdId: string };
        return { path: `${path}/book`, body: { holdId, bookingRef: `order-${client}-${turn}` } };
      }
      if (turn === HOLDS_PER_CONNECTION) return null;
      return { path: `${path}/hold`, body: { labels: [labels[client * HOLDS_PER_CONNECTION + turn++]] } };
    };
  };
  const port = Number(new URL(parterre.url).port);
  const token = parterre.demo.keys.secretTest;
  return figuresOf(await runLoad({ port, token, connections: CONNECTIONS, script }));
}

async function echoRound(port: number): Promise<Figures> {
  const script = (): Script => {
    let turn = 0;
    return () => (turn++ === ECHOES_PER_CONNECTION ? null : { path: '/', body: { labels: [`A-${turn}`] } });
  };
  return figuresOf(await runLoad({ port, token: 'none', connections: CONNECTIONS, script }));
}

function figuresOf({ latenciesMs, seconds, statuses }: Load): Figures {
  return {
    perSecond: (statuses[200] ?? 0) / seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

function line(name: string, { perSecond, p50Ms, p99Ms }: Figures): string {
  return `${name.padEnd(12)} ${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms`;
}

async function publishChart(parterre: Parterre): Promise<{ chartId: string; labels: readonly string[] }> {
  const doc = theatreAndArena() as unknown as ChartDocument;
  const { meta } = await call<{ meta: { id: string } }>(parterre, '/v1/charts', { name: 'Bench', doc });
  await call(parterre, `/v1/charts/${meta.id}/publish`, {});
  const plan = compilePlan(doc, 'bench');
  return { chartId: meta.id, labels: plan.labels.filter((_, unit) => !categoryOf(plan, unit).notForSale) };
}

async function call<T>(parterre: Parterre, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${parterre.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${parterre.demo.keys.secretTest}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}

await main();
