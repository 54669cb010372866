/**
 * Opens the room of the chart: the move of an event to another chart, or to a plan of its own. Deciding and folding
 * look up the same units (places.ts); replan.ts rewrites the state.
 */

import { categoryOf, objectOf, type Plan } from '@parterre/shared/charts/plan';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { missingLabelsMax } from '@parterre/shared/protocol/limits';
import { isLocked, lockedRefusal } from '../event/lifecycle.ts';
import { finish, type Steps } from '../packed/packed.ts';
import { conflictOver } from '../selection/selection.ts';
import {
  answerNoted,
  type CallRules,
  type Decision,
  type Folds,
  isShort,
  noteCall,
  type ReadState,
  type StepFolds,
} from '../state/state.ts';
import { chartChanged, hasHolder, movedTo, takenUnits, updateChart, updatedAnswer } from './chart-update.ts';
import { assignmentsWouldDrop, droppedOfChannels, toldOfDropped, withoutLabels } from './dropped-channels.ts';
import { gone, type PlaceOf, placesOn } from './places.ts';
import { toldOfRenumbered } from './renumbering.ts';
import { replanned } from './replan.ts';

/** Commands that name the plan to which the event moves. */
export type ChartCommand = Command & { type: 'update-chart' | 'adjust-chart' };

export function changesChart(command: Command): command is ChartCommand {
  return command.type === 'update-chart' || command.type === 'adjust-chart';
}

/** The decision of a chart command in steps. The state must not change between them. */
export function* decideChart(
  state: ReadState,
  command: ChartCommand,
  caller: Caller,
  now: number,
  plan: Plan | undefined,
): Steps<Decision<ChartCommand['type']>> {
  // A command without its plan is a bug.
  if (plan?.hash !== command.planHash) {
    throw new Error(`a command that names plan ${command.planHash} is decided on ${plan?.hash}`);
  }
  if (command.type === 'update-chart') return yield* updateChart(state, command, caller, plan, now);
  return yield* adjustChart(state, command, caller, plan, now);
}

/**
 * Moves an event to a plan of its own: its present plan with an operator's change of categories or of how tables are
 * sold. The chart version stays. Units with a holder keep their category and the guests of their table. Blocked and
 * assigned units must exist on the new plan: a unit that came back as a new unit would be public sale.
 *
 * `plan` is the plan that the command names.
 */
function* adjustChart(
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

export const chartCalls: CallRules<ChartCommand['type']> = {
  'update-chart': {
    decide: (state, command, caller, now, plan) => finish(decideChart(state, command, caller, now, plan)),
    again: (_, noted) => answerNoted(noted) as Answers['update-chart'],
  },
  'adjust-chart': {
    decide: (state, command, caller, now, plan) => finish(decideChart(state, command, caller, now, plan)),
    again: (_, noted) => answerNoted(noted) as Answers['adjust-chart'],
  },
};

export const chartStepFolds: StepFolds<'chart-updated'> = {
  *'chart-updated'(state, record, at, plan) {
    const { callId, planHash } = record;
    if (plan.hash !== planHash) {
      throw new Error(
        `fold of ${state.config.eventKey}: a chart-updated record names plan ${planHash}, not ${plan.hash}`,
      );
    }
    const told = { ...toldOfDropped(state.plan, record), ...toldOfRenumbered(state.plan, plan, record.renumbered) };
    const next = yield* replanned(state, plan, record, at);
    const answer = { ...updatedAnswer(next, true, at), ...told };
    noteCall(next, callId, { units: null, answer: isShort(answer) ? answer : withoutLabels(answer) });
    return next;
  },
};

export const chartFolds: Folds<'chart-set' | 'renumbered'> = {
  'chart-set'(state, { chartId }) {
    state.config = { ...state.config, chartId };
  },
  // The record before has moved the places.
  renumbered() {},
};
