/**
 * Compares the seats, the money and the quotas of a state with the reference. It reads the state's fields and calls no
 * rule of the shard, so that it may judge these rules.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Refusal } from '@parterre/shared/protocol/errors';
import { thawedFees } from '@parterre/shared/protocol/money';
import { statusNames } from '@parterre/shared/protocol/records';
import { channelOf } from '../../../services/inventory-shard/src/rules/state/channel-table.ts';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { usedBy } from './reference/channels.ts';
import { shown } from './reference/releases.ts';
import { type Claim, countsOf, DAY, knownBookings, type Refused, type World } from './reference/world.ts';

/** Null, or the first difference. */
export function differenceOfBooks(world: World, state: EventState): string | null {
  return (
    differenceOfSeats(world, state) ??
    differenceOfClaimants(world, state) ??
    differenceOfListings(world, state) ??
    differenceOfOffers(world, state) ??
    differenceOfReservations(world, state) ??
    differenceOfBookings(world, state) ??
    differenceOfTotals(world, state)
  );
}

/** The parts of a refusal that the reference predicts. named-places.test.ts has the names of places. */
export function refusedOf({ code, reason = code, details = {} }: Refusal): unknown {
  const { labels, missingLabels, missingCount, status, bookingRef } = details;
  const conflicts = (details.conflicts as { name?: string }[] | undefined)?.map(({ name: _, ...conflict }) => conflict);
  const named = { labels, conflicts, missingLabels, missingCount, status, bookingRef };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  return { code, reason, ...Object.fromEntries(given) } satisfies Partial<Refused>;
}

/** Sorts lists, and drops fields that are not set. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, ordered(each)]));
}

/** Both are mostly in the same order, which is quicker to check. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b) || isDeepStrictEqual(ordered(a), ordered(b));
}

function differenceOfSeats(world: World, state: EventState): string | null {
  if (state.statuses.length !== world.chart.places.length) return `there are ${state.statuses.length} units`;
  for (const [unit, status] of state.statuses.entries()) {
    const { label } = world.chart.places[unit]!;
    const predicted = world.seats[label]?.status;
    if (predicted !== statusNames[status]) return `${label} is ${statusNames[status]}, predicted ${predicted}`;
  }
  const channels = state.plan.labels.all().map((label, unit) => [label, channelOf(state, unit)?.id]);
  if (!isSame(Object.fromEntries(channels.filter(([, id]) => id)), world.channelOf)) return 'other seats are assigned';
  const [free, held, booked, blocked] = state.counts;
  return isSame({ free, held, booked, blocked }, countsOf(world)) ? null : `the counts are ${state.counts}`;
}

/** Compares the active holds: their ends, their frozen prices, and the seats that they still have. */
function differenceOfClaimants(world: World, state: EventState): string | null {
  const { labels } = state.plan;
  const active = world.holds.filter(({ status }) => status === 'active');
  if (active.length !== state.holds.active.size) return `there are ${state.holds.active.size} active holds`;
  for (const { id, expiresAt, claims, accessSource } of active) {
    const hold = state.holds.active.get(id);
    const is = hold && { expiresAt: hold.expiresAt, lines: linesOf(state, hold) };
    const predicted = { expiresAt, lines: claims.map(termsOf) };
    if (!isSame(is, predicted) || hold?.accessSource !== accessSource)
      return `hold ${id} has ${JSON.stringify(is)}, predicted ${JSON.stringify(predicted)}`;
    const mine = [...state.slotOf.entries()].filter(([, slot]) => slot === hold.slot).map(([unit]) => labels.at(unit));
    const owned = Object.values(world.seats).filter(({ owner }) => owner === `hold ${id}`);
    if (
      !isSame(
        mine,
        owned.map(({ label }) => label),
      )
    )
      return `hold ${id} has the seats ${mine}`;
  }
  return null;
}

function linesOf(state: EventState, holder: Pick<Holder, 'lines' | 'accessSource'>): object[] {
  return holder.lines.map(({ unit, price, tierId = null, quantity = null, releaseId = null, ...more }) => {
    const { channelId = null, accessSource = holder.accessSource, fees: frozen } = more;
    const source = channelId === null ? 'public' : accessSource;
    const what = { label: state.plan.labels.at(unit), price, tier: tierId, guests: quantity, release: releaseId };
    return { ...what, channel: channelId, source, ...thawedFees(frozen) };
  });
}

type Holder = Parameters<EventState['bookings']['set']>[0];

function termsOf({ bundle: _, ...claim }: Claim): object {
  return claim;
}

/** Compares the listings: their bookings, and their holds in checkout. */
function differenceOfListings(world: World, state: EventState): string | null {
  const ownerOf = (slot: number): string | null => {
    const hold = [...state.holds.active.values()].find((each) => each.slot === slot);
    return slot === 0 ? null : `hold ${hold?.id}`;
  };
  const listings = [...state.listings.values()].map(({ id, bookingRef, units, heldBy }) => {
    return { id, bookingRef, labels: units.map((unit) => state.plan.labels.at(unit)), heldBy: ownerOf(heldBy) };
  });
  if (isSame(listings, world.listings)) return null;
  return `the listings are ${JSON.stringify(listings)}, predicted ${JSON.stringify(world.listings)}`;
}

/** Compares the seats that offers have reserved, and their frozen prices. */
function differenceOfOffers({ offers }: World, state: EventState): string | null {
  const reserved = offers.filter(({ status }) => status === 'reserved');
  const predicted = reserved.map(({ offerId, claims }) => ({ offerId, lines: claims.map(termsOf) }));
  const is = [...state.offers.live.values()].map(({ offerId, lines }) => {
    return { offerId, lines: linesOf(state, { lines, accessSource: 'public' }) };
  });
  if (isSame(is, predicted)) return null;
  return `offers have ${JSON.stringify(is)}, predicted ${JSON.stringify(predicted)}`;
}

/** Compares the reservations by name, those that are over too, with their seats. */
function differenceOfReservations({ reservations }: World, state: EventState): string | null {
  const { labels } = state.plan;
  const labelsIn = (units: readonly number[]): string[] => units.map((unit) => labels.at(unit));
  const is = Array.from(state.reservations.values(), ({ slot: _, units, booked, ...rest }) => {
    const parts = booked.map((part) => ({ ref: part.ref, labels: labelsIn(part.units) }));
    return { ...rest, labels: labelsIn(units), booked: parts };
  });
  // Those that were over long ago may be forgotten.
  const known = reservations.filter(({ id }) => state.reservations.get(id));
  const isLost = reservations.some(({ id, endedAt }) => endedAt === null && !state.reservations.get(id));
  if (!isLost && isSame(is, known)) return null;
  return `the reservations are ${JSON.stringify(is)}, predicted ${JSON.stringify(reservations)}`;
}

function differenceOfBookings(world: World, state: EventState): string | null {
  const known = knownBookings(world);
  for (const { ref, claims, accessSource } of known) {
    const booking = state.bookings.get(ref);
    const is = booking && linesOf(state, booking);
    const predicted = claims.map(termsOf);
    const isAlike = isSame(is, predicted) && booking?.accessSource === accessSource;
    if (!isAlike) return `booking ${ref} has ${JSON.stringify(is)}, predicted ${JSON.stringify(predicted)}`;
  }
  const others = [...state.bookings.values()].filter(
    ({ ref, lines, updatedAt }) =>
      known.every((booking) => booking.ref !== ref) && (lines.length > 0 || updatedAt + DAY > world.now),
  );
  return others.length === 0 ? null : `nobody made ${others.map(({ ref }) => ref).join(', ')}`;
}

/** Compares the money and the quotas: the booked value, the use of ticket releases, the quantity of sessions. */
function differenceOfTotals(world: World, state: EventState): string | null {
  const { currency } = state.config;
  if (currency !== world.currency) return `the currency is ${currency}, predicted ${world.currency}`;
  const value = world.bookings
    .flatMap(({ claims }) => claims)
    .reduce((sum, { price, guests }) => sum + price * (guests ?? 1), 0);
  if (Math.abs(value - state.bookedValue) > 1e-6) return `${state.bookedValue} is booked, predicted ${value}`;
  for (const { id, consumed } of (shown(world) as { releases: { id: string; consumed: number }[] }).releases) {
    const is = state.releaseUse.get(id)?.consumed;
    if (is !== consumed) return `${is} of release ${id} are used, predicted ${consumed}`;
  }
  for (const [id, { used, at }] of state.sessionUse) {
    // A day without a change forgets a session's quantity.
    if (world.now - at >= DAY) continue;
    const predicted = usedBy(world, id);
    if (used !== predicted) return `session ${id} has ${used}, predicted ${predicted}`;
  }
  return null;
}
