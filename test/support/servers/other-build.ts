/**
 * A second build of the services, for clusters of two versions: this checkout with some places of its source changed.
 * A service that starts with `environment` runs the other build: a hook of Node reads its files in place of those of
 * dist/.
 */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../../../scripts/launch/root.ts';

/** `from` stands in the file exactly once. */
export type Change = { file: string; from: string; to: string };

export type OtherBuild = { environment: { NODE_OPTIONS: string }; remove(): Promise<void> };

const services = ['catalog', 'notifier', 'inventory-shard', 'frontdoor'];
const threads = {
  'inventory-reader': 'services/inventory-shard/src/readers/reader-main.ts',
  'plan-compiler': 'shared/src/charts/plans/compiler-main.ts',
  'chart-files': 'services/frontdoor/src/chart-files/file-main.ts',
  'body-thread': 'services/frontdoor/src/body-thread-main.ts',
  'draft-thread': 'services/catalog/src/charts/draft-thread-main.ts',
};

export async function buildOther(changes: readonly Change[]): Promise<OtherBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-test-build-'));
  const changed = new Map<string, string>();
  for (const { file, from, to } of changes) {
    const path = join(root, file);
    const parts = (changed.get(path) ?? (await readFile(path, 'utf8'))).split(from);
    if (parts.length !== 2) throw new Error(`${file} has "${from}" ${parts.length - 1} times`);
    changed.set(path, parts.join(to));
  }
  const mains = services.map((name) => [name, `services/${name}/src/main.ts`]);
  const sources = { ...Object.fromEntries(mains), ...threads } as Record<string, string>;
  await build({
    entryPoints: Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, join(root, path)])),
    outdir: join(folder, 'dist'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'error',
    plugins: [
      {
        name: 'changed-sources',
        setup(esbuild) {
          esbuild.onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith('@parterre/') ? undefined : { path, external: true },
          );
          esbuild.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = changed.get(path);
            return contents === undefined ? undefined : { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  for (const name of ['node_modules', 'package.json']) await symlink(join(root, name), join(folder, name));
  for (const name of ['demo', 'designer']) await symlink(join(root, 'dist', name), join(folder, 'dist', name));
  return { environment: await redirectTo(folder), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** For a folder whose `dist` has another build. */
export async function redirectTo(checkout: string): Promise<OtherBuild['environment']> {
  const [from, to] = [root, checkout].map((folder) => pathToFileURL(join(folder, 'dist/')).href);
  const hook = `
    export async function resolve(specifier, context, next) {
      const found = await next(specifier, context);
      const other = found.url.startsWith(${JSON.stringify(from)});
      return other ? { ...found, url: ${JSON.stringify(to)} + found.url.slice(${from!.length}) } : found;
    }`;
  const file = join(checkout, 'other-build.mjs');
  await mkdir(checkout, { recursive: true });
  const address = `data:text/javascript,${encodeURIComponent(hook)}`;
  await writeFile(file, `import { register } from 'node:module';\nregister(${JSON.stringify(address)});\n`);
  return { NODE_OPTIONS: `--import ${pathToFileURL(file).href}` };
}
