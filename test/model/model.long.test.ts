/** The protocols in every state of small worlds (docs/model). The right protocol holds, each wrong one fails. */
import { describe, expect, it } from 'vitest';
import { searches } from './searches.ts';
import { missingSpin, runSearch } from './spin.ts';

/** Seconds on a quiet machine. */
const searchMsMax = 180_000;

describe.skipIf(missingSpin() !== null)('the models of the protocols', { timeout: searchMsMax }, () => {
  it.each(searches.filter(({ isRight }) => isRight))('$name: every state keeps the promises', async (search) => {
    expect((await runSearch(search)).violated).toBeNull();
  });

  it.each(searches.filter(({ isRight }) => !isRight))('$name breaks a promise', async (search) => {
    const { violated } = await runSearch(search);
    expect(violated?.steps.length).toBeGreaterThan(0);
  });
});
