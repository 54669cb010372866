/**
 * Pictures that organisations upload, stored while an event shows them. An asset's id follows from its organisation and
 * its bytes. The same upload therefore gives the same id, and several events of an organisation may show one asset.
 *
 * States of an asset: stored → shown by events → shown by none, and deleted. Failure at each await: the store fails, so
 * the operation fails. It may leave an asset that no event shows, which the same upload finds again.
 */
import type { ImageType } from '@parterre/shared/protocol/catalog/events';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { derivedId, newId, sha256 } from '@parterre/shared/protocol/ids';
import { assets, events } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import { findOne, type Store } from '../store/store.ts';

export function createAssetOperations({ store }: Ports): OperationTable<'assets.get'> {
  return {
    async 'assets.get'({ assetId }) {
      const asset = await store.get(assets, assetId);
      if (!asset) return assetUnknown();
      const bytes = await store.getBlob(asset.value.blob);
      if (!bytes) throw new Fault(`read the bytes of asset ${assetId}`);
      return done({ bytes, contentType: asset.value.contentType });
    },
  };
}

/**
 * Resolves with the asset's id. A second call after the write of the event that shows it protects it from `dropUnused`.
 */
export async function storeAsset(
  { store, clock }: Ports,
  organisationId: string,
  { bytes, contentType }: { bytes: Uint8Array; contentType: ImageType },
): Promise<string> {
  const id = derivedId('ast', organisationId, sha256(bytes));
  if (await protectAsset(store, id)) return id;
  const blob = newId('ast');
  await store.putBlob(blob, bytes);
  const inserted = await store.insert(assets, id, { organisationId, blob, contentType, createdAt: clock.now() });
  if (inserted === 'duplicate') await store.deleteBlob(blob);
  return id;
}

/**
 * The check after the write of an event that shows the asset: false where it is gone. Of this check and a delete, one
 * comes second. The delete then finds the event or a newer version of the asset, or this check finds no asset.
 */
export async function protectAsset(store: Store, assetId: string): Promise<boolean> {
  const held = await change(store, assets, assetId, assetUnknown, (asset) => done({ ...asset }));
  return held.ok;
}

/**
 * Deletes the asset unless an event shows it. A failure half-way leaves unnamed bytes, or an asset that the next call
 * deletes.
 */
export async function dropUnused(store: Store, assetId: string | null): Promise<void> {
  const asset = assetId === null ? null : await store.get(assets, assetId);
  if (!asset || (await findOne(store, events, 'byPoster', [asset.id, null]))) return;
  if ((await store.delete(assets, asset.id, asset.version)) === 'deleted') await store.deleteBlob(asset.value.blob);
}

function assetUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such asset. Check its id.');
}

export async function isAssetOf(store: Store, organisationId: string, assetId: string): Promise<boolean> {
  return (await store.get(assets, assetId))?.value.organisationId === organisationId;
}
