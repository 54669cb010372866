/** Whether a caller sees a performance group. */
import { done, type Outcome, refuse } from '../errors.ts';
import type { GroupRecord } from './groups.ts';
import type { Scope } from './scope.ts';

type Placed = Pick<GroupRecord, 'organisationId' | 'workspaceId' | 'mode'>;

/** A group of another organisation or workspace is unknown. A group of the other mode: `mode_mismatch`. */
export function groupInScope<Group extends Placed>(group: Group, scope: Scope): Outcome<Group> {
  const isKnown =
    group.organisationId === scope.organisationId &&
    (scope.workspaceId === null || group.workspaceId === scope.workspaceId);
  if (!isKnown) return groupUnknown();
  if (scope.mode === null || scope.mode === group.mode) return done(group);
  return refuse(
    'mode_mismatch',
    `This is a ${group.mode} group, and the key is for ${scope.mode} groups. Use a ${group.mode} key.`,
  );
}

export function groupUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such performance group. Check its key.');
}
