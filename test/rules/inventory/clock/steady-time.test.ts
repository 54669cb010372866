/** Told time has a bounded rate, even if the wall clock jumps. NATS decides which clock told time follows. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SteadyTime } from '../../../../services/inventory-shard/src/steady-clock/steady-time.ts';

const START = 1_750_000_000_000;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const slewRate = 0.05;
const agreement = 5 * SECOND;

function setUp(wallErrorMs = 0) {
  const world = { truth: START, elapsed: 500, wallError: wallErrorMs };
  const time = new SteadyTime(
    () => Math.floor(world.truth + world.wallError),
    () => world.elapsed,
  );
  const pass = (ms: number): void => {
    world.truth += ms;
    world.elapsed += ms;
  };
  return { world, time, pass };
}

const step = fc.record({
  passMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.double({ min: 0, max: 2, noNaN: true })),
  jumpMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -2 * HOUR, max: 2 * HOUR })),
});

describe('without NATS', () => {
  test('told time runs at most a twentieth faster or slower than the monotonic clock', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const { world, time, pass } = setUp();
        let before = time.now();
        for (const { passMs, jumpMs } of steps) {
          world.wallError += jumpMs;
          pass(passMs);
          const now = time.now();
          expect(now - before).toBeGreaterThanOrEqual(Math.floor(passMs * (1 - slewRate)) - 1);
          expect(now - before).toBeLessThanOrEqual(passMs * (1 + slewRate) + 1);
          before = now;
        }
      }),
    );
  });

  test('told time is the wall clock while the wall clock runs evenly', () => {
    const { world, time, pass } = setUp();
    for (let i = 0; i < 5_000; i++) {
      pass((i * 7.3) % 13);
      // Both clocks tell whole milliseconds.
      expect(Math.abs(time.now() - world.truth)).toBeLessThanOrEqual(2);
    }
    expect(time.isApart).toBe(false);
  });

  test('a jump ahead is caught up after twenty times its size', () => {
    const { world, time, pass } = setUp();
    world.wallError = 10 * SECOND;
    pass(SECOND);
    time.now();
    expect(time.isApart).toBe(true);
    for (let i = 0; i < 200; i++) {
      pass(SECOND);
      time.now();
    }
    expect(time.isApart).toBe(false);
    expect(Math.abs(time.offsetMs)).toBeLessThanOrEqual(1);
  });
});

describe('with NATS', () => {
  test('told time is never ahead of the true time by more than clocks may differ and the slew since the comparison', () => {
    const noise = fc.integer({ min: -SECOND, max: SECOND });
    const turn = fc.record({ steps: fc.array(step, { maxLength: 5 }), noise });
    fc.assert(
      fc.property(
        fc.integer({ min: -HOUR, max: HOUR }),
        fc.array(turn, { minLength: 1, maxLength: 20 }),
        (wallErrorMs, turns) => {
          const { world, time, pass } = setUp(wallErrorMs);
          for (const { steps, noise: natsError } of turns) {
            time.compare(world.truth + natsError - world.elapsed);
            let slewed = 0;
            for (const { passMs, jumpMs } of steps) {
              world.wallError += jumpMs;
              pass(passMs);
              slewed += slewRate * passMs;
              const ahead = time.now() - world.truth;
              expect(Math.abs(ahead)).toBeLessThanOrEqual(agreement + SECOND + slewed + 1);
            }
          }
        },
      ),
    );
  });

  test('a process that begins with a wrong clock tells the time of NATS, and the wall clock once it is right', () => {
    const { world, time, pass } = setUp(HOUR);
    expect(time.isConfirmed).toBe(false);
    expect(time.compare(world.truth - world.elapsed)).toBe('the wall clock is wrong');
    expect(time.now()).toBe(START);
    expect(time.isConfirmed).toBe(true);
    expect(time.offsetMs).toBe(-HOUR);
    world.wallError = 0;
    pass(SECOND);
    expect(time.compare(world.truth - world.elapsed)).toBe('all agree');
    expect(Math.abs(time.now() - world.truth)).toBeLessThanOrEqual(50);
    expect(time.offsetMs).toBeGreaterThanOrEqual(-50);
  });

  test('a wall clock that jumps alone is not followed', () => {
    const { world, time, pass } = setUp();
    time.compare(START - world.elapsed);
    world.wallError = HOUR;
    pass(SECOND);
    expect(time.now() - world.truth).toBeLessThanOrEqual(50);
    expect(time.isConfirmed).toBe(false);
    expect(time.compare(world.truth - world.elapsed)).toBe('the wall clock is wrong');
    expect(time.isConfirmed).toBe(true);
    pass(HOUR);
    expect(Math.abs(time.now() - world.truth)).toBeLessThanOrEqual(50);
  });

  test('NATS that jumps together with the wall clock, as on one machine, makes no step', () => {
    const { world, time, pass } = setUp();
    time.compare(START - world.elapsed);
    world.wallError = HOUR;
    pass(SECOND);
    expect(time.compare(world.truth + HOUR - world.elapsed)).toBe('told time is wrong');
    expect(time.now() - world.truth).toBeLessThanOrEqual(50);
    expect(time.isConfirmed).toBe(false);
  });

  test('NATS alone changes nothing', () => {
    const { world, time, pass } = setUp();
    time.compare(START - world.elapsed);
    pass(SECOND);
    expect(time.compare(world.truth + HOUR - world.elapsed)).toBe('NATS is alone');
    pass(20 * SECOND);
    expect(Math.abs(time.now() - world.truth)).toBeLessThanOrEqual(1);
    expect(time.isConfirmed).toBe(false);
  });

  test('an agreement confirms the time for some seconds only', () => {
    const { world, time, pass } = setUp();
    time.compare(world.truth - world.elapsed);
    pass(12 * SECOND);
    time.now();
    expect(time.isConfirmed).toBe(true);
    pass(SECOND);
    time.now();
    expect(time.isConfirmed).toBe(false);
  });
});

describe('after a suspension', () => {
  test('told time catches up at once, but not past the wall clock', () => {
    const { world, time } = setUp();
    world.truth += HOUR;
    expect(time.now()).toBe(START);
    time.wasSuspended(HOUR);
    expect(time.now()).toBe(START + HOUR);
    time.wasSuspended(HOUR);
    expect(time.now()).toBe(START + HOUR);
  });

  test('a wall clock that jumps besides is followed slowly', () => {
    const { world, time, pass } = setUp();
    world.truth += HOUR;
    world.wallError = HOUR;
    time.wasSuspended(HOUR);
    pass(SECOND);
    expect(time.now() - world.truth).toBeLessThanOrEqual(50);
  });
});
