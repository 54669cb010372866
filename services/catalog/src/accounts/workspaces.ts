/**
 * Workspaces. The organisation's record has the default and the disabled ones, so both change in one checked write: a
 * disabled workspace is never the default, even under changes at once.
 *
 * States of an update: organisation's record written (only this can refuse) → embedded consoles and designers of a
 * disabled workspace ended → details written → answered. Failure in between: the caller gets an error, the first part
 * stands, and repeating the call does the rest.
 *
 * New charts and events check that their workspace is active, are inserted, and check again (`stillActive`). So either
 * the second check sees that the workspace is disabled, or the disabling sees the insert.
 */
import { isOwner, type Scope } from '@parterre/shared/protocol/catalog/scope';
import type { Workspace } from '@parterre/shared/protocol/catalog/workspaces';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, nothingToUpdate, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { idFor } from '@parterre/shared/protocol/ids';
import { regions } from '@parterre/shared/protocol/vocabulary';
import { endAll } from '../access/embedded-sessions.ts';
import { revoked } from '../access/rules/session-states.ts';
import { organisations, workspaces } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import { madeOnce } from '../store/repeats.ts';
import { workspacesMax } from '../store/rules/bounds.ts';
import type { WorkspaceRecord } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import { type WorkspaceStateChange, withWorkspaceState, workspaceOf } from '../tenants/rules/workspace-state.ts';
import { findWorkspace, type OrganisationScope, organisationUnknown, workspaceUnknown } from '../tenants/tenants.ts';

type WorkspaceOperation = 'workspaces.list' | 'workspaces.get' | 'workspaces.create' | 'workspaces.update';

export function createWorkspaceOperations(ports: Ports): OperationTable<WorkspaceOperation> {
  const { store } = ports;
  return {
    async 'workspaces.list'({ scope }) {
      const organisation = await store.get(organisations, scope.organisationId);
      if (!organisation) return organisationUnknown();
      const documents = (await workspacesIn(store, scope)).slice(0, workspacesMax);
      return done({ workspaces: documents.map((document) => workspaceOf(document, organisation.value)) });
    },

    async 'workspaces.get'({ scope, workspaceId }) {
      const found = await findWorkspace(store, scope, workspaceId);
      if (!found.ok) return found;
      const organisation = await store.get(organisations, scope.organisationId);
      return organisation ? done({ workspace: workspaceOf(found.value, organisation.value) }) : organisationUnknown();
    },

    'workspaces.create': (input) => createWorkspace(ports, input),
    'workspaces.update': (input) => updateWorkspace(ports, input),
  };
}

/** The workspaces within the scope, and one more than the bound allows. */
async function workspacesIn(store: Store, scope: OrganisationScope): Promise<Stored<WorkspaceRecord>[]> {
  if (scope.workspaceId != null) {
    const own = await findWorkspace(store, scope, scope.workspaceId);
    return own.ok ? [own.value] : [];
  }
  const query = { index: 'byOrganisation', equal: [scope.organisationId], limit: workspacesMax + 1 };
  return (await store.page(workspaces, query)).documents;
}

function checkMayManage(scope: Scope): Outcome<true> {
  if (scope.workspaceId === null && (scope.role === null || isOwner(scope.role))) return done(true);
  return refuse(
    'forbidden',
    'Only an admin, or a key that is bound to no workspace, manages workspaces. Log in as an admin, or use such a key.',
  );
}

async function createWorkspace(
  { store, clock }: Ports,
  { scope, name, externalRef = null, defaultRegion = regions[0], callId }: CatalogInput<'workspaces.create'>,
): Promise<Outcome<{ workspace: Workspace }>> {
  const permitted = checkMayManage(scope);
  if (!permitted.ok) return permitted;
  const organisation = await store.get(organisations, scope.organisationId);
  if (!organisation) return organisationUnknown();
  const id = idFor('ws', callId);
  const { organisationId } = scope;
  const value: WorkspaceRecord = { organisationId, name, externalRef, defaultRegion, createdAt: clock.now() };
  const made = await madeOnce({
    scope,
    callId,
    find: () => store.get(workspaces, id),
    make: () => insertWorkspace(store, { id, version: 1, value }),
  });
  return made.ok ? done({ workspace: workspaceOf(made.value, organisation.value) }) : made;
}

async function insertWorkspace(
  store: Store,
  workspace: Stored<WorkspaceRecord>,
): Promise<Outcome<Stored<WorkspaceRecord> | 'taken'>> {
  const { id, value } = workspace;
  if ((await store.insert(workspaces, id, value)) === 'duplicate') return done('taken');
  // Counted after the insert: at the bound many callers at once may all be refused, but none passes it.
  if ((await workspacesIn(store, value)).length > workspacesMax) {
    await store.delete(workspaces, id, 1);
    return refuse('conflict', `An organisation has at most ${workspacesMax} workspaces. Use one of them.`, {
      reason: 'workspace_limit_reached',
    });
  }
  return done(workspace);
}

const changeable = ['name', 'externalRef', 'defaultRegion', 'status', 'isDefault'];

async function updateWorkspace(
  ports: Ports,
  { scope, workspaceId, status, isDefault, ...details }: CatalogInput<'workspaces.update'>,
): Promise<Outcome<{ workspace: Workspace }>> {
  const { store, clock, announce } = ports;
  const permitted = checkMayManage(scope);
  if (!permitted.ok) return permitted;
  const found = await findWorkspace(store, scope, workspaceId);
  if (!found.ok) return found;
  if (status === undefined && isDefault === undefined && Object.keys(details).length === 0)
    return nothingToUpdate(changeable);
  const standing: WorkspaceStateChange = { ...(status && { status }), ...(isDefault && { isDefault }) };
  const organisation = await change(store, organisations, scope.organisationId, organisationUnknown, (record) =>
    withWorkspaceState(record, workspaceId, standing),
  );
  if (!organisation.ok) return organisation;
  // Everything that was opened in a disabled workspace ends. A repeated call announces it again.
  if (status !== undefined) announce({ kind: 'workspace', organisationId: scope.organisationId, workspaceId });
  if (status === 'disabled') await endAll(ports, workspaceId, (session) => revoked(session, clock.now()));
  const written = await change(store, workspaces, workspaceId, workspaceUnknown, (record) =>
    done(Object.keys(details).length === 0 ? record : { ...record, ...details }),
  );
  return written.ok ? done({ workspace: workspaceOf(written.value, organisation.value.value) }) : written;
}
