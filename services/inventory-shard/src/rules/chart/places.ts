/**
 * Finds the unit of the new plan for a unit of the old plan: the unit with the same label, if both units are sold in
 * the same way: as one (a whole or variable table), or place by place. Most charts change in colours, prices or words
 * alone. Every unit then keeps its number, which a comparison of all labels at once shows.
 */
import { objectOf, type Plan } from '@parterre/shared/charts/plan';
import type { Steps } from '../packed/packed.ts';

/** The unit is not on the new plan. */
export const gone = -1;
const notLooked = -2;

/** The units that are looked up in one step, and the units that are only visited. */
export const lookUpsPerStep = 500;
export const visitsPerStep = 20_000;

/** The unit's index on the plan after, or `gone`. */
export type PlaceOf = (unit: number) => number;

/** `areSame`: every unit of the plan before has its index on the plan after, too. */
export type Places = { of: PlaceOf; areSame: boolean };

/**
 * By the plan before and the plan after. Deciding and applying ask for the same places, and so do all events of a
 * chart.
 */
const known = new WeakMap<Plan, WeakMap<Plan, Places>>();

export function* placesOn(plan: Plan, from: Plan): Steps<Places> {
  const byPlan = known.get(from) ?? new WeakMap<Plan, Places>();
  known.set(from, byPlan);
  const places = byPlan.get(plan) ?? (yield* findPlaces(plan, from));
  byPlan.set(plan, places);
  return places;
}

function* findPlaces(plan: Plan, from: Plan): Steps<Places> {
  if (yield* areSameUnits(plan, from)) return { of: (unit) => unit, areSame: true };
  return { of: lookUp(plan, from), areSame: false };
}

function* areSameUnits(plan: Plan, from: Plan): Steps<boolean> {
  if (!plan.labels.beginsWith(from.labels)) return false;
  yield;
  for (let unit = 0; unit < from.unitCount; unit++) {
    if (isSoldAsOne(plan, unit) !== isSoldAsOne(from, unit)) return false;
    if (unit % visitsPerStep === 0) yield;
  }
  return true;
}

/** Labels are looked up only for units that are asked for: an event without sales pays nothing, at any size. */
function lookUp(plan: Plan, from: Plan): PlaceOf {
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
