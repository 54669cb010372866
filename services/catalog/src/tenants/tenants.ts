/**
 * Organisations and their workspaces, as every other room reads them: whether they exist, and whether a workspace takes
 * new charts, events and sessions. The operations on them are in the room `accounts`.
 */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { organisations, workspaces } from '../store/collections.ts';
import type { WorkspaceRecord } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import { isDisabled } from './rules/workspace-state.ts';

/** An operation on workspaces needs their organisation; for a key that is bound to a workspace also that workspace. */
export type OrganisationScope = Pick<Scope, 'organisationId'> & Partial<Pick<Scope, 'workspaceId'>>;

/**
 * The active workspace for new charts and events: `workspaceId`, or the scope's own, or the organisation's default. A
 * workspace outside the scope is refused like a missing one.
 */
export async function activeWorkspace(
  store: Store,
  scope: OrganisationScope,
  workspaceId: string | undefined,
): Promise<Outcome<Stored<WorkspaceRecord>>> {
  const organisation = await store.get(organisations, scope.organisationId);
  if (!organisation) return organisationUnknown();
  const id = workspaceId ?? scope.workspaceId ?? organisation.value.defaultWorkspaceId;
  const found = await findWorkspace(store, scope, id);
  return found.ok && !isDisabled(organisation.value, id) ? found : workspaceGone();
}

/** The check after an insert into this workspace. The caller takes the insert back when it is refused. */
export async function stillActive(store: Store, organisationId: string, id: string): Promise<Outcome<true>> {
  const organisation = await store.get(organisations, organisationId);
  return organisation && !isDisabled(organisation.value, id) ? done(true) : workspaceGone();
}

function workspaceGone(): Outcome<never> {
  return refuse(
    'workspace_not_found_or_disabled',
    'The workspace does not exist or is disabled. Name an active workspace.',
  );
}

export async function findWorkspace(
  store: Store,
  scope: OrganisationScope,
  id: string,
): Promise<Outcome<Stored<WorkspaceRecord>>> {
  const isKnown = scope.workspaceId == null || scope.workspaceId === id;
  const found = isKnown ? await store.get(workspaces, id) : null;
  return found?.value.organisationId === scope.organisationId ? done(found) : workspaceUnknown();
}

export function workspaceUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such workspace. GET /v1/workspaces lists the ids.');
}

export function organisationUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such organisation. Check its id.');
}
