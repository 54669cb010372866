/**
 * The places of contracts follow the exchanges of their bookings (rules/contract-places.ts). An exchange of one night
 * is a record of this night alone, and its booking is due until the contracts have followed it (operations/follow.ts).
 *
 * States of a right: (an exchange of one of its nights is counted) due → its places follow from the journals of all
 * nights → written once, at the version that was read before the journals.
 *
 * Failure at each await: the store fails or a chart cannot be read → the booking is due still, and the next look tries
 * again; another process has written the right meanwhile → everything is read again, so places of older journals never
 * take the place of newer ones; a night is not counted yet → the labels stay, and the exchange of this night is due
 * later; this process dies, before or behind the write → the mark stands, and a repetition changes nothing.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import { compileDocument } from '@parterre/shared/charts/plans/compile-document';
import type { KeptBooking } from '@parterre/shared/protocol/catalog/history';
import type { Contract } from '@parterre/shared/protocol/catalog/rights';
import { done, Fault, refuse } from '@parterre/shared/protocol/errors';
import type { ExchangedBooking } from '../operations/follow.ts';
import { currentViews } from '../projections/generations.ts';
import { bookingId } from '../projections/rules/views.ts';
import { events } from '../store/collections.ts';
import { change, type OperationTable } from '../store/operations.ts';
import { rights } from '../store/right-collections.ts';
import { lookupRightsMax } from '../store/rules/bounds.ts';
import { seasons } from '../store/season-collections.ts';
import type { RightsPorts } from './rights-ports.ts';
import { followedContract, nightOf } from './rules/contract-places.ts';
import { bookingKey, withContract } from './rules/right-state.ts';

export type ReadBooking = OperationTable<'history.booking'>['history.booking'];

export type ContractPlaces = {
  /** Every right with a contract of the booking follows. */
  exchanged(booking: ExchangedBooking): Promise<void>;
  /** The right follows, if a booking of its contracts was exchanged. */
  follow(rightId: string): Promise<void>;
};

export function createContractPlaces({ store, clock }: RightsPorts, readBooking: ReadBooking): ContractPlaces {
  async function follow(rightId: string): Promise<void> {
    const absent = () => refuse('not_found', 'There is no such right.');
    const written = await change(store, rights, rightId, absent, async (right) => {
      let followed = right;
      for (const contract of right.contracts) {
        const moved = await followedNights(contract);
        if (moved !== contract) followed = withContract(followed, moved, clock.now());
      }
      return done(followed);
    });
    if (!written.ok) throw new Fault(`move the places of the right ${rightId}`, written.refusal);
  }

  async function followedNights(contract: Contract): Promise<Contract> {
    const { seasonKey, planActivationId, bookingRef, state } = contract;
    if (state !== 'active' || bookingRef === null) return contract;
    const season = await store.get(seasons, seasonKey);
    const plan = season?.value.plans.find(({ activationId }) => activationId === planActivationId);
    const { bookings } = await currentViews(store);
    const eventKeys = plan?.eventKeys ?? [];
    const counted = await store.getMany(
      bookings,
      eventKeys.map((eventKey) => bookingId(eventKey, bookingRef)),
    );
    if (!counted.some(({ value }) => (value.exchanged ?? 0) > 0)) return contract;
    const plans = new Map<string, Plan>();
    const nights: ReturnType<typeof nightOf>[] = [];
    for (const eventKey of eventKeys) {
      const read = await readBooking({ eventKey, version: 0, bookingRef });
      if (!read.ok) nights.push({ eventKey, places: [] });
      else {
        await addPlans(plans, read.value.booking);
        nights.push(nightOf(contract, eventKey, read.value.booking, plans));
      }
    }
    return followedContract(contract, nights);
  }

  async function addPlans(plans: Map<string, Plan>, { bookingRef, entries }: KeptBooking): Promise<void> {
    for (const hash of new Set(entries.map(({ plan }) => plan))) {
      if (plans.has(hash)) continue;
      const document = await store.getBlob(hash);
      if (!document) throw new Fault(`find the chart of the booking ${bookingRef}`);
      plans.set(hash, compileDocument(document, hash));
    }
  }

  return {
    async exchanged({ eventKey, bookingRef }) {
      const event = await store.get(events, eventKey);
      if (!event) return;
      const equal = [bookingKey(event.value.organisationId, bookingRef)];
      const found = await store.page(rights, { index: 'byBooking', equal, limit: lookupRightsMax });
      for (const { id } of found.documents) await follow(id);
    },
    follow,
  };
}
