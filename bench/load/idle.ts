/**
 * The moment at which a contender has no work left. Some contenders are never quite still (heartbeats, polls), so the
 * figure is compared with their use of CPU before the load.
 */
import { cpuSeconds, tellsCpu } from './cpu.ts';

const lookMs = 250;
const looks = 8;
/** A share of one core, above the contender's own use when idle. */
const shareMore = 0.1;
const waitMsMax = 20_000;

/** The share of a core that idle processes use. */
export async function stillShare(processes: Record<string, number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looks && tellsCpu; look++) least = Math.min(least, await shareNow(processes));
  return least;
}

/** Waits, bounded, until the processes use no more than when idle. Resolves with the length of the wait. */
export async function untilStill(processes: Record<string, number>, still: number): Promise<number> {
  const started = performance.now();
  while (tellsCpu && performance.now() - started < waitMsMax) {
    if ((await shareNow(processes)) <= still + shareMore) break;
  }
  return performance.now() - started;
}

async function shareNow(processes: Record<string, number>): Promise<number> {
  const started = performance.now();
  const before = sum(cpuSeconds(processes));
  await new Promise((resolve) => setTimeout(resolve, lookMs));
  return (sum(cpuSeconds(processes)) - before) / ((performance.now() - started) / 1000);
}

function sum(seconds: Record<string, number>): number {
  return Object.values(seconds).reduce((total, each) => total + each, 0);
}
