/**
 * Opens the room of the chart: the move of an event to another chart, or to a plan of its own. Deciding and folding
 * look up the same units (places.ts); replan.ts rewrites the state.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { finish, type Steps } from '../packed/packed.ts';
import {
  answerNoted,
  type CallRules,
  type Decision,
  isShort,
  noteCall,
  type ReadState,
  type StepFolds,
} from '../state/state.ts';
import { adjustChart } from './chart-adjustment.ts';
import { updateChart, updatedAnswer } from './chart-update.ts';
import { toldOfDropped, withoutLabels } from './dropped-channels.ts';
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

export const chartFolds: StepFolds<'chart-updated'> = {
  *'chart-updated'(state, record, at, plan) {
    const { callId, planHash, chartVersion } = record;
    if (plan.hash !== planHash) {
      throw new Error(
        `fold of ${state.config.eventKey}: a chart-updated record names plan ${planHash}, not ${plan.hash}`,
      );
    }
    const dropped = toldOfDropped(state.plan, record);
    const next = yield* replanned(state, plan, chartVersion, at);
    const answer = { ...updatedAnswer(next, true, at), ...dropped };
    noteCall(next, callId, { units: null, answer: isShort(answer) ? answer : withoutLabels(answer) });
    return next;
  },
};
