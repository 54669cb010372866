/**
 * `npm run picture`: makes the pictures in docs/images from the real picker (scripts/picture/take-picture.ts). Needs
 * a Chromium.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, bundle, root } from './build.mjs';

await build();
const outdir = join(root, 'dist', 'picture');
await bundle({ entryPoints: [join(root, 'scripts', 'picture', 'take-picture.ts')], outdir });
const { status } = spawnSync(process.execPath, [join(outdir, 'take-picture.js'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
