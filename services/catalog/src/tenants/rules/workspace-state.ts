/** The state of a workspace in its organisation: active or disabled, and default or not. */
import type { Workspace } from '@parterre/shared/protocol/catalog/workspaces';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { OrganisationRecord, WorkspaceRecord } from '../../store/rules/records.ts';

export type WorkspaceStateChange = { status?: Workspace['status']; isDefault?: true };

export function isDisabled(organisation: OrganisationRecord, workspaceId: string): boolean {
  return organisation.disabledWorkspaceIds?.includes(workspaceId) ?? false;
}

/** The organisation's record after the change; the same record where nothing changes. The default is never disabled. */
export function withWorkspaceState(
  organisation: OrganisationRecord,
  workspaceId: string,
  { status, isDefault }: WorkspaceStateChange,
): Outcome<OrganisationRecord> {
  const wasDisabled = isDisabled(organisation, workspaceId);
  const disabled = status === undefined ? wasDisabled : status === 'disabled';
  const defaultWorkspaceId = isDefault ? workspaceId : organisation.defaultWorkspaceId;
  if (disabled && defaultWorkspaceId === workspaceId) {
    return refuse('default_workspace_required', 'The default workspace cannot be disabled. Make another the default.');
  }
  if (disabled === wasDisabled && defaultWorkspaceId === organisation.defaultWorkspaceId) return done(organisation);
  const others = (organisation.disabledWorkspaceIds ?? []).filter((id) => id !== workspaceId);
  const disabledWorkspaceIds = disabled ? [...others, workspaceId] : others;
  return done({ ...organisation, defaultWorkspaceId, disabledWorkspaceIds });
}

export function workspaceOf({ id, value }: { id: string; value: WorkspaceRecord }, organisation: OrganisationRecord) {
  const { name, externalRef, defaultRegion } = value;
  const status = isDisabled(organisation, id) ? 'disabled' : 'active';
  const isDefault = id === organisation.defaultWorkspaceId;
  return { id, name, status, isDefault, externalRef, defaultRegion } satisfies Workspace;
}
