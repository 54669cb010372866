/**
 * Opens the room of operations over several events: the part that this event has of an operation, the locks of groups
 * and seasons, and the units of offers. docs/internals/sales-over-events.md has the design. The event knows
 * nothing of other events: the coordinator (shared/operations) sends its commands in the order that keeps a sale whole.
 *
 * States of a part (`PartState`): held → pinned → held or booked; held or pinned → released; held → expired. At the
 * home also: aborted, without a hold. A pinned part does not expire. Ended parts stay as they are.
 */

import { wheelchairPlacesOf } from '@parterre/shared/charts/companions';
import { labelsOf } from '@parterre/shared/charts/plan';
import type { UnitInspection } from '@parterre/shared/protocol/answers';
import type { Caller, Command, Selection } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { labelsPerSaleMax } from '@parterre/shared/protocol/limits';
import { afterUnpin, type EventPart, neverMs, newPart, withRefused } from '../parts/parts.ts';
import { labelsOfCall, removalsBefore } from '../sales/sales.ts';
import { areaNamed, everyPlace, linesFor, placesAmong, unitsNamed } from '../selection/selection.ts';
import {
  byOf,
  type Decision,
  type Folds,
  freedOf,
  isFree,
  isReserved,
  knownBooking,
  type ReadState,
  type Reads,
  type Rules,
  schedule,
  unitStatusName,
  unitsOfLines,
} from '../state/state.ts';
import { drainLock, inspectLocks, lock, lockFolds, unlock } from './locks.ts';
import { bookReserved, offerFolds, reserve, unreserve } from './offers.ts';
import { bookPart, extendPart, pinPart, refuseAction, unpinPart } from './part-actions.ts';
import { abortedAt, abortOperation, holdPart, inspectOperation, lookAtPart, releasePart } from './part-holds.ts';

type OperationCommand =
  | ('hold-part' | 'abort-operation' | 'pin-part' | 'unpin-part' | 'book-part' | 'extend-part' | 'release-part')
  | ('refuse-action' | 'unbook-part' | 'lock' | 'drain-lock' | 'unlock')
  | ('reserve' | 'unreserve' | 'book-reserved');

type OperationRecordType =
  | ('part-held' | 'part-pinned' | 'part-unpinned' | 'operation-aborted' | 'action-refused')
  | ('locked' | 'lock-drained' | 'unlocked' | 'reserved' | 'unreserved');

export const operationRules: Rules<OperationCommand> = {
  'hold-part': holdPart,
  'abort-operation': abortOperation,
  'pin-part': pinPart,
  'unpin-part': unpinPart,
  'book-part': bookPart,
  'extend-part': extendPart,
  'release-part': releasePart,
  'refuse-action': refuseAction,
  'unbook-part': unbookPart,
  lock,
  'drain-lock': drainLock,
  unlock,
  reserve,
  unreserve,
  'book-reserved': bookReserved,
};

/**
 * Cancels units that an operation booked here.
 *
 * Units that the booking does not have any more are passed over, so that a repetition is harmless (I5).
 */
function unbookPart(
  state: ReadState,
  { operation, callId, bookingRef, labels }: Command & { type: 'unbook-part' },
  caller: Caller,
  now: number,
): Decision<'unbook-part'> {
  const booking = knownBooking(state, bookingRef, now);
  if (!booking) return refuse('booking_not_found', 'The event has no booking with this bookingRef.');
  const answered = labelsOfCall(booking, state, callId);
  if (answered) return { ok: true, records: [], answer: { unbooked: answered } };
  const has = unitsOfLines(booking.lines);
  const places = placesAmong(state.plan, () => has);
  const named = unitsNamed(state.plan, labels, places);
  if (!named.ok) return named;
  const units = named.value.units.filter((unit) => state.slotOf[unit] === booking.slot);
  if (units.length === 0) return { ok: true, records: [], answer: { unbooked: [] } };
  const removals = removalsBefore(state, units, callId, caller);
  if (!removals.ok) return removals;
  const freed = freedOf(booking, units)!;
  return {
    ok: true,
    records: [...removals.records, { type: 'unbooked', bookingRef, callId, units, operation, freed, by: byOf(caller) }],
    answer: { unbooked: labelsOf(state.plan, units) },
  };
}

const tooManySelections = refuse('invalid_request', `Name at most ${labelsPerSaleMax} seats in one call.`, {
  details: { issues: [{ path: 'selections', message: `Must have at most ${labelsPerSaleMax} entries.` }] },
});

/** May be refused, but never writes. */
export const unitInspections: Rules<'inspect-units'> = { 'inspect-units': inspectUnits };

/**
 * Says seat by seat which units a caller could be given now, and why not the others. A reservation or hold of the same
 * selection takes exactly the units that are told as free here, as long as the event sells and nothing changes.
 */
function inspectUnits(
  state: ReadState,
  { selections }: Command & { type: 'inspect-units' },
  caller: Caller,
  now: number,
): Decision<'inspect-units'> {
  if (selections.length > labelsPerSaleMax) return tooManySelections;
  const offers = offersBySlot(state);
  const units = selections.map((selection) => inspected(state, selection, caller, now, offers));
  return { ok: true, records: [], answer: { units } };
}

function offersBySlot({ offers }: ReadState): Map<number, string> {
  return new Map(Array.from(offers.live.values(), ({ slot, offerId }) => [slot, offerId]));
}

function inspected(
  state: ReadState,
  selection: Selection,
  caller: Caller,
  now: number,
  offers: ReadonlyMap<number, string>,
): UnitInspection {
  const { plan, slotOf } = state;
  const { label } = selection;
  const unit = plan.labels.unitOf(label);
  const lines = linesFor(state, [selection], (each) => isFree(state, each), { caller, now, had: besides(state, unit) });
  const code = lines.ok ? null : lines.refusal.code;
  const told: UnitInspection = { label, code, status: null, available: null, offerId: null };
  if (unit === undefined) {
    const area = areaNamed(plan, label);
    return area ? { ...told, available: everyPlace(area).filter((place) => isFree(state, place)).length } : told;
  }
  if (!isReserved(state, unit)) return { ...told, status: unitStatusName(state, unit) };
  return { ...told, status: 'reserved', offerId: offers.get(slotOf[unit]!) ?? null };
}

/** A companion's place is asked for alone here. The call that takes it takes the wheelchair place as well. */
function besides({ plan }: ReadState, unit: number | undefined) {
  if (unit === undefined) return [];
  return wheelchairPlacesOf(plan, unit).map((each) => ({ unit: each, price: 0 }));
}

/** May be refused, but never writes. */
export const operationInspections: Rules<'look-part'> = { 'look-part': lookAtPart };

export const operationReads: Reads<'inspect-operation' | 'inspect-locks'> = {
  'inspect-operation': inspectOperation,
  'inspect-locks': inspectLocks,
};

type PartRecord = 'part-held' | 'part-pinned' | 'part-unpinned' | 'operation-aborted' | 'action-refused';

/**
 * Folds the records of parts. A part's hold has its own records beside them: the folds of sales end and extend the part
 * with its hold.
 */
const partFolds: Folds<PartRecord> = {
  'part-held'({ holds, parts }, { head, holdId, fingerprint }, at) {
    // The hold's time may have begun before the operation.
    const { expiresAt } = holds.get(holdId)!;
    parts.begin(newPart(head, { state: 'held', holdId, fingerprint, createdAt: at, expiresAt, endedAt: null }), at);
  },
  'operation-aborted'({ parts }, { head, createdAt }, at) {
    parts.begin(newPart(head, abortedAt(createdAt, at)), at);
  },
  'part-pinned'(state, { id, action, holdId }) {
    state.parts.change(id, { state: 'pinned', action });
    state.holds.toChange(holdId)!.expiresAt = neverMs;
  },
  'part-unpinned'(state, { id, holdId, expiresAt, refused }) {
    state.parts.change(id, afterUnpin(state.parts.get(id) as EventPart, refused === true));
    state.holds.toChange(holdId)!.expiresAt = expiresAt;
    schedule(state, { at: expiresAt, what: { holdId } });
  },
  'action-refused'({ parts }, { id, actionId }) {
    parts.change(id, { refused: withRefused((parts.get(id) as EventPart).refused, actionId) });
  },
};

export const operationFolds: Folds<OperationRecordType> = {
  ...partFolds,
  ...lockFolds,
  ...offerFolds,
};
