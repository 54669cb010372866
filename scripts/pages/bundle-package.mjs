/**
 * Makes the npm packages in dist/packages/: ES modules, with lit-html left to the application, so that it has the
 * library once.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { forBrowsers } from './page-folder.mjs';

export const bundlePackages = (root) =>
  Promise.all([
    bundlePackage(root, 'picker', 'web/package', {
      index: 'index.ts',
      react: 'react.ts',
      vue: 'vue.ts',
      console: 'console.ts',
    }),
    bundlePackage(root, 'designer', 'web/designer/package', { index: '../embed/embed.ts' }),
  ]);

/** `modules` are the package's own files, by their names, from the folder `source`. */
async function bundlePackage(root, name, source, modules) {
  const folder = join(root, 'dist/packages', name);
  const here = join(root, source);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await esbuild({
    ...forBrowsers,
    entryPoints: Object.fromEntries(Object.entries(modules).map(([entry, file]) => [entry, join(here, file)])),
    splitting: true,
    charset: 'utf8',
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).flatMap((each) => [
      each,
      `${each}/*`,
    ]),
    outdir: folder,
  });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  const copied = (await readdir(here)).filter((each) => /^(types|README\.md|custom-elements\.json)$/.test(each));
  await Promise.all(copied.map((each) => cp(join(here, each), join(folder, each), { recursive: true })));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}
