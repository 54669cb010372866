/**
 * Bundles the console into dist/console/: its page, and the elements that a platform's page takes from
 * parterre-console.js, and the thread that reads chart files (console-import.js).
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleHashed, fillFolder } from './page-folder.mjs';

export function bundleConsole(root) {
  const folder = join(root, 'dist/console');
  return fillFolder(folder, async () => {
    const page = await bundleHashed(folder, join(root, 'web/console/main.ts'), 'page', 'console.js');
    const thread = join(root, 'web/console/charts/import/reader-main.ts');
    const reader = await bundleHashed(folder, thread, 'import', 'console-import.js');
    await copyFile(join(root, 'web/console/page/index.html'), join(folder, 'index.html'));
    const source = join(root, 'web/console/elements/elements.ts');
    const elements = await bundleHashed(folder, source, 'elements', 'parterre-console.js');
    return [...page.names, ...reader.names, ...elements.names, 'index.html'];
  });
}
