/**
 * `npm run bench -- ten`: ten o'clock, the whole hour of a sale in a minute. Buyers arrive, open the map, watch it over
 * a WebSocket, choose, hold and pay. crowd.ts has the buyers, and feed-viewers.ts their sockets. A socket opens when
 * the map of its buyer has opened, and closes when the buyer leaves. Together the buyers want more seats than there
 * are. Of ten choices three are of a taken seat.
 *
 * Prints p50, p99 and the worst of openings, holds, refusals, bookings, and of the time from a change to its frame, and
 * the CPU of each process. Buyers and sockets run on the cores that they measure.
 *
 * Ends with 1 if a seat is sold twice or not at all by the server's report, or to another buyer than the one who was
 * promised it; if an answer is unexpected, a socket is refused or lost; or if the p99 of the holds is above 50 ms.
 */
import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { compilePlan } from '@parterre/shared/charts/compile';
import { bowl } from '../../scripts/generate-charts.mjs';
import { type Parterre, startParterre } from '../../test/support/servers/server.ts';
import { readArguments } from '../arguments.ts';
import { cpuBetween, cpuSeconds } from '../load/cpu.ts';
import type { Opening } from '../load/open-map.ts';
import { post } from '../load/post.ts';
import { processesIn, publishHall } from '../sales/parterre.ts';
import type { TravelReport, Watching } from '../viewers/feed-viewers.ts';
import { startViewers } from '../viewers/watching.ts';
import type { CrowdOrder, CrowdReport, Turnover } from './crowd.ts';
import { startCrowd } from './crowd-side.ts';
import type { Latency } from './openings.ts';
import { faultsOfReport, type ReportedSeat } from './seat-market.ts';

const options = readArguments({
  buyers: { type: 'string', default: '20000' },
  /** Milliseconds within which the buyers arrive. */
  over: { type: 'string', default: '20000' },
  /** Sections of 500 seats. */
  sections: { type: 'string', default: '24' },
  /** Of ten choices, the choices of taken seats. */
  taken: { type: 'string', default: '3' },
  /** Connections that pages share while they open, and as many that open pages share. */
  connections: { type: 'string', default: '512' },
  /** `files`, as the picker opens a map; `page` for a server without files=1. */
  opening: { type: 'string', default: 'files' },
  /** Another built checkout, whose services run instead. */
  checkout: { type: 'string' },
});
const buyers = Number(options.buyers);
const holdP99MsMax = 50;
/** Late frames. */
const settleMs = 3_000;
const warmUp = { buyers: 2_000, overMs: 4_000, sections: 2 };

type World = { parterre: Parterre; crowd: ReturnType<typeof startCrowd> };
type Hour = { crowd: CrowdReport; travel: TravelReport; sockets: Watching & { most: number }; faults: string[] };

async function main(): Promise<void> {
  const env = { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' };
  const parterre = await startParterre({ env, ...(options.checkout && { checkout: options.checkout }) });
  const crowd = startCrowd();
  try {
    // Node compiles. These buyers have an event of their own.
    await hourOf({ parterre, crowd }, warmUp);
    console.log(`${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]!.toFixed(1)}, ${process.version}`);
    const isFine = tell(
      await hourOf(
        { parterre, crowd },
        { buyers, overMs: Number(options.over), sections: Number(options.sections), tellsCpu: true },
      ),
    );
    console.log(`load ${loadavg()[0]!.toFixed(1)} at the end`);
    if (!isFine) process.exitCode = 1;
  } finally {
    crowd.stop();
    await parterre.stop();
  }
}

type HourSize = { buyers: number; overMs: number; sections: number; tellsCpu?: boolean };

async function hourOf({ parterre, crowd }: World, size: HourSize): Promise<Hour> {
  const { sections, tellsCpu = false, ...arrivals } = size;
  const { url, demo } = parterre;
  const { secretTest, publishableTest } = demo.keys;
  const doc = bowl(sections);
  const labels = [...compilePlan(doc, 'bench').labels.all()];
  const chartId = await publishHall(url, secretTest, doc);
  const { meta } = await post<{ meta: { key: string } }>(`${url}/v1/events`, { chartId }, secretTest);
  const port = Number(new URL(url).port);
  const opening = options.opening as Opening;
  const order: CrowdOrder = {
    ...arrivals,
    port,
    connections: Number(options.connections),
    page: { event: meta.key, publishableKey: publishableTest, origin: url, opening },
    secretKey: secretTest,
    labels,
    takenOfTen: Number(options.taken),
  };
  const watch = startViewers();
  try {
    const at = `/pub/events/${meta.key}`;
    const tickets = { path: `${at}/subscribe-tickets`, token: publishableTest, origin: url };
    const places = { count: arrivals.buyers, port, path: `${at}/subscribe`, tickets };
    const sockets = { watching: 0, refused: 0, most: 0 };
    let turns = Promise.resolve();
    const turnOver = (turnover: Turnover): void => {
      turns = turns.then(async () => {
        Object.assign(sockets, await watch<Watching>({ order: 'turn over', ...turnover, ...places }));
        sockets.most = Math.max(sockets.most, sockets.watching);
      });
      // The failure is heard at the end, where all turns are awaited.
      turns.catch(() => {});
    };
    // The process of the sockets is a child of this one.
    const processes = { ...processesIn(parterre.dataDir), buyers: crowd.pid, sockets: process.pid };
    const before = cpuSeconds(processes);
    const { report } = await crowd.visit(order, turnOver);
    if (tellsCpu) tellCpu(cpuBetween(before, cpuSeconds(processes)), report.seconds);
    await turns;
    await pause(settleMs);
    const travel = await watch<TravelReport>({ order: 'tell', changes: report.changes });
    const faults = faultsOfReport(await reportOf(url, secretTest, meta.key), new Map(report.promised));
    return { crowd: report, travel, sockets, faults };
  } finally {
    await watch({ order: 'leave' });
  }
}

/** Every seat of the event, as the server's file has it. */
async function reportOf(url: string, token: string, event: string): Promise<ReportedSeat[]> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/v1/events/${event}/report.csv`, { headers });
  if (!answer.ok) throw new Error(`the report: ${answer.status} ${await answer.text()}`);
  const [head, ...rows] = (await answer.text()).trimEnd().split('\r\n');
  const columns = head!.split(',');
  const [label, status, bookingRef] = ['label', 'status', 'bookingRef'].map((name) => columns.indexOf(name));
  // No cell of this event has a comma or a quotation mark.
  return rows.map((row) => {
    const cells = row.split(',');
    return { label: cells[label!]!, status: cells[status!]!, bookingRef: cells[bookingRef!]! };
  });
}

function tellCpu(spent: Record<string, number>, seconds: number): void {
  const all = Object.values(spent).reduce((sum, each) => sum + each, 0);
  const list = Object.entries(spent).map(([name, each]) => `${name} ${each.toFixed(1)}`);
  console.log(`CPU seconds in ${seconds.toFixed(1)} s: ${list.join(', ')}; all ${all.toFixed(1)}`);
}

/** True within the bounds. */
function tell({ crowd, travel, sockets, faults }: Hour): boolean {
  const told = (name: string, { count, p50, p99, worst }: Latency): void => {
    const ms = [p50, p99, worst].map((value) => value.toFixed(1));
    console.log(`${name.padEnd(16)} ${String(count).padStart(6)}  p50 ${ms[0]}, p99 ${ms[1]}, worst ${ms[2]} ms`);
  };
  console.log(`${buyers} buyers over ${options.over} ms, ${crowd.promised.length} seats sold, way ${options.opening}`);
  told('opening', crowd.opening);
  told('hold', crowd.hold);
  told('refusal', crowd.refusal);
  told('booking', crowd.booking);
  const { p50, p99, max } = travel.fromAnswer;
  const { fromRequest } = travel;
  console.log(
    `change to frame  ${travel.heard} seats, ${travel.frames} frames of ${travel.bytesPerFrame} bytes: ` +
      `p50 ${p50}, p99 ${p99}, worst ${max} ms from the answer; p99 ${fromRequest.p99} ms from the request`,
  );
  const ends = Object.entries(crowd.ends).map(([end, count]) => `${end} ${count}`);
  console.log(`buyers by their end: ${ends.join(', ')}`);
  console.log(`${crowd.refusedFree} refusals of seats that looked free; ${crowd.shed} calls repeated after 503`);
  console.log(`at most ${sockets.most} sockets at once, ${sockets.refused} refused, ${travel.lost} lost`);
  const problems = [
    ...(crowd.soldTwice.length > 0 ? [`${crowd.soldTwice.length} seats were promised twice`] : []),
    ...faults,
    ...Object.entries(crowd.faults).map(([fault, count]) => `${count} × ${fault}`),
    ...(sockets.refused + travel.lost > 0 ? ['sockets were refused or lost'] : []),
    ...(crowd.hold.p99 > holdP99MsMax ? [`p99 of the holds is above ${holdP99MsMax} ms`] : []),
  ];
  for (const problem of problems) console.log(`PAST ITS BOUND: ${problem}`);
  if (faults.length === 0) console.log('every seat is sold once, to the buyer who was promised it');
  return problems.length === 0;
}

await main();
