/** Reads of offers, and their moves. Each move is one checked write; offer-work.ts does what follows. */
import type { Offer, OfferDetail, OfferMove } from '@parterre/shared/protocol/catalog/rights';
import type { SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { recordOf } from '../seasons/rules/season-state.ts';
import { findSeason } from '../seasons/season-access.ts';
import { change } from '../store/operations.ts';
import { offerItems, offers } from '../store/right-collections.ts';
import { lifecycleCallMs, offersShownMax } from '../store/rules/bounds.ts';
import type { OfferDocument } from '../store/rules/right-records.ts';
import { seasons } from '../store/season-collections.ts';
import type { Store, Stored } from '../store/store.ts';
import { type OfferWork, offerUnknown } from './offer-work.ts';
import { actorOf, type RightsPorts } from './rights-ports.ts';
import { decideMove, type MovedBy, offerOf } from './rules/offer-state.ts';

/** The newest offers. */
export async function listOffers(
  store: Store,
  input: CatalogInput<'rights.offers'>,
): Promise<Outcome<{ offers: Offer[]; truncated: boolean }>> {
  const season = await findSeason(store, input);
  if (!season.ok) return season;
  const query = { index: 'bySeason', equal: [input.seasonKey], descending: true, limit: offersShownMax };
  const { documents, next } = await store.page(offers, query);
  return done({ offers: documents.map(({ id, value }) => offerOf(id, value)), truncated: next !== null });
}

export async function readOffer(
  store: Store,
  input: CatalogInput<'rights.get-offer'>,
): Promise<Outcome<{ offer: OfferDetail }>> {
  const season = await findSeason(store, input);
  if (!season.ok) return season;
  const found = await shownOffer(store, input.offerId, input.seasonKey);
  return found ? done({ offer: await detailOf(store, found) }) : offerUnknown();
}

async function detailOf(store: Store, { id, value }: Stored<OfferDocument>): Promise<OfferDetail> {
  const frozen = await store.get(offerItems, id);
  return { ...offerOf(id, value), items: frozen?.value.items ?? [] };
}

export async function moveOffer(
  ports: RightsPorts,
  work: OfferWork,
  input: CatalogInput<'rights.move-offer'>,
): Promise<Outcome<{ offer: OfferDetail }>> {
  const season = await findSeason(ports.store, input);
  if (!season.ok) return season;
  const { seasonKey, offerId, scope } = input;
  return decide(ports, work, { seasonKey, offerId, by: { source: actorOf(scope), actor: scope.actor } }, input);
}

/** The holder's own answer. */
export async function answerOffer(
  ports: RightsPorts,
  work: OfferWork,
  { offerId, seasonKey, move }: CatalogInput<'rights.answer-offer'>,
): Promise<Outcome<{ offer: OfferDetail }>> {
  const found = await shownOffer(ports.store, offerId, seasonKey);
  if (!found) return offerUnknown();
  return decide(
    ports,
    work,
    { seasonKey: found.value.seasonKey, offerId, by: { source: 'buyer', actor: null } },
    { move },
  );
}

export async function findOffer(
  store: Store,
  { offerId, seasonKey }: CatalogInput<'rights.find-offer'>,
): Promise<Outcome<{ offer: OfferDetail; season: SeasonRecord }>> {
  const found = await shownOffer(store, offerId, seasonKey);
  const season = found && (await store.get(seasons, found.value.seasonKey));
  if (!found || !season || season.value.gone) return offerUnknown();
  return done({ offer: await detailOf(store, found), season: recordOf(season.id, season.value) });
}

type Target = { seasonKey: string; offerId: string; by: MovedBy };

/**
 * A commit answers with `committing`, and its booking goes on. Any other move has freed the seats when it answers, if
 * the events are there.
 */
async function decide(
  { store, clock }: RightsPorts,
  work: OfferWork,
  { seasonKey, offerId, by }: Target,
  move: OfferMove,
): Promise<Outcome<{ offer: OfferDetail }>> {
  const written = await change(store, offers, offerId, offerUnknown, (offer) => {
    if (offer.listedIn !== seasonKey) return offerUnknown();
    return decideMove(offerId, offer, move, by, clock.now());
  });
  if (!written.ok) return written;
  const { value } = written.value;
  const isCommit = move.move === 'commit';
  if (isCommit && value.open) work.begin(offerId);
  const after = !isCommit && value.open ? await work.carryOn(offerId, lifecycleCallMs) : null;
  return done({ offer: await detailOf(store, after ?? written.value) });
}

async function shownOffer(
  store: Store,
  offerId: string,
  seasonKey: string | undefined,
): Promise<Stored<OfferDocument> | null> {
  const found = await store.get(offers, offerId);
  const isShown = found !== null && found.value.listedIn !== null;
  return isShown && (seasonKey === undefined || found.value.seasonKey === seasonKey) ? found : null;
}
