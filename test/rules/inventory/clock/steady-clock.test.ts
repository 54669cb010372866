/** The shard's clock on a wall clock that jumps, and its comparisons with NATS. */
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { createNatsTime } from '../../../../services/inventory-shard/src/steady-clock/nats-time.ts';
import { SteadyClock } from '../../../../services/inventory-shard/src/steady-clock/steady-clock.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { settled } from '../../../support/partition/on-fakes.ts';

const START = 1_700_000_000_000;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

function setUp({ wallOffset = 0 } = {}) {
  const base = new ManualClock(START);
  base.wallOffset = wallOffset;
  const world = { asked: 0, uptimeAhead: 0, answer: 0 as number | null | 'untold' };
  const clock = new SteadyClock(base, () => base.elapsed() + world.uptimeAhead, createLog('test', 'silent'));
  const ask = async () => {
    world.asked++;
    return world.answer;
  };
  const advance = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) {
      base.advance(SECOND);
      await settled();
    }
  };
  return { base, world, clock, ask, advance };
}

test('the clock begins with the time of NATS, and asks until it gets an answer', async () => {
  const { base, world, clock, ask } = setUp({ wallOffset: HOUR });
  world.answer = null;
  const begun = clock.begin(ask);
  await settled();
  world.answer = 0;
  base.advance(SECOND);
  await begun;
  expect(world.asked).toBe(2);
  expect(clock.now()).toBe(base.elapsed());
  expect(clock.offsetMs).toBe(-HOUR);
  expect(clock.isConfirmed()).toBe(true);
  clock.end();
});

test('the clock begins without NATS where older servers never tell the time', async () => {
  const { world, clock, ask } = setUp();
  world.answer = 'untold';
  await clock.begin(ask);
  expect(world.asked).toBe(1);
  expect(clock.now()).toBe(START);
  expect(clock.isConfirmed()).toBe(false);
  clock.end();
});

test('a jump is counted once, makes a comparison at once, and is not followed', async () => {
  const { base, world, clock, ask, advance } = setUp();
  await clock.begin(ask);
  base.wallOffset = HOUR;
  await advance(1);
  expect(clock.jumps).toBe(1);
  expect(world.asked).toBe(2);
  await advance(30);
  expect(clock.jumps).toBe(1);
  expect(Math.abs(clock.now() - base.elapsed())).toBeLessThanOrEqual(50);
  expect(clock.isConfirmed()).toBe(true);
  clock.end();
});

test('after a suspension, which the monotonic clock did not count, the clock catches up', async () => {
  const { base, world, clock, ask, advance } = setUp();
  await clock.begin(ask);
  base.wallOffset = HOUR;
  world.uptimeAhead = HOUR;
  world.answer = HOUR;
  await advance(1);
  expect(Math.abs(clock.now() - base.elapsed() - HOUR)).toBeLessThanOrEqual(50);
  expect(clock.jumps).toBe(0);
  clock.end();
});

test('a clock that ended asks no more', async () => {
  const { world, clock, ask, advance } = setUp();
  await clock.begin(ask);
  clock.end();
  await advance(20);
  expect(world.asked).toBe(1);
});

const streams = (answers: Record<string, string | Error | undefined>) => ({
  info: async (stream: string) => {
    const ts = answers[stream];
    if (ts instanceof Error) throw ts;
    return { ts };
  },
});

test.each([
  ['the middle of three', { 0: 10, 1: 30, 2: 900 }, 30],
  ['one answer', { 0: new Error('no leader'), 1: 30, 2: new Error('no leader') }, 30],
  ['no answer', { 0: new Error('no leader'), 1: new Error('no leader'), 2: new Error('no leader') }, null],
  ['no server that tells it', { 0: undefined, 1: undefined, 2: undefined }, 'untold'],
])('the time of NATS, from %s', async (_, answers, expected) => {
  const told = Object.entries(answers).map(([partition, seconds]) => [
    `JOURNAL-${partition}`,
    typeof seconds === 'number' ? new Date(START + seconds * SECOND).toISOString() : seconds,
  ]);
  const manager = { streams: streams(Object.fromEntries(told)) } as unknown as Parameters<typeof createNatsTime>[0];
  const clock = new ManualClock(START);
  const time = await createNatsTime(manager, 8, clock)();
  expect(time).toBe(typeof expected === 'number' ? expected * SECOND : expected);
});
