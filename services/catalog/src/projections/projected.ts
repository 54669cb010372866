/** Reads of the projections for other operations. */
import { partitionsMax } from '@parterre/shared/protocol/limits';
import type { EventProjection, OrganisationRecord } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import { currentViews } from './generations.ts';

/** By event key, without events that the journal does not have yet. */
export async function eventProjections(
  store: Store,
  eventKeys: readonly string[],
): Promise<Map<string, EventProjection>> {
  const views = await currentViews(store);
  const found = await store.getMany(views.events, eventKeys);
  return new Map(found.map(({ id, value }) => [id, value]));
}

/**
 * The credits that an organisation was granted, less the units that its live events have sold. May be below zero: a
 * sale never waits for a balance.
 */
export async function creditBalance(
  store: Store,
  { id, value }: Pick<Stored<OrganisationRecord>, 'id' | 'value'>,
): Promise<number> {
  const views = await currentViews(store);
  const query = { index: 'byOrganisation', equal: [id], limit: partitionsMax };
  const { documents } = await store.page(views.credits, query);
  return documents.reduce((balance, credits) => balance - credits.value.used, value.credits);
}
