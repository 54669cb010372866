/** `npm test [-- vitest arguments]`: sets up what is missing, then runs vitest, whose last line is `N passed, N failed`. */
import { join } from 'node:path';
import { root } from './build.mjs';
import { buildIfNeeded, checkNode, installIfNeeded, run, runInForeground } from './prepare.mjs';
import { findRuntime } from './runtime.mjs';

await run(async () => {
  checkNode();
  await installIfNeeded();
  await buildIfNeeded();
  const node = await findRuntime();
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  process.exitCode = await runInForeground(node, [vitest, 'run', ...process.argv.slice(2)]);
});
