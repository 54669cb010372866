/**
 * Opens the room of the chart: the move of an event to another chart, or to a plan of its own. Deciding and folding
 * look up the same units (places.ts); replan.ts rewrites the state.
 */
import type { Answers } from '@parterre/shared/answers';
import type { Plan } from '@parterre/shared/chart/plan';
import type { Command } from '@parterre/shared/commands';
import { answerNoted, type CallRules, type Folds, isShort, noteCall } from '../state/state.ts';
import { adjustChart } from './chart-adjustment.ts';
import { updateChart, updatedAnswer } from './chart-update.ts';
import { toldOfDropped, withoutLabels } from './dropped-channels.ts';
import { replan } from './replan.ts';

/** Commands that name the plan to which the event moves. */
export type ChartCommand = Command & { type: 'update-chart' | 'adjust-chart' };

export function changesChart(command: Command): command is ChartCommand {
  return command.type === 'update-chart' || command.type === 'adjust-chart';
}

export const chartCalls: CallRules<ChartCommand['type']> = {
  'update-chart': {
    decide: (state, command, caller, now, plan) => updateChart(state, command, caller, planFor(command, plan), now),
    again: (_, noted) => answerNoted(noted) as Answers['update-chart'],
  },
  'adjust-chart': {
    decide: (state, command, caller, now, plan) => adjustChart(state, command, caller, planFor(command, plan), now),
    again: (_, noted) => answerNoted(noted) as Answers['adjust-chart'],
  },
};

/** Throws if the command comes without its plan. */
function planFor({ planHash }: { planHash: string }, plan: Plan | undefined): Plan {
  if (plan?.hash !== planHash) throw new Error(`a command that names plan ${planHash} is decided on ${plan?.hash}`);
  return plan;
}

export const chartFolds: Folds<'chart-updated'> = {
  'chart-updated'(state, record, at, plan) {
    const { callId, planHash, chartVersion } = record;
    if (plan.hash !== planHash) {
      throw new Error(
        `fold of ${state.config.eventKey}: a chart-updated record names plan ${planHash}, not ${plan.hash}`,
      );
    }
    const dropped = toldOfDropped(state.plan, record);
    replan(state, plan, chartVersion, at);
    const answer = { ...updatedAnswer(state, true, at), ...dropped };
    noteCall(state, callId, { units: null, answer: isShort(answer) ? answer : withoutLabels(answer) });
  },
};
