/**
 * Performance groups by key. The members of a group never change. Its state decides no sale: the actors' locks do. So a
 * record may be some seconds old.
 */
import type { GroupRecord } from '@parterre/shared/protocol/catalog/groups';
import { done } from '@parterre/shared/protocol/errors';
import { eventCacheEntries, eventCacheMs, staleAnswerMsMax } from '@parterre/shared/protocol/limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createLoadingCache, type LoadingCache } from '@parterre/shared/runtime/loading-cache';

export type GroupsCache = LoadingCache<GroupRecord>;

const bounds = { entriesMax: eventCacheEntries, keepMs: eventCacheMs, staleMsMax: staleAnswerMsMax };

export function createGroupsCache(catalog: CatalogClient, clock: Clock): GroupsCache {
  return createLoadingCache(clock, bounds, async (groupKey) => {
    const found = await catalog('groups.find', { groupKey });
    return found.ok ? done(found.value.group) : found;
  });
}
