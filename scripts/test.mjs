/**
 * `npm test [-- --quick] [-- vitest arguments]`: sets up what is missing, then runs vitest, whose last line is `N
 * passed, N failed`. `--quick` runs the quick tier, in less than a minute on a quiet machine: the tests of pure rules
 * but the slowest, a few simulated histories, and one sale end to end. `--long` (`npm run test:long`) runs the long
 * tier, in less than an hour: the files `*.long.test.ts`, the files that play more histories there
 * (test/support/runner/tier.ts), and 10,000 simulated histories from a fresh seed on. Other arguments go to vitest, and
 * a long run with other arguments plays no simulated histories.
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
  const isQuick = process.argv.includes('--quick');
  const isLong = process.argv.includes('--long');
  const args = process.argv.slice(2).filter((arg) => arg !== '--quick' && arg !== '--long');
  const isWhole = args.length === 0;
  const env = { ...process.env };
  if (isQuick) {
    args.push(...quickFiles);
    env.TEST_TIER = 'quick';
    env.SEEDS ??= quickSeeds;
  }
  if (isLong) {
    env.TEST_TIER = 'long';
    // The simulation runs first: the last line is vitest's.
    if (isWhole) process.exitCode = await runInForeground(node, [join(root, 'scripts', 'simulation.mjs')], env);
  }
  const exitCode = await runInForeground(node, [vitest, 'run', ...args], env);
  process.exitCode ||= exitCode;
});
