/**
 * The files of a page, which the build puts into a folder beside this program with a manifest (manifest.json). A file
 * is read at its first request, and kept with its compressed forms. Only files that the manifest names are served.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@parterre/shared/protocol/errors';
import type { Encoding } from '../answers/answers.ts';

export type PageFile = {
  bytes: Buffer;
  /** The compressed forms that are smaller than the file. */
  encoded: Partial<Record<Encoding, Buffer>>;
  contentType: string;
  etag: string;
  /** The name changes with the content. */
  isImmutable: boolean;
  /** The scripts within a page, as its Content-Security-Policy names them. */
  inlineScripts: readonly string[];
};

export type PageFiles = {
  /** Null for any other name, or if the page was not built. */
  get(name: string): Promise<PageFile | null>;
};

type Listed = { type: string; immutable: boolean; etag: string; encodings: Encoding[]; inlineScripts: string[] };

const suffixes = { br: 'br', gzip: 'gz' };

export function createPageFiles(folder: string): PageFiles {
  const known = new Map<string, PageFile>();
  let listing: Promise<Map<string, Listed>> | null = null;

  async function list(): Promise<Map<string, Listed>> {
    const text = await readIfThere(join(folder, 'manifest.json'));
    return new Map(Object.entries(JSON.parse(text?.toString('utf8') ?? '{}') as Record<string, Listed>));
  }

  async function load(name: string, listed: Listed): Promise<PageFile | null> {
    const { type: contentType, immutable: isImmutable, etag, encodings, inlineScripts } = listed;
    const path = join(folder, name);
    const [bytes, ...others] = await Promise.all([
      readIfThere(path),
      ...encodings.map(async (encoding) => [encoding, await readFile(`${path}.${suffixes[encoding]}`)] as const),
    ]);
    return bytes && { bytes, encoded: Object.fromEntries(others), contentType, etag, isImmutable, inlineScripts };
  }

  return {
    async get(name) {
      const kept = known.get(name);
      if (kept) return kept;
      listing ??= list().catch((error: unknown) => {
        listing = null;
        throw new Fault(`read the manifest of the page in ${folder}`, error);
      });
      const listed = (await listing).get(name);
      const file = listed ? await load(name, listed) : null;
      if (file) known.set(name, file);
      return file;
    },
  };
}

/** Null without the file. Throws for every other cause. */
async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
