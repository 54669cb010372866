/**
 * Bundles each service into dist/<service>.js with esbuild, with npm packages external, and the pages and packages for
 * browsers (pages/). `isStale` tells whether a build is needed.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const services = ['catalog', 'notifier', 'inventory-shard', 'frontdoor'];
const sourceFolders = [
  'shared/src',
  'scripts',
  'web/src',
  'web/demo',
  'web/designer',
  'web/console',
  'web/package',
  ...services.map((service) => `services/${service}/src`),
];

export async function build() {
  const entryPoints = Object.fromEntries(
    services.map((service) => [service, join(root, `services/${service}/src/main.ts`)]),
  );
  entryPoints['inventory-reader'] = join(root, 'services/inventory-shard/src/readers/reader-main.ts');
  entryPoints['plan-compiler'] = join(root, 'shared/src/charts/plans/compiler-main.ts');
  entryPoints['chart-files'] = join(root, 'services/frontdoor/src/chart-files/file-main.ts');
  entryPoints['body-thread'] = join(root, 'services/frontdoor/src/body-thread-main.ts');
  entryPoints['draft-thread'] = join(root, 'services/catalog/src/charts/draft-thread-main.ts');
  entryPoints.launch = join(root, 'scripts/launch/main.ts');
  entryPoints.backup = join(root, 'scripts/backup/main.ts');
  entryPoints.journal = join(root, 'scripts/journal/main.ts');
  entryPoints.status = join(root, 'scripts/status/main.ts');
  entryPoints.doctor = join(root, 'scripts/doctor/main.ts');
  entryPoints.rehearse = join(root, 'scripts/rehearse/main.ts');
  entryPoints.why = join(root, 'scripts/why/main.ts');
  entryPoints.parterre = join(root, 'scripts/operate/main.ts');
  await bundle({ entryPoints, outdir: join(root, 'dist') });
  // Loaded here alone: a caller of `isStale` may have no packages yet.
  const { bundlePicker } = await import('./pages/bundle-picker.mjs');
  const { bundleDesigner } = await import('./pages/bundle-designer.mjs');
  const { bundleConsole } = await import('./pages/bundle-console.mjs');
  const { bundlePackages } = await import('./pages/bundle-package.mjs');
  await Promise.all([bundlePicker(root), bundleDesigner(root), bundleConsole(root), bundlePackages(root)]);
}

/** Bundles for Node; `places` are esbuild's options for inputs and outputs. */
export async function bundle(places) {
  // Loaded here alone: a caller of `isStale` may have no packages yet.
  const { build: esbuild } = await import('esbuild');
  await esbuild({
    ...places,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [{ name: 'packages-external', setup: keepPackagesExternal }],
  });
}

/** Everything but relative imports and our own workspaces is loaded from node_modules. */
function keepPackagesExternal(builder) {
  builder.onResolve({ filter: /^[^./]/ }, ({ path }) =>
    path.startsWith('@parterre/') ? undefined : { path, external: true },
  );
}

/** True when a source is newer than an output. */
export function isStale() {
  const names = [
    ...services,
    'inventory-reader',
    'plan-compiler',
    'launch',
    'parterre',
    'backup',
    'journal',
    'status',
    'doctor',
    'rehearse',
    'why',
    'demo/parterre',
    'designer/designer',
    'console/console',
    'chart-files',
    'body-thread',
    'draft-thread',
  ];
  const outputs = names.map((name) => join(root, `dist/${name}.js`));
  const oldest = Math.min(...outputs.map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0)));
  const newest = Math.max(...sourceFolders.map((folder) => newestIn(join(root, folder))));
  return newest > oldest;
}

function newestIn(folder) {
  if (!existsSync(folder)) return 0;
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestIn(path) : statSync(path).mtimeMs);
  }
  return newest;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build();
  console.log(`built ${services.map((service) => relative('.', join(root, 'dist', `${service}.js`))).join(', ')}`);
}
