/**
 * An operator ends the places of abandoned holds, named by their labels. A hold keeps its other places. Each hold that
 * loses places has its own `released` record; the last record of the call, `holds-ended`, makes the call known to the
 * event, so that a late copy does not end the hold of the next buyer (I5). A part of a sale over several events stays
 * whole (I4): its own operation releases it.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type JournalRecord, unitStatus } from '@parterre/shared/protocol/records';
import { conflictOver, everyPlace, listingIsWhole, unitsNamed } from '../selection/selection.ts';
import {
  byOf,
  type Decision,
  type Folds,
  freedOf,
  type Hold,
  leftBehind,
  listedAmong,
  noteCall,
  type ReadState,
} from '../state/state.ts';

/** The label of an area stands for all places that are held there. Units that nobody holds are passed over. */
export function endHolds(
  state: ReadState,
  { callId, labels, reason }: Command & { type: 'end-holds' },
  caller: Caller,
): Decision<'end-holds'> {
  const named = unitsNamed(state.plan, labels, everyPlace);
  if (!named.ok) return named;
  const byHold = heldAmong(state, named.value.units);
  const units = [...byHold.values()].flat();
  const ofParts = [...byHold].flatMap(([{ id }, its]) => (state.parts.ofHold.has(id) ? its : []));
  if (ofParts.length > 0) return conflictOver(state, ofParts, 'held_over_events');
  const left = leftBehind(state, units);
  if (left.length > 0) return listingIsWhole(state, left, caller);
  const by = byOf(caller);
  const records: JournalRecord[] = [];
  for (const [hold, its] of byHold) {
    const kept = listedAmong(state, its);
    const freed = freedOf(hold, its, kept);
    const more = { ...(kept && { kept }), ...(freed && { freed }) };
    records.push({ type: 'released', holdId: hold.id, callId, units: its, ...more, reason, by });
  }
  records.push({ type: 'holds-ended', callId, units, reason, by });
  return { ok: true, records, answer: { released: labelsOf(state.plan, units) } };
}

/** A listed unit in checkout is booked, and the hold has it too. */
function heldAmong(state: ReadState, units: readonly number[]): Map<Readonly<Hold>, number[]> {
  const slots = new Map<number, number[]>();
  for (const unit of units) {
    const isHeld = state.statuses[unit] === unitStatus.held;
    const slot = isHeld ? state.slotOf[unit]! : (state.listingOf.get(unit)?.heldBy ?? 0);
    if (slot === 0) continue;
    const its = slots.get(slot);
    if (its) its.push(unit);
    else slots.set(slot, [unit]);
  }
  const byHold = new Map<Readonly<Hold>, number[]>();
  if (slots.size === 0) return byHold;
  for (const hold of state.holds.active.values()) {
    const its = slots.get(hold.slot);
    if (its) byHold.set(hold, its);
  }
  return byHold;
}

export const endHoldsFolds: Folds<'holds-ended'> = {
  'holds-ended': (state, { callId, units }) => noteCall(state, callId, { units, answer: null }),
};
