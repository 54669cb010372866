/** Pictures by id. A picture never changes under its id. */
import type { CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import type { Outcome } from '@parterre/shared/protocol/errors';
import { assetCacheBytes } from '@parterre/shared/protocol/limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createBytesCache } from './bytes-cache.ts';

type Asset = CatalogOutput<'assets.get'>;

export type Assets = { get(assetId: string): Promise<Outcome<Asset>> };

export function createAssets(catalog: CatalogClient): Assets {
  const cache = createBytesCache<Asset>(assetCacheBytes, ({ bytes }) => bytes.length);
  return { get: (assetId) => cache.get(assetId, () => catalog('assets.get', { assetId })) };
}
