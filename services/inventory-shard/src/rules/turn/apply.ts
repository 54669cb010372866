/**
 * Folds records into the state. Never refuses: what stands in the journal has happened. The only code that writes the
 * state, so the same records always give the same state (I6), whether they were just decided or are replayed.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { endedHoldKeepMs } from '@parterre/shared/limits';
import { type Group, type JournalRecord, type Line, type UnitStatus, unitStatus } from '@parterre/shared/records';
import { countForThreshold, foldAvailability, refreshScopes } from '../availability/availability.ts';
import { countWithheld, hasUnitsLeft } from '../availability/sold-out.ts';
import { everySummary } from '../best-available/free-runs.ts';
import { foldChannels } from '../channels/channels.ts';
import { updatedAnswer } from '../chart/chart-update.ts';
import { toldOfDropped, withoutLabels } from '../chart/dropped-channels.ts';
import { replan } from '../chart/replan.ts';
import { changeCurrency } from '../pricing/currencies.ts';
import { countFreed, countTaken, keepReleases } from '../pricing/ticket-release-use.ts';
import { shown, withClosed } from '../pricing/ticket-releases.ts';
import { packReach } from '../reach/hold-reach.ts';
import { attributed } from '../reach/reach.ts';
import { movedAnswer } from '../reads/reads.ts';
import { countHeld, countLetGo } from '../sales/session-use.ts';
import { noteFree } from '../selection/area-places.ts';
import { isShort, noteCall, noteNamedCall } from '../state/calls.ts';
import { endListing, removeListing, startListing } from '../state/listings.ts';
import {
  advance,
  type Booking,
  type EventCall,
  type EventState,
  type Hold,
  notParted,
  ownedLines,
  ownsLines,
  schedule,
} from '../state/state.ts';

/** Folds in the group that stands at `sequence`; `plan` is the one it names. */
export function foldGroup(
  state: EventState,
  { records, at }: Pick<Group, 'records' | 'at'>,
  sequence: number,
  plan: Plan,
): void {
  for (const record of records) apply(state, record, at, plan);
  advance(state, sequence);
}

/** `at` is the group's time, not before the state's; `plan` the one that the group names. */
export function apply(state: EventState, record: JournalRecord, at: number, plan: Plan = state.plan): void {
  state.at = at;
  fold(state, record, at, plan);
  if (state.soldOut && hasUnitsLeft(state)) state.soldOut = false;
}

function fold(state: EventState, record: JournalRecord, at: number, plan: Plan): void {
  switch (record.type) {
    case 'created':
      break; // newState has it all
    case 'held':
      startHold(state, record, at);
      break;
    case 'extended':
      extendHold(state, record);
      break;
    case 'released':
    case 'expired':
      freeHeld(state, record, at);
      break;
    case 'booked':
      book(state, record, at);
      break;
    case 'unbooked':
      unbook(state, record, at);
      break;
    case 'blocked':
      block(state, record.units, record.releaseAt);
      noteBlock(state, record, at);
      break;
    case 'unblocked':
      unblock(state, record);
      break;
    case 'hold-ttl-set':
      state.holdTtlMs = record.holdTtlMs;
      noteCall(state, record.callId, { units: null, answer: { holdTtlMs: record.holdTtlMs } });
      break;
    case 'status-set':
      turn(state, record, at);
      break;
    case 'configured':
    case 'section-states-set':
      configure(state, record, at);
      break;
    case 'chart-updated':
      updateChart(state, record, at, plan);
      break;
    case 'releases-set':
      keepReleases(state, record.releases, at);
      noteCall(state, record.callId, listCallOf(state, at));
      break;
    case 'release-closed':
      state.releases = withClosed(state.releases, record.releaseId, record.at);
      noteCall(state, record.callId, listCallOf(state, at));
      break;
    case 'availability-set':
    case 'revealed':
      foldAvailability(state, record, at);
      break;
    case 'sold-out':
      state.soldOut = true;
      break;
    case 'resale-listed':
      startListing(state, record);
      break;
    case 'resale-removed':
      removeListing(state, record);
      break;
    case 'channel-created':
    case 'channel-changed':
    case 'channel-state-set':
    case 'channels-assigned':
    case 'channel-archived':
      foldChannels(state, record, at);
      break;
    default:
      throw unknownRecord(record);
  }
}

/** A newer shard wrote it. Passed over, seats would be sold that it may have moved: the event does not load instead. */
function unknownRecord(record: never): Error {
  const { type } = record as JournalRecord;
  return new Error(`the journal has a record of a kind that this shard does not know: ${type}`);
}

function setUnit(state: EventState, unit: number, status: UnitStatus, slot: number): void {
  const before = state.statuses[unit] as UnitStatus;
  state.counts[before]--;
  state.counts[status]++;
  if (state.withheld !== null) countWithheld(state, unit, before, status);
  if (state.thresholdBase !== null) countForThreshold(state, unit, before, status);
  state.statuses[unit] = status;
  state.slotOf[unit] = slot;
  if (state.firstFree !== null && status === unitStatus.free) noteFree(state, unit);
  if (state.freeRuns) state.freeRuns.stale[state.plan.objectOfUnit[unit]!] = everySummary;
}

/** A listed unit goes into a checkout, and comes out of it, as what it is: booked. */
function holdUnit(state: EventState, unit: number, slot: number): void {
  const listing = state.listingOf.get(unit);
  if (listing) listing.heldBy = slot;
  else setUnit(state, unit, unitStatus.held, slot);
}

function freeHeldUnit(state: EventState, unit: number): void {
  const listing = state.listingOf.get(unit);
  if (listing) listing.heldBy = 0;
  else setUnit(state, unit, unitStatus.free, 0);
}

function startHold(state: EventState, record: JournalRecord & { type: 'held' }, at: number): void {
  const hold: Hold = {
    kind: 'hold',
    id: record.holdId,
    slot: state.nextSlot++,
    status: 'active',
    createdAt: at,
    expiresAt: record.expiresAt,
    endedAt: null,
    extends: 0,
    lastExtend: null,
    lastRelease: null,
    bookingRef: null,
    accessSource: record.accessSource,
    reach: packReach(state.channels, record.reach),
    sessionId: record.sessionId ?? null,
    partnerRef: record.partnerRef ?? null,
    buyerRef: record.buyerRef ?? null,
    fingerprint: record.fingerprint ?? null,
    firstExpiresAt: record.expiresAt,
    lines: record.lines,
    parted: null,
  };
  // Part of the fold: it depends on journaled times alone. First of all, since a name that is forgotten is free.
  state.holds.forgetEnded(at - endedHoldKeepMs);
  state.holds.active.set(hold.id, hold);
  countTaken(state, hold.lines, at);
  countHeld(state, hold, at);
  for (const line of record.lines) holdUnit(state, line.unit, hold.slot);
  schedule(state, { at: hold.expiresAt, what: { holdId: hold.id } });
}

function extendHold(state: EventState, record: JournalRecord & { type: 'extended' }): void {
  const hold = state.holds.active.get(record.holdId)!;
  hold.expiresAt = record.expiresAt;
  hold.extends++;
  hold.lastExtend = record.callId;
  schedule(state, { at: hold.expiresAt, what: { holdId: hold.id } });
}

function freeHeld(state: EventState, record: JournalRecord & { type: 'released' | 'expired' }, at: number): void {
  const { type: how, holdId, units } = record;
  const hold = state.holds.active.get(holdId)!;
  // A release that no call named makes room for the hold that follows in the same group.
  const isSwap = how === 'released' && record.callId === undefined;
  if (how === 'released' && !isSwap) hold.lastRelease = { callId: record.callId!, units };
  countFreed(state, hold, units, isSwap ? null : at);
  countLetGo(state, hold, units, at);
  for (const unit of units) freeHeldUnit(state, unit);
  const isOver = !ownsLines(state, hold);
  const wasBooked = hold.bookingRef !== null;
  if (!isOver || wasBooked) {
    const parted = hold.parted ?? notParted;
    hold.parted =
      how === 'released' ? { ...parted, released: [...parted.released, ...units] } : { ...parted, expired: units };
  }
  if (isOver) state.holds.end(hold, wasBooked ? 'booked' : how, at);
}

function book(state: EventState, record: JournalRecord & { type: 'booked' }, at: number): void {
  const known = state.bookings.get(record.bookingRef);
  // Units of a hold are counted since they were held.
  if (record.holdId === null) countTaken(state, record.lines, at);
  const { fingerprint } = record;
  const units = record.lines.map((line) => line.unit);
  const booking: Booking = {
    kind: 'booking',
    ref: record.bookingRef,
    slot: known?.slot ?? state.nextSlot++,
    bookedAt: known?.bookedAt ?? at,
    updatedAt: at,
    accessSource: known?.accessSource ?? record.accessSource,
    lastCall: { callId: record.callId, units },
    chosen: fingerprint === undefined ? (known?.chosen ?? null) : { fingerprint, units },
    lines: known ? [...known.lines, ...attributed(known, record)] : record.lines,
  };
  state.bookings.set(booking);
  for (const line of record.lines) setUnit(state, line.unit, unitStatus.booked, booking.slot);
  const hold = record.holdId === null ? undefined : state.holds.active.get(record.holdId);
  if (!hold) return;
  hold.bookingRef = record.bookingRef;
  if (record.lines.length < hold.lines.length) {
    const parted = hold.parted ?? notParted;
    const units = record.lines.map((line) => line.unit);
    hold.parted = { ...parted, booked: [...parted.booked, { ref: record.bookingRef, units }] };
  }
  if (!ownsLines(state, hold)) state.holds.end(hold, 'booked', at);
}

function unbook(state: EventState, record: JournalRecord & { type: 'unbooked' }, at: number): void {
  const booking = state.bookings.get(record.bookingRef)!;
  countFreed(state, booking, record.units, at);
  let { lastCall, chosen } = booking;
  if (chosen) {
    const gone = new Set(record.units);
    chosen = { ...chosen, units: chosen.units.filter((unit) => !gone.has(unit)) };
  }
  if (record.resale) {
    // They are booked until the next record says by whom; the call was made under that booking.
    endListing(state, record.resale.listingId);
    for (const unit of record.units) state.slotOf[unit] = 0;
  } else {
    for (const unit of record.units) setUnit(state, unit, unitStatus.free, 0);
    lastCall = { callId: record.callId, units: record.units };
  }
  state.bookings.set({ ...booking, lines: ownedLines(state, booking), lastCall, chosen, updatedAt: at });
}

function block(state: EventState, units: number[], releaseAt: number | null): void {
  for (const unit of units) {
    setUnit(state, unit, unitStatus.blocked, 0);
    if (releaseAt === null) {
      state.blockedUntil.delete(unit);
      continue;
    }
    if (state.blockedUntil.get(unit) === releaseAt) continue;
    state.blockedUntil.set(unit, releaseAt);
    schedule(state, { at: releaseAt, what: { unit } });
  }
}

function noteBlock(state: EventState, record: JournalRecord & { type: 'blocked' }, at: number): void {
  const { callId, units, fingerprint } = record;
  if (callId === undefined || fingerprint === undefined) noteCall(state, callId, { units, answer: null });
  else noteNamedCall(state, callId, { units, fingerprint, at });
}

function unblock(state: EventState, { units, callId }: JournalRecord & { type: 'unblocked' }): void {
  for (const unit of units) {
    setUnit(state, unit, unitStatus.free, 0);
    state.blockedUntil.delete(unit);
  }
  noteCall(state, callId, { units, answer: null });
}

function turn(state: EventState, record: JournalRecord & { type: 'status-set' }, at: number): void {
  state.status = record.status;
  state.salesPaused = record.salesPaused ?? false;
  noteCall(state, record.callId, { units: null, answer: movedAnswer(state, record, at) });
}

type Configured = Omit<JournalRecord & { type: 'configured' }, 'type'>;

function configure(state: EventState, record: Configured, at: number): void {
  const { callId, currency = state.config.currency, sectionStates = state.sectionStates } = record;
  changeCurrency(state, currency);
  state.sectionStates = sectionStates;
  if (record.sectionStates) refreshScopes(state);
  const answer = { currency, sectionStates, at };
  noteCall(state, callId, { units: null, answer: isShort(answer) ? answer : { currency, at } });
}

/** Of a call that was answered with the list of releases. */
function listCallOf(state: EventState, at: number): EventCall {
  const answer = shown(state, state.releases, at);
  return { units: null, answer: isShort(answer) ? answer : null };
}

function updateChart(
  state: EventState,
  record: JournalRecord & { type: 'chart-updated' },
  at: number,
  plan: Plan,
): void {
  const { callId, planHash, chartVersion } = record;
  if (plan.hash !== planHash) throw new Error(`the plan of a group that names ${planHash} is ${plan.hash}`);
  const dropped = toldOfDropped(state.plan, record);
  replan(state, plan, chartVersion, at);
  const answer = { ...updatedAnswer(state, true, at), ...dropped };
  noteCall(state, callId, { units: null, answer: isShort(answer) ? answer : withoutLabels(answer) });
}

const movesNothing: ReadonlySet<JournalRecord['type']> = new Set(['extended', 'channels-assigned', 'channel-archived']);

/** The units a group of records touched and what they are now, for the feed. */
export function changedUnits(state: EventState, records: JournalRecord[]): { units: number[]; statuses: UnitStatus[] } {
  const touched = new Set<number>();
  for (const record of records) {
    if ('lines' in record) for (const line of record.lines as Line[]) touched.add(line.unit);
    if ('units' in record && !movesNothing.has(record.type)) for (const unit of record.units) touched.add(unit);
  }
  const units = [...touched];
  return { units, statuses: units.map((unit) => state.statuses[unit] as UnitStatus) };
}
