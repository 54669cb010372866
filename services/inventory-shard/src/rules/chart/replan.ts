/**
 * Rewrites the state of an event for another plan: part of `apply`. places.ts decides which units are the same. Lines
 * are rebuilt, never changed in place, since records and frozen snapshots share them.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { type Line, type UnitStatus, unitStatus } from '@parterre/shared/records';
import { dropUnknownDivisions, refreshDivisions } from '../availability/availability.ts';
import { replanChannels } from '../channels/channels.ts';
import { finish, PackedMap } from '../packed/packed.ts';
import {
  bookingPacking,
  type Call,
  cancelledInSteps,
  dropLookups,
  type EventState,
  type Hold,
  Holds,
  holdPacking,
  liveDeadlines,
  putListing,
  withheldOf,
} from '../state/state.ts';
import { type PlaceOf, placesOn } from './places.ts';

/** `chartVersion` is the version of `plan`, `at` the time of the record. */
export function replan(state: EventState, plan: Plan, chartVersion: number, at: number): void {
  const placeOf = placesOn(plan, state.plan);
  moveUnits(state, plan, placeOf);
  replanChannels(state, plan, placeOf, at);
  for (const hold of state.holds.active.values())
    Object.assign(state.holds.toChange(hold.id)!, movedHold(hold, placeOf));
  const ended = new PackedMap(holdPacking);
  for (const hold of state.holds.ended.values()) ended.set({ ...hold, ...movedHold(hold, placeOf) });
  state.holds = new Holds(state.holds.active, ended);
  const bookings = new PackedMap(bookingPacking);
  for (const booking of state.bookings.values()) {
    const lines = movedLines(booking.lines, placeOf);
    const chosen = booking.chosen && { ...booking.chosen, units: movedUnits(booking.chosen.units, placeOf) };
    bookings.set({ ...booking, lines, lastCall: movedCall(booking.lastCall, placeOf), chosen });
  }
  state.bookings = bookings;
  state.cancelled = finish(cancelledInSteps(bookings));
  moveListings(state, placeOf);
  moveCalls(state, placeOf);
  state.config = { ...state.config, planHash: plan.hash, chartVersion };
  state.plan = plan;
  state.withheld = withheldOf(plan, state.statuses);
  dropUnknownDivisions(state);
  refreshDivisions(state);
  state.deadlines = liveDeadlines(state);
  dropLookups(state);
}

type Moved = Pick<Hold, 'lines' | 'lastRelease' | 'parted'>;

function movedHold({ lines, lastRelease, parted }: Readonly<Hold>, placeOf: PlaceOf): Moved {
  return {
    lines: movedLines(lines, placeOf),
    lastRelease: movedCall(lastRelease, placeOf),
    parted: parted && {
      released: movedUnits(parted.released, placeOf),
      expired: movedUnits(parted.expired, placeOf),
      booked: parted.booked.map(({ ref, units }) => ({ ref, units: movedUnits(units, placeOf) })),
    },
  };
}

/** The status, holder and scheduled unblock of every unit that still exists. */
function moveUnits(state: EventState, plan: Plan, placeOf: PlaceOf): void {
  const { statuses, slotOf, blockedUntil } = state;
  state.statuses = new Uint8Array(plan.unitCount);
  state.slotOf = new Int32Array(plan.unitCount);
  for (let unit = 0; unit < statuses.length; unit++) {
    if (statuses[unit] === unitStatus.free) continue;
    const place = placeOf(unit);
    if (place < 0) continue;
    state.statuses[place] = statuses[unit]!;
    state.slotOf[place] = slotOf[unit]!;
  }
  state.counts = [0, 0, 0, 0];
  for (const status of state.statuses) state.counts[status as UnitStatus]++;
  state.blockedUntil = new Map();
  for (const [unit, at] of blockedUntil) {
    const place = placeOf(unit);
    if (place >= 0 && state.statuses[place] === unitStatus.blocked) state.blockedUntil.set(place, at);
  }
}

/**
 * Units that no longer exist have no holder and are left out. A group is named by the lowest of its remaining units.
 */
function movedLines(lines: readonly Line[], placeOf: PlaceOf): Line[] {
  const groups = new Map<number, number>();
  for (const { unit, group } of lines) {
    const place = placeOf(unit);
    if (group !== undefined && place >= 0) groups.set(group, Math.min(place, groups.get(group) ?? place));
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
  if (line.accessSource !== undefined) moved.accessSource = line.accessSource;
  return moved;
}

function movedCall(call: Readonly<Call> | null, placeOf: PlaceOf): Call | null {
  return call && { callId: call.callId, units: movedUnits(call.units, placeOf) };
}

/** All units of a listing are booked, so all of them exist on the new plan. */
function moveListings(state: EventState, placeOf: PlaceOf): void {
  state.listingOf = new Map();
  for (const { countedOnce, ...listing } of state.listings.values()) {
    putListing(state, {
      ...listing,
      units: movedUnits(listing.units, placeOf),
      ...(countedOnce && { countedOnce: new Set(movedUnits([...countedOnce], placeOf)) }),
    });
  }
}

function moveCalls(state: EventState, placeOf: PlaceOf): void {
  state.callUnits = 0;
  for (const [callId, call] of state.calls) {
    if (call.units === null) continue;
    const units = movedUnits(call.units, placeOf);
    state.callUnits += units.length;
    state.calls.set(callId, { ...call, units });
  }
  state.namedCallUnits = 0;
  for (const [callId, call] of state.namedCalls) {
    const units = movedUnits(call.units, placeOf);
    state.namedCallUnits += units.length;
    state.namedCalls.set(callId, { ...call, units });
  }
}

function movedUnits(units: readonly number[], placeOf: PlaceOf): number[] {
  return units.map((unit) => placeOf(unit)).filter((place) => place >= 0);
}
