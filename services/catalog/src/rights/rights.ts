/**
 * Opens the room of rights: who keeps which seats of a season, apart from the bookings that use them.
 *
 *   rules/right-state.ts   a right with its contracts; rules/offer-state.ts an offer and its moves
 *   booking-contracts.ts   the contract of each booking
 *   cancellations.ts       a booking's end, and what becomes of its right
 *   imports.ts             holders of an earlier season
 *   offers.ts              new offers; offer-moves.ts their moves; offer-work.ts the work behind both
 *   right-reads.ts         contracts and offers as others read them
 */
import type { RightsOperations } from '@parterre/shared/catalog/rights';
import type { OperationTable } from '../store/operations.ts';
import { createBookingContracts } from './booking-contracts.ts';
import { bookedContract, bookingUnknown, cancelBooking, createCancellations } from './cancellations.ts';
import { beginImport, createImportWork, endImport, importRows, readImport, readRows } from './imports.ts';
import { answerOffer, findOffer, listOffers, moveOffer, readOffer } from './offer-moves.ts';
import { createOfferWork, type OfferWork } from './offer-work.ts';
import { makeOffers } from './offers.ts';
import { countOffers, listContracts, lookUp } from './right-reads.ts';
import type { RightsPorts } from './rights-ports.ts';

/** The work of this room that any catalog carries on. */
export type RightsWork = {
  offers: OfferWork;
  imports: ReturnType<typeof createImportWork>;
  cancellations: ReturnType<typeof createCancellations>;
};

export function createRightsWork(ports: RightsPorts): RightsWork {
  return {
    offers: createOfferWork(ports),
    imports: createImportWork(ports),
    cancellations: createCancellations(ports),
  };
}

export function createRightsOperations(ports: RightsPorts, work: RightsWork): OperationTable<keyof RightsOperations> {
  const { store } = ports;
  const made = createBookingContracts(ports);
  return {
    async 'rights.of-booking'({ seasonKey, operationId, versions }) {
      const right = await made.of(seasonKey, operationId, versions);
      return right ? bookedContract(right, operationId) : bookingUnknown();
    },
    'rights.cancel-booking': (input) => cancelBooking(ports, made, work.cancellations, input),
    'rights.lookup': (input) => lookUp(store, made, input),
    'rights.contracts': (input) => listContracts(store, made, input),
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
