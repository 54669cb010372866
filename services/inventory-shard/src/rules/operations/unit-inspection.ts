/**
 * Says seat by seat which units a caller could be given now, and why not the others. A reservation or hold of the same
 * selection takes exactly the units that are told as free here, as long as the event sells and nothing changes.
 */
import type { UnitInspection } from '@parterre/shared/protocol/answers';
import type { Caller, Command, Selection } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { labelsPerSaleMax } from '@parterre/shared/protocol/limits';
import { areaNamed, everyPlace, linesFor } from '../selection/selection.ts';
import { type Decision, isFree, isReserved, type ReadState, unitStatusName } from '../state/state.ts';

const tooManySelections = refuse('invalid_request', `Name at most ${labelsPerSaleMax} seats in one call.`, {
  details: { issues: [{ path: 'selections', message: `Must have at most ${labelsPerSaleMax} entries.` }] },
});

export function inspectUnits(
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
  return { ...told, status: 'reserved', offerId: offers.get(slotOf[unit]!)! };
}

/** A companion's place is asked for alone here. The call that takes it takes the wheelchair place as well. */
function besides({ plan }: ReadState, unit: number | undefined) {
  if (unit === undefined) return [];
  const neighbours = [unit - 1, unit + 1].filter((each) => each >= 0 && each < plan.unitCount);
  return neighbours.map((each) => ({ unit: each, price: 0 }));
}

function offersBySlot({ reservations }: ReadState): Map<number, string> {
  return new Map(Array.from(reservations.live.values(), ({ slot, offerId }) => [slot, offerId]));
}
