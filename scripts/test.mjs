/**
 * `npm test [-- --quick] [-- vitest arguments]`: sets up what is missing, then runs vitest, whose last line is `N
 * passed, N failed`. `--quick` runs the quick tier, in less than a minute on a quiet machine: the tests of pure rules
 * but the slowest, a few simulated histories, and one sale end to end. Other arguments go to vitest.
 */
import { join } from 'node:path';
import { root } from './build.mjs';
import { buildIfNeeded, checkNode, installIfNeeded, run, runInForeground } from './prepare.mjs';
import { findRuntime } from './runtime.mjs';

const quickFiles = ['test/rules/', 'test/web/', 'test/simulation/', 'test/end-to-end/sales/sale.test.ts'];
const quickSeeds = '40';

await run(async () => {
  checkNode();
  await installIfNeeded();
  await buildIfNeeded();
  const node = await findRuntime();
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = process.argv.slice(2).filter((arg) => arg !== '--quick');
  const env = { ...process.env };
  if (process.argv.includes('--quick')) {
    args.push(...quickFiles);
    env.TEST_TIER = 'quick';
    env.SEEDS ??= quickSeeds;
  }
  process.exitCode = await runInForeground(node, [vitest, 'run', ...args], env);
});
