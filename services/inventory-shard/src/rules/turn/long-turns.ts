/**
 * Turns that may take up to a second on a sold event, in steps: a command that changes the chart, and the record that
 * sets event time back. The steps read the state, and make the next state beside it; the last step writes it. Until then
 * the steps may be given up. Nothing else may change the state between them (partition/actor.ts, I8).
 */
import type { Plan } from '@parterre/shared/chart/plan';
import type { Answer, Caller } from '@parterre/shared/commands';
import { commandRecordsBytesMax } from '@parterre/shared/limits';
import type { JournalRecord } from '@parterre/shared/records';
import type { ChartCommand } from '../chart/chart.ts';
import type { Steps } from '../packed/packed.ts';
import type { EventState } from '../state/state.ts';
import { applyInSteps } from './apply.ts';
import { clockSet } from './clock-set.ts';
import { decideInSteps } from './decide.ts';
import { bytesOfRecords, tooLong } from './record-bytes.ts';

/** The answer to the command, if there is one, and the records, which are applied. */
export type Performed = { answer: Answer | null; records: JournalRecord[] };

/** `at` is the time of the decision and of the records. */
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

/** Sets event time to `at`. */
export function* setClock(state: EventState, at: number): Steps<Performed> {
  const record = clockSet(state);
  yield* applyInSteps(state, record, at);
  return { answer: null, records: [record] };
}

function refused({ refusal }: typeof tooLong): Performed {
  return { answer: { kind: 'refused', refusal }, records: [] };
}
