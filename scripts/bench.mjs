/**
 * `npm run bench [-- options]`: builds the services and the benchmarks, then runs the benchmark of sales. A first
 * argument without a dash names another benchmark: `npm run bench -- recovery`. `--help` prints the examples of
 * bench/README.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, bundle, root } from './build.mjs';
import { checkNode, installIfNeeded, run, runInForeground } from './prepare.mjs';
import { findRuntime } from './runtime.mjs';

const folder = join(root, 'bench');
const benchmarks = {
  sales: 'sales/main',
  'best-available': 'shard/best-available',
  'commit-forms': 'shard/commit-forms',
  console: 'viewers/console',
  designer: 'viewers/designer',
  door: 'door/door',
  failover: 'failover/failover',
  feed: 'viewers/feed',
  followers: 'webhooks/followers',
  groups: 'groups/groups',
  links: 'links/links',
  memory: 'shard/memory',
  neighbours: 'neighbours/neighbours',
  opening: 'crowd/opening',
  overload: 'overload/overload',
  picker: 'viewers/picker',
  plans: 'shard/plans',
  imports: 'imports/imports',
  'record-forms': 'shard/record-forms',
  recovery: 'shard/recovery',
  reports: 'shard/reports',
  'sale-start': 'viewers/sale-start',
  takeover: 'shard/takeover',
  ten: 'crowd/ten',
  turns: 'shard/turns',
  webhooks: 'webhooks/webhooks',
  works: 'shard/works',
};
/** Processes and threads that benchmarks start. */
const helpers = [
  'crowd/crowd-process',
  'door/door-front',
  'door/door-shard',
  'links/link-peer',
  'load/load-process',
  'neighbours/attack-process',
  'overload/throttle',
  'shard/turn-probe',
  'viewers/feed-viewers',
  'webhooks/webhook-receiver',
];

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  console.log(/^```sh\n([\s\S]*?)^```/m.exec(readFileSync(join(folder, 'README.md'), 'utf8'))[1]);
  process.exit(0);
}
const name = args[0] && !args[0].startsWith('-') ? args.shift() : 'sales';
if (!Object.hasOwn(benchmarks, name)) {
  console.error(`There is no benchmark ${name}. There are: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(1);
}
await run(async () => {
  checkNode();
  await installIfNeeded();
  await build();
  await bundleBenchmark();
  // The same flags as the services: see launch/service-process.ts.
  const flags = ['--min-semi-space-size=16', '--max-semi-space-size=32', '--no-allocation-site-pretenuring'];
  const entry = join(root, 'dist', 'bench', `${benchmarks[name]}.js`);
  process.exit(await runInForeground(await findRuntime(), [...flags, entry, ...args]));
});

async function bundleBenchmark() {
  const baselines = readdirSync(join(folder, 'baselines')).map((file) => `baselines/${file}`);
  const sources = [benchmarks[name], ...helpers].map((file) => `${file}.ts`);
  await bundle({
    entryPoints: [...sources, ...baselines].map((file) => join(folder, file)),
    outbase: folder,
    outdir: join(root, 'dist', 'bench'),
  });
}
