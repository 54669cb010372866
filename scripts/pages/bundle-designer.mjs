/**
 * Bundles the designer into dist/designer/: its page, the thread that checks the document (designer-check.js), and the
 * element that a platform's page puts around the designer (parterre-designer.js).
 */
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleHashed, fillFolder } from './page-folder.mjs';

export function bundleDesigner(root) {
  const folder = join(root, 'dist/designer');
  const page = join(root, 'web/designer/page');
  return fillFolder(folder, async () => {
    const designer = await bundleHashed(folder, join(root, 'web/designer/main.ts'), 'designer', 'designer.js');
    const thread = join(root, 'web/designer/checking/check-main.ts');
    const check = await bundleHashed(folder, thread, 'check', 'designer-check.js');
    const embed = join(root, 'web/designer/embed/embed.ts');
    const element = await bundleHashed(folder, embed, 'element', 'parterre-designer.js');
    const copied = await readdir(page);
    await Promise.all(copied.map((name) => copyFile(join(page, name), join(folder, name))));
    return [...designer.names, ...check.names, ...element.names, ...copied];
  });
}
