/** The files that the build makes of the picker: their size before the map is drawn, their names, their neighbours. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../../scripts/launch/root.ts';
import { compressedBytes, loadedWith } from './page-files.ts';

const folder = join(root, 'dist/demo');
const firstLoadBytesMax = 60 * 1024;
/** One packet. */
const earlyBytesMax = 1_400;

type Listed = { immutable: boolean; encodings: string[]; inlineScripts: string[] };
const manifest = (): Record<string, Listed> => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

const compressed = (name: string, suffix: string) => readFileSync(join(folder, `${name}.${suffix}`));

test('the picker loads at most 60 KB (gzip) before it draws a map, and no language but English', () => {
  const files = [...loadedWith(folder, 'parterre.js')];
  const bytes = files.reduce((sum, name) => sum + compressedBytes(folder, name), 0);
  console.log(`first load: ${bytes} bytes (gzip) in ${files.length} files`);
  expect(bytes).toBeLessThanOrEqual(firstLoadBytesMax);
  expect(files.filter((name) => /^(ar|de|es|fr|drawing|advice|group-sale)-/.test(name))).toEqual([]);
  expect(Object.keys(manifest()).filter((name) => /^(ar|de|es|fr)-/.test(name))).toHaveLength(4);
});

test('the script names every file of its first load, and the page of the demo those of drawing and advice too', () => {
  const files = loadedWith(folder, 'parterre.js');
  const named = [...readFileSync(join(folder, 'parterre.js'), 'utf8').matchAll(/'\.\/([^']+)'/g)].map(
    ([, name]) => name,
  );
  expect(['parterre.js', ...named].sort()).toEqual([...files].sort());
  const late = Object.keys(manifest()).filter((name) => /^(drawing|advice)-/.test(name));
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const linked = [...page.matchAll(/rel="modulepreload" href="\/demo\/([^"]+)"/g)].map(([, name]) => name);
  for (const name of late) loadedWith(folder, name, files);
  expect([late.length, linked.sort()]).toEqual([2, [...files].sort()]);
  const early = readFileSync(join(folder, 'parterre-early.js'), 'utf8');
  expect([...early.matchAll(/"([^"]+\.js)"/g)].map(([, name]) => name!).sort()).toEqual([...files].sort());
});

test('the early scripts are small, stand before every file of the page, and the policy names the one within it', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const [whole, code] = /<script>(.*?)<\/script>/s.exec(page)!;
  expect(page.indexOf(whole)).toBeLessThan(page.search(/<link rel="(?!icon)|<script type/));
  const hash = createHash('sha256').update(code!).digest('base64');
  expect(manifest()['index.html']!.inlineScripts).toEqual([`'sha256-${hash}'`]);
  expect(code!.length).toBeLessThan(earlyBytesMax);
  expect(compressedBytes(folder, 'parterre-early.js')).toBeLessThan(earlyBytesMax);
});

test('files that browsers keep for ever are named by their content, and each compressed form is of the same file', () => {
  for (const [name, { immutable, encodings }] of Object.entries(manifest())) {
    expect(immutable, name).toBe(/-[A-Z0-9]{8}\.js$/.test(name));
    const bytes = readFileSync(join(folder, name));
    if (encodings.includes('br')) expect(brotliDecompressSync(compressed(name, 'br')).equals(bytes), name).toBe(true);
    if (encodings.includes('gzip')) expect(gunzipSync(compressed(name, 'gz')).equals(bytes), name).toBe(true);
    expect(encodings.length > 0 || bytes.length < 1_000, name).toBe(true);
  }
});
