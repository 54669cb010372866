/**
 * The files of a page, which the build puts into a folder beside this program with a manifest (manifest.json). A file
 * is read at its first request, and kept with its compressed forms. Only files that the manifest names are served.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Encoding } from '../answers/answers.ts';

export type PageFile = {
  bytes: Buffer;
  /** The compressed forms that are smaller than the file. */
  encoded: Partial<Record<Encoding, Buffer>>;
  contentType: string;
  etag: string;
  /** The name changes with the content. */
  isImmutable: boolean;
};

export type PageFiles = {
  /** Null for any other name, or if the page was not built. */
  get(name: string): Promise<PageFile | null>;
};

type Listed = { type: string; immutable: boolean; etag: string; encodings: Encoding[] };

const suffixes = { br: 'br', gzip: 'gz' };

export function createPageFiles(folder: string): PageFiles {
  const known = new Map<string, PageFile>();
  let listing: Promise<Map<string, Listed>> | null = null;

  async function list(): Promise<Map<string, Listed>> {
    const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => '{}');
    return new Map(Object.entries(JSON.parse(text) as Record<string, Listed>));
  }

  async function load(name: string, { type, immutable, etag, encodings }: Listed): Promise<PageFile | null> {
    const path = join(folder, name);
    const [bytes, ...others] = await Promise.all([
      readFile(path).catch(() => null),
      ...encodings.map(async (encoding) => [encoding, await readFile(`${path}.${suffixes[encoding]}`)] as const),
    ]);
    return bytes && { bytes, encoded: Object.fromEntries(others), contentType: type, etag, isImmutable: immutable };
  }

  return {
    async get(name) {
      const kept = known.get(name);
      if (kept) return kept;
      listing ??= list();
      const listed = (await listing).get(name);
      const file = listed ? await load(name, listed) : null;
      if (file) known.set(name, file);
      return file;
    },
  };
}
