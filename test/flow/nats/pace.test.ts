import { createPace, restMs } from '@parterre/shared/runtime/pace';
import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';

const bounds = { msMin: 250, msMax: 1_000 };

/** A pace, and the readers that were woken so far. */
function pace() {
  const clock = new ManualClock();
  const { rest, hurry } = createPace(clock, bounds);
  const woken: string[] = [];
  return {
    woken,
    hurry,
    rest: (reader: string, messages: number) => void rest(messages).then(() => woken.push(reader)),
    async after(ms: number): Promise<string[]> {
      clock.advance(ms);
      // A reader wakes a microtask later.
      await Promise.resolve();
      return woken;
    },
  };
}

test('a rest grows with its messages, up to its most', () => {
  expect([0, 1, 100, 188, 10_000].map((messages) => restMs(bounds, messages))).toEqual([250, 254, 650, 1_000, 1_000]);
});

test('readers share a rest, and its messages', async () => {
  const { rest, after } = pace();
  rest('a', 25);
  expect(await after(200)).toEqual([]);
  rest('b', 50);
  expect(await after(349)).toEqual([]);
  expect(await after(1)).toEqual(['a', 'b']);
  rest('a', 0);
  expect(await after(249)).toEqual(['a', 'b']);
  expect(await after(1)).toEqual(['a', 'b', 'a']);
});

test('a hurried rest ends after its least time', async () => {
  const { rest, hurry, after } = pace();
  hurry();
  rest('a', 10_000);
  await after(100);
  hurry();
  expect(await after(149)).toEqual([]);
  expect(await after(1)).toEqual(['a']);
});

test('a rest that is hurried behind its least time ends at once, and the next rest is a whole one', async () => {
  const { rest, hurry, after } = pace();
  rest('a', 10_000);
  expect(await after(600)).toEqual([]);
  hurry();
  expect(await after(0)).toEqual(['a']);
  rest('a', 10_000);
  expect(await after(999)).toEqual(['a']);
  expect(await after(1)).toEqual(['a', 'a']);
});
