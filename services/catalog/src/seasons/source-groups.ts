/** The performance groups that a selection names, with the facts of their activation. */
import type { Scope } from '@parterre/shared/catalog/scope';
import type { Store } from '../store/store.ts';
import type { NamedGroup } from './rules/compatibility.ts';

export async function sourceGroup(_store: Store, _scope: Scope, key: string): Promise<NamedGroup> {
  return { key, group: null, isActive: false };
}
