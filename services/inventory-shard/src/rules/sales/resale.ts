/**
 * Resale: booked units that their buyer offers together, as one listing. A listing is sold as a whole or not at all.
 *
 * States of a listing: offered → in checkout, when a hold takes its units → sold, when that hold is booked. If the hold
 * ends otherwise, the listing is offered again. Only an offered listing can be removed; unbooking any of its units
 * removes it too. Until the sale, the units belong to the first booking in status, counts and `slotOf`, and `heldBy`
 * names the hold in checkout (I1). A sale ends the listing and moves its units in one group: 'unbooked' with `resale`,
 * then 'booked' (I4). The buyer pays the price of the moment.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type Refusal, refuse } from '@parterre/shared/protocol/errors';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';
import {
  areaConflict,
  conflictOver,
  conflictsOf,
  conflictWith,
  placesAmong,
  unitsNamed,
} from '../selection/selection.ts';
import {
  byOf,
  type Decision,
  heldLines,
  knownBooking,
  type Listing,
  listingsOf,
  pinnedSlot,
  type ReadState,
} from '../state/state.ts';

type Refused = { ok: false; refusal: Refusal };

/** Lists units of a booking. A repetition of the call is answered before it comes here (turn/decide.ts). */
export function listResale(
  state: ReadState,
  command: Command & { type: 'list-resale' },
  caller: Caller,
  now: number,
): Decision<'list-resale'> {
  const { callId, listingId, bookingRef, labels } = command;
  const booking = knownBooking(state, bookingRef, now);
  if (!booking)
    return refuse('booking_not_found', 'The event has no booking with this bookingRef. Check the bookingRef.');
  const has = placesAmong(state.plan, () => heldLines(state, booking).map(({ unit }) => unit));
  const named = unitsNamed(state.plan, labels, has);
  if (!named.ok) return named;
  const { units, without } = named.value;
  const foreign = units.filter((unit) => state.slotOf[unit] !== booking.slot);
  if (foreign.length > 0 || without.length > 0) {
    const conflicts = [...conflictsOf(state, foreign), ...without.map((label) => areaConflict(label, 0))];
    return { ok: false, refusal: conflictWith(conflicts, 'not_owned_by_booking_ref') };
  }
  const known = state.listings.get(listingId);
  const listings = known ? [known] : listingsOf(state, units);
  const [listing] = listings;
  if (listing?.heldBy === 0 && isListingOf(units, listing)) {
    return { ok: true, records: [], answer: { listingId: listing.id, labels: labelsOf(state.plan, listing.units) } };
  }
  const pinned = pinnedAmong(listings);
  if (pinned.length > 0) return conflictOver(state, pinned, 'exchange_pending');
  if (listings.length > 0) return alreadyListed(state, known?.units ?? units);
  return {
    ok: true,
    records: [{ type: 'resale-listed', callId, listingId, bookingRef, units, by: byOf(caller) }],
    answer: { listingId, labels: labelsOf(state.plan, units) },
  };
}

/** Whether the listing has exactly these units. A call whose answer was lost may name them again. */
function isListingOf(units: readonly number[], listing: Readonly<Listing>): boolean {
  const named = new Set(units);
  return named.size === listing.units.length && listing.units.every((unit) => named.has(unit));
}

/** The refusal names the listing of each unit, so that the caller can remove it. */
function alreadyListed(state: ReadState, units: readonly number[]): Refused {
  const listed = units.filter((unit) => state.listingOf.has(unit));
  const conflicts = conflictsOf(state, listed).map((conflict, i) => {
    return { ...conflict, listingId: state.listingOf.get(listed[i]!)!.id };
  });
  return { ok: false, refusal: conflictWith(conflicts, 'already_listed') };
}

export function removeResale(
  state: ReadState,
  command: Command & { type: 'remove-resale' },
  caller: Caller,
): Decision<'remove-resale'> {
  const listing = state.listings.get(command.listingId);
  if (!listing)
    return refuse(
      'listing_not_found',
      'The event has no listing with this id. It may have been sold or removed. Read the bookings of the event.',
    );
  if (listing.heldBy !== 0) return conflictOver(state, listing.units, 'resale_in_checkout');
  return {
    ok: true,
    records: [removal(listing, command.callId, caller)],
    answer: { labels: labelsOf(state.plan, listing.units) },
  };
}

/** The records before the record that unbooks these units: a booking cannot offer units that it no longer has. */
export function removalsBefore(
  state: ReadState,
  units: readonly number[],
  callId: string,
  caller: Caller,
): { ok: true; records: JournalRecord[] } | Refused {
  const listings = listingsOf(state, units);
  const pinned = pinnedAmong(listings);
  if (pinned.length > 0) return conflictOver(state, pinned, 'exchange_pending');
  const inCheckout = listings.filter(({ heldBy }) => heldBy !== 0).flatMap((listing) => listing.units);
  if (inCheckout.length > 0) return conflictOver(state, inCheckout, 'resale_in_checkout');
  return { ok: true, records: listings.map((listing) => removal(listing, callId, caller)) };
}

/** Units that an exchange with another event has pinned. */
function pinnedAmong(listings: readonly Readonly<Listing>[]): number[] {
  return listings.filter(({ heldBy }) => heldBy === pinnedSlot).flatMap(({ units }) => units);
}

function removal({ id, bookingRef, units }: Readonly<Listing>, callId: string, caller: Caller): JournalRecord {
  return { type: 'resale-removed', callId, listingId: id, bookingRef, units, by: byOf(caller) };
}

/** The records before the record that books these lines under `toBookingRef`: one for each listing among the lines. */
export function salesBefore(
  state: ReadState,
  lines: readonly Line[],
  { toBookingRef, callId, caller }: { toBookingRef: string; callId: string; caller: Caller },
): JournalRecord[] {
  const units = lines.map(({ unit }) => unit);
  return listingsOf(state, units).map((listing) => {
    const { id: listingId, bookingRef } = listing;
    const resale = { listingId, toBookingRef };
    return { type: 'unbooked', bookingRef, callId, units: listing.units, resale, by: byOf(caller) };
  });
}
