/**
 * The files of the demo page and its picker, which the build puts beside this program. A file is read at its first
 * request, and kept. Only files named here are served.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '@parterre/shared/ids';

export type DemoFile = { bytes: Buffer; contentType: string; etag: string };

export type DemoFiles = {
  /** Null for any other name, or if the picker was not built. */
  get(name: string): Promise<DemoFile | null>;
};

const types = new Map([
  ['index.html', 'text/html; charset=utf-8'],
  ['demo.css', 'text/css; charset=utf-8'],
  ['demo.js', 'text/javascript; charset=utf-8'],
  ['parterre.js', 'text/javascript; charset=utf-8'],
]);

export function createDemoFiles(folder: string): DemoFiles {
  const known = new Map<string, DemoFile>();
  return {
    async get(name) {
      const contentType = types.get(name);
      if (!contentType) return null;
      const kept = known.get(name);
      if (kept) return kept;
      const bytes = await readFile(join(folder, name)).catch(() => null);
      if (!bytes) return null;
      const file = { bytes, contentType, etag: `"${sha256(bytes)}"` };
      known.set(name, file);
      return file;
    },
  };
}
