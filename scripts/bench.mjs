/**
 * `npm run bench [-- options]`: builds the services and the benchmark, then runs bench/run.ts. A first argument without
 * a dash names another benchmark: `npm run bench -- recovery` runs bench/recovery.ts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build, bundle, root } from './build.mjs';

const args = process.argv.slice(2);
const name = args[0] && !args[0].startsWith('-') ? args.shift() : 'run';
if (!existsSync(join(root, 'bench', `${name}.ts`))) {
  console.error(`There is no bench/${name}.ts.`);
  process.exit(1);
}
await build();
const baselines = readdirSync(join(root, 'bench', 'baselines')).map((file) => `baselines/${file}`);
await bundle({
  entryPoints: [
    `${name}.ts`,
    'load-process.ts',
    'feed-viewers.ts',
    'webhook-receiver.ts',
    'turn-probe.ts',
    'door-front.ts',
    'door-shard.ts',
    ...baselines,
  ].map((file) => join(root, 'bench', file)),
  outbase: join(root, 'bench'),
  outdir: join(root, 'dist', 'bench'),
});
const entry = join(root, 'dist', 'bench', `${name}.js`);
// The same flags as the services: see launch/service-process.ts.
const { status } = spawnSync(
  process.execPath,
  ['--min-semi-space-size=16', '--max-semi-space-size=32', entry, ...args],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
