/**
 * Bundles the designer into dist/designer/: its page, and the element that a platform's page puts around it
 * (parterre-designer.js).
 */
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleHashed, fillFolder } from './page-folder.mjs';

export function bundleDesigner(root) {
  const folder = join(root, 'dist/designer');
  const page = join(root, 'web/designer/page');
  return fillFolder(folder, async () => {
    const designer = await bundleHashed(folder, join(root, 'web/designer/main.ts'), 'designer', 'designer.js');
    const embed = join(root, 'web/designer/embed/embed.ts');
    const element = await bundleHashed(folder, embed, 'element', 'parterre-designer.js');
    const copied = await readdir(page);
    await Promise.all(copied.map((name) => copyFile(join(page, name), join(folder, name))));
    return [...designer, ...element, ...copied];
  });
}
