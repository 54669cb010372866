/** Organisations, their credits, and their workspaces. */

import type { Organisation, Workspace } from '@parterre/shared/catalog/accounts';
import type { Scope } from '@parterre/shared/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { newId } from '@parterre/shared/ids';
import { regions } from '@parterre/shared/vocabulary';
import { organisations, workspaces } from '../collections.ts';
import type { Store, Stored } from '../outbound/store.ts';
import { workspacesListedMax } from '../rules/bounds.ts';
import type { OrganisationRecord, WorkspaceRecord } from '../rules/records.ts';
import { change, type OperationTable, type Ports } from './operations.ts';

type OrganisationOperation = 'organisations.create' | 'organisations.add-credits' | 'workspaces.list';

export function createOrganisationOperations({ store, clock }: Ports): OperationTable<OrganisationOperation> {
  return {
    /** The workspace is written first: an organisation that can be found always has its default workspace. */
    async 'organisations.create'({ name, currency, credits = 0 }) {
      const [id, defaultWorkspaceId, createdAt] = [newId('org'), newId('ws'), clock.now()];
      await store.insert(workspaces, defaultWorkspaceId, {
        organisationId: id,
        name: 'Default',
        status: 'active',
        externalRef: null,
        defaultRegion: regions[0],
        createdAt,
      });
      const organisation: OrganisationRecord = { name, currency, credits, createdAt, defaultWorkspaceId };
      await store.insert(organisations, id, organisation);
      return done({ organisation: organisationOf({ id, version: 1, value: organisation }) });
    },

    async 'organisations.add-credits'({ organisationId, delta }) {
      const changed = await change(store, organisations, organisationId, organisationUnknown, (organisation) =>
        done({ ...organisation, credits: organisation.credits + delta }),
      );
      return changed.ok ? done({ organisation: organisationOf(changed.value) }) : changed;
    },

    async 'workspaces.list'({ scope }) {
      const organisation = await store.get(organisations, scope.organisationId);
      if (!organisation) return organisationUnknown();
      const { documents } = await store.page(workspaces, {
        index: 'byOrganisation',
        equal: [scope.organisationId],
        limit: workspacesListedMax,
      });
      return done({ workspaces: documents.map((document) => workspaceOf(document, organisation.value)) });
    },
  };
}

export function organisationUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such organisation.');
}

/** A workspace that new charts and events may go to: `workspaceId`, or the organisation's default when it is absent. */
export async function activeWorkspace(
  store: Store,
  scope: Pick<Scope, 'organisationId'>,
  workspaceId: string | undefined,
): Promise<Outcome<Stored<WorkspaceRecord>>> {
  const id = workspaceId ?? (await store.get(organisations, scope.organisationId))?.value.defaultWorkspaceId;
  const workspace = id === undefined ? null : await store.get(workspaces, id);
  if (workspace?.value.organisationId === scope.organisationId && workspace.value.status === 'active') {
    return done(workspace);
  }
  return refuse('workspace_not_found_or_disabled', 'The workspace does not exist or is disabled.');
}

function organisationOf({ id, value }: Stored<OrganisationRecord>): Organisation {
  const { defaultWorkspaceId: _, ...organisation } = value;
  return { id, ...organisation };
}

function workspaceOf({ id, value }: Stored<WorkspaceRecord>, organisation: OrganisationRecord): Workspace {
  const { name, status, externalRef, defaultRegion } = value;
  return { id, name, status, isDefault: id === organisation.defaultWorkspaceId, externalRef, defaultRegion };
}
