/** Bundles the console into dist/console/. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleHashed, fillFolder } from './page-folder.mjs';

export function bundleConsole(root) {
  const folder = join(root, 'dist/console');
  return fillFolder(folder, async () => {
    const page = await bundleHashed(folder, join(root, 'web/console/main.ts'), 'page', 'console.js');
    await copyFile(join(root, 'web/console/page/index.html'), join(folder, 'index.html'));
    return [...page.names, 'index.html'];
  });
}
