/** The performance groups that a selection names, with the facts of their activation. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { findGroup } from '../groups/group-access.ts';
import type { Store } from '../store/store.ts';
import type { NamedGroup } from './rules/compatibility.ts';
import { listSha256 } from './rules/list-hash.ts';

export async function sourceGroup(store: Store, scope: Scope, key: string): Promise<NamedGroup> {
  const found = await findGroup(store, scope, key);
  if (!found.ok) return { key, group: null, isActive: false };
  const { eventKeys, state, lockId, chartId, chartVersion, currency, mode } = found.value.value;
  const group = {
    key,
    activationId: lockId ?? '',
    memberSetSha256: listSha256(eventKeys),
    activationSpecSha256: listSha256([...eventKeys, chartId, String(chartVersion), mode, currency]),
    eventKeys,
  };
  return { key, group, isActive: state === 'active' && lockId !== null };
}
