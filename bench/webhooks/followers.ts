/**
 * `npm run bench -- followers`: the CPU that catalog and notifier spend on a group of the journal without a receiver.
 * Most groups have none. The journal is written at a steady rate, so the batches have the size of a running sale. On a
 * busy machine these figures change less than those of a sale. With `--beside <folder>` (a copy of dist of another
 * build) two builds take turns, and the median of the ratios compares them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readArguments } from '../arguments.ts';
import { cpuBetween, cpuSeconds } from '../load/cpu.ts';
import { medianOf } from '../load/quantile.ts';
import { openWorld, type World } from './webhook-world.ts';

const options = readArguments({
  beside: { type: 'string' },
  events: { type: 'string', default: '1,64' },
  rate: { type: 'string', default: '3000' },
  records: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '6' },
  rounds: { type: 'string', default: '3' },
});
const rate = Number(options.rate);
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const records = Number(options.records);
const sliceMs = 20;
/** After this time without work, all that was written is counted and settled. */
const settleMs = 1_500;
const names = ['catalog', 'notifier', 'nats'];

/** Writes groups in slices, and makes up for slices that came late. Resolves with their number. */
async function writeSteadily(world: World): Promise<number> {
  const since = performance.now();
  for (let written = 0; ; await pause(sliceMs)) {
    const due = Math.floor((Math.min(performance.now() - since, seconds * 1_000) * rate) / 1_000);
    await world.journal(due - written, records);
    written = due;
    if (written === rate * seconds) return written;
  }
}

/** The CPU of a group by process, in microseconds. */
async function turnOf(world: World): Promise<number[]> {
  const before = cpuSeconds(world.processes());
  const groups = await writeSteadily(world);
  await pause(settleMs);
  const used = cpuBetween(before, cpuSeconds(world.processes()));
  return names.map((name) => (used[name]! * 1e6) / groups);
}

async function measure(eventsPerHouse: number): Promise<void> {
  const builds = ['dist', ...(options.beside ? [options.beside] : [])];
  const worlds: { build: string; world: World; costs: number[][] }[] = [];
  try {
    for (const build of builds) {
      const world = await openWorld({ houses: 1, eventsPerHouse, addresses: () => [], build });
      worlds.push({ build, world, costs: [] });
      await world.startNotifier();
    }
    for (let round = 0; round <= rounds; round++) {
      for (const { world, costs } of round % 2 === 0 ? worlds : worlds.toReversed()) {
        const cost = await turnOf(world);
        // The first round is the warm-up.
        if (round > 0) costs.push(cost);
      }
    }
    const about = `${eventsPerHouse} event(s), ${rate} groups/s of ${records}`;
    for (const { build, costs } of worlds) {
      const told = names.map((name, at) => `${name} ${medianOf(costs.map((cost) => cost[at]!)).toFixed(1)}`);
      console.log(`${about}: µs of CPU a group: ${told.join(', ')} (${build})`);
    }
    const [here, beside] = worlds;
    if (!here || !beside) return;
    const ratios = names.map(
      (name, at) => `${name} ${medianOf(here.costs.map((cost, n) => cost[at]! / beside.costs[n]![at]!)).toFixed(2)}`,
    );
    console.log(`${about}: ratio of the CPU: ${ratios.join(', ')}`);
  } finally {
    for (const { world } of worlds) await world.stop();
  }
}

for (const events of options.events.split(',')) await measure(Number(events));
