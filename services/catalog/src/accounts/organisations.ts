/** Organisations and their credits. */
import type { Organisation } from '@parterre/shared/protocol/catalog/accounts';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { regions } from '@parterre/shared/protocol/vocabulary';
import { creditBalance } from '../projections/projected.ts';
import { organisations, workspaces } from '../store/collections.ts';
import { change, listPage, type OperationTable, type Ports } from '../store/operations.ts';
import type { OrganisationRecord } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import { organisationUnknown } from '../tenants/tenants.ts';
import { listMovements, withCredits } from './credit-movements.ts';

type OrganisationOperation =
  | 'organisations.create'
  | 'organisations.list'
  | 'organisations.get'
  | 'organisations.change'
  | 'organisations.add-credits';

export function createOrganisationOperations(ports: Ports): OperationTable<OrganisationOperation> {
  const { store, clock, announce } = ports;
  return {
    /** The workspace is written first: every organisation that can be found has its default workspace. */
    async 'organisations.create'({ name, currency, credits = 0 }, _deadlineAt, by = null) {
      const id = newId('org');
      const defaultWorkspaceId = newId('ws');
      const createdAt = clock.now();
      await store.insert(workspaces, defaultWorkspaceId, {
        organisationId: id,
        name: 'Default',
        externalRef: null,
        defaultRegion: regions[0],
        createdAt,
      });
      const empty: OrganisationRecord = { name, currency, credits: 0, createdAt, defaultWorkspaceId };
      const first = { delta: credits, reason: 'First balance', by };
      const value = credits === 0 ? empty : await withCredits(ports, id, empty, first);
      await store.insert(organisations, id, value);
      const organisation = { id, version: 1, value };
      await listMovements(store, organisation);
      return done({ organisation: await organisationOf(store, organisation) });
    },

    async 'organisations.list'({ page }) {
      const { items, more } = await listPage(store, organisations, { index: 'all', equal: [] }, page, (one) => one);
      return done({ organisations: await Promise.all(items.map((one) => organisationOf(store, one))), ...more });
    },

    async 'organisations.get'({ organisationId }) {
      const found = await store.get(organisations, organisationId);
      return found ? done({ organisation: await organisationOf(store, found) }) : organisationUnknown();
    },

    async 'organisations.change'({ organisationId, publicSale, suspended }) {
      const changed = await change(store, organisations, organisationId, organisationUnknown, (organisation) => {
        if (publicSale === undefined && suspended === undefined) return nothingToChange;
        const { publicSale: bounds, suspendedAt: since, ...others } = organisation;
        const kept = publicSale === undefined ? bounds : publicSale;
        const suspendedAt = suspended === false ? undefined : (since ?? (suspended ? clock.now() : undefined));
        return done({
          ...others,
          ...(kept && { publicSale: kept }),
          ...(suspendedAt !== undefined && { suspendedAt }),
        });
      });
      if (!changed.ok) return changed;
      if (publicSale !== undefined) announce({ kind: 'organisation', organisationId });
      if (suspended !== undefined) announce({ kind: 'suspension', organisationId });
      return done({ organisation: await organisationOf(store, changed.value) });
    },

    async 'organisations.add-credits'({ organisationId, delta, reason }, _deadlineAt, by = null) {
      const changed = await change(store, organisations, organisationId, organisationUnknown, async (organisation) =>
        done(await withCredits(ports, organisationId, organisation, { delta, reason, by })),
      );
      if (changed.ok) await listMovements(store, changed.value);
      return changed.ok ? done({ organisation: await organisationOf(store, changed.value) }) : changed;
    },
  };
}

const nothingToChange = refuse(
  'nothing_to_update',
  'The change names no field. Send at least one of: publicSale, suspended.',
);

/** `credits` is the balance. */
export async function organisationOf(store: Store, found: Stored<OrganisationRecord>): Promise<Organisation> {
  const { name, currency, createdAt, publicSale = null, suspendedAt = null } = found.value;
  const credits = await creditBalance(store, found);
  return { id: found.id, name, currency, credits, createdAt, publicSale, suspendedAt };
}
