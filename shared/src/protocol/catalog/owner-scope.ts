/** Whether a caller sees an event, a performance group or a season. */
import { done, type Outcome, refuse } from '../errors.ts';
import type { GroupRecord } from './groups.ts';
import type { Scope } from './scope.ts';

type Placed = Pick<GroupRecord, 'organisationId' | 'workspaceId' | 'mode'>;

/** A record of another organisation or workspace is unknown. A record of the other mode: `mode_mismatch`. */
export function inScope<Record extends Placed>(
  noun: 'event' | 'group' | 'season',
  record: Record,
  scope: Scope,
  unknown: () => Outcome<never>,
): Outcome<Record> {
  if (!isInWorkspace(record, scope)) return unknown();
  if (scope.mode === null || scope.mode === record.mode) return done(record);
  return refuse(
    'mode_mismatch',
    `This is a ${record.mode} ${noun}, and the key is for ${scope.mode} ${noun}s. Use a ${record.mode} key.`,
  );
}

/** A scope without a workspace has all workspaces of its organisation. */
export function isInWorkspace(
  record: Pick<Placed, 'organisationId' | 'workspaceId'>,
  { organisationId, workspaceId }: Pick<Scope, 'organisationId' | 'workspaceId'>,
): boolean {
  return record.organisationId === organisationId && (workspaceId === null || record.workspaceId === workspaceId);
}

export function groupInScope<Group extends Placed>(group: Group, scope: Scope): Outcome<Group> {
  return inScope('group', group, scope, groupUnknown);
}

export function groupUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such performance group. Check its key.');
}
