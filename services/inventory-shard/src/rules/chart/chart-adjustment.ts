/**
 * Moving an event to a plan of its own: the one that it is on, with an operator's change of categories or of how tables are sold. It
 * stays on the same version of its chart. What is held or booked stays what it is, to its category and the guests of its table; what
 * is blocked or a channel's is there still, since as something new it would be on public sale.
 */
import { categoryOf, objectOf, type Plan } from '@parterre/shared/chart/plan';
import type { Caller, Command } from '@parterre/shared/commands';
import { missingLabelsMax } from '@parterre/shared/limits';
import { conflictOver } from '../selection/conflicts.ts';
import type { Decision } from '../state/decision.ts';
import type { EventState } from '../state/state.ts';
import {
  blockedUnits,
  chartChanged,
  gone,
  movedTo,
  ownedUnits,
  type PlaceOf,
  placesOn,
  updatedAnswer,
} from './chart-update.ts';
import { assignmentsWouldDrop, droppedOfChannels } from './dropped-channels.ts';

/** `plan` is the one that the command names. */
export function adjustChart(
  state: EventState,
  { callId, planHash, from }: Command & { type: 'adjust-chart' },
  caller: Caller,
  plan: Plan,
  now: number,
): Decision<'adjust-chart'> {
  const { planHash: present, chartVersion = 0 } = state.config;
  if (present !== from) return chartChanged();
  if (planHash === from) return { ok: true, records: [], answer: updatedAnswer(state, false, state.at) };
  const placeOf = placesOn(plan, state.plan);
  const inTheWay = [
    ...ownedUnits(state).filter((unit) => !isTheSame(state.plan, plan, unit, placeOf)),
    ...blockedUnits(state).filter((unit) => placeOf(unit) === gone),
  ];
  if (inTheWay.length > 0) return conflictOver(state, inTheWay.slice(0, missingLabelsMax), 'seats_in_use');
  const dropped = droppedOfChannels(state, plan, placeOf);
  if (dropped.droppedAssignments) return assignmentsWouldDrop(state.plan, dropped.droppedAssignments);
  const move = { callId, planHash, chartVersion, reason: null, adjusted: true, ...dropped } as const;
  return movedTo(state, plan, move, caller, now);
}

function isTheSame(before: Plan, after: Plan, unit: number, placeOf: PlaceOf): boolean {
  const place = placeOf(unit);
  if (place === gone || categoryOf(before, unit).key !== categoryOf(after, place).key) return false;
  const [was, is] = [objectOf(before, unit), objectOf(after, place)];
  return (
    was.bookingMode === is.bookingMode && was.minOccupancy === is.minOccupancy && was.maxOccupancy === is.maxOccupancy
  );
}
