/**
 * Opens the room of rights: who keeps which seats of a season, apart from the bookings that use them.
 *
 *   rules/right-state.ts   a right with its contracts; rules/offer-state.ts an offer and its moves
 *   booking-contracts.ts   the contract of each booking, and its end
 *   contract-places.ts     the places of contracts behind exchanges; rules/contract-places.ts their rules
 *   imports.ts             holders of an earlier season
 *   offers.ts              new offers; offer-moves.ts their moves; offer-work.ts the work behind both
 *   right-reads.ts         contracts and offers as others read them
 */
import type { RightsOperations } from '@parterre/shared/protocol/catalog/rights';
import { awaitCounted, createWaits } from '../history/await-counted.ts';
import type { Following } from '../operations/follow.ts';
import type { OperationTable } from '../store/operations.ts';
import { beginImport, endImport, type ImportWork, importRows, readImport, readRows } from './imports.ts';
import { answerOffer, findOffer, listOffers, moveOffer, readOffer } from './offer-moves.ts';
import type { OfferWork } from './offer-work.ts';
import { makeOffers } from './offers.ts';
import { countOffers, listContracts, lookUp } from './right-reads.ts';
import type { RightsPorts, Versions } from './rights-ports.ts';

export { type BookingContracts, createBookingContracts } from './booking-contracts.ts';
export { createImportWork, type ImportWork } from './imports.ts';
export { createOfferWork, type OfferWork } from './offer-work.ts';

type Work = { offers: OfferWork; imports: ImportWork; following: Pick<Following, 'settleOwner'> };

export function createRightsOperations(ports: RightsPorts, work: Work): OperationTable<keyof RightsOperations> {
  const { store } = ports;
  const waits = createWaits();
  /** The contracts of the season's bookings stand, and follow their exchanges: of those at these versions of events. */
  async function settle(seasonKey: string, versions: Versions): Promise<void> {
    await awaitCounted(ports, waits, ...versions);
    const eventKeys = versions.map(({ eventKey }) => eventKey);
    await work.following.settleOwner({ kind: 'season', key: seasonKey }, eventKeys);
  }
  return {
    async 'rights.lookup'(input) {
      await settle(input.seasonKey, input.versions);
      return lookUp(store, input);
    },
    async 'rights.contracts'(input) {
      await settle(input.seasonKey, input.versions);
      return listContracts(store, input);
    },
    'rights.count-offers': (input) => countOffers(store, input),

    'rights.begin-import': (input) => beginImport(ports, input),
    'rights.import-rows': (input) => importRows(ports, input),
    'rights.end-import': (input) => endImport(ports, work.imports, input),
    'rights.import': (input) => readImport(store, input),
    'rights.rows': (input) => readRows(store, input),

    'rights.offer': (input) => makeOffers(ports, work.offers, input),
    'rights.offers': (input) => listOffers(store, input),
    'rights.get-offer': (input) => readOffer(store, input),
    'rights.move-offer': (input) => moveOffer(ports, work.offers, input),
    'rights.find-offer': (input) => findOffer(store, input),
    'rights.answer-offer': (input) => answerOffer(ports, work.offers, input),
  };
}
