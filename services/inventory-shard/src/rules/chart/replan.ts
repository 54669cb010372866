/**
 * The state of an event on another plan, made beside the present state: part of the fold. places.ts decides which units
 * are the same. The work is made in steps, each of at most about `lookUpsPerStep` units. No step changes the present
 * state or a part of it: changed parts are rebuilt, and unchanged parts are shared. If every unit keeps its number,
 * only the parts that depend on prices, categories and divisions are rebuilt.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import { type Line, type UnitStatus, unitStatus } from '@parterre/shared/protocol/records';
import { dropUnknownDivisions, findDivisions } from '../availability/availability.ts';
import { replanChannels } from '../channels/channel-folds.ts';
import { PackedMap, type Packing, type Steps } from '../packed/packed.ts';
import { EventOffers } from '../parts/offers.ts';
import {
  type Booking,
  bookingPacking,
  type Call,
  cancelledInSteps,
  type EventState,
  type Hold,
  Holds,
  holdPacking,
  liveDeadlinesInSteps,
  Reservations,
  withheldOf,
} from '../state/state.ts';
import type { ChartUpdated } from './dropped-channels.ts';
import { lookUpsPerStep, type PlaceOf, placesOn } from './places.ts';
import { placesWith } from './renumbering.ts';

/** `at` is the time of the record. */
export function* replanned(state: EventState, plan: Plan, record: ChartUpdated, at: number): Steps<EventState> {
  const { chartVersion } = record;
  const places = yield* placesOn(plan, state.plan);
  const placeOf = placesWith(record.renumbered, places.of);
  const next: EventState = { ...state, at, plan, config: { ...state.config, planHash: plan.hash, chartVersion } };
  next.calls = new Map(state.calls);
  yield* moveUnits(next, state, placeOf);
  yield* replanChannels(next, plan, places.of, at);
  if (!places.areSame) {
    yield* moveHolders(next, state, placeOf);
    yield* moveListings(next, state, placeOf);
    yield* moveOffers(next, state, placeOf);
    yield* moveReservations(next, state, placeOf);
    yield* moveCalls(next, state, placeOf);
    next.buyers = state.buyers.moved(plan.unitCount, placeOf);
    yield;
  }
  next.withheld = withheldOf(plan, next.statuses);
  yield;
  dropUnknownDivisions(next);
  findDivisions(next);
  yield;
  next.deadlines = yield* liveDeadlinesInSteps(next);
  return next;
}

/** The status, holder and scheduled unblock of every unit that still exists. */
function* moveUnits(next: EventState, { statuses, slotOf, counts, blockedUntil }: EventState, placeOf: PlaceOf) {
  next.statuses = new Uint8Array(next.plan.unitCount);
  next.slotOf = new Int32Array(next.plan.unitCount);
  next.counts = [0, 0, 0, 0];
  let left = statuses.length - counts[unitStatus.free];
  for (let unit = 0; left > 0; unit++) {
    const status = statuses[unit] as UnitStatus;
    if (status === unitStatus.free) continue;
    if (--left % lookUpsPerStep === 0) yield;
    const place = placeOf(unit);
    if (place < 0) continue;
    next.statuses[place] = status;
    next.slotOf[place] = slotOf[unit]!;
    next.counts[status]++;
  }
  const [, held, booked, blocked] = next.counts;
  next.counts[unitStatus.free] = next.plan.unitCount - held - booked - blocked;
  next.blockedUntil = new Map();
  for (const [unit, until] of blockedUntil) {
    const place = placeOf(unit);
    if (place >= 0 && next.statuses[place] === unitStatus.blocked) next.blockedUntil.set(place, until);
    if (next.blockedUntil.size % lookUpsPerStep === 0) yield;
  }
}

function* moveHolders(next: EventState, { holds, bookings }: EventState, placeOf: PlaceOf): Steps<void> {
  const active = new Map<string, Hold>();
  const steps = new UnitCount();
  for (const hold of holds.active.values()) {
    active.set(hold.id, movedHold(hold, placeOf));
    if (steps.isFull(hold.lines)) yield;
  }
  const ended = yield* movedMap(holds.ended, holdPacking, (hold) => movedHold(hold, placeOf));
  next.holds = new Holds(active, ended);
  next.bookings = yield* movedMap(bookings, bookingPacking, (booking) => movedBooking(booking, placeOf));
  next.cancelled = yield* cancelledInSteps(next.bookings);
}

function* movedMap<V extends { lines: Line[] }>(
  map: PackedMap<V>,
  packing: Packing<V>,
  moved: (value: Readonly<V>) => V,
): Steps<PackedMap<V>> {
  const to = new PackedMap(packing);
  const steps = new UnitCount();
  for (const value of map.values()) {
    to.set(moved(value));
    if (steps.isFull(value.lines)) yield;
  }
  return to;
}

/** Counts the units of holders. A holder costs as much as a few units. */
class UnitCount {
  #units = 0;

  /** Whether a step ends with this holder. */
  isFull(lines: readonly unknown[]): boolean {
    this.#units += lines.length + unitsPerHolder;
    if (this.#units < lookUpsPerStep) return false;
    this.#units = 0;
    return true;
  }
}

const unitsPerHolder = 2;

function movedHold(hold: Readonly<Hold>, placeOf: PlaceOf): Hold {
  const { lines, lastRelease, parted } = hold;
  return {
    ...hold,
    lines: movedLines(lines, placeOf),
    lastRelease: movedCall(lastRelease, placeOf),
    parted: parted && {
      released: movedUnits(parted.released, placeOf),
      expired: movedUnits(parted.expired, placeOf),
      booked: parted.booked.map(({ ref, units }) => ({ ref, units: movedUnits(units, placeOf) })),
    },
  };
}

function movedBooking(booking: Readonly<Booking>, placeOf: PlaceOf): Booking {
  const { lines, lastCall, chosen } = booking;
  return {
    ...booking,
    lines: movedLines(lines, placeOf),
    lastCall: movedCall(lastCall, placeOf),
    chosen: chosen && { ...chosen, units: movedUnits(chosen.units, placeOf) },
  };
}

/**
 * Units that no longer exist have no holder and are left out. A group is named by the lowest of its remaining units.
 */
export function movedLines(lines: readonly Line[], placeOf: PlaceOf): Line[] {
  const groups = new Map<number, number>();
  for (const { unit, group } of lines) {
    if (group === undefined) continue;
    const place = placeOf(unit);
    if (place >= 0) groups.set(group, Math.min(place, groups.get(group) ?? place));
  }
  const moved: Line[] = [];
  for (const line of lines) {
    const unit = placeOf(line.unit);
    if (unit < 0) continue;
    moved.push(movedLine(line, unit, groups));
  }
  return moved;
}

/**
 * The fields are written one by one: a spread takes several times as long, and there may be a hundred thousand lines.
 */
function movedLine(line: Line, unit: number, groups: Map<number, number>): Line {
  const moved: Line = { unit, price: line.price };
  if (line.tierId !== undefined) moved.tierId = line.tierId;
  if (line.quantity !== undefined) moved.quantity = line.quantity;
  if (line.group !== undefined) moved.group = groups.get(line.group)!;
  if (line.channelId !== undefined) moved.channelId = line.channelId;
  if (line.releaseId !== undefined) moved.releaseId = line.releaseId;
  if (line.fees !== undefined) moved.fees = line.fees;
  if (line.accessSource !== undefined) moved.accessSource = line.accessSource;
  return moved;
}

function movedCall(call: Readonly<Call> | null, placeOf: PlaceOf): Call | null {
  return call && { callId: call.callId, units: movedUnits(call.units, placeOf) };
}

/** All units of a listing are booked, so all of them exist on the new plan. */
function* moveListings(next: EventState, { listings }: EventState, placeOf: PlaceOf): Steps<void> {
  next.listings = new Map();
  next.listingOf = new Map();
  for (const listing of listings.values()) {
    const moved = { ...listing, units: movedUnits(listing.units, placeOf) };
    if (listing.countedOnce) moved.countedOnce = new Set(movedUnits([...listing.countedOnce], placeOf));
    next.listings.set(moved.id, moved);
    for (const unit of moved.units) next.listingOf.set(unit, moved);
    yield;
  }
}

/** All units of an offer have a holder, so all of them exist on the new plan. */
function* moveOffers(next: EventState, { offers }: EventState, placeOf: PlaceOf): Steps<void> {
  next.offers = new EventOffers();
  const steps = new UnitCount();
  for (const { lines, ...rest } of offers.live.values()) {
    next.offers.put({ ...rest, lines: movedLines(lines, placeOf) });
    if (steps.isFull(lines)) yield;
  }
  for (const { units, ...rest } of offers.ended.values()) {
    next.offers.putEnded({ ...rest, units: movedUnits(units, placeOf) });
    if (steps.isFull(units)) yield;
  }
}

/** All units of an active reservation have a holder, so all of them exist on the new plan. */
function* moveReservations(next: EventState, { reservations }: EventState, placeOf: PlaceOf): Steps<void> {
  next.reservations = new Reservations();
  const steps = new UnitCount();
  for (const reservation of reservations.values()) {
    const units = movedUnits(reservation.units, placeOf);
    const booked = reservation.booked.map(({ ref, units }) => ({ ref, units: movedUnits(units, placeOf) }));
    next.reservations.put({ ...reservation, units, booked });
    if (steps.isFull(reservation.units)) yield;
  }
}

function* moveCalls(next: EventState, { calls, namedCalls }: EventState, placeOf: PlaceOf): Steps<void> {
  next.callUnits = 0;
  for (const [callId, call] of calls) {
    if (call.units === null) continue;
    const units = movedUnits(call.units, placeOf);
    next.callUnits += units.length;
    next.calls.set(callId, { ...call, units });
    yield;
  }
  next.namedCalls = new Map();
  next.namedCallUnits = 0;
  for (const [callId, call] of namedCalls) {
    const units = movedUnits(call.units, placeOf);
    next.namedCallUnits += units.length;
    next.namedCalls.set(callId, { ...call, units });
    yield;
  }
}

function movedUnits(units: readonly number[], placeOf: PlaceOf): number[] {
  return units.map((unit) => placeOf(unit)).filter((place) => place >= 0);
}
