/**
 * Pictures that organisations upload. The bytes are kept once, whoever uploads them; an asset says whose they are, and its
 * id follows from both, so that the same upload again gives the same id.
 */
import type { ImageType } from '@parterre/shared/catalog/events';
import { done, Fault, refuse } from '@parterre/shared/errors';
import { derivedId, sha256 } from '@parterre/shared/ids';
import { assets } from '../collections.ts';
import type { Store } from '../outbound/store.ts';
import type { OperationTable, Ports } from './operations.ts';

export function createAssetOperations({ store }: Ports): OperationTable<'assets.get'> {
  return {
    async 'assets.get'({ assetId }) {
      const asset = await store.get(assets, assetId);
      if (!asset) return refuse('not_found', 'There is no such asset.');
      const bytes = await store.getBlob(asset.value.blob);
      if (!bytes) throw new Fault(`read the bytes of asset ${assetId}`);
      return done({ bytes, contentType: asset.value.contentType });
    },
  };
}

/** Resolves with the id of the asset. */
export async function keepAsset(
  { store, clock }: Ports,
  organisationId: string,
  { bytes, contentType }: { bytes: Uint8Array; contentType: ImageType },
): Promise<string> {
  const hash = sha256(bytes);
  const id = derivedId('ast', organisationId, hash);
  if (await store.get(assets, id)) return id;
  const blob = `asset_${hash}`;
  await store.putBlob(blob, bytes);
  await store.insert(assets, id, { organisationId, blob, contentType, createdAt: clock.now() });
  return id;
}

export async function isAssetOf(store: Store, organisationId: string, assetId: string): Promise<boolean> {
  return (await store.get(assets, assetId))?.value.organisationId === organisationId;
}
