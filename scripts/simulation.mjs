/** `npm run test:simulation [-- options]`: bundles test/simulation/main.ts, which tells the options, and runs it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundle, root } from './build.mjs';

const entry = join(root, 'dist', 'simulation', 'main.js');
await bundle({
  entryPoints: [join(root, 'test', 'simulation', 'main.ts')],
  outfile: entry,
});
const { status } = spawnSync(process.execPath, ['--enable-source-maps', entry, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
