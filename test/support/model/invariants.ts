/**
 * Invariants after any history (I1, I6): counts add up, no unit has two holders, every unit of a holder points back at
 * it, quotas count the units sold under them, and the journal folds to the same state to the bit, from its beginning
 * and from a snapshot.
 */
import { isDeepStrictEqual } from 'node:util';
import { finish } from '../../../services/inventory-shard/src/rules/packed/steps.ts';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { heldLines } from '../../../services/inventory-shard/src/rules/state/holding.ts';
import { cancelledInSteps } from '../../../services/inventory-shard/src/rules/state/packed-lines.ts';
import { contentOf, type Real } from './real.ts';

/** Throws if an invariant is broken that the state alone shows. */
export function demandOfState(state: EventState): void {
  demandOwners(state);
  demandCancelled(state);
  demandBuyers(state);
  demandListings(state);
  demandQuotas(state);
}

/** Throws if the journal does not fold to the state. */
export function demandFolds(real: Real): void {
  const { state } = real;
  const content = contentOf(state);
  demandSame(content, contentOf(real.folded()), 'the fold of the journal');
  const resumed = real.resumed();
  if (resumed) demandSame(content, contentOf(resumed), 'the fold from a snapshot');
}

function demandOwners(state: EventState): void {
  const { counts, plan, statuses, slotOf, holds, bookings, listingOf, offers, reservations } = state;
  const reserved = Array.from(reservations.active.values(), (each) => {
    return { reservationId: each.id, slot: each.slot, lines: each.units.map((unit) => ({ unit, price: 0 })) };
  });
  demand(counts.reduce((sum, each) => sum + each) === plan.unitCount, 'counts add up to the total');
  const real = [0, 0, 0, 0];
  for (const status of statuses) real[status]!++;
  demand(isDeepStrictEqual([...counts], real), 'counts are those of the statuses');
  const owners = new Map<number, number>();
  for (const owner of [...holds.values(), ...bookings.values(), ...offers.live.values(), ...reserved]) {
    const owned = heldLines(state, owner);
    for (const { unit } of owned) {
      // A listed unit in checkout belongs to its booking until the sale.
      if (listingOf.get(unit)?.heldBy === owner.slot) continue;
      demand(!owners.has(unit), 'no unit has two owners');
      owners.set(unit, owner.slot);
      demand(statuses[unit] === statusUnder(owner), 'an owned unit is held, booked or reserved');
    }
    if ('kind' in owner && owner.kind === 'hold')
      demand(owned.length > 0 === (owner.status === 'active'), 'an active hold has units');
    else demand(owned.length === owner.lines.length, 'a booking, an offer or a reservation lists what it has');
  }
  for (const [unit, slot] of slotOf.entries()) demand((owners.get(unit) ?? 0) === slot, 'a unit points to its owner');
  for (const [unit, status] of statuses.entries())
    demand(status === 3 || owners.has(unit) === (status !== 0), 'held and booked units have owners, and no free ones');
}

function statusUnder(owner: { kind: 'hold' | 'booking' } | { offerId: string } | { reservationId: string }): number {
  if (!('kind' in owner)) return 3;
  return owner.kind === 'hold' ? 1 : 2;
}

/** The index of cancelled bookings has exactly the bookings without units, as a load would find them. */
function demandCancelled({ bookings, cancelled }: EventState): void {
  const found = finish(cancelledInSteps(bookings));
  demand(
    cancelled.size === found.size && cancelled.firstAt === found.firstAt,
    'the cancelled bookings are the bookings without units',
  );
}

/** A buyer has the places of active holds that name the buyer, and of bookings that the buyer's places are in. */
function demandBuyers(state: EventState): void {
  const { holds, bookings, buyers } = state;
  const places = new Map<string, number>();
  const count = (buyerRef: string | null, quantity = 1): void => {
    if (buyerRef !== null) places.set(buyerRef, (places.get(buyerRef) ?? 0) + quantity);
  };
  for (const hold of holds.active.values())
    for (const { quantity } of heldLines(state, hold)) count(hold.buyerRef, quantity);
  for (const { lines } of bookings.values())
    for (const { unit, quantity } of lines) count(buyers.buyerOf(unit), quantity);
  demand(isDeepStrictEqual(buyers.counts().sort(), [...places].sort()), 'the places of buyers add up');
}

/** A listing's units belong to its booking, and all or none of them are in one active hold. */
function demandListings({ listings, listingOf, bookings, slotOf, statuses, holds }: EventState): void {
  let units = 0;
  for (const listing of listings.values()) {
    units += listing.units.length;
    const { slot } = bookings.get(listing.bookingRef)!;
    const isOwn = (unit: number): boolean => statuses[unit] === 2 && slotOf[unit] === slot;
    demand(listing.units.every(isOwn), 'what is listed is booked under the reference that offers it');
    demand(
      listing.units.every((unit) => listingOf.get(unit) === listing),
      'a listed unit points to its listing',
    );
    const hold = [...holds.active.values()].find((each) => each.slot === listing.heldBy);
    const isHeld = (unit: number): boolean => !!hold?.lines.some((line) => line.unit === unit);
    demand(
      listing.heldBy === 0 || listing.units.every(isHeld),
      'a listing in checkout is in an active hold as a whole',
    );
  }
  demand(listingOf.size === units, 'no unit is listed twice, and none for nothing');
}

/** The use of a quota equals the units that holders have under it. */
function demandQuotas(state: EventState): void {
  const unitsUnder = new Map<string, Set<number>>();
  for (const owner of [...state.holds.values(), ...state.bookings.values(), ...state.offers.live.values()]) {
    for (const { unit, releaseId } of heldLines(state, owner)) {
      if (releaseId === undefined) continue;
      // A listed unit in checkout is in its seller's booking and in its buyer's hold.
      const units = unitsUnder.get(releaseId) ?? new Set();
      unitsUnder.set(releaseId, units.add(unit));
    }
  }
  for (const id of new Set([...unitsUnder.keys(), ...state.releaseUse.keys()])) {
    demand(
      (unitsUnder.get(id)?.size ?? 0) === (state.releaseUse.get(id)?.consumed ?? 0),
      `quota used of ${id} is what is sold under it`,
    );
  }
}

function demandSame(is: object, folded: object, what: string): void {
  if (isDeepStrictEqual(is, folded)) return;
  for (const [key, value] of Object.entries(is)) {
    const other = (folded as Record<string, unknown>)[key];
    if (isDeepStrictEqual(value, other)) continue;
    throw new Error(`${what} differs in ${key}: ${tell(other)} where the state has ${tell(value)}`);
  }
  throw new Error(`${what} has more than the state`);
}

function tell(value: unknown): string {
  return JSON.stringify(value instanceof Map ? [...value] : value);
}

function demand(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`it is not so that ${what}`);
}
