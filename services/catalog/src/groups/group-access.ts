/**
 * Finds and changes performance groups within the caller's scope. A group outside the scope, and a deleted draft, is
 * unknown.
 */

import type { GroupDetail } from '@parterre/shared/protocol/catalog/groups';
import { groupInScope, groupUnknown } from '@parterre/shared/protocol/catalog/owner-scope';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { eventsByKey } from '../projections/event-records.ts';
import { groups } from '../store/group-collections.ts';
import { change, type Ports } from '../store/operations.ts';
import type { GroupDocument } from '../store/rules/group-records.ts';
import type { Store, Stored } from '../store/store.ts';
import { groupRecord } from './rules/group-state.ts';

export async function findGroup(store: Store, scope: Scope, groupKey: string): Promise<Outcome<Stored<GroupDocument>>> {
  const found = await store.get(groups, groupKey);
  if (!found || found.value.gone) return groupUnknown();
  const within = groupInScope(found.value, scope);
  return within.ok ? done(found) : within;
}

/** Changes a group within the scope, and tells the caches. */
export async function changeGroup(
  { store, announce }: Pick<Ports, 'store' | 'announce'>,
  { scope, groupKey }: { scope: Scope; groupKey: string },
  decide: (group: GroupDocument) => Outcome<GroupDocument> | Promise<Outcome<GroupDocument>>,
): Promise<Outcome<Stored<GroupDocument>>> {
  const written = await change(store, groups, groupKey, groupUnknown, (group) => {
    if (group.gone) return groupUnknown();
    const within = groupInScope(group, scope);
    return within.ok ? decide(group) : within;
  });
  if (written.ok) announce({ kind: 'group', groupKey });
  return written;
}

export async function detailOf(store: Store, group: Stored<GroupDocument>): Promise<GroupDetail> {
  const [detail] = await detailsOf(store, [group]);
  return detail!;
}

/** The events of all groups are read together. */
export async function detailsOf(store: Store, found: readonly Stored<GroupDocument>[]): Promise<GroupDetail[]> {
  const keys = found.flatMap(({ value }) => value.eventKeys);
  const known = await eventsByKey(store, keys);
  return found.map(({ id, value }) => {
    const members = value.eventKeys.map((key) => known.get(key)).filter((event) => event !== undefined);
    return { group: groupRecord(id, value), events: members };
  });
}
