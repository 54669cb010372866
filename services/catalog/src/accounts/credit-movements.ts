/**
 * The movements of an organisation's granted credits: each with its reason, its caller and the balance after it.
 *
 * A store writes one document at a time. So a movement is written with the credits, in the organisation's document
 * (`unlisted`), then into the list, then taken out of the document. Whoever adds or lists movements first finishes what
 * a catalog that died has left. A movement keeps its id, so it is listed once.
 *
 * Failure at each await: before the change of the organisation → nothing has happened; behind it → the movement stays
 * unlisted until the next call.
 */
import type { AuditedBy, CreditMovement } from '@parterre/shared/protocol/catalog/accounts';
import { done } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { creditBalance } from '../projections/projected.ts';
import { creditMovements, organisations } from '../store/collections.ts';
import { change, listPage, type OperationTable, type Ports } from '../store/operations.ts';
import type { OrganisationRecord } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import { organisationUnknown } from '../tenants/tenants.ts';

export function createCreditOperations({ store }: Ports): OperationTable<'credits.list'> {
  return {
    async 'credits.list'({ organisationId, page }) {
      const organisation = await store.get(organisations, organisationId);
      if (!organisation) return organisationUnknown();
      await listMovements(store, organisation);
      const found = { index: 'byOrganisation', equal: [organisationId], descending: true };
      const { items, more } = await listPage(store, creditMovements, found, page, ({ id, value }): CreditMovement => {
        const { organisationId: _, ...movement } = value;
        return { id, ...movement };
      });
      return done({ movements: items, credits: await creditBalance(store, organisation), ...more });
    },
  };
}

/** The organisation's record with `delta` more credits, and the movement of it. */
export async function withCredits(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  id: string,
  organisation: OrganisationRecord,
  { delta, reason, by }: { delta: number; reason: string; by: AuditedBy | null },
): Promise<OrganisationRecord> {
  const value = { ...organisation, credits: organisation.credits + delta };
  const caller = by && { kind: by.kind, id: by.id, address: by.address };
  const balance = await creditBalance(store, { id, value });
  const movement = { id: newId('mov'), delta, reason, by: caller, at: clock.now(), balance };
  return { ...value, unlisted: [...(organisation.unlisted ?? []), movement] };
}

/** Puts the organisation's unlisted movements into the list. */
export async function listMovements(
  store: Store,
  { id: organisationId, value }: Stored<OrganisationRecord>,
): Promise<void> {
  const { unlisted = [] } = value;
  if (unlisted.length === 0) return;
  for (const { id, ...movement } of unlisted) await store.insert(creditMovements, id, { organisationId, ...movement });
  const listed = new Set(unlisted.map(({ id }) => id));
  await change(store, organisations, organisationId, organisationUnknown, ({ unlisted: all = [], ...others }) => {
    const left = all.filter(({ id }) => !listed.has(id));
    return done(left.length > 0 ? { ...others, unlisted: left } : others);
  });
}
