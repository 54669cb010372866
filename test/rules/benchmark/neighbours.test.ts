/** The judgement of the benchmark of neighbours: the figures of their holds, and the end of a recovery. */
import { expect, test } from 'vitest';
import { figuresOf, type OfferedHold, recoveryMs } from '../../../bench/neighbours/neighbour-holds.ts';

const SLOW_MS = 50;

/** A hold each 100 ms from 0 on, with these latencies. Null is a hold under way. */
function holdsOf(latencies: (number | null)[], answer = '200'): OfferedHold[] {
  return latencies.map((latencyMs, at) => ({ dueAt: at * 100, latencyMs, answer: latencyMs === null ? '' : answer }));
}
const quick = (count: number): number[] => Array.from({ length: count }, () => 5);

test('figures cover the holds that were due in the time, and count every answer but a success as failed', () => {
  const holds = [...holdsOf([900, 5, 7, 9, 900]), { dueAt: 350, latencyMs: 20, answer: '503' }];
  expect(figuresOf(holds, 100, 400)).toEqual({ holds: 4, p50Ms: 9, p99Ms: 20, longestMs: 20, failed: 1 });
});

test('a hold that is still under way counts with the longest time', () => {
  expect(figuresOf(holdsOf([5, null]), 0, 1_000)).toMatchObject({ longestMs: 20_000, failed: 1 });
});

test('a neighbour that never was slow has recovered at once, and only a whole second shows it', () => {
  expect(recoveryMs(holdsOf(quick(10)), 0, SLOW_MS, 999)).toBeNull();
  expect(recoveryMs(holdsOf(quick(11)), 0, SLOW_MS, 1_000)).toBe(0);
});

test('a recovery lasts until the last slow or failed hold before a calm second', () => {
  expect(recoveryMs(holdsOf([80, 5, 80, ...quick(12)]), 0, SLOW_MS, 1_400)).toBe(200);
  const failed: OfferedHold = { dueAt: 300, latencyMs: 1, answer: 'ECONNRESET' };
  expect(recoveryMs([...holdsOf(quick(3)), failed], 0, SLOW_MS, 1_300)).toBe(300);
});

test('a hold that waits for too long is slow before its answer', () => {
  expect(recoveryMs(holdsOf([5, null]), 0, SLOW_MS, 1_000)).toBeNull();
  expect(recoveryMs(holdsOf([5, null]), 0, SLOW_MS, 1_100)).toBe(100);
});

test('a slow hold after a calm second is another matter', () => {
  expect(recoveryMs(holdsOf([...quick(12), 500]), 0, SLOW_MS, 2_000)).toBe(0);
});

test('holds from before the end of the attack count for its figures alone', () => {
  expect(recoveryMs(holdsOf([500, 500, ...quick(12)]), 200, SLOW_MS, 1_300)).toBe(0);
});
