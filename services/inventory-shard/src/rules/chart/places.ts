/**
 * Finds the unit of the new plan for a unit of the old plan: the unit with the same label, if both units are sold in
 * the same way: as one (a whole or variable table), or place by place.
 */
import { objectOf, type Plan } from '@parterre/shared/chart/plan';

/** The unit is not on the new plan. */
export const gone = -1;
const notLooked = -2;

/** The unit's index on the plan after, or `gone`. */
export type PlaceOf = (unit: number) => number;

/**
 * By the plan before and the plan after. Deciding and applying ask for the same places, and so do all events of a
 * chart.
 */
const known = new WeakMap<Plan, WeakMap<Plan, PlaceOf>>();

/** Labels are looked up only for units that are asked for: an event without sales pays nothing, at any size. */
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
