/**
 * Resolves labels. A unit's label names the unit, however often the list has it. An area's own label stands for places
 * of the area: the places that a hold or booking has there, or all of them. A label that names a unit (a whole table)
 * never names an area.
 */
import type { Plan, PlanObject } from '@parterre/shared/chart/plan';
import type { Selection } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';

/** The area with this label, or null. */
export function areaNamed(plan: Plan, label: string): PlanObject | null {
  if (plan.labels.has(label)) return null;
  return plan.objects[plan.areaByLabel.get(label) ?? -1] ?? null;
}

/**
 * `units` has each unit once. `areas` are the areas named by their own label, `without` the labels of areas that stand
 * for no place.
 */
export type Named = { units: number[]; areas: Set<PlanObject>; without: string[] };

/** The places that an area's label stands for. */
export type PlacesIn = (area: PlanObject) => readonly number[];

/** The units behind labels. The refusal names every label that the chart lacks. */
export function unitsNamed(plan: Plan, labels: readonly string[], placesIn: PlacesIn): Outcome<Named> {
  const unknown: string[] = [];
  const units = new Set<number>();
  const areas = new Set<PlanObject>();
  const without: string[] = [];
  for (const label of labels) {
    const unit = plan.labels.unitOf(label);
    if (unit !== undefined) {
      units.add(unit);
      continue;
    }
    const area = areaNamed(plan, label);
    if (area && areas.has(area)) continue;
    if (!area) {
      unknown.push(label);
      continue;
    }
    const places = placesIn(area);
    areas.add(area);
    if (places.length === 0) without.push(label);
    for (const place of places) units.add(place);
  }
  return unknown.length > 0 ? unknownLabels(unknown) : done({ units: [...units], areas, without });
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
