/**
 * Makes the npm package `@parterre/picker` in dist/packages/picker/: ES modules, with lit-html left to the
 * application, so that it has the library once.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';

export async function bundlePackage(root) {
  const source = join(root, 'web/package');
  const folder = join(root, 'dist/packages/picker');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await esbuild({
    entryPoints: ['index', 'react', 'vue'].map((name) => join(source, `${name}.ts`)),
    bundle: true,
    splitting: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    logLevel: 'warning',
    charset: 'utf8',
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).flatMap((name) => [
      name,
      `${name}/*`,
    ]),
    outdir: folder,
  });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  for (const name of ['types', 'README.md', 'custom-elements.json']) {
    await cp(join(source, name), join(folder, name), { recursive: true });
  }
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}
