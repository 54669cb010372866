/**
 * When a contender has nothing left to do. Some are never quite still (heartbeats, polls), so it is compared with what
 * it used when nobody had asked for anything yet.
 */
import { cpuSeconds, tellsCpu } from './cpu.ts';

const lookMs = 250;
const looks = 8;
/** Of one core, above the contender's own stillness. */
const shareMore = 0.1;
const waitMsMax = 20_000;

/** The share of a core these processes use when they are left alone. */
export async function stillShare(processes: Record<string, number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looks && tellsCpu; look++) least = Math.min(least, await shareNow(processes));
  return least;
}

/** Waits, bounded, until no more is used than that; resolves with how long it took. */
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
