/**
 * Seasons by key, for reads. A hold reads its season from the catalog: the season's document decides whether it sells,
 * and its events do not know.
 */
import type { SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import { done } from '@parterre/shared/protocol/errors';
import { eventCacheEntries, eventCacheMs, staleAnswerMsMax } from '@parterre/shared/protocol/limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createLoadingCache, type LoadingCache } from '@parterre/shared/runtime/loading-cache';

export type SeasonsCache = LoadingCache<SeasonRecord>;

const bounds = { entriesMax: eventCacheEntries, keepMs: eventCacheMs, staleMsMax: staleAnswerMsMax };

export function createSeasonsCache(catalog: CatalogClient, clock: Clock): SeasonsCache {
  return createLoadingCache(clock, bounds, async (seasonKey) => {
    const found = await catalog('seasons.find', { seasonKey });
    return found.ok ? done(found.value.season) : found;
  });
}
