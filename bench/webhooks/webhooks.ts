/**
 * `npm run bench -- webhooks`: the notifier's rate from the journal to receivers, beside undici alone posting the same
 * bodies to the same receivers in the same run; its memory while a backlog drains; and the loss of rate at the other
 * receivers when one of a hundred hangs, drips or cannot be found. The journal is written while no notifier reads, so
 * that the notifier never waits for the benchmark. For the rate both sides have run before (`--warm` deliveries), and
 * the first round of each does not count. undici posts a sample of the delivered bodies, so both sides send as many
 * bytes. The notifier's CPU ÷ undici's tells the ratio that the notifier alone would allow. Everything shares this
 * machine's cores: a ratio says more than a figure, and the CPU of a delivery more than a ratio where the machine has
 * other work. `--build <folder>` takes the services of another build. With `--beside <folder>` two builds take turns in
 * the measure of the rate.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { slotsPerEndpointMax } from '@parterre/shared/protocol/webhook-limits';
import { readArguments } from '../arguments.ts';
import type { PostOrder } from '../baselines/undici-post.ts';
import { cpuBetween, cpuSeconds } from '../load/cpu.ts';
import { medianOf } from '../load/quantile.ts';
import type { Reached } from './webhook-receiver.ts';
import { openWorld, type World } from './webhook-world.ts';

const options = readArguments({
  build: { type: 'string', default: 'dist' },
  beside: { type: 'string' },
  only: { type: 'string', default: 'post,throughput,backlog,isolation' },
  subscriptions: { type: 'string', default: '1,10' },
  records: { type: 'string', default: '1,16,64' },
  deliveries: { type: 'string', default: '20000' },
  rounds: { type: 'string', default: '3' },
  warm: { type: 'string', default: '80000' },
  backlog: { type: 'string', default: '100000' },
  each: { type: 'string', default: '1500' },
  sick: { type: 'string', default: 'hanging,dripping,never resolving' },
});
const deliveries = Number(options.deliveries);
const rounds = Number(options.rounds);
const bodyBytes = 700;
/** After this time without work, all that was written is counted and settled. */
const settleMs = 1_500;
const numbers = (list: string): number[] => list.split(',').map(Number);
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const undiciText = ({ perSecond, cpu }: { perSecond: number; cpu: number }): string =>
  `undici ${whole(perSecond).padStart(7)}/s with ${cpu.toFixed(0)} µs`;
const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

const cpuText = (cpu: Record<string, number>): string =>
  `µs of CPU a delivery: ${Object.entries(cpu)
    .map(([name, micros]) => `${name} ${micros.toFixed(0)}`)
    .join(', ')}`;

type Drained = Reached & { cpu: Record<string, number> };
type Flood = { groups: number; records: number; count: number };

/** Journals the groups while no notifier reads, and then lets one deliver them: a fresh one, or the held one. */
async function drain(world: World, { groups, records, count }: Flood): Promise<Drained> {
  const reached = world.expect(count);
  await world.journal(groups, records);
  await pause(settleMs);
  await world.startNotifier();
  const before = cpuSeconds(world.processes());
  const told = await reached;
  return { ...told, cpu: cpuOf(before, cpuSeconds(world.processes()), count) };
}

async function drainFresh(world: World, flood: Flood): Promise<Drained> {
  await world.stopNotifier();
  return drain(world, flood);
}

/**
 * The same with the notifier that has delivered before, as undici has posted before: a service runs for months, and its
 * first seconds of compiling say nothing about it.
 */
async function drainWarm(world: World, flood: Flood): Promise<Drained> {
  await pause(settleMs);
  world.holdNotifier();
  return drain(world, flood);
}

/** In microseconds a delivery. */
function cpuOf(before: Record<string, number>, after: Record<string, number>, count: number): Record<string, number> {
  const used = Object.entries(cpuBetween(before, after));
  return Object.fromEntries(used.map(([name, seconds]) => [name, (seconds * 1e6) / count]));
}

function startUndici() {
  const child = fork(join('dist', 'bench', 'baselines', 'undici-post.js'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    /** Its rate, and its CPU in microseconds a post. */
    async post(order: PostOrder): Promise<{ perSecond: number; cpu: number }> {
      const before = cpuSeconds({ undici: child.pid! });
      child.send(order);
      const [{ perSecond }] = (await once(child, 'message')) as [{ perSecond: number }];
      const { undici: cpu = Number.NaN } = cpuOf(before, cpuSeconds({ undici: child.pid! }), order.count);
      return { perSecond, cpu };
    },
    stop: () => child.kill(),
  };
}

/** The notifier's own post beside undici's, without a journal. */
async function measurePosts(): Promise<void> {
  const world = await openWorld({
    build: options.build,
    houses: 1,
    eventsPerHouse: 1,
    addresses: (origin) => [`${origin}/well/0`],
  });
  const undici = startUndici();
  const bodies = [`{"event":"seat.booked","data":"${'x'.repeat(bodyBytes)}"}`];
  const order = { urls: world.houses[0]!.urls, bodies, count: deliveries, connections: slotsPerEndpointMax };
  const ratios: number[] = [];
  try {
    for (let round = 0; round <= rounds; round++) {
      const raw = await undici.post({ ...order, by: 'undici' });
      const own = await undici.post({ ...order, by: 'poster' });
      // The first round is the warm-up.
      if (round === 0) continue;
      ratios.push(own.perSecond / raw.perSecond);
      console.log(
        `  ${whole(own.perSecond).padStart(7)}/s with ${own.cpu.toFixed(0)} µs, ${undiciText(raw)}, ratio ${ratios.at(-1)!.toFixed(2)}`,
      );
    }
    console.log(`posts alone, ${slotsPerEndpointMax} at once: ratio to undici ${medianOf(ratios).toFixed(2)}`);
  } finally {
    undici.stop();
    await world.stop();
  }
}

async function measureThroughput(subscriptions: number): Promise<void> {
  const builds = [options.build, ...(options.beside ? [options.beside] : [])];
  const addresses = (origin: string) => Array.from({ length: subscriptions }, (_, index) => `${origin}/well/${index}`);
  const undici = startUndici();
  const worlds: { build: string; world: World; ratios: number[]; cpu: Record<string, number>[] }[] = [];
  try {
    for (const build of builds) {
      const world = await openWorld({ build, houses: 1, eventsPerHouse: 8, addresses });
      worlds.push({ build, world, ratios: [], cpu: [] });
      // Node compiles for so long.
      const groups = Math.ceil(Number(options.warm) / subscriptions / 4);
      await drain(world, { groups, records: 4, count: groups * 4 * subscriptions });
    }
    for (const records of numbers(options.records)) {
      const groups = Math.ceil(deliveries / subscriptions / records);
      const flood = { groups, records, count: groups * records * subscriptions };
      for (const each of worlds) [each.ratios, each.cpu] = [[], []];
      for (let round = 0; round <= rounds; round++) {
        for (const { build, world, ratios, cpu } of round % 2 === 0 ? worlds : worlds.toReversed()) {
          const own = await drainWarm(world, flood);
          const bodies = await world.bodies();
          const order = { urls: world.houses[0]!.urls, bodies, count: flood.count, connections: slotsPerEndpointMax };
          const raw = await undici.post({ ...order, by: 'undici' });
          // The first round is the warm-up.
          if (round === 0) continue;
          ratios.push(own.perSecond / raw.perSecond);
          cpu.push({ ...own.cpu, undici: raw.cpu });
          console.log(
            `  ${whole(own.perSecond).padStart(7)}/s, ${undiciText(raw)}, ratio ${ratios.at(-1)!.toFixed(2)}; ${bytesText(own, bodies)}, ${own.again} again; ${cpuText(own.cpu)} (${build})`,
          );
        }
      }
      for (const { build, ratios, cpu } of worlds) {
        const about = `${subscriptions} subscription(s), groups of ${records}`;
        const share = medianOf(cpu.map(({ notifier, undici: raw }) => notifier! / raw!));
        console.log(
          `${about}: ratio to undici ${medianOf(ratios).toFixed(2)}, CPU of the notifier ÷ undici's ${share.toFixed(2)}; ${cpuText(mediansOf(cpu))} (${build})`,
        );
      }
    }
  } finally {
    undici.stop();
    for (const { world } of worlds) await world.stop();
  }
}

/** The mean body of the deliveries, and of undici's posts. */
function bytesText({ bodyBytes }: Drained, bodies: string[]): string {
  const posted = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / bodies.length;
  return `${bodyBytes.toFixed(0)} bytes a body, undici's ${posted.toFixed(0)}`;
}

function mediansOf(all: Record<string, number>[]): Record<string, number> {
  return Object.fromEntries(Object.keys(all[0]!).map((name) => [name, medianOf(all.map((each) => each[name]!))]));
}

/** With one subscription, most of the backlog waits for its endpoint. */
async function measureBacklog(): Promise<void> {
  const world = await openWorld({
    build: options.build,
    houses: 1,
    eventsPerHouse: 8,
    addresses: (origin) => [`${origin}/well/0`],
  });
  const count = Number(options.backlog);
  const looks: string[] = [];
  try {
    let isDrained = false;
    const draining = drain(world, { groups: count / 4, records: 4, count }).finally(() => {
      isDrained = true;
    });
    while (!isDrained) {
      await Promise.race([pause(2_000), draining]);
      const memory = await Promise.race([world.memory(), pause(1_000)]);
      if (memory) looks.push(`${mebibytes(memory.rss)}/${mebibytes(memory.heap)}`);
    }
    const { perSecond, again } = await draining;
    console.log(`backlog of ${whole(count)}: ${whole(perSecond)}/s, ${again} repeated; RSS/heap: ${looks.join(', ')}`);
  } finally {
    await world.stop();
  }
}

const ailments = {
  well: (origin: string) => `${origin}/well/sick`,
  hanging: (origin: string) => `${origin}/hang/0`,
  dripping: (origin: string) => `${origin}/drip/0`,
  'never resolving': () => 'http://never.example/hook',
};

/** The rate of 99 receivers of a hundred, for each kind of failure of the last receiver. */
async function measureIsolation(): Promise<void> {
  const each = Number(options.each);
  const rates: Record<string, number[]> = {};
  const names = ['well', ...options.sick.split(',')] as (keyof typeof ailments)[];
  for (let round = 0; round < rounds; round++) {
    for (const ailment of round % 2 === 0 ? names : [...names].reverse()) {
      const world = await openWorld({
        build: options.build,
        houses: 10,
        eventsPerHouse: 1,
        addresses: (origin, house) =>
          Array.from({ length: 10 }, (_, index) =>
            house === 0 && index === 0 ? ailments[ailment](origin) : `${origin}/well/${house}-${index}`,
          ),
      });
      try {
        const warmUp = ailment === 'well' ? 2_000 : 1_980;
        await drain(world, { groups: 200, records: 1, count: warmUp });
        // In the run without a sick receiver all 100 count. One receiver is a hundredth of the rate.
        const count = each * (ailment === 'well' ? 100 : 99);
        const { perSecond, cpu } = await drainFresh(world, { groups: each * 10, records: 1, count });
        const of99 = ailment === 'well' ? perSecond * 0.99 : perSecond;
        rates[ailment] = [...(rates[ailment] ?? []), of99];
        console.log(`  ${ailment}: ${whole(of99)}/s to the other 99; ${cpuText(cpu)}`);
      } finally {
        await world.stop();
      }
    }
  }
  for (const name of names.slice(1)) {
    const ratio = medianOf(rates[name]!.map((rate, round) => rate / rates.well![round]!));
    console.log(`1 of 100 ${name}: the other 99 keep ${ratio.toFixed(2)} of their rate`);
  }
}

const [load = 0] = loadavg();
console.log(
  `machine: ${cpus().length} × ${cpus()[0]?.model}, ${process.version}, load ${load.toFixed(1)} at the start`,
);
const only = options.only.split(',');
if (only.includes('post')) await measurePosts();
if (only.includes('throughput')) for (const count of numbers(options.subscriptions)) await measureThroughput(count);
if (only.includes('backlog')) await measureBacklog();
if (only.includes('isolation')) await measureIsolation();
