/**
 * `npm start` and `npm run cluster`: sets up what is missing, then runs all services on this machine. See
 * scripts/launch/main.ts.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './build.mjs';
import { buildIfNeeded, checkNode, installIfNeeded, run, runInForeground } from './prepare.mjs';
import { findRuntime } from './runtime.mjs';

await run(async () => {
  checkNode();
  await installIfNeeded();
  await buildIfNeeded();
  const node = await findRuntime();
  const launcher = join(root, 'dist', 'launch.js');
  if (node === process.execPath) await import(pathToFileURL(launcher).href);
  else process.exit(await runInForeground(node, [launcher, ...process.argv.slice(2)]));
});
