/**
 * Performance groups by key. The members of a group never change. Its state decides no sale: the actors' locks do. So a
 * record may be some seconds old.
 */
import type { GroupRecord } from '@parterre/shared/catalog/groups';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Clock } from '@parterre/shared/clock';
import { done } from '@parterre/shared/errors';
import { eventCacheEntries, eventCacheMs } from '@parterre/shared/limits';
import { createLoadingCache, type LoadingCache } from './loading-cache.ts';

export type GroupsCache = LoadingCache<GroupRecord>;

export function createGroupsCache(catalog: CatalogClient, clock: Clock): GroupsCache {
  return createLoadingCache(clock, { entriesMax: eventCacheEntries, keepMs: eventCacheMs }, async (groupKey) => {
    const found = await catalog('groups.find', { groupKey });
    return found.ok ? done(found.value.group) : found;
  });
}
