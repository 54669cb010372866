/**
 * Operations over several events: 100 fixed seeds, 300 in the long tier, or as many as `SAGAS` says from `FROM` on. A
 * run with `SAGAS` also prints the moments that it reached.
 */
import { expect, test } from 'vitest';
import { inTier } from '../../support/runner/tier.ts';
import type { Moments } from './end-check.ts';
import { playSaga } from './saga.ts';

const seeds = Number(process.env.SAGAS ?? inTier(100, 300));
const from = Number(process.env.FROM ?? 1);

test(
  'every operation over several events ends whole or gone, as its callers were told',
  async () => {
    const reached: Moments = {};
    for (let seed = from; seed < from + seeds; seed++) {
      const { failure, trace, moments } = await playSaga(seed);
      if (failure !== null) throw new Error([`seed ${seed}: ${failure}`, ...trace].join('\n'));
      for (const [moment, count] of Object.entries(moments)) reached[moment] = (reached[moment] ?? 0) + count;
    }
    if (process.env.SAGAS) console.log(reached);
    const wanted = ['home booked', 'home expired', 'home released', 'home aborted', 'an action refused'];
    wanted.push('an exchange over events', 'a try of an exchange refused');
    expect(wanted.filter((moment) => !(moment in reached))).toEqual([]);
  },
  60_000 + seeds * 300,
);

test('a seed gives the same history again', async () => {
  const one = await playSaga(7);
  const other = await playSaga(7);
  expect(one.traceHash).toBe(other.traceHash);
});
