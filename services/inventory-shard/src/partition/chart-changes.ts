/**
 * The change of an event's chart, in steps (I8). On a sold event the change takes up to a second. The event alone pauses
 * meanwhile: its mailbox waits, and other events, beats and timers have their turns between the steps.
 *
 * States of the actor: ready → changing, when the command comes first in the mailbox and nothing is due → ready, with
 * the group or the answer of the command. Each cut of a changing actor takes one step, and other actors are cut between
 * two steps (pipeline.ts). The command stays in the mailbox until the end, so that its copies find it under way.
 *
 * The steps read the state, and make the state on the new chart beside it. Nothing else changes the state meanwhile. The
 * last step writes it, and the same cut stages the group. The change is decided and folded at the time of its first
 * step; deadlines that come due meanwhile are due at the next cut.
 *
 * Ends without a change, at any step: the owner is lost, or an earlier group is undone. The actor is dropped with its
 * steps, and its callers ask again. A rule throws: a `RuleFault` of the command. The deadline of the command passes: the
 * steps are given up, the caller asks again, and the state is as it was. While the partition may cut nothing, the steps
 * wait.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import type { Answer, Caller } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import { commandRecordsBytesMax } from '@parterre/shared/limits';
import type { JournalRecord } from '@parterre/shared/records';
import type { ChartCommand } from '../rules/chart/chart.ts';
import type { Steps } from '../rules/packed/packed.ts';
import type { EventState } from '../rules/state/state.ts';
import { applyInSteps, bytesOfRecords, decideInSteps } from '../rules/turn/turn.ts';

/** The end of a command: its answer, and its records, which are applied. */
export type Performed = { answer: Answer; records: JournalRecord[] };

export const tooLong = refuse(
  'payload_too_large',
  'The call changes more units than one commit can store. Split it into several calls.',
);

export function* changeChart(
  state: EventState,
  command: ChartCommand,
  caller: Caller,
  at: number,
  plan: Plan | undefined,
): Steps<Performed> {
  const decision = yield* decideInSteps(state, command, caller, at, plan);
  if (!decision.ok) return refused(decision);
  const { records, answer } = decision;
  if (bytesOfRecords(records) > commandRecordsBytesMax) return refused(tooLong);
  for (const record of records) yield* applyInSteps(state, record, at, plan);
  return { answer: { kind: 'ok', value: answer }, records: [...records] };
}

function refused({ refusal }: typeof tooLong): Performed {
  return { answer: { kind: 'refused', refusal }, records: [] };
}
