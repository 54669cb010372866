/**
 * Resolves labels, many of them in steps (turn/long-turns.ts). A unit's label names the unit, however often the list
 * has it. An area's own label stands for places of the area: the places that a hold or booking has there, or all of
 * them. A label that names a unit (a whole table) never names an area.
 */
import type { Plan, PlanObject } from '@parterre/shared/charts/plan';
import type { Selection } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { finish, type Steps } from '../packed/packed.ts';

/** The area with this label, or null. */
export function areaNamed(plan: Plan, label: string): PlanObject | null {
  if (plan.labels.has(label)) return null;
  return plan.objects[plan.areaByLabel.get(label) ?? -1] ?? null;
}

/**
 * `units` has each unit once. `areas` are the areas named by their own label, `without` the labels of areas that stand
 * for no place.
 */
export type NamedUnits = { units: number[]; areas: Set<PlanObject>; without: string[] };

/** The places that an area's label stands for. */
export type PlacesIn = (area: PlanObject) => readonly number[];

/** Labels that one step looks up: some tenths of a millisecond. */
export const labelsPerStep = 1_000;

/** The units behind labels. The refusal names every label that the chart lacks. */
export function unitsNamed(plan: Plan, labels: readonly string[], placesIn: PlacesIn): Outcome<NamedUnits> {
  return finish(unitsNamedInSteps(plan, labels, placesIn));
}

/** As `unitsNamed`, in steps for many labels. */
export function* unitsNamedInSteps(
  plan: Plan,
  labels: readonly string[],
  placesIn: PlacesIn,
): Steps<Outcome<NamedUnits>> {
  const search: LabelSearch = { plan, placesIn, units: [], unknown: [], areas: new Set(), without: [] };
  for (let from = 0; from < labels.length; from += labelsPerStep) {
    if (from > 0) yield;
    lookUp(search, labels, from, Math.min(from + labelsPerStep, labels.length));
  }
  const { unknown, areas, without } = search;
  return unknown.length > 0 ? unknownLabels(unknown) : done({ units: eachOnce(plan, search.units), areas, without });
}

/** `units` may have a unit several times. */
type LabelSearch = NamedUnits & { plan: Plan; placesIn: PlacesIn; unknown: string[] };

function lookUp(search: LabelSearch, labels: readonly string[], from: number, to: number): void {
  const { plan, units, unknown, areas, without } = search;
  let next = -1;
  for (let index = from; index < to; index++) {
    const label = labels[index]!;
    // Calls with many labels mostly name neighbours one after the other.
    const unit = plan.labels.is(next, label) ? next : plan.labels.unitOf(label);
    if (unit !== undefined) {
      units.push(unit);
      next = unit + 1;
      continue;
    }
    const area = areaNamed(plan, label);
    if (area && areas.has(area)) continue;
    if (!area) {
      unknown.push(label);
      continue;
    }
    const places = search.placesIn(area);
    areas.add(area);
    if (places.length === 0) without.push(label);
    for (const place of places) units.push(place);
  }
}

/** A set of a hundred thousand units takes ten times as long as a byte for each unit of the plan. */
export function eachOnce({ unitCount }: Plan, units: readonly number[]): number[] {
  if (units.length <= labelsPerStep) return [...new Set(units)];
  const isSeen = new Uint8Array(unitCount);
  const once: number[] = [];
  for (const unit of units) {
    if (isSeen[unit] === 1) continue;
    isSeen[unit] = 1;
    once.push(unit);
  }
  return once;
}

export function everyPlace({ firstUnit, unitCount }: PlanObject): number[] {
  return Array.from({ length: unitCount }, (_, place) => firstUnit + place);
}

/** The places among these units. `unitsOf` runs once, and only if an area is named. */
export function placesAmong(plan: Plan, unitsOf: () => readonly number[]): PlacesIn {
  let byArea: Map<PlanObject, number[]> | null = null;
  return (area) => {
    byArea ??= unitsByObject(plan, unitsOf());
    return byArea.get(area) ?? [];
  };
}

export function unitsByObject(plan: Plan, units: readonly number[]): Map<PlanObject, number[]> {
  const byObject = new Map<PlanObject, number[]>();
  for (const unit of units) {
    const object = plan.objects[plan.objectOfUnit[unit]!]!;
    const its = byObject.get(object);
    if (its) its.push(unit);
    else byObject.set(object, [unit]);
  }
  return byObject;
}

export function unknownLabels(labels: string[]): Outcome<never> {
  const details = { labels: [...new Set(labels)] };
  return refuse(
    'unknown_labels',
    "The event's chart has no units with these labels. GET the chart of the event to read its labels.",
    { details },
  );
}

/** Expands selections from a list of labels: an area that is named several times gives as many places. */
export function oneByOne(plan: Plan, selections: Selection[]): Selection[] {
  if (!selections.some(({ times }) => times !== undefined)) return selections;
  return selections.flatMap(({ times = 1, ...selection }) =>
    areaNamed(plan, selection.label) ? Array.from({ length: times }, () => selection) : [selection],
  );
}
