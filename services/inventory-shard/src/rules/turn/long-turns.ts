/**
 * Turns that take long on a large event, in steps: a command that changes the chart (up to a second), a command that
 * names many units (tens of milliseconds), and the record that sets event time back. The steps read the state, and make
 * the next state beside it; the last step writes it. Until then the steps may be given up. Nothing else may change the
 * state between them (partition/actor.ts, I8).
 *
 * The last step of a command with many units writes all of them, since no reader may see half of them (I4). A fold of
 * 50,000 units takes some milliseconds; the look-up of their labels takes most of the command's time.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { Answer, Caller, Command } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import { commandRecordsBytesMax } from '@parterre/shared/protocol/limits';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { changesChart } from '../chart/chart.ts';
import type { Steps } from '../packed/packed.ts';
import { labelsPerStep } from '../selection/selection.ts';
import type { EventState, ReadState } from '../state/state.ts';
import { applyInSteps } from './apply.ts';
import { clockSet } from './clock-set.ts';
import { applyConsequences } from './consequences.ts';
import { decideInSteps, type LongCommand } from './decide.ts';
import { withNamesInSteps } from './named-places.ts';
import { bytesOfRecords, tooLong } from './record-bytes.ts';

/** The answer to the command, if there is one, and the records, which are applied. */
export type Performed = { answer: Answer | null; records: JournalRecord[] };

/** Whether the command takes long on this event. */
export function takesSteps({ plan }: ReadState, command: Command): command is LongCommand {
  switch (command.type) {
    case 'update-chart':
    case 'adjust-chart':
      return true;
    case 'block':
    case 'look-block':
    case 'assign-channel':
      return namesMany(plan, command.labels);
    case 'unblock':
      return command.labels === null ? plan.unitCount > labelsPerStep : namesMany(plan, command.labels);
    default:
      return false;
  }
}

/** The label of an area stands for all of its places. */
function namesMany({ areaByLabel, objects }: Plan, labels: readonly string[]): boolean {
  if (labels.length > labelsPerStep) return true;
  return labels.some((label) => (objects[areaByLabel.get(label) ?? -1]?.unitCount ?? 0) > labelsPerStep);
}

/** `at` is the time of the decision and of the records. */
export function* performInSteps(
  state: EventState,
  command: LongCommand,
  caller: Caller,
  at: number,
  plan: Plan | undefined,
): Steps<Performed> {
  const decision = yield* decideInSteps(state, command, caller, at, plan);
  if (!decision.ok) return refused({ refusal: yield* withNamesInSteps(state, caller, decision.refusal) });
  const { answer } = decision;
  const records = [...decision.records];
  if (bytesOfRecords(records) > commandRecordsBytesMax) return refused(tooLong);
  for (const record of records) yield* applyInSteps(state, record, at, plan);
  // A change of chart is alone in its group (consequences.ts).
  if (!changesChart(command)) applyConsequences(state, at, records);
  return { answer: success(answer, records), records };
}

/** Sets event time to `at`. */
export function* setClock(state: EventState, at: number): Steps<Performed> {
  const record = clockSet(state);
  yield* applyInSteps(state, record, at);
  return { answer: null, records: [record] };
}

/** The answer to a command with these records. */
export function success(value: unknown, { length }: readonly JournalRecord[]): Answer {
  return length === 0 ? { kind: 'ok', value, unchanged: true } : { kind: 'ok', value };
}

function refused({ refusal }: { refusal: Refusal }): Performed {
  return { answer: { kind: 'refused', refusal }, records: [] };
}
