/**
 * Folds records into the state: the only way to write a state. `apply` never refuses, since a record of the journal has
 * happened. The same records always give the same state (I6), both when they were just decided and when they are
 * replayed.
 *
 * `apply` asserts the assumptions of the folds: the sequence of a group, its time and its plan. A failed assertion
 * means a bug or a damaged journal. `apply` then throws, and the event is folded anew (pipeline/pipeline.ts), or the
 * load of the event fails (partition/troubled-events.ts).
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import { availabilityFolds } from '../availability/availability.ts';
import { hasUnitsLeft } from '../availability/sold-out.ts';
import { keptFolds } from '../best-available/keeping.ts';
import { channelFolds } from '../channels/channel-folds.ts';
import { chartFolds, chartStepFolds } from '../chart/chart.ts';
import { eventFolds } from '../event/event.ts';
import { exchangeFolds } from '../exchange/exchange.ts';
import { operationFolds } from '../operations/operations.ts';
import { finish, type Steps } from '../packed/packed.ts';
import { pricingFolds } from '../pricing/pricing.ts';
import { reservationFolds } from '../reservations/reservations.ts';
import { salesFolds } from '../sales/sales.ts';
import {
  dropLookups,
  dropStaleDeadlines,
  type EventState,
  type Fold,
  type Folds,
  type RecordType,
  type StepFold,
  type StepFolds,
} from '../state/state.ts';
import { clockFolds } from './clock-set.ts';
import { namedCallFolds } from './named-calls.ts';

/** The folds that may take long. */
const stepFolds: StepFolds<'chart-updated' | 'clock-set'> = { ...chartStepFolds, ...clockFolds };

/** The folds of all rooms. */
const folds: Folds<RecordType> = {
  ...salesFolds,
  ...exchangeFolds,
  ...eventFolds,
  ...pricingFolds,
  ...availabilityFolds,
  ...channelFolds,
  ...operationFolds,
  ...reservationFolds,
  ...keptFolds,
  ...namedCallFolds,
  ...chartFolds,
  // The break stands in the log. The state is the one before it.
  accepted: () => {},
  restored: () => {},
  'chart-updated': atOnce(stepFolds['chart-updated']),
  'clock-set': atOnce(stepFolds['clock-set']),
};

type FoldedGroup = Pick<EventGroup, 'records' | 'at' | 'plan'>;

export function foldGroup(state: EventState, group: FoldedGroup, sequence: number, plan: Plan): void {
  finish(foldGroupInSteps(state, group, sequence, plan));
}

/**
 * Folds the group at `sequence`. `plan` is the plan that the group names. Only the records of `stepFolds` take several
 * steps.
 */
export function* foldGroupInSteps(
  state: EventState,
  { records, at, plan: planHash }: FoldedGroup,
  sequence: number,
  plan: Plan,
): Steps<void> {
  if (plan.hash !== planHash) throw faultIn(state, `group ${sequence} names plan ${planHash}, not ${plan.hash}`);
  assertFollows(state, sequence);
  for (const record of records) yield* applyInSteps(state, record, at, plan);
  if (state.plan.hash !== planHash) {
    throw faultIn(state, `group ${sequence} names plan ${planHash}, and the event is on ${state.plan.hash}`);
  }
  closeGroup(state, sequence);
}

/** Ends a group: the records applied last stand at `sequence`. */
export function closeGroup(state: EventState, sequence: number): void {
  assertFollows(state, sequence);
  state.version = sequence;
  state.groups++;
}

function assertFollows(state: EventState, sequence: number): void {
  if (sequence > state.version) return;
  throw faultIn(state, `group ${sequence} cannot follow group ${state.version}`);
}

/** Folds one record. `at` is its group's time, `plan` the plan that the group names. */
export function apply(state: EventState, record: JournalRecord, at: number, plan: Plan = state.plan): void {
  const { type } = record;
  const fold = folds[type] as Fold<RecordType> | undefined;
  // A newer shard wrote the record. Skipping it could sell units that it took.
  if (!fold) throw faultIn(state, `this shard does not know records of type ${type}`);
  if (at < state.at && type !== 'clock-set') throw backInTime(state, type, at);
  state.at = at;
  fold(state, record as never, at, plan);
  settle(state);
}

/**
 * As `apply`, in steps. Only the last step changes the state: until then, the state may be read, and the steps may be
 * given up. Nothing else may change the state between the steps.
 */
export function* applyInSteps(
  state: EventState,
  record: JournalRecord,
  at: number,
  plan: Plan = state.plan,
): Steps<void> {
  const { type } = record;
  if (!(type in stepFolds)) return apply(state, record, at, plan);
  if (at < state.at && type !== 'clock-set') throw backInTime(state, type, at);
  const fold = stepFolds[type as keyof typeof stepFolds] as StepFold<RecordType>;
  take(state, yield* fold(state, record as never, at, plan));
  settle(state);
}

function atOnce<T extends RecordType>(fold: StepFold<T>): Fold<T> {
  return (state, record, at, plan) => take(state, finish(fold(state, record, at, plan)));
}

/** The state becomes the state after. Takes microseconds. */
function take(state: EventState, after: EventState): void {
  if (after.plan !== state.plan) dropLookups(state);
  Object.assign(state, after);
}

/** Ends every record: facts that the records of all rooms may change. */
function settle(state: EventState): void {
  if (state.soldOut && hasUnitsLeft(state)) state.soldOut = false;
  dropStaleDeadlines(state);
}

function backInTime(state: EventState, type: RecordType, at: number): Error {
  return faultIn(state, `a record ${type} of time ${at} cannot follow time ${state.at}`);
}

function faultIn({ config }: EventState, why: string): Error {
  return new Error(`fold of ${config.eventKey}: ${why}`);
}
