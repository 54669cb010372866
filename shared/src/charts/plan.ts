/**
 * A plan: a published chart compiled to units. A unit is the smallest thing sold (a seat, a booth, a table as a whole,
 * a GA place), numbered from 0 in document order; with floors, floor by floor. Columns are typed arrays by unit. A plan
 * is immutable and named by the hash of its document; `compilePlan` (compile.ts) makes it.
 */
import type { PriceUnit } from '../protocol/money.ts';
import type { Category } from './document.ts';
import type { TextColumn } from './text-column.ts';
import type { UnitLabels } from './unit-labels.ts';

export type PlanObject = {
  id: string;
  label: string;
  /** For people, as `floor`, `sectionName` and `entrance` (place-names.ts). */
  name: string;
  /** Null where the chart has no floors. */
  floor: string | null;
  /** The section whose outline holds the object, as people call it. */
  sectionName: string | null;
  entrance: string | null;
  type: 'row' | 'table' | 'booth' | 'gaArea';
  /** Index in `plan.sections`. */
  section: number;
  /** The section whose outline holds the object, by its own id; null outside every outline. */
  outlineId: string | null;
  /**
   * The zone of the section whose outline holds the object: sections that share a logicalSectionId may lie in several
   * zones.
   */
  zoneId: string | null;
  firstUnit: number;
  unitCount: number;
  /** `whole` and `variable` are tables sold as one unit. */
  bookingMode: 'individual' | 'whole' | 'variable';
  /** Guests a unit seats: 1, or a whole table's chairs. */
  capacity: number;
  minOccupancy: number;
  maxOccupancy: number;
  /** A piece of the same row as the object before: its first seat is the neighbour of that object's last seat. */
  continues: boolean;
  /** The distance of neighbouring seats of a row as the chart spaces them; 0 for other objects. */
  seatSpacing: number;
  /** A round table with chairs all around it: its last chair and its first are neighbours. */
  isRing: boolean;
};

export type PlanSection = {
  /** logicalSectionId, else the section's id; `__ungrouped__` for objects in none, always last. */
  id: string;
  label: string;
  zoneId: string | null;
};

export type Plan = {
  readonly hash: string;
  readonly name: string;
  /** True when an operator has changed the plan for one event. */
  readonly adjusted: boolean;
  /** Whether a place without a price is refused; it costs 0 on charts that were published before this rule. */
  readonly refusesMissingPrices: boolean;
  /** Of the prices, as the document names it; null where it names none. */
  readonly priceUnit: PriceUnit | null;
  readonly unitCount: number;
  /** In the order of the document. */
  readonly categories: readonly Category[];
  readonly zones: readonly { id: string; label: string; focalPoint: Point | null }[];
  readonly sections: readonly PlanSection[];
  /** The names that section states may use: every section, by its own and its logical id, and every zone. */
  readonly scopeIds: ReadonlySet<string>;
  /** The objects that sell, in unit order. */
  readonly objects: readonly PlanObject[];
  readonly focalPoint: Point;
  /** Focal point of each object's floor, parallel to `objects`; null where there are no floors. */
  readonly floorFocalPoints: readonly (Point | null)[];
  readonly labels: UnitLabels;
  /** By unit: the display label of a seat, '' for the seat's number. Null where no seat has one. */
  readonly seatNames: TextColumn | null;
  /** Areas and whole tables by their own label, for `quantity`. */
  readonly areaByLabel: ReadonlyMap<string, number>;
  readonly objectOfUnit: UnitColumn;
  /** The index of the seat in its object, as in the seat id `{rowId}:{index}`; skipped seats leave gaps. */
  readonly indexOfUnit: UnitColumn;
  readonly categoryOfUnit: UnitColumn;
  /** Bit i is `accessibilityKinds[i]`. */
  readonly accessibilityOfUnit: Uint8Array;
  /** By unit: 0, or 1 more than the index in `ways` (accessibility.ts). Null where the chart knows of no way. */
  readonly wayOfUnit: Uint8Array | null;
  /** By companion place: the wheelchair place that the chart names for it. Most places find theirs (companions.ts). */
  readonly companionOf: ReadonlyMap<number, number>;
  /** The middle of all units, in the coordinates of the document. */
  readonly centre: Point;
  /** The place of each unit as seen from `centre`: a chart far from the origin keeps its precision. */
  readonly x: Float32Array;
  readonly y: Float32Array;
};

/** As narrow as its values allow. */
export type UnitColumn = Uint8Array | Uint16Array | Uint32Array;

export type Point = { x: number; y: number };

export const ungroupedSection = '__ungrouped__';

export function objectOf(plan: Plan, unit: number): PlanObject {
  return plan.objects[plan.objectOfUnit[unit]!]!;
}

/** Whether the unit and the unit before it are neighbours in a row or at a table. A skipped seat parts them. */
export function followsNeighbour({ objects, objectOfUnit, indexOfUnit }: Plan, unit: number): boolean {
  const object = objectOfUnit[unit]!;
  if (objectOfUnit[unit - 1] === object) return indexOfUnit[unit] === indexOfUnit[unit - 1]! + 1;
  return unit > 0 && objects[object]!.continues;
}

/** The units beside a unit, in a row or at a table. Chairs that go all around a table have no ends. */
export function neighboursOf(plan: Plan, unit: number): number[] {
  const { firstUnit, unitCount, isRing } = objectOf(plan, unit);
  const last = firstUnit + unitCount - 1;
  const beside: number[] = [];
  if (followsNeighbour(plan, unit)) beside.push(unit - 1);
  if (unit + 1 < plan.unitCount && followsNeighbour(plan, unit + 1)) beside.push(unit + 1);
  if (isRing && unit === firstUnit && last !== unit) beside.push(last);
  if (isRing && unit === last && firstUnit !== unit) beside.push(firstUnit);
  return beside;
}

/** GA areas and tables that are sold as one: a call names them by their own label, with a `quantity`. */
export function isArea({ type, bookingMode }: Pick<PlanObject, 'type' | 'bookingMode'>): boolean {
  return type === 'gaArea' || bookingMode !== 'individual';
}

export function labelsOf({ labels }: Plan, units: readonly number[]): string[] {
  return units.map((unit) => labels.at(unit));
}

export function categoryOf(plan: Plan, unit: number): Category {
  return plan.categories[plan.categoryOfUnit[unit]!]!;
}

/** `{rowId}:{index}` for seats, chairs and booths; the object's own id for GA places and whole tables. */
export function objectIdOf(plan: Plan, unit: number): string {
  const object = objectOf(plan, unit);
  return isArea(object) ? object.id : `${object.id}:${plan.indexOfUnit[unit]!}`;
}
