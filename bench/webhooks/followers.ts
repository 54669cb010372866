/**
 * `npm run bench -- followers`: the CPU that catalog and notifier spend on a group of the journal without a receiver.
 * Most groups have none. The journal is written at a steady rate, so the batches have the size of a running sale. On a
 * busy machine these figures change less than those of a sale.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readArguments } from '../arguments.ts';
import { cpuBetween, cpuSeconds } from '../load/cpu.ts';
import { openWorld, type World } from './webhook-world.ts';

const options = readArguments({
  events: { type: 'string', default: '1,64' },
  rate: { type: 'string', default: '3000' },
  seconds: { type: 'string', default: '6' },
  rounds: { type: 'string', default: '3' },
});
const [rate, seconds, rounds] = [Number(options.rate), Number(options.seconds), Number(options.rounds)];
const sliceMs = 20;
/** After this time without work, all that was written is counted and settled. */
const settleMs = 1_500;

/** Writes groups of one record in slices, and makes up for slices that came late. Resolves with their number. */
async function writeSteadily(world: World): Promise<number> {
  const since = performance.now();
  for (let written = 0; ; await pause(sliceMs)) {
    const due = Math.floor((Math.min(performance.now() - since, seconds * 1_000) * rate) / 1_000);
    await world.journal(due - written, 1);
    written = due;
    if (written === rate * seconds) return written;
  }
}

async function measure(eventsPerHouse: number): Promise<void> {
  const world = await openWorld({ houses: 1, eventsPerHouse, addresses: () => [] });
  try {
    await world.startNotifier();
    for (let round = 0; round <= rounds; round++) {
      const before = cpuSeconds(world.processes());
      const groups = await writeSteadily(world);
      await pause(settleMs);
      const used = cpuBetween(before, cpuSeconds(world.processes()));
      // The first round is the warm-up.
      if (round === 0) continue;
      const told = ['catalog', 'notifier', 'nats'].map(
        (name) => `${name} ${((used[name]! * 1e6) / groups).toFixed(1)}`,
      );
      console.log(`${eventsPerHouse} event(s), ${rate} groups/s: µs of CPU a group: ${told.join(', ')}`);
    }
  } finally {
    await world.stop();
  }
}

for (const events of options.events.split(',')) await measure(Number(events));
