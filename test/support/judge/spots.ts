/** The places of a chart document as spots for the judge of best-available. */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { neighboursOf, objectOf, type Plan, type Point } from '@parterre/shared/charts/plan';
import type { Spot } from './best-places.ts';
import { wheelchairsOf } from './companions.ts';

/** `isFree`: free and within the caller's reach. `isForSale`, `isCompanion`: at the default tier. */
export type SpotFacts = {
  isFree: (unit: number) => boolean;
  /** [the same] */
  isFreeForSome?: (unit: number) => boolean;
  isForSale: (unit: number) => boolean;
  isCompanion: (unit: number) => boolean;
  categoryKeys: readonly string[] | undefined;
  zoneId: string | undefined;
  /** Whether the unit meets the other terms of the query. [true] */
  isMeant?: (unit: number) => boolean;
};

/** Spots are in unit order. A spot's name is its label. */
export function spotsOf(document: ChartDocument, plan: Plan, facts: SpotFacts): Spot[] {
  const parts = document.floors?.length ? document.floors : [document];
  const drawn = new Map(parts.flatMap(({ objects }) => objects).map((object) => [object.id, object]));
  const units = Array.from({ length: plan.unitCount }, (_, unit) => unit);
  const seats = new Map(units.map((unit) => [`${objectOf(plan, unit).id} ${plan.indexOfUnit[unit]!}`, unit]));
  return units.map((unit): Spot => {
    const object = objectOf(plan, unit);
    const { categoryKeys, zoneId, isMeant = () => true } = facts;
    const isWanted =
      (categoryKeys === undefined || categoryKeys.includes(plan.categories[plan.categoryOfUnit[unit]!]!.key)) &&
      (zoneId === undefined || object.zoneId === zoneId) &&
      isMeant(unit);
    return {
      name: plan.labels.at(unit),
      sort: sortOf(drawn.get(object.id)!),
      id: object.id,
      index: plan.indexOfUnit[unit]!,
      next: nextOf(unit),
      at: placeOf(plan, unit),
      focus: focusOf(plan, unit),
      kinds: accessibilityKinds.filter((_, bit) => (plan.accessibilityOfUnit[unit]! & (1 << bit)) !== 0),
      isCompanion: facts.isCompanion(unit),
      guests: [object.bookingMode === 'variable' ? object.minOccupancy : 1, object.maxOccupancy],
      wheelchairs: wheelchairsBy(unit),
      isFree: facts.isFree(unit) && facts.isForSale(unit),
      isFreeForSome: (facts.isFreeForSome ?? facts.isFree)(unit) && facts.isForSale(unit),
      isWanted,
    };
  });

  function isCompanions(unit: number): boolean {
    return kindsOf(unit).includes('companion') && !kindsOf(unit).includes('wheelchair');
  }

  function kindsOf(unit: number): string[] {
    return accessibilityKinds.filter((_, bit) => (plan.accessibilityOfUnit[unit]! & (1 << bit)) !== 0);
  }

  function wheelchairsBy(unit: number): string[] {
    const { id, type, isRing } = objectOf(plan, unit);
    if (!isCompanions(unit)) return neighboursOf(plan, unit).map((each) => plan.labels.at(each));
    const inRow = units.filter((each) => objectOf(plan, each).id === id);
    const seats = inRow.map((each) => ({ label: plan.labels.at(each), kinds: kindsOf(each) }));
    return wheelchairsOf(seats, plan.labels.at(unit), isRing ? 'ring' : type === 'row' ? 'row' : 'table');
  }

  /** A wheelchair place and its companion's, or two companions' places of one wheelchair place. */
  function areOfOneWheelchair(companion: number, other: number): boolean {
    if (!isCompanions(companion)) return false;
    const its = wheelchairsBy(companion);
    return (
      its.includes(plan.labels.at(other)) ||
      (isCompanions(other) && wheelchairsBy(other).some((each) => its.includes(each)))
    );
  }

  function nextOf(unit: number): string | null {
    const { id } = objectOf(plan, unit);
    const object = drawn.get(id)!;
    const index = plan.indexOfUnit[unit]!;
    const isLast = (object.type === 'table' || object.type === 'row') && index === object.seatCount - 1;
    const next = seats.get(`${id} ${isLast && isAllAround(object) ? 0 : index + 1}`);
    if (next === undefined || next === unit) return null;
    if (areOfOneWheelchair(unit, next) || areOfOneWheelchair(next, unit)) return plan.labels.at(next);
    if (object.type === 'row' && distance(placeOf(plan, unit), placeOf(plan, next)) > 1.5 * object.seatSpacing)
      return null;
    return plan.labels.at(next);
  }
}

function sortOf(object: ChartObject): Spot['sort'] {
  if (object.type === 'gaArea') return 'area';
  if (object.type === 'booth') return 'booth';
  return object.type === 'table' && (object.bookAsWhole || object.variableOccupancy) ? 'table' : 'seat';
}

function isAllAround(object: ChartObject): boolean {
  return object.type === 'table' && object.shape === 'round' && (object.seatArc ?? 360) >= 360 && object.seatCount > 2;
}

function placeOf({ x, y, centre }: Plan, unit: number): Point {
  return { x: x[unit]! + centre.x, y: y[unit]! + centre.y };
}

function focusOf({ objectOfUnit, objects, zones, floorFocalPoints, focalPoint }: Plan, unit: number): Point {
  const object = objectOfUnit[unit]!;
  return zones.find(({ id }) => id === objects[object]!.zoneId)?.focalPoint ?? floorFocalPoints[object] ?? focalPoint;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
