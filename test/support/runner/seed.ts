/**
 * The seed of all generated tests. It is constant, so that a failure belongs to the change and not to chance.
 * `TEST_SEED=7` plays other cases, and `TEST_SEED=random` draws a seed. A failing test prints its seed.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';

const { TEST_SEED = '1' } = process.env;

/** A whole number from 0 to 2³¹ − 1. */
export const testSeed = TEST_SEED === 'random' ? randomInt(2 ** 31) : Number(TEST_SEED);
if (!Number.isInteger(testSeed)) throw new Error(`TEST_SEED must be a whole number or "random", not ${TEST_SEED}.`);

fc.configureGlobal({ seed: testSeed });
