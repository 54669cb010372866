/** Pictures by id. A picture never changes under its id. */
import type { CatalogOutput } from '@parterre/shared/catalog-api';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Outcome } from '@parterre/shared/errors';
import { assetCacheBytes } from '@parterre/shared/limits';
import { createBytesCache } from './bytes-cache.ts';

type Asset = CatalogOutput<'assets.get'>;

export type Assets = { get(assetId: string): Promise<Outcome<Asset>> };

export function createAssets(catalog: CatalogClient): Assets {
  const cache = createBytesCache<Asset>(assetCacheBytes, ({ bytes }) => bytes.length);
  return { get: (assetId) => cache.get(assetId, () => catalog('assets.get', { assetId })) };
}
