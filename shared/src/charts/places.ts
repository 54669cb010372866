/**
 * The inventory of a chart: the venue's objects in order, and the places of each object. Compiling, publishing and
 * counting all use this file, so they never disagree about units.
 */

import { accessibilityKinds, type WayWords } from './accessibility.ts';
import type { Booth, ChartDocument, ChartObject, Floor, GaArea, Override, Row, Table } from './document.ts';
import { chairPositions, mean, seatPositions } from './geometry.ts';
import { gaLabels, seatNumberer } from './numbering.ts';
import type { Plan, PlanObject, Point } from './plan.ts';

/** The objects that can sell. */
export type Seller = Row | Table | Booth | GaArea;

/** A future unit: a seat, a chair, a booth, a table as a whole, or a GA place. */
export type Place = {
  /** Index in its object; skipped seats leave gaps. */
  index: number;
  label: string;
  /** The seat's own text for people; '' where it has none. */
  displayLabel: string;
  categoryKey: string;
  /** Bit i is `accessibilityKinds[i]`. */
  accessibility: number;
  /** The label of the wheelchair place to which a companion place belongs, if the chart names one. */
  companionOf?: string;
  /** The way that the place's own override names. */
  way?: WayWords;
  x: number;
  y: number;
};

export type FloorObjects = { floor: Floor | null; objects: readonly ChartObject[] };

/** The venue floor by floor, or as one part where the document has no floors. */
export function partsOf(document: ChartDocument): FloorObjects[] {
  if (!document.floors || document.floors.length === 0) return [{ floor: null, objects: document.objects }];
  return document.floors.map((floor) => ({ floor, objects: floor.objects }));
}

export function isSeller(object: ChartObject): object is Seller {
  return object.type === 'row' || object.type === 'table' || object.type === 'booth' || object.type === 'gaArea';
}

/** Rows, and tables whose chairs are sold. */
export function hasSeats(object: ChartObject): object is Row | Table {
  return object.type === 'row' || (object.type === 'table' && bookingModeOf(object) === 'individual');
}

/** The way an object is sold; `whole` and `variable` are tables sold as one unit. */
export function bookingModeOf(object: Seller): 'individual' | 'whole' | 'variable' {
  if (object.type !== 'table') return 'individual';
  if (object.variableOccupancy) return 'variable';
  return object.bookAsWhole ? 'whole' : 'individual';
}

/** Places of an object in unit order. Their number equals the count of `talliesOf`. */
export function placesOf(object: Seller): Place[] {
  switch (object.type) {
    case 'row':
      return seatsOf(object, seatPositions(object), seatNumberer(object));
    case 'table':
      if (bookingModeOf(object) !== 'individual') return object.seatCount > 0 ? [onePlace(object)] : [];
      return seatsOf(object, chairPositions(object), (index) => String(index + 1));
    case 'booth':
      return [onePlace(object)];
    case 'gaArea':
      return gaPlaces(object);
  }
}

function seatsOf(object: Row | Table, positions: Point[], number: (index: number) => string): Place[] {
  const overrides = overridesOf(object);
  const seats: Place[] = [];
  for (let index = 0; index < object.seatCount; index++) {
    const override = overrides?.get(index);
    if (override?.skip) continue;
    const position = positions[index]!;
    const { companionOf, stepFree, lift } = override ?? {};
    seats.push({
      ...(companionOf !== undefined && { companionOf }),
      ...((stepFree !== undefined || lift) && { way: { stepFree, lift } }),
      index,
      label: override?.label ?? `${object.label}-${number(index)}`,
      displayLabel: override?.displayLabel ?? '',
      categoryKey: override?.categoryKey ?? object.categoryKey,
      accessibility: override ? accessibilityOf(override) : 0,
      x: position.x + (override?.dx ?? 0),
      y: position.y + (override?.dy ?? 0),
    });
  }
  return seats;
}

/** Overrides by index, the last of an index winning; null for the many objects that have none. */
function overridesOf(object: Row | Table): Map<number, Override> | null {
  if (!object.overrides || object.overrides.length === 0) return null;
  return new Map(object.overrides.map((override) => [override.index, override]));
}

/**
 * `accessible: true` and a `wheelchairSpaceType` are other forms of wheelchair. A list of kinds is more exact and wins.
 */
export function accessibilityOf(override: Override): number {
  const kinds = override.accessibility ?? [];
  const isWheelchair = override.accessible || !!override.wheelchairSpaceType;
  if (kinds.length === 0) return isWheelchair ? 1 << accessibilityKinds.indexOf('wheelchair') : 0;
  return kinds.reduce((bits, kind) => bits | (1 << accessibilityKinds.indexOf(kind)), 0);
}

/** A booth or a whole table. Overrides apply to chairs, which a whole table does not sell. */
function onePlace(object: Booth | Table): Place {
  const { label, categoryKey, center } = object;
  return { index: 0, label, displayLabel: '', categoryKey, accessibility: 0, x: center.x, y: center.y };
}

function gaPlaces(area: GaArea): Place[] {
  const { categoryKey } = area;
  const { x, y } = mean(area.points);
  return gaLabels(area).map((label, index) => ({
    index,
    label,
    displayLabel: '',
    categoryKey,
    accessibility: 0,
    x,
    y,
  }));
}

/** The point that decides the section of an object; `places` are the object's own. */
export function centreOf(object: Seller, places: readonly Place[]): Point {
  switch (object.type) {
    case 'row':
      return mean(places);
    case 'gaArea':
      return mean(object.points);
    default:
      return object.center;
  }
}

/**
 * Guests per unit. A whole table takes exactly its chairs. A variable table without bounds takes 1 guest to its number
 * of chairs.
 */
export function occupancyOf(object: Seller): Pick<PlanObject, 'capacity' | 'minOccupancy' | 'maxOccupancy'> {
  if (object.type !== 'table' || bookingModeOf(object) === 'individual') {
    return { capacity: 1, minOccupancy: 1, maxOccupancy: 1 };
  }
  const capacity = object.seatCount;
  if (!object.variableOccupancy) return { capacity, minOccupancy: capacity, maxOccupancy: capacity };
  return { capacity, minOccupancy: object.minOccupancy ?? 1, maxOccupancy: object.maxOccupancy ?? capacity };
}

/** The inventory of an object in one category: the number of units, and the guests that they seat. */
export type Tally = { categoryKey: string; units: number; guests: number };

/** The inventory of an object, counted without making its places: a draft may name any number of them. */
export function talliesOf(object: Seller): Tally[] {
  const { categoryKey } = object;
  if (object.type === 'booth') return [{ categoryKey, units: 1, guests: 1 }];
  if (object.type === 'gaArea') {
    const units = object.inventorySegments?.reduce((sum, { count }) => sum + count, 0) ?? object.capacity;
    return [{ categoryKey, units, guests: units }];
  }
  if (bookingModeOf(object) !== 'individual') {
    return [{ categoryKey, units: Math.min(object.seatCount, 1), guests: object.seatCount }];
  }
  const tallies: Tally[] = [];
  let ordinary = object.seatCount;
  for (const override of overridesOf(object)?.values() ?? []) {
    if (override.index >= object.seatCount) continue;
    if (!override.skip && override.categoryKey === undefined) continue;
    ordinary--;
    if (!override.skip) tallies.push({ categoryKey: override.categoryKey!, units: 1, guests: 1 });
  }
  return [...tallies, { categoryKey, units: ordinary, guests: ordinary }];
}

function draftTallies(document: ChartDocument): Tally[] {
  return partsOf(document).flatMap(({ objects }) => objects.filter(isSeller).flatMap(talliesOf));
}

/**
 * The number of units of a draft, which need not compile. For a publishable document it equals `unitCount` of the plan.
 */
export function draftSeatTotal(document: ChartDocument): number {
  return draftTallies(document).reduce((total, { units }) => total + units, 0);
}

/** True when a draft has a unit that can be sold: its category is for sale, or not known (yet). */
export function sellsAnything(document: ChartDocument): boolean {
  const notForSale = new Set(document.categories.filter((category) => category.notForSale).map(({ key }) => key));
  return draftTallies(document).some(({ categoryKey, units }) => units > 0 && !notForSale.has(categoryKey));
}

/**
 * The guests that each category of a draft seats, by category key. A category without units for sale appears with 0: it
 * is `notForSale`, or no object names it. Keys that are no category do not appear. Equals `categorySeats` of the plan.
 */
export function draftCategorySeats(document: ChartDocument): Record<string, number> {
  const seats = new Map(document.categories.map((category) => [category.key, 0]));
  const forSale = new Set(document.categories.filter((category) => !category.notForSale).map(({ key }) => key));
  for (const { categoryKey, guests } of draftTallies(document)) {
    if (forSale.has(categoryKey)) seats.set(categoryKey, seats.get(categoryKey)! + guests);
  }
  return Object.fromEntries(seats);
}

/**
 * The guests that each category of a plan seats, by category key; whole tables by their capacity. See
 * `draftCategorySeats`.
 */
export function categorySeats(plan: Plan): Record<string, number> {
  const seats = new Float64Array(plan.categories.length);
  for (let unit = 0; unit < plan.unitCount; unit++) {
    seats[plan.categoryOfUnit[unit]!]! += plan.objects[plan.objectOfUnit[unit]!]!.capacity;
  }
  return Object.fromEntries(plan.categories.map(({ key, notForSale }, i) => [key, notForSale ? 0 : seats[i]!]));
}
