/** Contracts and offers as support and other rooms read them. */
import { type Contract, type Offer, type OfferState, offerStates } from '@parterre/shared/protocol/catalog/rights';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { findSeason } from '../seasons/season-access.ts';
import { listPage } from '../store/operations.ts';
import { offers, rights } from '../store/right-collections.ts';
import { lookupRightsMax } from '../store/rules/bounds.ts';
import type { RightDocument } from '../store/rules/right-records.ts';
import type { Store } from '../store/store.ts';
import { offerOf } from './rules/offer-state.ts';
import { bookingKey } from './rules/right-state.ts';

/** What a booking reference or a holder has. With both, contracts and offers of both. */
export async function lookUp(
  store: Store,
  { scope, seasonKey, bookingRef, holderRef }: CatalogInput<'rights.lookup'>,
): Promise<Outcome<{ offers: Offer[]; contracts: Contract[] }>> {
  const season = await findSeason(store, { scope, seasonKey });
  if (!season.ok) return season;
  const booking = bookingRef === null ? null : bookingKey(seasonKey, bookingRef);
  const newest = { descending: true, limit: lookupRightsMax };
  const [found, offered] =
    booking === null
      ? await Promise.all([
          store.page(rights, { ...newest, index: 'byHolder', equal: [seasonKey, holderRef] }),
          store.page(offers, { ...newest, index: 'byHolder', equal: [seasonKey, holderRef] }),
        ])
      : await Promise.all([
          store.page(rights, { ...newest, index: 'byBooking', equal: [booking] }),
          store.page(offers, { ...newest, index: 'byBooking', equal: [booking] }),
        ]);
  const isAsked = (each: { holderRef: string }) => holderRef === null || each.holderRef === holderRef;
  const isBooked = (each: Contract) => bookingRef === null || each.bookingRef === bookingRef;
  const contracts = found.documents.flatMap(({ value }) => value.contracts).filter(isAsked);
  return done({
    offers: offered.documents.map(({ id, value }) => offerOf(id, value)).filter(isAsked),
    contracts: contracts.filter(isBooked),
  });
}

export async function listContracts(
  store: Store,
  { scope, seasonKey, planActivationId, page }: CatalogInput<'rights.contracts'>,
): Promise<Outcome<{ contracts: Contract[]; nextCursor?: string }>> {
  const season = await findSeason(store, { scope, seasonKey });
  if (!season.ok) return season;
  const isShown = (each: Contract) =>
    each.state === 'active' && each.planActivationId === planActivationId && each.seasonKey === seasonKey;
  const ofRight = ({ value }: { value: RightDocument }) => value.contracts.filter(isShown);
  const range = { index: 'byActivePlan', equal: [planActivationId] };
  const { items, more } = await listPage(store, rights, range, page, ofRight);
  return done({ contracts: items.flat(), ...more });
}

export async function countOffers(
  store: Store,
  target: CatalogInput<'rights.count-offers'>,
): Promise<Outcome<{ states: Partial<Record<OfferState, number>> }>> {
  const season = await findSeason(store, target);
  if (!season.ok) return season;
  const counts = await Promise.all(
    offerStates.map(async (state) => {
      const count = await store.count(offers, { index: 'byState', equal: [target.seasonKey, state], above: 0 });
      return count > 0 ? [[state, count] as const] : [];
    }),
  );
  return done({ states: Object.fromEntries(counts.flat()) });
}
