/** `npm run bench [-- --json FILE]`: builds the services and the benchmark, then runs it. See bench/run.ts. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, root } from './build.mjs';

const { build: esbuild } = await import('esbuild');
await build();
const outfile = join(root, 'dist', 'bench.js');
await esbuild({
  entryPoints: [join(root, 'bench', 'run.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  alias: { '@parterre/shared': join(root, 'shared', 'src') },
  packages: 'external',
});
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
