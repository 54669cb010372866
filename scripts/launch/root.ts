/** The root of the repository, seen from the sources as well as from the bundle in dist/. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package-lock.json'))) {
    if (dirname(folder) === folder) throw new Error('the launcher does not stand inside the repository');
    folder = dirname(folder);
  }
  return folder;
}

export const root = findRoot();

/** Fetched programs, which may be deleted at any time: a NATS server, another Node. */
export const cacheFolder = join(root, '.cache');
