/**
 * Blocks units (takes them off sale) and unblocks them. A call may name tens of thousands of labels, so both are
 * decided in steps (turn/long-turns.ts).
 */
import { labelsOf, type Plan, type PlanObject } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { type JournalRecord, unitStatus } from '@parterre/shared/protocol/records';
import { invalidState, isMutable } from '../event/lifecycle.ts';
import type { Steps } from '../packed/packed.ts';
import { overriddenOf } from '../reach/attribution.ts';
import {
  areaConflict,
  type Conflict,
  conflictsOf,
  conflictWith,
  everyPlace,
  labelsPerStep,
  unitsByObject,
  unitsNamedInSteps,
} from '../selection/selection.ts';
import {
  byOf,
  type Decision,
  type EventCall,
  type EventState,
  type Folds,
  isBlocked,
  isFree,
  isReserved,
  knownCall,
  type NamedCall,
  noteCall,
  noteNamedCall,
  type ReadState,
  schedule,
  setUnits,
} from '../state/state.ts';

/** Labels that one step makes for the answer: some tenths of a millisecond. */
const labelsToldPerStep = 5_000;

/**
 * Blocks every label or none. An area's label stands for all of its places. A unit that is already blocked takes the
 * new `releaseAt`. Held, booked and reserved units are in the way: in a named area they make one conflict, with the
 * number of places left.
 */
export function* block(
  state: ReadState,
  command: Command & { type: 'block' },
  caller: Caller,
  now: number,
): Steps<Decision<'block'>> {
  const isDecided = command.only === 'blocked';
  const labels = isDecided ? knownLabels(state, command.labels) : command.labels;
  const named = yield* unitsNamedInSteps(state.plan, labels, everyPlace);
  if (!named.ok) return named;
  const { units: all, areas } = named.value;
  if (isDecided) return yield* reblocked(state, command, all, caller);
  const inTime = isInTheFuture(command.releaseAt, now);
  if (!inTime.ok) return inTime;
  const units = command.only === 'free' ? all.filter((unit) => !isBlocked(state, unit)) : all;
  const inTheWay = units.filter((unit) => !isFree(state, unit) && !isBlocked(state, unit));
  if (inTheWay.length > 0) {
    const reason = inTheWay.every((unit) => isReserved(state, unit)) ? 'seats_reserved' : undefined;
    return { ok: false, refusal: conflictWith(conflictsAmong(state, inTheWay, areas), reason) };
  }
  if (units.length > labelsPerStep) yield;
  const record = blockedRecord(state, command, units, caller);
  const blocked = yield* labelsInSteps(state.plan, units);
  const already = all.length - units.length;
  return { ok: true, records: [record], answer: already > 0 ? { blocked, already } : { blocked } };
}

/** A step of a batch over events, decided as its block would be. Promises nothing. */
export function* lookAtBlock(
  state: ReadState,
  { labels, releaseAt }: Command & { type: 'look-block' },
  caller: Caller,
  now: number,
): Steps<Decision<'look-block'>> {
  if (!isMutable(state)) return invalidState(state);
  const step = { type: 'block', callId: '', labels, releaseAt, reason: null, only: 'free' } as const;
  const told = yield* block(state, step, caller, now);
  return told.ok ? { ...told, records: [] } : told;
}

/** The new terms of units that are still blocked. */
function* reblocked(
  state: ReadState,
  command: Command & { type: 'block' },
  named: readonly number[],
  caller: Caller,
): Steps<Decision<'block'>> {
  const units = named.filter((unit) => isBlocked(state, unit));
  if (units.length === 0) return { ok: true, records: [], answer: { blocked: [] } };
  const record = blockedRecord(state, command, units, caller);
  return { ok: true, records: [record], answer: { blocked: yield* labelsInSteps(state.plan, units) } };
}

function knownLabels({ plan: { labels: units, areaByLabel } }: ReadState, labels: readonly string[]): string[] {
  return labels.filter((label) => units.has(label) || areaByLabel.has(label));
}

function conflictsAmong(state: ReadState, units: readonly number[], areas: ReadonlySet<PlanObject>): Conflict[] {
  const byObject = [...unitsByObject(state.plan, units)];
  return byObject.flatMap(([object, taken]) =>
    areas.has(object) ? [areaConflict(object.label, object.unitCount - taken.length)] : conflictsOf(state, taken),
  );
}

export function isInTheFuture(releaseAt: number | null, now: number): Outcome<null> {
  if (releaseAt === null || releaseAt > now) return done(null);
  return refuse('invalid_request', 'releaseAt is in the past. Send a time in the future, or null.', {
    details: { issues: [{ path: 'releaseAt', message: 'Must be in the future.' }] },
  });
}

type BlockTerms = { callId: string; releaseAt: number | null; reason: string | null; fingerprint?: string };

/** The decision to block these units, which are few. */
export function blocked(state: ReadState, terms: BlockTerms, units: number[], caller: Caller): Decision<'block'> {
  return {
    ok: true,
    records: [blockedRecord(state, terms, units, caller)],
    answer: { blocked: labelsOf(state.plan, units) },
  };
}

function blockedRecord(
  state: ReadState,
  { callId, releaseAt, reason, fingerprint }: BlockTerms,
  units: number[],
  caller: Caller,
): JournalRecord {
  const record: JournalRecord = { type: 'blocked', callId, units, releaseAt, reason, by: byOf(caller) };
  if (fingerprint !== undefined) record.fingerprint = fingerprint;
  const overridden = overriddenOf(state, caller, units);
  if (overridden) record.overridden = overridden;
  return record;
}

function* labelsInSteps({ labels }: Plan, units: readonly number[]): Steps<string[]> {
  const told: string[] = [];
  for (const [index, unit] of units.entries()) {
    if (index > 0 && index % labelsToldPerStep === 0) yield;
    told.push(labels.at(unit));
  }
  return told;
}

/**
 * Unblocks the blocked units among the named labels, or among all units without labels. Units that an offer
 * or a reservation has stay as they are.
 */
export function* unblock(
  state: ReadState,
  command: Command & { type: 'unblock' },
  caller: Caller,
): Steps<Decision<'unblock'>> {
  const { step } = command;
  if (step === 'check' && !isMutable(state)) return invalidState(state);
  const labels = command.labels && step === 'decided' ? knownLabels(state, command.labels) : command.labels;
  const named = labels ? yield* unitsNamedInSteps(state.plan, labels, everyPlace) : null;
  if (named && !named.ok) return named;
  const units = named ? named.value.units.filter((unit) => isBlocked(state, unit)) : everyBlocked(state);
  const { callId } = command;
  if (units.length > labelsPerStep) yield;
  const answer = { unblocked: yield* labelsInSteps(state.plan, units) };
  if (step === 'check') return { ok: true, records: [], answer };
  return { ok: true, records: [{ type: 'unblocked', callId, units, reason: 'operator', by: byOf(caller) }], answer };
}

/** A call that the event has never seen is noted as one that blocked nothing, so its late copy blocks nothing. */
export function undoBlock(
  state: ReadState,
  { callId, of }: Command & { type: 'undo-block' },
  caller: Caller,
  now: number,
): Decision<'undo-block'> {
  const known = knownCall(state, of.callId, now);
  const units = (known?.units ?? []).filter((unit) => isBlocked(state, unit));
  const unseen = blockedRecord(state, { ...of, releaseAt: null, reason: null }, [], caller);
  const undone: JournalRecord = { type: 'unblocked', callId, units, reason: 'operator', by: byOf(caller) };
  return { ok: true, records: known ? [undone] : [unseen, undone], answer: { unblocked: labelsOf(state.plan, units) } };
}

function everyBlocked(state: ReadState): number[] {
  const units: number[] = [];
  for (let unit = 0; unit < state.plan.unitCount; unit++) if (isBlocked(state, unit)) units.push(unit);
  return units;
}

/** The answer to a repetition of a call that blocked units. */
export function blockedAgain({ plan }: ReadState, { units }: EventCall | NamedCall): { blocked: string[] } {
  return { blocked: labelsOf(plan, units ?? []) };
}

export const blockFolds: Folds<'blocked' | 'unblocked'> = { blocked: foldBlocked, unblocked: foldUnblocked };

function foldBlocked(state: EventState, record: JournalRecord & { type: 'blocked' }, at: number): void {
  const { callId, units, fingerprint, releaseAt } = record;
  setUnits(state, units, unitStatus.blocked, 0);
  if (releaseAt === null) forgetReleases(state, units);
  else scheduleReleases(state, units, releaseAt);
  if (callId === undefined || fingerprint === undefined) noteCall(state, callId, { units, answer: null });
  else noteNamedCall(state, callId, { units, fingerprint, at });
}

function foldUnblocked(state: EventState, { units, callId }: JournalRecord & { type: 'unblocked' }): void {
  setUnits(state, units, unitStatus.free, 0);
  forgetReleases(state, units);
  noteCall(state, callId, { units, answer: null });
}

function scheduleReleases(state: EventState, units: readonly number[], releaseAt: number): void {
  for (const unit of units) {
    if (state.blockedUntil.get(unit) === releaseAt) continue;
    state.blockedUntil.set(unit, releaseAt);
    schedule(state, { at: releaseAt, what: { unit } });
  }
}

/** For folds: the units are not blocked any more, or for good. */
export function forgetReleases({ blockedUntil }: EventState, units: readonly number[]): void {
  if (blockedUntil.size === 0) return;
  for (const unit of units) blockedUntil.delete(unit);
}
