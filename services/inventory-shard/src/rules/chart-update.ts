/**
 * Moving an event to another chart. A unit is the same one where its label is the same and it is sold in the same way: as
 * one (a whole or variable table) or as a place of its own. What somebody holds or has booked must be there on the new
 * chart; it keeps price, tier and guests as they were frozen, whatever category or price its label has there. A block
 * stays on what is there still and goes with the rest; what the new chart has more is free. The event is on the chart's latest
 * version that it was told of: an older one changes nothing.
 */

import type { ChartUpdateAnswer } from '@parterre/shared/answers';
import { objectOf, type Plan } from '@parterre/shared/chart/plan';
import { droppedScopes } from '@parterre/shared/chart/scopes';
import type { Caller, Command } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import { missingLabelsMax } from '@parterre/shared/limits';
import { unitStatus } from '@parterre/shared/records';
import { byOf, type Decision } from './decision.ts';
import { labelsOf } from './labels.ts';
import { isMutable } from './lifecycle.ts';
import { countsOf } from './read.ts';
import type { EventState } from './state.ts';

const gone = -1;
const notLooked = -2;

/** `plan` is the one that the command names. */
export function updateChart(
  state: EventState,
  command: Command & { type: 'update-chart' },
  caller: Caller,
  plan: Plan,
  now: number,
): Decision<'update-chart'> {
  const { callId, planHash, chartVersion, reason = null } = command;
  const { planHash: from, chartVersion: versionBefore = 0 } = state.config;
  // Two publishes may be told to the event in any order: it never goes back to the older one. An archived event says that it is.
  if (isMutable(state) && chartVersion <= versionBefore)
    return { ok: true, records: [], answer: updatedAnswer(state, false, state.at) };
  const dropped = droppedScopes(plan, Object.keys(state.availability.rules), state.sectionStates);
  if (command.onlyIfIdle && dropped.length > 0) {
    return refuse('conflict', 'What is hidden or closed here has another name on the new chart, and would open.', {
      reason: 'scopes_would_drop',
      details: { droppedScopes: dropped },
    });
  }
  const { held, booked, blocked } = countsOf(state);
  if (command.onlyIfIdle && held + booked + blocked > 0) {
    return refuse('conflict', 'Seats of this event are held, booked or blocked.', { reason: 'event_in_use' });
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
  const { unitCount: seatTotal } = plan;
  const unblocked = blockedUnits(state).filter((unit) => placeOf(unit) === gone);
  const stay = blocked - unblocked.length;
  const moved = {
    ...{ planHash, chartVersion, seatTotal },
    ...(dropped.length > 0 && { droppedScopes: dropped }),
  };
  const record = { ...moved, ...(unblocked.length > 0 && { unblocked }), callId, from, reason, by: byOf(caller) };
  const counts = { free: seatTotal - held - booked - stay, held, booked, blocked: stay };
  return {
    ok: true,
    records: [{ type: 'chart-updated', ...record }],
    answer: { updated: true, ...moved, counts, at: now },
  };
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

function ownedUnits(state: EventState): number[] {
  const units: number[] = [];
  for (let unit = 0; unit < state.slotOf.length; unit++) if (state.slotOf[unit] !== 0) units.push(unit);
  return units;
}

function blockedUnits({ statuses }: EventState): number[] {
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
