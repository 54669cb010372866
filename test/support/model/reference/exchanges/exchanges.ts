/** Exchanges: a booking gives seats up and has others instead, in one step. */
import type { Caller, Command, ExchangeTarget } from '@parterre/shared/protocol/commands';
import { claimBest } from '../best-available.ts';
import { addTo, dropFrom } from '../bookings.ts';
import { free } from '../endings.ts';
import { isByHand } from '../event-calls.ts';
import { endListing } from '../resale.ts';
import { aloneAmong, choose, labelsOf, named, placesAmong, shortOf } from '../selecting.ts';
import {
  type Booking,
  bookingNamed,
  type Claim,
  type Conflict,
  conflictOver,
  type Hold,
  holdNamed,
  itemsOf,
  listingOf,
  note,
  ownedBy,
  type Prediction,
  priceWithFees,
  type Refused,
  refused,
  type World,
} from '../world.ts';

type Exchange = Command & { type: 'exchange' };

export function exchange(world: World, command: Exchange, caller: Caller): Prediction {
  const { bookingRef: ref, exchangeId, callId } = command;
  const booking = bookingNamed(world, ref);
  if (!booking) return refused('booking_not_found');
  const from = givenUp(world, command, booking);
  if ('refused' in from) return { ok: false, refused: from.refused };
  const isGiven = ({ label }: Claim): boolean => from.labels.includes(label);
  const given = booking.claims.filter(isGiven);
  const kept = booking.claims.filter((claim) => !isGiven(claim));
  const to = taken(world, command.to, { caller, kept, given: from.labels });
  if ('refused' in to) return { ok: false, refused: to.refused };
  if (sumOf(to.claims, guests) !== sumOf(given, guests)) return refused('invalid_request');
  const offered = world.listings.filter((listing) => listing.labels.some((label) => from.labels.includes(label)));
  const inCheckout = offered.filter(({ heldBy }) => heldBy !== null).flatMap((listing) => listing.labels);
  if (inCheckout.length > 0) return conflictOver(world, inCheckout, 'resale_in_checkout');
  for (const listing of offered) endListing(world, listing);
  bookFrom(world, booking, to, caller);
  dropFrom(world, booking, from.labels);
  free(world, from.labels);
  const sides = { exchangeId, bookingRef: ref, from: from.labels, to: labelsOf(to.claims) };
  const priceDifference = sumOf(to.claims, amountOf) - sumOf(given, amountOf);
  return note(world, callId, {
    ...sides,
    items: itemsOf(world, to.claims),
    priceDifference,
    currency: world.currency,
  });
}

const guests = (claim: Claim): number => claim.guests ?? 1;
const amountOf = (claim: Claim): number => priceWithFees(claim) * guests(claim);

function sumOf(claims: Claim[], amount: (claim: Claim) => number): number {
  return claims.reduce((sum, claim) => sum + amount(claim), 0);
}

/** An area stands for the places that the booking has there and the call does not name, or for the last of these. */
function givenUp(
  world: World,
  { from, bookingRef }: Exchange,
  booking: Booking,
): { labels: string[] } | { refused: Refused[] } {
  const names = from.map(({ label }) => label);
  const mine = labelsOf(booking.claims).filter((label) => !names.includes(label));
  const quantityOf = (area: string): number | null => {
    const quantities = from.filter(({ label }) => label === area).map(({ quantity }) => quantity);
    return quantities.reduce<number | null>((sum, each) => (each === undefined || sum === null ? null : sum + each), 0);
  };
  const placesOf = placesAmong(world, mine);
  const asked = named(world, names, (area) => {
    const places = placesOf(area);
    const quantity = quantityOf(area);
    return quantity === null ? places : places.slice(Math.max(places.length - quantity, 0));
  });
  if ('refused' in asked) return asked;
  const foreign = asked.labels.filter((label) => world.seats[label]!.owner !== `booking ${bookingRef}`);
  const short = asked.areas
    .filter((area) => placesOf(area).length < (quantityOf(area) ?? 1))
    .map((area): Conflict => shortOf(area, placesOf(area).length));
  if (foreign.length + short.length > 0) {
    const told = conflictOver(world, foreign, 'not_owned_by_booking_ref', short);
    return told.ok ? { labels: [] } : told;
  }
  const parts = from.filter(({ label, quantity }) => {
    const claim = booking.claims.find((each) => each.label === label);
    return claim && quantity !== undefined && guests(claim) !== quantity;
  });
  const labels = parts.map(({ label }) => label);
  return labels.length > 0 ? { refused: [{ code: 'invalid_quantity', reason: 'invalid_quantity', labels }] } : asked;
}

type Taken = { claims: Claim[]; hold?: Hold };

function taken(
  world: World,
  to: ExchangeTarget,
  { caller, kept, given }: { caller: Caller; kept: Claim[]; given: string[] },
): Taken | { refused: Refused[] } {
  if ('holdId' in to) return fromHold(world, to, kept);
  if ('query' in to) return claimBest(world, to.query, caller, kept);
  const isOnBothSides = to.selections.some(({ label }) => given.includes(label));
  if (isOnBothSides) return { refused: [{ code: 'invalid_request', reason: 'invalid_request' }] };
  const takes = (label: string): boolean => to.fromBlock === true && isByHand(world, label);
  return choose(world, to.selections, { caller, had: kept, leavesListings: true, takes });
}

function fromHold(
  world: World,
  { holdId, labels }: Extract<ExchangeTarget, { holdId: string }>,
  kept: Claim[],
): Taken | { refused: Refused[] } {
  const hold = holdNamed(world, holdId);
  if (!hold) return { refused: [{ code: 'hold_not_found', reason: 'hold_not_found' }] };
  const has = ownedBy(world, `hold ${holdId}`);
  const asked = labels
    ? named(world, labels, placesAmong(world, has))
    : { labels: has.length > 0 ? has : labelsOf(hold.claims), without: [] };
  if ('refused' in asked) return asked;
  const inTheWay = asked.labels.filter((label) => !has.includes(label) || listingOf(world, label));
  if (inTheWay.length + asked.without.length > 0 || hold.status !== 'active') {
    const isBooked = hold.booked.some(({ label }) => inTheWay.includes(label));
    const reason = hold.status === 'released' ? 'hold_released' : isBooked ? 'hold_booked' : 'conflict';
    const isLate = hold.status === 'expired' || hold.expired.length > 0;
    const missing = asked.without.map((area) => shortOf(area, 0));
    const told = conflictOver(world, inTheWay, isLate ? 'hold_expired' : reason, missing);
    return told.ok ? { claims: [] } : told;
  }
  const claims = hold.claims.filter(({ label }) => asked.labels.includes(label));
  const alone = aloneAmong(world, hold.claims, []).length === 0 ? aloneAmong(world, claims, kept) : [];
  return alone.length > 0 ? { refused: alone } : { claims, hold };
}

/** The calls that the booking knows stay as they are: the exchange is known to the event. */
function bookFrom(world: World, booking: Booking, { claims, hold }: Taken, caller: Caller): void {
  const { ref } = booking;
  const calls = { ...booking.calls };
  if (hold) {
    hold.bookingRef = ref;
    hold.booked.push(...claims.map(({ label }) => ({ ref, label })));
  }
  addTo(world, ref, '', claims, hold?.accessSource ?? caller.accessSource);
  booking.calls = calls;
  if (hold && ownedBy(world, `hold ${hold.id}`).length === 0) {
    hold.status = 'booked';
    hold.endedAt = world.now;
  }
}
