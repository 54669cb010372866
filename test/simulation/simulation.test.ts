/** Three hundred simulated histories; `npm run test:simulation` plays 10,000 of them. */
import { expect, test } from 'vitest';
import { tell } from './report.ts';
import { simulate } from './simulation.ts';

/** Each of these has found something once. */
const remembered = [12, 24, 54];

test('the invariants hold in 300 simulated histories of crashes, stops, cut links and lost messages', {
  timeout: 120_000,
}, async () => {
  const seeds = new Set([...remembered, ...Array.from({ length: 300 }, (_, i) => i + 1)]);
  let answers = 0;
  for (const seed of seeds) {
    const verdict = await simulate(seed);
    if (verdict.failure !== null) expect.fail(tell(verdict));
    answers += verdict.answers;
  }
  // A simulation in which nobody gets an answer would prove nothing.
  expect(answers).toBeGreaterThan(10 * seeds.size);
});

test('a seed is one history', async () => {
  const [one, two, other] = [await simulate(7), await simulate(7), await simulate(8)];
  expect(two).toEqual(one);
  expect(other.traceHash).not.toBe(one.traceHash);
});
