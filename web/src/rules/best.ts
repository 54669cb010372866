/**
 * The best free places of a performance group, which the server does not search: seats beside each other that are free
 * in every performance, nearest to the focal point, without a single seat left over where that is possible; then a
 * whole table, an area, or two parts in different rows. Pure.
 */
import type { Point } from '@parterre/shared/charts/plan';
import { isReleased } from './companions.ts';
import { COMPANION, type Hall, WHEELCHAIR } from './hall.ts';
import {
  type ChosenPlace,
  chosenArea,
  chosenSpot,
  isFree,
  nothing,
  type Selection,
  type Wanted,
  withChosen,
} from './selection.ts';
import { type Statuses, statusWords } from './statuses.ts';

/** `accessible`: one of the places is for a wheelchair, and companion places count. */
export type BestWanted = { qty: number; categoryKey?: string; accessible?: string[] };

type Search = { hall: Hall; statuses: Statuses; qty: number; fits(spot: number): boolean; isAccessible: boolean };

/** Spots beside each other. `singles` are the seats that the choice would leave alone. */
type Run = { spots: readonly number[]; singles: number; distance: number };

/** Null if nothing like this is free. Companions' places that are for all come last. */
export function bestPlaces(hall: Hall, statuses: Statuses, wanted: BestWanted): Wanted[] | null {
  const isForAll = (spot: number) => (hall.accessibilityOf[spot]! & (WHEELCHAIR | COMPANION)) === 0;
  const found = placesFor(hall, statuses, wanted, isForAll);
  if (found !== null || wanted.accessible !== undefined || !statuses.areCompanionsReleased) return found;
  return placesFor(hall, statuses, wanted, (spot) => isForAll(spot) || isReleased(hall, statuses, spot));
}

function placesFor(
  hall: Hall,
  statuses: Statuses,
  { qty, categoryKey, accessible }: BestWanted,
  isForAll: (spot: number) => boolean,
): Wanted[] | null {
  const isAccessible = accessible !== undefined;
  const isOfCategory = (category: number) =>
    categoryKey === undefined ? !hall.categories[category]!.notForSale : hall.categories[category]!.key === categoryKey;
  const search: Search = {
    hall,
    statuses,
    qty,
    isAccessible,
    fits: (spot) => isFree(statuses, spot) && isOfCategory(hall.categoryOf[spot]!) && (isAccessible || isForAll(spot)),
  };
  const run = bestRun(search, qty);
  const others = () => (isAccessible ? null : (tableFor(search) ?? areaFor(search, isOfCategory)));
  const found = run?.spots ?? null;
  return (found && named(hall, found)) ?? others() ?? inTwoParts(search);
}

/** At most `count` choices, the best first; no two have a place in common. */
export function bestChoices(hall: Hall, statuses: Statuses, wanted: BestWanted, count: number): Selection[] {
  const choices: Selection[] = [];
  const left: Statuses = { ...statuses, of: statuses.of.slice(), freeInArea: new Map(statuses.freeInArea) };
  while (choices.length < count) {
    const places = bestPlaces(hall, left, wanted);
    if (places === null) break;
    let choice: Selection = nothing;
    for (const { label, quantity = 1 } of places) {
      const spot = hall.spotOf.get(label);
      const area = hall.areas.find((each) => each.label === label);
      const chosen = spot === undefined ? area && chosenArea(hall, area.id, quantity) : chosenSpot(hall, spot);
      if (chosen)
        choice = withChosen(choice, spot === undefined ? chosen : { ...chosen, ...atTable(chosen, quantity) });
      if (spot !== undefined) left.of[spot] = TAKEN;
      else if (area) left.freeInArea.set(area.id, (left.freeInArea.get(area.id) ?? 0) - quantity);
    }
    choices.push(choice);
  }
  return choices;
}

const TAKEN = statusWords.indexOf('booked');

/** A table of variable occupancy has the guests of the party. */
const atTable = ({ max, min }: ChosenPlace, quantity: number) =>
  max > 1 && quantity >= min && quantity > 1 ? { quantity } : {};

const named = (hall: Hall, spots: readonly number[]): Wanted[] => spots.map((spot) => ({ label: hall.labels[spot]! }));

function bestRun(search: Search, length: number, without: readonly number[] = []): Run | null {
  let best: Run | null = null;
  for (const stretch of stretchesOf(search, without)) {
    for (let start = 0; start + length <= stretch.length; start++) {
      const run = runOf(search, stretch, start, length);
      if (run && (best === null || isBetter(run, best))) best = run;
    }
  }
  return best;
}

const isBetter = (run: Run, other: Run): boolean =>
  run.singles < other.singles || (run.singles === other.singles && run.distance < other.distance);

function runOf({ hall, isAccessible }: Search, stretch: readonly number[], start: number, length: number): Run | null {
  const spots = stretch.slice(start, start + length);
  if (isAccessible && !spots.some((spot) => hall.accessibilityOf[spot]! & WHEELCHAIR)) return null;
  const singles = Number(start === 1) + Number(stretch.length - start - length === 1);
  const distance = spots.reduce((sum, spot) => sum + distanceOf(hall, spot), 0);
  return { spots, singles, distance };
}

/** The fitting spots of each row or table that is sold by seats, cut where two are not beside each other. */
function stretchesOf({ hall, fits }: Search, without: readonly number[]): number[][] {
  const stretches: number[][] = [];
  let last = -1;
  for (const spot of hall.labels.keys()) {
    const object = hall.objectOf[spot]!;
    if (hall.objects[object]!.mode !== 'individual' || !fits(spot) || without.includes(spot)) continue;
    const isBeside = last >= 0 && hall.objectOf[last] === object && hall.indexOf[spot]! - hall.indexOf[last]! === 1;
    if (isBeside) stretches.at(-1)!.push(spot);
    else stretches.push([spot]);
    last = spot;
  }
  return stretches;
}

function distanceOf({ x, y, objects, objectOf, focalPoints }: Hall, spot: number): number {
  const focal: Point = focalPoints[objects[objectOf[spot]!]!.floor] ?? { x: 0, y: 0 };
  return Math.hypot(x[spot]! - focal.x, y[spot]! - focal.y);
}

function tableFor({ hall, qty, fits }: Search): Wanted[] | null {
  const tables = [...hall.labels.keys()].filter((spot) => {
    const { mode, min, max } = hall.objects[hall.objectOf[spot]!]!;
    return (
      mode !== 'individual' && max > 1 && fits(spot) && (mode === 'whole' ? qty === max : qty >= min && qty <= max)
    );
  });
  const [nearest] = tables.sort((a, b) => distanceOf(hall, a) - distanceOf(hall, b));
  if (nearest === undefined) return null;
  const isVariable = hall.objects[hall.objectOf[nearest]!]!.mode === 'variable';
  return [{ label: hall.labels[nearest]!, ...(isVariable ? { quantity: qty } : {}) }];
}

function areaFor({ hall, statuses, qty }: Search, isOfCategory: (category: number) => boolean): Wanted[] | null {
  const area = hall.areas.find(({ id, category }) => {
    return isOfCategory(category) && (statuses.freeInArea.get(id) ?? 0) >= qty;
  });
  return area ? [{ label: area.label, quantity: qty }] : null;
}

/** The larger part first; nobody sits alone unless two ask. */
function inTwoParts(search: Search): Wanted[] | null {
  const { hall, qty } = search;
  const least = qty > 3 ? 2 : 1;
  for (let rest = least; rest <= qty / 2; rest++) {
    const first = bestRun(search, qty - rest);
    const second = first && bestRun({ ...search, isAccessible: false }, rest, first.spots);
    if (first && second) return named(hall, [...first.spots, ...second.spots]);
  }
  return null;
}
