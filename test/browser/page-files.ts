/** The files of a page that the build makes, as a browser loads them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the folder with everything that it imports before it runs. */
export function loadedWith(folder: string, name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const code = readFileSync(join(folder, name), 'utf8');
  for (const [, imported] of code.matchAll(/(?:from|import) ?["']\.\/([^"']+)["']/g))
    loadedWith(folder, imported!, seen);
  return seen;
}

/** With gzip, where that is smaller. */
export function compressedBytes(folder: string, name: string): number {
  const neighbour = join(folder, `${name}.gz`);
  return statSync(existsSync(neighbour) ? neighbour : join(folder, name)).size;
}
