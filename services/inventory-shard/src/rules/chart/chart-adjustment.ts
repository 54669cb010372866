/**
 * Moves an event to a plan of its own: its present plan with an operator's change of categories or of how tables are
 * sold. The chart version stays. Units with a holder keep their category and the guests of their table. Blocked and
 * assigned units must exist on the new plan: a unit that came back as a new unit would be public sale.
 */
import { categoryOf, objectOf, type Plan } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { missingLabelsMax } from '@parterre/shared/protocol/limits';
import { isLocked, lockedRefusal } from '../event/event.ts';
import type { Steps } from '../packed/packed.ts';
import { conflictOver } from '../selection/selection.ts';
import type { Decision, ReadState } from '../state/state.ts';
import { chartChanged, hasHolder, movedTo, takenUnits, updatedAnswer } from './chart-update.ts';
import { assignmentsWouldDrop, droppedOfChannels } from './dropped-channels.ts';
import { gone, type PlaceOf, placesOn } from './places.ts';

/** `plan` is the plan that the command names. */
export function* adjustChart(
  state: ReadState,
  { callId, planHash, from }: Command & { type: 'adjust-chart' },
  caller: Caller,
  plan: Plan,
  now: number,
): Steps<Decision<'adjust-chart'>> {
  const { planHash: present, chartVersion = 0 } = state.config;
  if (present !== from) return chartChanged();
  if (planHash === from) return { ok: true, records: [], answer: updatedAnswer(state, false, state.at) };
  if (isLocked(state)) return lockedRefusal(state);
  const { of: placeOf } = yield* placesOn(plan, state.plan);
  // A unit without a holder is a blocked one.
  const inTheWay = yield* takenUnits(state, (unit) =>
    hasHolder(state, unit) ? !isTheSame(state.plan, plan, unit, placeOf) : placeOf(unit) === gone,
  );
  if (inTheWay.length > 0) return conflictOver(state, inTheWay.slice(0, missingLabelsMax), 'seats_in_use');
  const dropped = yield* droppedOfChannels(state, plan, placeOf);
  if (dropped.droppedAssignments) return assignmentsWouldDrop(state.plan, dropped.droppedAssignments);
  const move = { callId, planHash, chartVersion, reason: null, adjusted: true, ...dropped } as const;
  return yield* movedTo(state, plan, placeOf, move, caller, now);
}

function isTheSame(before: Plan, after: Plan, unit: number, placeOf: PlaceOf): boolean {
  const place = placeOf(unit);
  if (place === gone || categoryOf(before, unit).key !== categoryOf(after, place).key) return false;
  const was = objectOf(before, unit);
  const is = objectOf(after, place);
  return (
    was.bookingMode === is.bookingMode && was.minOccupancy === is.minOccupancy && was.maxOccupancy === is.maxOccupancy
  );
}
