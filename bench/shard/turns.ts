/**
 * `npm run bench -- turns`: the turns of a shard's event loop on one event of 100,000 seats. Buyers hold and book seats
 * of it, first alone, then beside 100 reports a second, exports and chart changes. Prints the turns' p50, p99, p99.99
 * and longest, the longest turns with their work (turn-probe.ts), and the p99 of a hold or booking alone and beside.
 *
 * Then three shards: 400 reports at once, then a takeover, while buyers go on. Prints the partitions that changed their
 * owner and the longest hold. `--only one` and `--only cluster` run one of the two. Each takes about a minute.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { bowl } from '../../scripts/generate-charts.mjs';
import { type RunFile, readJson } from '../../scripts/launch/data-folder.ts';
import { type Cluster, startCluster } from '../../test/support/servers/cluster.ts';
import { readArguments } from '../arguments.ts';
import { type Generator, startGenerator } from '../load/generator.ts';
import type { LoadResult } from '../load/load.ts';
import { post } from '../load/post.ts';
import { shares, type TurnReport } from './turn-probe.ts';

const options = readArguments({ only: { type: 'string' }, seconds: { type: 'string', default: '10' } });
const seconds = Number(options.seconds);
const connections = 8;
const reportsPerSecond = 100;
/** Reports under way at once. Past this bound a report is not asked for, and counts as left out. */
const reportsAtOnceMax = 400;
const reportMsMax = 20_000;
const probeMsMax = 20_000;

type House = { cluster: Cluster; url: string; token: string; chartId: string; event: string };
type Done = { answered: number; refused: number; leftOut: number; longestMs: number };

const document = bowl() as unknown as ChartDocument;
const labels = compilePlan(document, 'bowl').labels.all();
let from = 0;

async function open(cluster: Cluster): Promise<House> {
  const [url] = cluster.urls as [string];
  const token = cluster.demo.keys.secretTest;
  const { meta } = await post<{ meta: { id: string } }>(`${url}/v1/charts`, { name: 'Bowl', doc: document }, token);
  await post(`${url}/v1/charts/${meta.id}/publish`, {}, token);
  const event = await post<{ meta: { key: string } }>(`${url}/v1/events`, { chartId: meta.id }, token);
  return { cluster, url, token, chartId: meta.id, event: event.meta.key };
}

async function sell(house: House, generator: Generator, forSeconds: number): Promise<LoadResult> {
  const { token, event } = house;
  const ports = house.cluster.urls.map((url) => Number(new URL(url).port));
  const seats = { events: [event], labels, next: from };
  const result = await generator.run({
    ports,
    token,
    connections,
    seconds: forSeconds,
    seats,
    task: { type: 'sales' },
  });
  from = result.next;
  return result;
}

function tellSales(name: string, { successes, seconds: took, p50Ms, p99Ms, maxMs }: LoadResult): void {
  const times = `p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, longest ${maxMs.toFixed(0)} ms`;
  console.log(`${name}: ${(successes / took).toFixed(0)} holds and bookings a second, ${times}`);
}

function tellTurns(name: string, { turns, cpuMs, wallMs, longest }: TurnReport): void {
  const row = (values: number[]): string =>
    values.map((value, i) => `p${(shares[i]! * 100).toFixed(2)} ${value.toFixed(1)}`).join(', ');
  console.log(`${name}: ${turns} turns; CPU ms ${row(cpuMs)}; wall ms ${row(wallMs)}`);
  for (const turn of longest) {
    console.log(`  ${turn.cpuMs.toFixed(1)} ms CPU of ${turn.wallMs.toFixed(1)} ms: ${turn.work}`);
  }
}

/** Ends the probe's measurement in the shard and resolves with its report. */
async function turnsOf(house: House, name: string, folder: string): Promise<TurnReport> {
  const pid = house.cluster.pidOf(name);
  const file = join(folder, `turns-${pid}.json`);
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (const until = performance.now() + probeMsMax; performance.now() < until; await pause(50)) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text) as TurnReport;
  }
  throw new Error(`the probe of ${name} has not answered in ${probeMsMax} ms`);
}

async function read({ url, token, event }: House, path: string, done: Done): Promise<void> {
  const since = performance.now();
  const headers = { Authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(reportMsMax);
  const status = await fetch(`${url}/v1/events/${event}/${path}`, { headers, signal }).then(
    (response) => response.arrayBuffer().then(() => response.status),
    () => 0,
  );
  if (status === 200) done.answered++;
  else done.refused++;
  done.longestMs = Math.max(done.longestMs, performance.now() - since);
}

function noneDone(): Done {
  return { answered: 0, refused: 0, leftOut: 0, longestMs: 0 };
}

function tellDone(name: string, { answered, refused, leftOut, longestMs }: Done): void {
  const rest = `${refused} refused or without an answer, ${leftOut} left out`;
  console.log(`${name}: ${answered} answered, ${rest}, longest ${longestMs.toFixed(0)} ms`);
}

/** Asks at a steady pace, whether or not the answers come. */
async function reportSteadily(house: House, until: number): Promise<Done> {
  const done = noneDone();
  const underWay = new Set<Promise<void>>();
  for (let next = performance.now(); next < until; next += 1000 / reportsPerSecond) {
    await pause(Math.max(0, next - performance.now()));
    if (underWay.size >= reportsAtOnceMax) done.leftOut++;
    else {
      const asked: Promise<void> = read(house, 'report', done).finally(() => underWay.delete(asked));
      underWay.add(asked);
    }
  }
  await Promise.all(underWay);
  return done;
}

async function exportSteadily(house: House, until: number): Promise<Done> {
  const done = noneDone();
  while (performance.now() < until) await read(house, 'report.csv', done);
  return done;
}

/** Publishes the chart with another name and moves the event to it, again and again. */
async function changeCharts({ url, token, chartId, event }: House, until: number): Promise<Done> {
  const done = noneDone();
  for (let n = 1; performance.now() < until; n++) {
    const since = performance.now();
    const path = `${url}/v1/charts/${chartId}`;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const { meta } = (await (await fetch(path, { headers })).json()) as { meta: { updatedAt: string } };
    const doc = { ...document, name: `Bowl ${n}`, categories: recoloured(n) };
    const body = JSON.stringify({ doc, expectedUpdatedAt: meta.updatedAt });
    const put = await fetch(path, { method: 'PUT', headers, body });
    if (!put.ok) throw new Error(`the chart cannot be saved: ${put.status} ${await put.text()}`);
    await post(`${url}/v1/charts/${chartId}/publish`, {}, token);
    const moved = await post(`${url}/v1/events/${event}/update-chart`, {}, token).then(
      () => true,
      () => false,
    );
    if (moved) done.answered++;
    else done.refused++;
    done.longestMs = Math.max(done.longestMs, performance.now() - since);
    await pause(1_000);
  }
  return done;
}

function recoloured(n: number): ChartDocument['categories'] {
  return document.categories.map((category) => ({
    ...category,
    color: `#${(n * 4_321).toString(16).padStart(6, '0')}`,
  }));
}

async function measureOne(generator: Generator): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-turns-'));
  const probe = pathToFileURL(join('dist', 'bench', 'shard', 'turn-probe.js')).href;
  const probed = { NODE_OPTIONS: `--import ${probe}`, TURN_PROBE: join(folder, 'turns') };
  const few = { PARTERRE_SHARDS: '1', PARTERRE_FRONTDOORS: '1', PARTERRE_CATALOGS: '1', PARTERRE_NOTIFIERS: '1' };
  const cluster = await startCluster({
    env: { ...few, PARTERRE_NATS_SERVERS: '1', PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' },
    envOf: { 'inventory-shard-1': probed },
  });
  try {
    const house = await open(cluster);
    await sell(house, generator, 2);
    await turnsOf(house, 'inventory-shard-1', folder);
    const alone = await sell(house, generator, seconds);
    tellSales('alone', alone);
    tellTurns('alone', await turnsOf(house, 'inventory-shard-1', folder));
    const until = performance.now() + seconds * 1000;
    const [beside, reports, exports, changes] = await Promise.all([
      sell(house, generator, seconds),
      reportSteadily(house, until),
      exportSteadily(house, until),
      changeCharts(house, until),
    ]);
    tellSales('beside reports, exports, chart changes', beside);
    tellDone('reports', reports);
    tellDone('exports', exports);
    tellDone('chart changes', changes);
    tellTurns('beside', await turnsOf(house, 'inventory-shard-1', folder));
    console.log(`p99 beside / alone: ${(beside.p99Ms / alone.p99Ms).toFixed(1)}`);
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The number of partitions that the shards lost to each other since they started. */
async function lostPartitions({ cluster }: House): Promise<number> {
  const { health } = readJson<RunFile>(join(cluster.dataDir, 'run.json'))!;
  let lost = 0;
  for (const [name, url] of Object.entries(health)) {
    if (!name.startsWith('inventory-shard')) continue;
    const text = await (await fetch(`${url}/metrics`)).text();
    lost += Number(/^inventory_partitions_lost_total (\d+)/m.exec(text)?.[1] ?? 0);
  }
  return lost;
}

async function measureCluster(generator: Generator): Promise<void> {
  const cluster = await startCluster({ env: { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' } });
  try {
    const house = await open(cluster);
    await sell(house, generator, 2);
    const before = await lostPartitions(house);
    const reports = noneDone();
    const selling = sell(house, generator, seconds);
    await pause(1_000);
    await Promise.all(Array.from({ length: reportsAtOnceMax }, () => read(house, 'report', reports)));
    tellSales(`three shards, ${reportsAtOnceMax} reports at once`, await selling);
    tellDone('reports', reports);
    console.log(`partitions that changed their owner: ${(await lostPartitions(house)) - before}`);
    const takeover = sell(house, generator, seconds);
    await pause(1_000);
    await cluster.restart('inventory-shard-1');
    tellSales('three shards, a restart of one', await takeover);
  } finally {
    await cluster.stop();
  }
}

const generator = startGenerator();
try {
  if (options.only !== 'cluster') await measureOne(generator);
  if (options.only !== 'one') await measureCluster(generator);
} finally {
  generator.stop();
}
