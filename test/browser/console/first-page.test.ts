/** The first page of the console: its size, and what it leaves to the views. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { compressedBytes, loadedWith } from '../page-files.ts';

const folder = join(root, 'dist/console');
const firstPageBytesMax = 150 * 1024;

test('the first page takes at most 150 KB (gzip), without the map, templates, imports and other languages', () => {
  const files = [...loadedWith(folder, 'console.js')];
  const bytes = [...files, 'index.html'].reduce((sum, name) => sum + compressedBytes(folder, name), 0);
  console.log(`the console's first page: ${bytes} bytes (gzip) in ${files.length} files`);
  expect(bytes).toBeLessThanOrEqual(firstPageBytesMax);
  expect(files.filter((name) => /^(event-view|map-tab|charts|templates|import|new-|german|arabic)/.test(name))).toEqual(
    [],
  );
});
