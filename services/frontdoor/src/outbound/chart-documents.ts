/**
 * Published chart documents as JSON bytes, by hash. Immutable, so never stale; kept while they fit `BYTES_MAX`, the
 * least recently used leave first. Whoever asks at once for the same document shares one load.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import { done, type Outcome } from '@parterre/shared/errors';

export type ChartDocuments = {
  /** The document's JSON under `hash`. */
  published(hash: string): Promise<Outcome<Buffer>>;
};

const BYTES_MAX = 256 * 1024 * 1024;
const gunzipBytes = promisify(gunzip);
const gzipBytes = promisify(gzip) as (bytes: string, options: { level: number }) => Promise<Buffer>;

export function createChartDocuments(catalog: CatalogClient): ChartDocuments {
  const kept = new Map<string, Buffer>();
  const loads = new Map<string, Promise<Outcome<Buffer>>>();
  let bytes = 0;

  function keep(hash: string, document: Buffer): void {
    kept.set(hash, document);
    bytes += document.length;
    for (const [oldest, { length }] of kept) {
      if (bytes <= BYTES_MAX || oldest === hash) return;
      kept.delete(oldest);
      bytes -= length;
    }
  }

  async function load(hash: string): Promise<Outcome<Buffer>> {
    const found = await catalog('plans.get', { hash });
    if (!found.ok) return found;
    const document = await unpackDocument(found.value.doc);
    keep(hash, document);
    return done(document);
  }

  return {
    async published(hash) {
      const known = kept.get(hash);
      if (known) {
        kept.delete(hash);
        kept.set(hash, known);
        return done(known);
      }
      const loading = loads.get(hash) ?? load(hash).finally(() => loads.delete(hash));
      loads.set(hash, loading);
      return loading;
    },
  };
}

/** A document as the catalog takes it. Fast rather than small: it crosses one local link and is stored once. */
export async function packDocument(document: object): Promise<Uint8Array> {
  return gzipBytes(JSON.stringify(document), { level: 3 });
}

export function unpackDocument(packed: Uint8Array): Promise<Buffer> {
  return gunzipBytes(packed);
}
