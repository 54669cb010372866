/** Bundles the picker and its demo page into dist/demo/. A host's page names the script parterre.js. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { bundleHashed, fillFolder, forBrowsers } from './page-folder.mjs';

export function bundlePicker(root) {
  const folder = join(root, 'dist/demo');
  return fillFolder(folder, async () => {
    const picker = await bundleHashed(folder, join(root, 'web/src/parterre.ts'), 'picker', 'parterre.js');
    await bundleDemo(root, folder);
    await writeDemoPage(root, folder, picker);
    const copied = ['demo.css', 'draw.html', 'draw.css'];
    await Promise.all(copied.map((name) => copyFile(join(root, 'web/demo', name), join(folder, name))));
    return [...picker.names, 'index.html', 'demo.js', 'draw.js', ...copied];
  });
}

/**
 * The page of the demo names every file of its first load, the drawing and the advice too: a browser asks for all of
 * them at once.
 */
async function writeDemoPage(root, folder, { loadedWith }) {
  const sources = ['src/parterre.ts', 'src/drawing.ts', 'panel/advice.ts'];
  const files = new Set(['parterre.js', ...sources.flatMap(loadedWith)]);
  const links = [...files].map((name) => `    <link rel="modulepreload" href="/demo/${name}">\n`);
  const page = await readFile(join(root, 'web/demo/index.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), page.replace('  </head>', `${links.join('')}  </head>`));
}

/** The pages take the picker from parterre.js, as every page does. */
function bundleDemo(root, folder) {
  const onResolve = () => ({ path: './parterre.js', external: true });
  const external = {
    name: 'picker-external',
    setup: (builder) => builder.onResolve({ filter: /^@parterre\/web$/ }, onResolve),
  };
  const entryPoints = ['demo', 'draw'].map((page) => join(root, `web/demo/${page}.ts`));
  return esbuild({ ...forBrowsers, outdir: folder, entryPoints, plugins: [external] });
}
