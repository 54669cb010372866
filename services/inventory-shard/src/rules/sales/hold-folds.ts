/** Folds the records of holds: made, extended, released, expired. */
import { endedHoldKeepMs } from '@parterre/shared/protocol/limits';
import { type JournalRecord, unitStatus } from '@parterre/shared/protocol/records';
import { countFreed, countTaken, noteCountedOnce } from '../pricing/pricing.ts';
import { packReach } from '../reach/hold-reach.ts';
import {
  type EventState,
  type Folds,
  type Hold,
  hasAnyUnit,
  type Listing,
  noteReplaced,
  notParted,
  noVisitors,
  putListing,
  schedule,
  setUnits,
  unitsOfLines,
} from '../state/state.ts';
import { countOfBuyer } from './buyer-limit.ts';
import { forgetCancelled } from './cancelled-bookings.ts';
import { countVisit, noteGivenUp } from './public-sale.ts';
import { countHeld, countLetGo } from './session-use.ts';

export const holdFolds: Folds<'held' | 'extended' | 'released' | 'expired'> = {
  held: foldHeld,
  extended: foldExtended,
  released: foldLetGo,
  expired: foldLetGo,
};

function foldHeld(state: EventState, record: JournalRecord & { type: 'held' }, at: number): void {
  const hold: Hold = {
    kind: 'hold',
    id: record.holdId,
    slot: state.nextSlot++,
    status: 'active',
    createdAt: record.createdAt ?? at,
    expiresAt: record.expiresAt,
    endedAt: null,
    extends: record.extends ?? 0,
    lastExtend: null,
    lastRelease: null,
    bookingRef: null,
    accessSource: record.accessSource,
    reach: packReach(state.channels, record.reach),
    sessionId: record.sessionId ?? null,
    partnerRef: record.partnerRef ?? null,
    buyerRef: record.buyerRef ?? null,
    visitors: record.visitors ?? noVisitors,
    fingerprint: record.fingerprint ?? null,
    firstExpiresAt: record.expiresAt,
    lines: record.lines,
    parted: null,
  };
  // This comes first, because the new hold may have the id of a forgotten hold. Journaled times alone decide (I6).
  state.holds.forgetEnded(at - endedHoldKeepMs);
  forgetCancelled(state, at);
  state.holds.active.set(hold.id, hold);
  noteCountedOnce(state, hold.lines);
  countTaken(state, hold.lines, at);
  countHeld(state, hold, at);
  countVisit(state, hold);
  countOfBuyer(state, hold, null, 1);
  takeUnits(state, unitsOfLines(hold.lines), hold.slot);
  schedule(state, { at: hold.expiresAt, what: { holdId: hold.id } });
}

/** A listed unit enters and leaves a checkout without a change of status: it stays booked. */
function takeUnits(state: EventState, units: readonly number[], slot: number): void {
  setUnits(state, markCheckout(state, units, slot), unitStatus.held, slot);
}

function freeUnits(state: EventState, units: readonly number[]): void {
  setUnits(state, markCheckout(state, units, 0), unitStatus.free, 0);
}

/** Marks the listed units among these as in checkout of the hold. Returns the others. */
function markCheckout(state: EventState, units: readonly number[], heldBy: number): readonly number[] {
  const { listingOf } = state;
  if (listingOf.size === 0) return units;
  return units.filter((unit) => {
    const listing = listingOf.get(unit);
    if (listing && listing.heldBy !== heldBy) putListing(state, inCheckout(listing, heldBy));
    return listing === undefined;
  });
}

function inCheckout({ countedOnce, ...listing }: Listing, heldBy: number): Listing {
  return heldBy === 0 || countedOnce === undefined ? { ...listing, heldBy } : { ...listing, heldBy, countedOnce };
}

function foldExtended(state: EventState, record: JournalRecord & { type: 'extended' }): void {
  const hold = state.holds.toChange(record.holdId)!;
  hold.expiresAt = record.expiresAt;
  hold.extends++;
  if (hold.lastExtend !== null) noteReplaced(state, { callId: hold.lastExtend, units: [] }, record.callId);
  hold.lastExtend = record.callId;
  if (record.operation) {
    const { expiresAt, extends: extended } = hold;
    state.parts.change(record.operation.id, { expiresAt, extends: extended, lastExtend: record.callId });
  }
  schedule(state, { at: hold.expiresAt, what: { holdId: hold.id } });
}

function foldLetGo(state: EventState, record: JournalRecord & { type: 'released' | 'expired' }, at: number): void {
  const { type: how, holdId, units } = record;
  const hold = state.holds.toChange(holdId)!;
  // A release without a call makes room for the hold that follows in the same group.
  const isSwap = how === 'released' && record.callId === undefined;
  // The event itself knows the call of an operator.
  const isOwn = how === 'released' && record.reason === undefined;
  if (isOwn && !isSwap) {
    noteReplaced(state, hold.lastRelease, record.callId!);
    hold.lastRelease = { callId: record.callId!, units };
  }
  countFreed(state, hold, units, isSwap ? null : at);
  countLetGo(state, hold, units, at);
  noteGivenUp(state, hold, units, at);
  countOfBuyer(state, hold, units, -1);
  freeUnits(state, units);
  const isOver = !hasAnyUnit(state, hold);
  const wasBooked = hold.bookingRef !== null;
  if (!isOver || wasBooked) {
    const parted = hold.parted ?? notParted;
    hold.parted =
      how === 'released' ? { ...parted, released: [...parted.released, ...units] } : { ...parted, expired: units };
  }
  if (isOver) state.holds.end(hold, wasBooked ? 'booked' : how, at);
  if (record.operation) state.parts.change(record.operation.id, { state: how, endedAt: at });
}
