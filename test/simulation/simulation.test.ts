/** Simulated histories: 300, or as many as `SEEDS` says. `npm run test:simulation` plays 10,000. */
import { expect, test } from 'vitest';
import { tell } from './checks/report.ts';
import { simulate } from './simulation.ts';

const SEEDS = Number(process.env.SEEDS ?? 300);

test(`the invariants hold in ${SEEDS} simulated histories of crashes, stops, cut links and lost messages`, {
  timeout: 120_000,
}, async () => {
  let answers = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const verdict = await simulate(seed);
    if (verdict.failure !== null) expect.fail(tell(verdict));
    answers += verdict.answers;
  }
  // A simulation without answers would prove nothing.
  expect(answers).toBeGreaterThan(10 * SEEDS);
});

test('the same seed gives the same history', async () => {
  const [one, two, other] = [await simulate(7), await simulate(7), await simulate(8)];
  expect(two).toEqual(one);
  expect(other.traceHash).not.toBe(one.traceHash);
});
