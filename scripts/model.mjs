/** `npm run model [-- options]`: bundles test/model/main.ts, which tells the options, and runs it. */
import { join } from 'node:path';
import { bundle, root } from './build.mjs';
import { checkNode, installIfNeeded, run, runInForeground } from './prepare.mjs';

await run(async () => {
  checkNode();
  await installIfNeeded();
  const entry = join(root, 'dist', 'model', 'main.js');
  await bundle({ entryPoints: [join(root, 'test', 'model', 'main.ts')], outfile: entry });
  process.exitCode = await runInForeground(process.execPath, ['--enable-source-maps', entry, ...process.argv.slice(2)]);
});
