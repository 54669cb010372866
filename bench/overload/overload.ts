/**
 * `npm run bench -- overload`: buyers arrive at 1, 2, 4 and 8 times the capacity of the server, in an open loop. A
 * buyer holds a seat and books it at once. A buyer whose hold is answered 503 leaves. A latency runs from the due time
 * of the call to its answer, so the wait for a free connection counts.
 *
 * The capacity is measured first: the sales a second while four times as many buyers arrive as a closed loop of
 * `--buyers` connections serves. (Commands that wait together cost less, so the closed loop alone tells too little.)
 * The services, NATS and the generator share the machine's cores, and a refusal costs them a part of a sale's CPU. So
 * the shard gets the share `--share` of a core: the refusals of eight times its capacity fit into the machine.
 *
 * The first second of a rate is told apart: the server hears of an overload by the age of what waits.
 *
 * Ends with 1 if the sales at a rate are below 85 % of the capacity, the p99 of the granted calls is 1 s or longer,
 * the p99 of refusals is above 50 ms at the server, a booking of a granted hold is refused, or another answer comes.
 */
import { fork } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunFile, readJson } from '../../scripts/launch/data-folder.ts';
import { startParterre } from '../../test/support/servers/server.ts';
import { readArguments } from '../arguments.ts';
import { cpuBetween, cpuSeconds } from '../load/cpu.ts';
import { type Call, createPool, type Pool } from '../load/pool.ts';
import { post } from '../load/post.ts';
import { quantile } from '../load/quantile.ts';
import { fieldOf, toEvent } from '../load/request.ts';
import { labelsForSale, processesIn, publishHall } from '../sales/parterre.ts';

const options = readArguments({
  rates: { type: 'string', default: '1,2,4,8' },
  seconds: { type: 'string', default: '8' },
  events: { type: 'string', default: '300' },
  /** Connections of the closed loop. */
  buyers: { type: 'string', default: '256' },
  connections: { type: 'string', default: '5000' },
  /** Sales a second that count as the capacity, instead of a measured number. */
  capacity: { type: 'string' },
  sync: { type: 'string', default: 'always' },
  /** The share of a core that the shard gets; 1 for all of it. */
  share: { type: 'string', default: '0.1' },
  checkout: { type: 'string' },
});
const seconds = Number(options.seconds);
const connectionsMax = Number(options.connections);
const goodputMin = 0.85;
/** The capacity is sold at this multiple of the closed loop's rate. */
const flood = 4;
const acceptedMsMax = 1_000;
const refusedMsMax = 50;
/** At full speed: Node compiles, and the events are loaded. */
const warmUpSeconds = 4;
/** The first second of a rate. */
const firstMs = 1_000;
const drainMs = 11_000;
const eventsAtOnce = 8;

type BuyerCall = { request: string; dueAt: number; isHold: boolean; event: string };

/** The latencies of a rate, in milliseconds, without its first second, and the counts. */
type ToldFigures = {
  offered: number;
  sales: number;
  holdMs: number[];
  bookMs: number[];
  refusedMs: number[];
  firstMs: number[];
  refusedBookings: number;
  others: Map<string, number>;
};

function newTold(): ToldFigures {
  return {
    offered: 0,
    sales: 0,
    holdMs: [],
    bookMs: [],
    refusedMs: [],
    firstMs: [],
    refusedBookings: 0,
    others: new Map(),
  };
}

class Buyers {
  readonly #token: string;
  readonly #events: string[];
  readonly #labels: string[];
  readonly #pool: Pool;
  #seat = 0;
  #booking = 0;
  #from = 0;
  #until = 0;
  told = newTold();
  underWay = 0;
  /** Called when a buyer leaves. */
  onLeft: () => void = () => {};

  constructor(port: number, token: string, events: string[], labels: string[]) {
    this.#pool = createPool(port, connectionsMax);
    this.#token = token;
    this.#events = events;
    this.#labels = labels;
  }

  /** Begins a measurement. Sales count that end between the two times. */
  measure(from: number, until: number): void {
    this.told = newTold();
    this.#from = from;
    this.#until = until;
  }

  arrive(dueAt: number): void {
    const seat = this.#seat++;
    const event = this.#events[seat % this.#events.length]!;
    const label = this.#labels[Math.floor(seat / this.#events.length)];
    if (label === undefined) throw new Error('the halls are sold out: more --events, or fewer --seconds');
    this.underWay++;
    this.told.offered++;
    const request = toEvent(this.#token, event, 'hold', { labels: [label] });
    this.#pool.call(this.#callOf({ request, dueAt, isHold: true, event }));
  }

  end(): void {
    this.#pool.end();
  }

  /** A lost call leaves its buyer without an answer. */
  #callOf(call: BuyerCall): Call {
    const { request } = call;
    return { request, answered: (answer) => (answer === null ? null : this.#hear(call, answer)) };
  }

  /** The buyer's next call; null if the buyer leaves. */
  #hear({ isHold, dueAt, event }: BuyerCall, answer: string): Call | null {
    const { told } = this;
    const now = performance.now();
    const status = answer.slice(9, 12);
    const isFirst = dueAt < this.#from + firstMs;
    if (status === '200') {
      if (isFirst) told.firstMs.push(now - dueAt);
      else (isHold ? told.holdMs : told.bookMs).push(now - dueAt);
      if (isHold) return this.#toBook(event, answer, now);
      if (now >= this.#from + firstMs && now < this.#until) told.sales++;
    } else if (status === '503' && isHold) {
      (isFirst ? told.firstMs : told.refusedMs).push(now - dueAt);
    } else {
      if (!isHold && status === '503') told.refusedBookings++;
      const name = `${isHold ? 'hold' : 'book'} ${status} ${/"code":"(\w+)"/.exec(answer)?.[1]}`;
      told.others.set(name, (told.others.get(name) ?? 0) + 1);
    }
    this.underWay--;
    this.onLeft();
    return null;
  }

  #toBook(event: string, answer: string, dueAt: number): Call {
    const body = { holdId: fieldOf(answer, 'holdId'), bookingRef: `order-${this.#booking++}` };
    return this.#callOf({ request: toEvent(this.#token, event, 'book', body), dueAt, isHold: false, event });
  }
}

/** Sales a second of `count` buyers who come again as soon as they leave. */
async function closedLoop(buyers: Buyers, count: number, forSeconds: number): Promise<ToldFigures> {
  const from = performance.now();
  const until = from + firstMs + forSeconds * 1000;
  buyers.measure(from, until);
  buyers.onLeft = () => {
    const now = performance.now();
    if (now < until) buyers.arrive(now);
  };
  for (let at = 0; at < count; at++) buyers.arrive(from);
  await drained(buyers, until);
  return buyers.told;
}

/** Buyers at a steady rate. */
async function openLoop(buyers: Buyers, perSecond: number): Promise<ToldFigures> {
  const from = performance.now();
  const until = from + firstMs + seconds * 1000;
  buyers.measure(from, until);
  buyers.onLeft = () => {};
  for (let due = 0; ; ) {
    const now = Math.min(performance.now(), until);
    for (; from + (due * 1000) / perSecond < now; due++) buyers.arrive(from + (due * 1000) / perSecond);
    if (now === until) break;
    await pause(1);
  }
  await drained(buyers, until);
  return buyers.told;
}

async function drained(buyers: Buyers, until: number): Promise<void> {
  while (buyers.underWay > 0 && performance.now() < until + drainMs) await pause(20);
  if (buyers.underWay > 0) buyers.told.others.set('without an answer', buyers.underWay);
}

/** Gives the process a share of a core. Returns a function that ends this. */
function slowDown(pid: number, share: number): () => void {
  if (share >= 1) return () => {};
  const child = fork(join('dist', 'bench', 'overload', 'throttle.js'), [String(pid), String(share)]);
  return () => void (child.connected && child.disconnect());
}

const sync = options.sync;
const parterre = await startParterre({
  env: { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: sync },
  ...(options.checkout && { checkout: options.checkout }),
});
let goOn = (): void => {};
let isFine = true;
try {
  const token = parterre.demo.keys.secretTest;
  const chartId = await publishHall(parterre.url, token);
  const events: string[] = [];
  let begun = 0;
  const open = async (): Promise<void> => {
    while (begun++ < Number(options.events)) {
      const { meta } = await post<{ meta: { key: string } }>(`${parterre.url}/v1/events`, { chartId }, token);
      events.push(meta.key);
    }
  };
  await Promise.all(Array.from({ length: eventsAtOnce }, open));
  const port = Number(new URL(parterre.url).port);
  const labels = labelsForSale().slice(100);
  const buyers = new Buyers(port, token, events, labels);
  await closedLoop(buyers, Number(options.buyers), warmUpSeconds);
  goOn = slowDown(parterre.pidOf('inventory-shard'), Number(options.share));
  console.log(`${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}, ${process.version}, NATS syncs ${sync}`);
  const closed = await closedLoop(buyers, Number(options.buyers), seconds / 2);
  const told = await openLoop(buyers, (flood * closed.sales) / (seconds / 2));
  const capacity = Number(options.capacity ?? told.sales / seconds);
  tell('the capacity', (flood * closed.sales) / (seconds / 2), told, capacity);
  for (const rate of options.rates.split(',').map(Number)) {
    const processes = processesIn(parterre.dataDir);
    const before = cpuSeconds({ ...processes, generator: process.pid });
    const told = await openLoop(buyers, rate * capacity);
    const spent = cpuBetween(before, cpuSeconds({ ...processes, generator: process.pid }));
    isFine = tell(`${rate} ×`, rate * capacity, told, capacity) && isFine;
    const cpu = Object.entries(spent).map(([name, spentSeconds]) => `${name} ${spentSeconds.toFixed(1)}`);
    console.log(`    CPU seconds: ${cpu.join(', ')}; load ${loadavg()[0]!.toFixed(1)}`);
    await pause(1_000);
  }
  isFine = (await tellMetrics(parterre.dataDir)) && isFine;
  buyers.end();
} finally {
  goOn();
  await parterre.stop();
}
process.exit(isFine ? 0 : 1);

/** Of all rates: the refusals as the front door counts them. False if more than one of a hundred is late. */
async function tellMetrics(dataDir: string): Promise<boolean> {
  const { health } = readJson<RunFile>(join(dataDir, 'run.json'))!;
  const metrics = await (await fetch(`${health.frontdoor}/metrics`)).text();
  const sumOf = (name: string): number =>
    [...metrics.matchAll(new RegExp(`^${name}(?:{.*})? (\\d+)`, 'gm'))].reduce((sum, [, n]) => sum + Number(n), 0);
  const shed = sumOf('frontdoor_shed_total');
  const late = sumOf('frontdoor_shed_late_total');
  console.log(`at the server: ${shed} refused, ${late} of them later than ${refusedMsMax} ms behind their heads`);
  return late * 100 <= shed;
}

function tell(name: string, perSecond: number, told: ToldFigures, capacity: number): boolean {
  const quantiles = (latencies: number[]): string => {
    const sorted = Float64Array.from(latencies).sort();
    return `p50 ${quantile(sorted, 0.5).toFixed(0)}, p99 ${quantile(sorted, 0.99).toFixed(0)} ms`;
  };
  const goodput = told.sales / seconds;
  const granted = [...told.holdMs, ...told.bookMs];
  const others = Array.from(told.others, ([answer, count]) => `${count} × ${answer}`);
  console.log(
    `${name}: ${perSecond.toFixed(0)} buyers/s, ${goodput.toFixed(0)} sales/s ` +
      `(${((100 * goodput) / capacity).toFixed(0)} % of the capacity), granted ${quantiles(granted)} ` +
      `(holds ${quantiles(told.holdMs)}; bookings ${quantiles(told.bookMs)}), ` +
      `${told.refusedMs.length} refused at the client ${quantiles(told.refusedMs)}; ` +
      `first second ${quantiles(told.firstMs)}` +
      (others.length > 0 ? `; OTHERS ${others.join(', ')}` : ''),
  );
  const sorted = Float64Array.from(granted).sort();
  return (
    goodput >= goodputMin * Math.min(capacity, perSecond) &&
    quantile(sorted, 0.99) < acceptedMsMax &&
    others.length === 0
  );
}
