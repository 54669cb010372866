/**
 * `npm run bench -- opening`: visitors open the map of an event of 100,000 seats, while its seats are sold at a steady
 * rate. Each way to open a map has an event of its own. The benchmark prints the openings a second, the latency, CPU
 * and bytes of an opening, and the latencies of the sale's calls without and with the openings.
 *
 * - `page`: bootstrap and availability, as the picker opens a map without files;
 * - `calls`: bootstrap, chart, objects and availability;
 * - `files`: bootstrap with files=1, which has the availability, and the public files and statuses that it names;
 * - `cached`: the same behind nginx with a cache (caching-proxy.ts).
 *
 * The visitors are a closed loop, so the sale's latencies beside them are those of a front door without a pause. CPU is
 * the time of a process during the openings, without the share of the sale, which is measured before them. The sale's
 * share may be smaller beside the openings, so a process that serves the sale alone is told with 0.
 *
 * Ends with 1 if the front door takes more CPU than its bound for `files` or `cached`. A server that knows no files, or
 * a machine without nginx, leaves these ways out, and the benchmark says so.
 */
import { createHash } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { compilePlan } from '@parterre/shared/charts/compile';
import { bowl } from '../../scripts/generate-charts.mjs';
import { type Parterre, startParterre } from '../../test/support/servers/server.ts';
import { endWith, readArguments } from '../arguments.ts';
import { cpuBetween, cpuSeconds, tellsCpu } from '../load/cpu.ts';
import { startGenerator } from '../load/generator.ts';
import type { LoadResult } from '../load/load.ts';
import type { BootstrapWithFiles, MapPage, Opening } from '../load/open-map.ts';
import { post } from '../load/post.ts';
import { processesIn, publishHall } from '../sales/parterre.ts';
import { type CachingProxy, startCachingProxy } from './caching-proxy.ts';
import { startCrowd } from './crowd-side.ts';
import type { OpeningsReport } from './openings.ts';

const options = readArguments({
  openings: { type: 'string', default: '20000' },
  /** Visitors at once. */
  visitors: { type: 'string', default: '32' },
  /** Calls of the sale a second, two for each seat. */
  rate: { type: 'string', default: '100' },
  /** The ways to open a map, with commas between. */
  ways: { type: 'string', default: 'page,calls,files,cached' },
  /** Sections of 500 seats. */
  sections: { type: 'string', default: '200' },
  /** Another built checkout, whose services run instead. */
  checkout: { type: 'string' },
});
const openings = Number(options.openings);
const visitors = Number(options.visitors);
const perSecond = Number(options.rate);

type Way = { opening: Opening; isCached: boolean; frontdoorMicrosMax: number };
const ways: Record<string, Way> = {
  page: { opening: 'page', isCached: false, frontdoorMicrosMax: Number.POSITIVE_INFINITY },
  calls: { opening: 'calls', isCached: false, frontdoorMicrosMax: Number.POSITIVE_INFINITY },
  files: { opening: 'files', isCached: false, frontdoorMicrosMax: 250 },
  cached: { opening: 'files', isCached: true, frontdoorMicrosMax: 60 },
};

const saleConnections = 16;
const aloneSeconds = 10;
/** Longer than any openings: the sale is cut at their end. */
const besideSeconds = 3_600;
/** Node compiles, and the first opening of an event makes its forms. */
const warmUpOpenings = 500;
const warmUpSeconds = 10;

async function main(): Promise<void> {
  if (!tellsCpu) endWith('this benchmark reads /proc, and runs on Linux only');
  const names = options.ways.split(',');
  const unknown = names.find((name) => !Object.hasOwn(ways, name));
  if (unknown !== undefined) endWith(`there is no way ${unknown}. There are: ${Object.keys(ways).join(', ')}`);
  const env = { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' };
  const parterre = await startParterre({ env, ...(options.checkout && { checkout: options.checkout }) });
  const crowd = startCrowd();
  const generator = startGenerator();
  let proxy: CachingProxy | { missing: string } | null = null;
  try {
    const doc = bowl(Number(options.sections));
    const labels = [...compilePlan(doc, 'bench').labels.all()];
    const chartId = await publishHall(parterre.url, parterre.demo.keys.secretTest, doc);
    const world = { parterre, crowd, generator, labels, chartId };
    const load = loadavg()[0]!.toFixed(1);
    console.log(`${cpus().length} × ${cpus()[0]?.model}, load ${load}, ${process.version}; ${labels.length} seats`);
    const knowsFiles = await checkFiles(world);
    for (const name of names) {
      const way = ways[name]!;
      if (way.opening === 'files' && !knowsFiles) {
        console.log(`\n${name}: MISSING, as this server knows no files=1`);
        continue;
      }
      if (way.isCached) proxy ??= await startCachingProxy(portOf(parterre));
      if (way.isCached && 'missing' in proxy!) {
        console.log(`\n${name}: MISSING, as there is no nginx: ${proxy.missing}`);
        continue;
      }
      const measured = await measure(world, way, way.isCached ? (proxy as CachingProxy) : null);
      if (!tell(name, way, measured)) process.exitCode = 1;
    }
    console.log(`\nload ${loadavg()[0]!.toFixed(1)} at the end`);
  } finally {
    crowd.stop();
    generator.stop();
    if (proxy !== null && !('missing' in proxy)) await proxy.stop();
    await parterre.stop();
  }
}

type World = {
  parterre: Parterre;
  crowd: ReturnType<typeof startCrowd>;
  generator: ReturnType<typeof startGenerator>;
  labels: string[];
  chartId: string;
};

type Measured = {
  alone: LoadResult;
  beside: LoadResult;
  report: OpeningsReport;
  /** By process, the openings' own. */
  microsPerOpening: Record<string, number>;
};

const portOf = (parterre: Parterre): number => Number(new URL(parterre.url).port);

async function openEvent({ parterre, chartId }: World): Promise<string> {
  const { meta } = await post<{ meta: { key: string } }>(
    `${parterre.url}/v1/events`,
    { chartId },
    parterre.demo.keys.secretTest,
  );
  return meta.key;
}

/** Whether the server knows files. A file that is not as it was announced is a bug. */
async function checkFiles(world: World): Promise<boolean> {
  const { url, demo } = world.parterre;
  const event = await openEvent(world);
  const answer = await fetch(`${url}/pub/events/${event}/bootstrap?files=1`, {
    method: 'POST',
    headers: { Origin: url },
    body: JSON.stringify({ publicKey: demo.keys.publishableTest }),
  });
  if (!answer.ok) throw new Error(`bootstrap with files=1: ${answer.status} ${await answer.text()}`);
  const { files, statusesUrl } = (await answer.json()) as Partial<BootstrapWithFiles>;
  if (files === undefined || statusesUrl === undefined) return false;
  for (const { url: fileUrl, hash } of files) {
    const bytes = Buffer.from(await (await fetch(new URL(fileUrl, url))).arrayBuffer());
    const found = createHash('sha256').update(bytes).digest('base64url');
    if (found !== hash) throw new Error(`${fileUrl} has another hash than ${hash}: ${found}`);
  }
  const statuses = (await (await fetch(new URL(statusesUrl, url))).json()) as { snapshotVersion?: number };
  if (statuses.snapshotVersion === undefined) throw new Error(`${statusesUrl} has no snapshotVersion`);
  return true;
}

async function measure(world: World, way: Way, proxy: CachingProxy | null): Promise<Measured> {
  const { parterre, crowd, generator, labels } = world;
  const { secretTest, publishableTest } = parterre.demo.keys;
  const event = await openEvent(world);
  const page: MapPage = { event, publishableKey: publishableTest, origin: parterre.url, opening: way.opening };
  const port = proxy?.port ?? portOf(parterre);
  const seats = { events: [event], labels, next: 0 };
  const sell = async (seconds: number): Promise<LoadResult> => {
    const order = { ports: [portOf(parterre)], token: secretTest, connections: saleConnections, seconds, seats };
    const result = await generator.run({ ...order, task: { type: 'offered sales', perSecond } });
    seats.next = result.next;
    return result;
  };
  const open = (count: number) => crowd.open({ port, connections: visitors, count, page });
  const processes = { ...processesIn(parterre.dataDir), ...(proxy && { nginx: proxy.pid }), visitors: crowd.pid };
  await Promise.all([open(Math.min(warmUpOpenings, openings)), sell(warmUpSeconds)]);
  const aloneFrom = cpuSeconds(processes);
  const alone = await sell(aloneSeconds);
  const ofSale = cpuBetween(aloneFrom, cpuSeconds(processes));
  const besideFrom = cpuSeconds(processes);
  const selling = sell(besideSeconds);
  const { report } = await open(openings);
  const spent = cpuBetween(besideFrom, cpuSeconds(processes));
  generator.cut();
  const beside = await selling;
  const microsPerOpening = Object.fromEntries(
    Object.entries(spent).map(([name, seconds]) => {
      const own = seconds - (ofSale[name]! / alone.seconds) * report.seconds;
      return [name, Math.max(0, own * 1e6) / report.openings];
    }),
  );
  return { alone, beside, report, microsPerOpening };
}

/** True within the bound. */
function tell(name: string, { frontdoorMicrosMax }: Way, { alone, beside, report, microsPerOpening }: Measured) {
  const { openings: count, seconds, latency, callsPerOpening, bytesPerOpening } = report;
  const ofSale = ({ p50Ms, p99Ms, maxMs }: LoadResult): string =>
    `p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, worst ${maxMs.toFixed(1)} ms`;
  const cpu = Object.entries(microsPerOpening).map(([process, micros]) => `${process} ${micros.toFixed(0)}`);
  console.log(`\n${name}: ${count} openings of ${callsPerOpening.toFixed(1)} calls, ${visitors} visitors at once`);
  console.log(
    `  ${(count / seconds).toFixed(0)} openings/s; p50 ${latency.p50.toFixed(1)}, p99 ${latency.p99.toFixed(1)}, ` +
      `worst ${latency.worst.toFixed(1)} ms; ${(bytesPerOpening / 1_000).toFixed(1)} kB an opening`,
  );
  console.log(`  CPU µs an opening: ${cpu.join(', ')}`);
  console.log(`  the sale, ${perSecond} calls/s: alone ${ofSale(alone)}; beside the openings ${ofSale(beside)}`);
  const isWithin = microsPerOpening.frontdoor! <= frontdoorMicrosMax;
  if (!isWithin) console.log(`  PAST ITS BOUND: the front door may take ${frontdoorMicrosMax} µs an opening`);
  return isWithin;
}

await main();
