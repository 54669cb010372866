/**
 * Bundles the picker and its demo page into dist/demo/. A host's page names the script `parterre.js`, and before it
 * `parterre-early.js` where its map should open sooner.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { bundleHashed, fillFolder, forBrowsers } from './page-folder.mjs';

export function bundlePicker(root) {
  const folder = join(root, 'dist/demo');
  return fillFolder(folder, async () => {
    const source = join(root, 'web/src/parterre.ts');
    const picker = await bundleHashed(folder, source, 'picker', 'parterre.js', [behind(source)]);
    const files = firstFiles(picker);
    await bundleDemo(root, folder);
    await bundleHostEarly(root, folder, files);
    await writeDemoPage(root, folder, files);
    const copied = ['demo.css', 'draw.html', 'draw.css'];
    await Promise.all(copied.map((name) => copyFile(join(root, 'web/demo', name), join(folder, name))));
    return [...picker.names, 'index.html', 'demo.js', 'draw.js', 'parterre-early.js', ...copied];
  });
}

/**
 * Scripts that load later import the whole first load: they are behind it anyway. All that the first load shares with
 * some of them is then one file. Otherwise each combination has a file of its own, and a browser asks for six at once.
 */
function behind(source) {
  const late = new Set();
  return {
    name: 'behind',
    setup(builder) {
      builder.onResolve({ filter: /^\./ }, async ({ path, kind, pluginData, ...from }) => {
        if (kind !== 'dynamic-import' || pluginData === late) return undefined;
        const resolved = await builder.resolve(path, { ...from, kind, pluginData: late });
        late.add(resolved.path);
        return resolved;
      });
      builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!late.has(path)) return undefined;
        return { contents: `${await readFile(path, 'utf8')}\nimport ${JSON.stringify(source)};\n`, loader: 'ts' };
      });
    },
  };
}

/** Every script that the first picture needs, the drawing and the advice too: a page asks for all of them at once. */
function firstFiles({ loadedWith }) {
  const sources = ['src/parterre.ts', 'src/drawing.ts', 'panel/advice.ts'];
  return [...new Set(['parterre.js', ...sources.flatMap(loadedWith)])];
}

/** The page of the demo asks for the sale first of all, then for every file. */
async function writeDemoPage(root, folder, files) {
  const entryPoints = [join(root, 'web/demo/early.ts')];
  const { outputFiles } = await esbuild({ ...forBrowsers, format: 'iife', minify: true, write: false, entryPoints });
  const early = `    <script>${outputFiles[0].text.trim()}</script>\n`;
  const links = files.map((name) => `    <link rel="modulepreload" href="/demo/${name}">\n`);
  const page = await readFile(join(root, 'web/demo/index.html'), 'utf8');
  const head = page.replace('    <title>', (title) => early + title);
  await writeFile(join(folder, 'index.html'), head.replace('  </head>', `${links.join('')}  </head>`));
}

function bundleHostEarly(root, folder, files) {
  const outfile = join(folder, 'parterre-early.js');
  const define = { PICKER_FILES: JSON.stringify(files) };
  return esbuild({ ...forBrowsers, minify: true, outfile, define, entryPoints: [join(root, 'web/src/host-early.ts')] });
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
