/**
 * Bundles the picker and its demo page into dist/demo/. `parterre.js` is a small entry with a name that never changes;
 * everything behind it stands in files named by their content, which browsers may keep for ever. manifest.json lists
 * the files that the front door serves. Each file has compressed neighbours, `.br` and `.gz`, where they are smaller.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build as esbuild } from 'esbuild';

const types = { js: 'text/javascript', css: 'text/css', html: 'text/html' };
const encoders = {
  br: ['br', promisify(brotliCompress), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }],
  gz: ['gzip', promisify(gzip), { level: 9 }],
};
/** A smaller file fits in one packet as it is. */
const compressedBytesMin = 1_000;
const hashed = /-[A-Z0-9]{8}\.js$/;

export async function bundlePicker(root) {
  const folder = join(root, 'dist/demo');
  await mkdir(folder, { recursive: true });
  const written = [...(await bundleScripts(root, folder)), 'parterre.js', 'demo.js'];
  for (const name of ['index.html', 'demo.css']) {
    await copyFile(join(root, 'web/demo', name), join(folder, name));
    written.push(name);
  }
  const manifest = {};
  await Promise.all(written.map(async (name) => (manifest[name] = await finish(folder, name))));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 1));
  await removeOthers(folder, manifest);
}

/** Gives the names of the hashed files. */
async function bundleScripts(root, folder) {
  const shared = {
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    logLevel: 'warning',
    outdir: folder,
  };
  const { metafile } = await esbuild({
    ...shared,
    minify: true,
    splitting: true,
    metafile: true,
    legalComments: 'linked',
    charset: 'utf8',
    entryPoints: { picker: join(root, 'web/src/parterre.ts') },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
  });
  const outputs = Object.keys(metafile.outputs).map((path) => basename(path));
  const [entry] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('parterre.ts'));
  await writeFile(join(folder, 'parterre.js'), `export * from './${basename(entry)}';\n`);
  await esbuild({
    ...shared,
    entryPoints: [join(root, 'web/demo/demo.ts')],
    plugins: [
      {
        name: 'picker-external',
        setup: (builder) =>
          builder.onResolve({ filter: /^@parterre\/web$/ }, () => ({ path: './parterre.js', external: true })),
      },
    ],
  });
  return outputs.filter((name) => name.endsWith('.js'));
}

/** Compresses a file. A hashed file with neighbours is not compressed again. */
async function finish(folder, name) {
  const path = join(folder, name);
  const bytes = await readFile(path);
  const isHashed = hashed.test(name);
  const encodings = [];
  for (const [suffix, [encoding, encode, options]] of Object.entries(encoders)) {
    const neighbour = `${path}.${suffix}`;
    if (bytes.length < compressedBytesMin) continue;
    if (!isHashed || !existsSync(neighbour)) await writeFile(neighbour, await encode(bytes, options));
    encodings.push(encoding);
  }
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  return { type: `${types[name.split('.').at(-1)]}; charset=utf-8`, immutable: isHashed, etag, encodings };
}

/** The files of earlier builds. */
async function removeOthers(folder, manifest) {
  const kept = new Set(['manifest.json']);
  for (const name of Object.keys(manifest)) {
    for (const suffix of ['', '.br', '.gz', '.LEGAL.txt']) kept.add(`${name}${suffix}`);
  }
  const others = (await readdir(folder)).filter((name) => !kept.has(name));
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true })));
}
