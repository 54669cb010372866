/**
 * Moving an event to another chart. A unit is the same one where its label is the same and it is sold in the same way: as
 * one (a whole or variable table) or as a place of its own. What somebody holds or has booked must be there on the new
 * chart; it keeps price, tier and guests as they were frozen, whatever category or price its label has there. A block
 * stays on what is there still and goes with the rest; what the new chart has more is free. The event is on the chart's latest
 * version that it was told of: an older one changes nothing.
 */
import type { ChartUpdateAnswer } from '@parterre/shared/answers';
import { labelsOf, objectOf, type Plan } from '@parterre/shared/chart/plan';
import { droppedScopes } from '@parterre/shared/chart/scopes';
import type { Caller, Command } from '@parterre/shared/commands';
import { type Refusal, refuse } from '@parterre/shared/errors';
import { missingLabelsMax } from '@parterre/shared/limits';
import { type JournalRecord, unitStatus } from '@parterre/shared/records';
import { isMutable } from '../event/lifecycle.ts';
import { countsOf } from '../reads/reads.ts';
import { byOf, type Decision } from '../state/decision.ts';
import type { EventState } from '../state/state.ts';
import { assignmentsWouldDrop, droppedOfChannels, toldOfDropped } from './dropped-channels.ts';

export const gone = -1;
const notLooked = -2;

/** Commands that name the plan that the event should be on. */
export type ChartCommand = Command & { type: 'update-chart' | 'adjust-chart' };

export function changesChart(command: Command): command is ChartCommand {
  return command.type === 'update-chart' || command.type === 'adjust-chart';
}

/** `plan` is the one that the command names. */
export function updateChart(
  state: EventState,
  command: Command & { type: 'update-chart' },
  caller: Caller,
  plan: Plan,
  now: number,
): Decision<'update-chart'> {
  const { callId, planHash, chartVersion, reason = null } = command;
  const { chartVersion: versionBefore = 0 } = state.config;
  // Two publishes may be told to the event in any order: it never goes back to the older one. An archived event says that it is.
  if (isMutable(state) && chartVersion <= versionBefore)
    return { ok: true, records: [], answer: updatedAnswer(state, false, state.at) };
  if (command.from !== undefined && command.from !== state.config.planHash) return chartChanged();
  const scopes = droppedScopes(plan, Object.keys(state.availability.rules), state.sectionStates);
  if (command.onlyIfIdle) {
    const refusal = notIdle(state, scopes);
    if (refusal) return refusal;
  }
  const placeOf = placesOn(plan, state.plan);
  const missing = ownedUnits(state).filter((unit) => placeOf(unit) === gone);
  if (missing.length > 0) {
    return refuse('seats_would_vanish', 'Held or booked seats are not on the new chart; nothing was changed.', {
      details: {
        missingLabels: labelsOf(state.plan, missing.slice(0, missingLabelsMax)),
        missingCount: missing.length,
      },
    });
  }
  const dropped = droppedOfChannels(state, plan, placeOf);
  const isAcknowledged = command.acknowledgeDroppedAssignments === true && reason !== null;
  if (dropped.droppedAssignments && !isAcknowledged)
    return assignmentsWouldDrop(state.plan, dropped.droppedAssignments);
  const named = { planHash, chartVersion, ...(scopes.length > 0 && { droppedScopes: scopes }), ...dropped };
  return movedTo(state, plan, { ...named, callId, reason }, caller, now);
}

export function chartChanged(): { ok: false; refusal: Refusal } {
  return refuse('conflict', 'The chart of this event has changed since; read it again.', { reason: 'chart_changed' });
}

/** Why the event does not go along by itself, or null. */
function notIdle(state: EventState, dropped: readonly string[]): { ok: false; refusal: Refusal } | null {
  if (dropped.length > 0) {
    return refuse('conflict', 'What is hidden or closed here has another name on the new chart, and would open.', {
      reason: 'scopes_would_drop',
      details: { droppedScopes: dropped },
    });
  }
  if (state.plan.adjusted) {
    return refuse('conflict', 'This event has a chart of its own.', { reason: 'event_adjusted' });
  }
  const { held, booked, blocked } = countsOf(state);
  if (held + booked + blocked > 0) {
    return refuse('conflict', 'Seats of this event are held, booked or blocked.', { reason: 'event_in_use' });
  }
  if (state.channels.assigned === 0) return null;
  return refuse('conflict', 'Seats of this event are assigned to channels.', { reason: 'private_allocations' });
}

type ChartUpdated = JournalRecord & { type: 'chart-updated' };
type Move = Omit<ChartUpdated, 'type' | 'from' | 'seatTotal' | 'unblocked' | 'by'>;

/** After this point it must succeed: all that is held or booked is on `plan`. */
export function movedTo(
  state: EventState,
  plan: Plan,
  move: Move,
  caller: Caller,
  now: number,
): Decision<'update-chart'> {
  const placeOf = placesOn(plan, state.plan);
  const { planHash: from } = state.config;
  const { unitCount: seatTotal } = plan;
  const { held, booked, blocked } = countsOf(state);
  const unblocked = blockedUnits(state).filter((unit) => placeOf(unit) === gone);
  const record: ChartUpdated = {
    ...{ type: 'chart-updated', ...move, from, seatTotal, by: byOf(caller) },
    ...(unblocked.length > 0 && { unblocked }),
  };
  const stay = blocked - unblocked.length;
  const counts = { free: seatTotal - held - booked - stay, held, booked, blocked: stay };
  const { planHash, chartVersion } = move;
  const answer = { updated: true, planHash, chartVersion, seatTotal, counts, at: now };
  return { ok: true, records: [record], answer: { ...answer, ...toldOfDropped(state.plan, record) } };
}

/** Where a unit of the plan before is on the plan after, or `gone`. */
export type PlaceOf = (unit: number) => number;

/** By the plan before and the plan after: deciding and applying ask for the same, and so do events of one chart. */
const known = new WeakMap<Plan, WeakMap<Plan, PlaceOf>>();

/** Looked for by label only where it is asked for: an event that has sold nothing pays for nothing, whatever its size. */
export function placesOn(plan: Plan, from: Plan): PlaceOf {
  const byPlan = known.get(from) ?? new WeakMap<Plan, PlaceOf>();
  known.set(from, byPlan);
  const placeOf = byPlan.get(plan) ?? findPlaces(plan, from);
  byPlan.set(plan, placeOf);
  return placeOf;
}

function findPlaces(plan: Plan, from: Plan): PlaceOf {
  const places = new Int32Array(from.unitCount).fill(notLooked);
  return (unit) => {
    if (places[unit] === notLooked) places[unit] = findPlace(plan, from, unit);
    return places[unit]!;
  };
}

function findPlace(plan: Plan, from: Plan, unit: number): number {
  const place = plan.labels.unitOf(from.labels.at(unit));
  return place !== undefined && isSoldAsOne(plan, place) === isSoldAsOne(from, unit) ? place : gone;
}

function isSoldAsOne(plan: Plan, unit: number): boolean {
  return objectOf(plan, unit).bookingMode !== 'individual';
}

export function ownedUnits(state: EventState): number[] {
  const units: number[] = [];
  for (let unit = 0; unit < state.slotOf.length; unit++) if (state.slotOf[unit] !== 0) units.push(unit);
  return units;
}

export function blockedUnits({ statuses }: EventState): number[] {
  const units: number[] = [];
  for (let unit = 0; unit < statuses.length; unit++) if (statuses[unit] === unitStatus.blocked) units.push(unit);
  return units;
}

/** What the call is answered with, of the state after it. */
export function updatedAnswer(state: EventState, updated: boolean, at: number): ChartUpdateAnswer {
  const { planHash, chartVersion } = state.config;
  const { unitCount: seatTotal } = state.plan;
  return { updated, planHash, chartVersion: chartVersion!, seatTotal, counts: countsOf(state), at };
}
