/** Organisations and their credits. */
import type { Organisation } from '@parterre/shared/catalog/accounts';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { newId } from '@parterre/shared/ids';
import { regions } from '@parterre/shared/vocabulary';
import { organisations, workspaces } from '../collections.ts';
import type { Stored } from '../outbound/store.ts';
import type { OrganisationRecord } from '../rules/records.ts';
import { change, type OperationTable, type Ports } from './operations.ts';
import { creditBalance } from './projected.ts';

type OrganisationOperation = 'organisations.create' | 'organisations.add-credits';

export function createOrganisationOperations({ store, clock }: Ports): OperationTable<OrganisationOperation> {
  return {
    /** The workspace is written first: an organisation that can be found always has its default workspace. */
    async 'organisations.create'({ name, currency, credits = 0 }) {
      const [id, defaultWorkspaceId, createdAt] = [newId('org'), newId('ws'), clock.now()];
      await store.insert(workspaces, defaultWorkspaceId, {
        organisationId: id,
        name: 'Default',
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
      if (!changed.ok) return changed;
      const credits = await creditBalance(store, changed.value);
      return done({ organisation: { ...organisationOf(changed.value), credits } });
    },
  };
}

export function organisationUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such organisation.');
}

function organisationOf({ id, value }: Stored<OrganisationRecord>): Organisation {
  const { defaultWorkspaceId: _, disabledWorkspaceIds: __, ...organisation } = value;
  return { id, ...organisation };
}
