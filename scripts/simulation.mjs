/** `npm run test:simulation`: bundles test/simulation/main.ts and runs it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './build.mjs';

const entry = join(root, 'dist', 'simulation', 'main.js');
await build({
  entryPoints: [join(root, 'test', 'simulation', 'main.ts')],
  outfile: entry,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  alias: { '@parterre/shared': join(root, 'shared', 'src') },
  packages: 'external',
});
const { status } = spawnSync(process.execPath, ['--enable-source-maps', entry], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
