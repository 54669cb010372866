/**
 * Fills a folder of dist that the front door serves. Scripts are split by esbuild into files that are named by their
 * content, which browsers may keep for ever. manifest.json lists the files that the front door serves. Each file has
 * compressed neighbours, `.br` and `.gz`, where they are smaller.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

export const forBrowsers = { bundle: true, platform: 'browser', target: 'es2022', format: 'esm', logLevel: 'warning' };

/** `write` writes files into the folder, and gives their names. Files of earlier builds go. */
export async function fillFolder(folder, write) {
  await mkdir(folder, { recursive: true });
  const manifest = {};
  await Promise.all((await write()).map(async (name) => (manifest[name] = await finish(folder, name))));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 1));
  await removeOthers(folder, manifest);
}

/**
 * Bundles a script into hashed files `{name}-{hash}.js`, behind the file `entry` with a name that never changes. The
 * entry imports each file that the script needs before it runs, so that a browser asks for all of them at once. Gives
 * the names of all files, and `loadedWith`, the files that a source of the script loads.
 */
export async function bundleHashed(folder, source, name, entry, plugins = []) {
  const { metafile } = await esbuild({
    ...forBrowsers,
    outdir: folder,
    minify: true,
    splitting: true,
    metafile: true,
    legalComments: 'linked',
    charset: 'utf8',
    plugins,
    entryPoints: { [name]: source },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
  });
  const outputs = Object.keys(metafile.outputs).map((path) => basename(path));
  const loadedWith = (path) => {
    const [output] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(path));
    return [...withImports(metafile.outputs, output)].map((each) => basename(each));
  };
  const [first, ...others] = loadedWith(basename(source));
  const imports = others.map((each) => `import './${each}';\n`);
  await writeFile(join(folder, entry), `${imports.join('')}export * from './${first}';\n`);
  return { names: [entry, ...outputs.filter((each) => each.endsWith('.js'))], loadedWith };
}

/** An output with everything that it imports before it runs, itself first. */
function withImports(outputs, output, seen = new Set()) {
  if (seen.has(output)) return seen;
  seen.add(output);
  for (const { path, kind } of outputs[output].imports) {
    if (kind === 'import-statement' && path in outputs) withImports(outputs, path, seen);
  }
  return seen;
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
  const type = `${types[name.split('.').at(-1)]}; charset=utf-8`;
  return { type, immutable: isHashed, etag, encodings, inlineScripts: inlineScripts(name, bytes) };
}

/** The scripts within a page, as its Content-Security-Policy names them. */
function inlineScripts(name, bytes) {
  if (!name.endsWith('.html')) return [];
  const scripts = bytes.toString('utf8').matchAll(/<script>(.*?)<\/script>/gs);
  return Array.from(scripts, ([, code]) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
}

async function removeOthers(folder, manifest) {
  const kept = new Set(['manifest.json']);
  for (const name of Object.keys(manifest)) {
    for (const suffix of ['', '.br', '.gz', '.LEGAL.txt']) kept.add(`${name}${suffix}`);
  }
  const others = (await readdir(folder)).filter((name) => !kept.has(name));
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true })));
}
