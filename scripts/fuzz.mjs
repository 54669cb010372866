/** `npm run fuzz`: bundles test/fuzz/main.ts and runs it. docs/fuzzing.md tells how. */
import { join } from 'node:path';
import { bundle, root } from './build.mjs';
import { buildIfNeeded, checkNode, installIfNeeded, run, runInForeground } from './prepare.mjs';
import { findRuntime } from './runtime.mjs';

await run(async () => {
  checkNode();
  await installIfNeeded();
  await buildIfNeeded();
  const node = await findRuntime();
  const entry = join(root, 'dist', 'fuzz', 'main.js');
  await bundle({ entryPoints: [join(root, 'test', 'fuzz', 'main.ts')], outfile: entry });
  process.exitCode = await runInForeground(node, ['--enable-source-maps', entry, ...process.argv.slice(2)]);
});
