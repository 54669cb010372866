/** Exchanges: a booking gives seats up and has others instead, in one step. */
import type { Caller, Command, ExchangeTarget } from '@parterre/shared/protocol/commands';
import { claimBest } from '../best-available.ts';
import { addTo, bookOf, dropFrom } from '../bookings.ts';
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
  unchanged,
  type World,
} from '../world.ts';

type Exchange = Command & { type: 'exchange' | 'exchange-on-terms' };

export function exchange(world: World, command: Exchange, caller: Caller): Prediction {
  const { bookingRef: ref, exchangeId, callId } = command;
  const booking = bookingNamed(world, ref);
  if (!booking) return refused('booking_not_found');
  const from = givenUp(world, command, booking);
  if ('refused' in from) return { ok: false, refused: from.refused };
  const both = staying(command.to, booking, from.labels);
  if ('refused' in both) return { ok: false, refused: both.refused };
  const labels = from.labels.filter((label) => !both.labels.includes(label));
  const isGiven = ({ label }: Claim): boolean => labels.includes(label);
  const given = booking.claims.filter(isGiven);
  const kept = booking.claims.filter((claim) => !isGiven(claim));
  const to = taken(world, both.to, { caller, kept });
  if ('refused' in to) return { ok: false, refused: to.refused };
  if (sumOf(to.claims, guests) !== sumOf(given, guests)) return refused('invalid_request');
  const removed = endListings(world, labels);
  if (!removed.ok) return removed;
  const priceDifference = sumOf(to.claims, amountOf) - sumOf(given, amountOf);
  const charges = 'isDry' in command || command.type === 'exchange-on-terms' ? chargesOf(command, priceDifference) : {};
  const sides = { exchangeId, bookingRef: ref, from: labels, to: labelsOf(to.claims) };
  const answer = {
    ...sides,
    items: itemsOf(world, to.claims),
    priceDifference,
    currency: world.currency,
    ...charges,
  };
  if (command.type === 'exchange-on-terms' && command.isDry) return unchanged(answer);
  count(world, charges);
  for (const listing of removed.listings) endListing(world, listing);
  bookFrom(world, booking, to, caller);
  dropFrom(world, booking, labels);
  free(world, labels);
  return note(world, callId, answer);
}

type Charges = { fee?: number; waived?: { amount: number; reason: string } };

function chargesOf(command: Exchange, amount: number): Charges {
  if (command.type === 'exchange') return {};
  const { fee, waiveDifference } = command;
  return {
    ...(fee !== undefined && { fee }),
    ...(waiveDifference && { waived: { amount, reason: waiveDifference.reason } }),
  };
}

function count(world: World, { fee = 0, waived }: Charges): void {
  if (fee === 0 && !waived) return;
  const { fees, waived: before } = world.exchangeSums ?? { fees: 0, waived: 0 };
  world.exchangeSums = { fees: fees + fee, waived: before + (waived?.amount ?? 0) };
}

/** The listings that end with these seats, or the refusal where a buyer has one in checkout. */
function endListings(
  world: World,
  labels: string[],
): { ok: true; listings: World['listings'] } | (Prediction & { ok: false }) {
  const listings = world.listings.filter((listing) => listing.labels.some((label) => labels.includes(label)));
  const inCheckout = listings.filter(({ heldBy }) => heldBy !== null).flatMap((listing) => listing.labels);
  if (inCheckout.length === 0) return { ok: true, listings };
  return conflictOver(world, inCheckout, 'resale_in_checkout') as Prediction & { ok: false };
}

/** The seats on both sides, which stay as they were sold, and the rest of the target. */
function staying(
  to: ExchangeTarget,
  booking: Booking,
  given: string[],
): { labels: string[]; to: ExchangeTarget } | { refused: Refused[] } {
  if (!('selections' in to)) return { labels: [], to };
  const stays = to.selections.filter(({ label }) => given.includes(label));
  if (stays.length === 0) return { labels: [], to };
  const isAsSold = ({ label, tierId, quantity, price }: (typeof stays)[number]): boolean => {
    const claim = booking.claims.find((each) => each.label === label)!;
    const hasTier = tierId === undefined || tierId === claim.tier;
    const hasGuests = quantity === undefined || quantity === guests(claim);
    return hasTier && hasGuests && (price === undefined || price === claim.price);
  };
  const selections = to.selections.filter(({ label }) => !given.includes(label));
  if (selections.length === 0 || !stays.every(isAsSold)) {
    return { refused: [{ code: 'invalid_request', reason: 'invalid_request' }] };
  }
  return { labels: stays.map(({ label }) => label), to: { ...to, selections } };
}

/** Two bookings give each other their seats, as they were sold. */
export function swap(world: World, { a, b, exchangeId, callId, isDry }: Command & { type: 'swap' }): Prediction {
  const sides: { booking: Booking; claims: Claim[] }[] = [];
  for (const { bookingRef, from } of [a, b]) {
    const booking = bookingNamed(world, bookingRef);
    if (!booking) return refused('booking_not_found');
    const given = givenUp(world, { from, bookingRef }, booking);
    if ('refused' in given) return { ok: false, refused: given.refused };
    sides.push({ booking, claims: booking.claims.filter(({ label }) => given.labels.includes(label)) });
  }
  const [one, other] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const isUnequal = sumOf(one.claims, guests) !== sumOf(other.claims, guests);
  if (one.booking.ref === other.booking.ref || isUnequal) return refused('invalid_request');
  const removed = endListings(world, [...labelsOf(one.claims), ...labelsOf(other.claims)]);
  if (!removed.ok) return removed;
  const told = (side: typeof one, from: typeof one): object => ({
    bookingRef: side.booking.ref,
    from: labelsOf(side.claims),
    items: itemsOf(world, from.claims),
    priceDifference: sumOf(from.claims, amountOf) - sumOf(side.claims, amountOf),
  });
  const answer = { exchangeId, currency: world.currency, a: told(one, other), b: told(other, one) };
  if (isDry) return unchanged(answer);
  for (const listing of removed.listings) endListing(world, listing);
  hand(world, one.booking, other.claims, labelsOf(one.claims));
  hand(world, other.booking, one.claims, labelsOf(other.claims));
  return note(world, callId, answer);
}

function hand(world: World, booking: Booking, claims: Claim[], gone: string[]): void {
  booking.claims = [...booking.claims.filter(({ label }) => !gone.includes(label)), ...claims];
  if (booking.chosen) booking.chosen.labels = booking.chosen.labels.filter((label) => !gone.includes(label));
  for (const { label } of claims) world.seats[label] = { ...world.seats[label]!, owner: `booking ${booking.ref}` };
}

const guests = (claim: Claim): number => claim.guests ?? 1;
const amountOf = (claim: Claim): number => priceWithFees(claim) * guests(claim);

function sumOf(claims: Claim[], amount: (claim: Claim) => number): number {
  return claims.reduce((sum, claim) => sum + amount(claim), 0);
}

/** An area stands for the places that the booking has there and the call does not name, or for the last of these. */
function givenUp(
  world: World,
  { from, bookingRef }: Pick<Exchange, 'from' | 'bookingRef'>,
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
  { caller, kept }: { caller: Caller; kept: Claim[] },
): Taken | { refused: Refused[] } {
  if ('holdId' in to) return fromHold(world, to, kept);
  if ('query' in to) return claimBest(world, to.query, caller, kept);
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
    bookOf(hold, ref, claims);
  }
  addTo(world, ref, '', claims, hold?.accessSource ?? caller.accessSource);
  booking.calls = calls;
  if (hold && ownedBy(world, `hold ${hold.id}`).length === 0) {
    hold.status = 'booked';
    hold.endedAt = world.now;
  }
}
