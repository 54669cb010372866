/**
 * The facts of a plan that best-available needs. They are computed once and shared by all events on the plan. Seats are
 * sold together within a row, so most facts belong to a row: how near its seats can come to its focal point, and the
 * categories that it has. search-order.ts has the order of the search, row-geometry.ts the distances.
 *
 * The facts of a large plan take tens of milliseconds. The shard computes them in steps when the plan enters its memory
 * (partition/plan-preparations.ts). A search that comes before takes the steps that are left at once.
 */
import { objectOf, type Plan, type Point } from '@parterre/shared/charts/plan';
import { finish, type Steps, sortedInSteps } from '../packed/packed.ts';
import { tierOf } from '../pricing/pricing.ts';
import { isCompanion } from '../selection/selection.ts';
import { distanceBound, fillBox, focusesOf, grainOf, isApartAt } from './row-geometry.ts';

/** The category of a strip for every category of its row that is for sale. */
export const anyCategory = -1;

/**
 * A strip is the part of a row that a query for one category, or for any category, may take. A row with one category
 * has one strip. A row with several categories has one strip for all categories and one for each category. Tables,
 * booths and areas have strips too. Arrays by object are indexed like `plan.objects`.
 */
export type SeatRows = {
  grain: number;
  /** The focal points of the chart, and the index of each object's own among them. */
  focuses: readonly Point[];
  focusOf: Uint32Array;
  /** A lower bound, in grains: the middle of no run of the object's seats is nearer to its focal point. */
  nearest: Int32Array;
  /** See `fillBox`. */
  boxes: Float32Array;
  /** The rank of the object's id among all ids. */
  idRank: Int32Array;
  /** The accessibility kinds of the object's seats, as bits. */
  kinds: Uint8Array;
  /** The accessibility kinds of all objects, as bits. */
  everyKind: number;
  /** The companions' places of rows and of tables that are sold by the chair. */
  companions: Int32Array;
  /** By kinds, as bits: the most places of these kinds in one row. Filled as searches ask. */
  mostOfKinds: Map<number, number>;
  /** The object whose strips have the seats of object i: the first piece of its row. Most objects are their own. */
  rowOf: Int32Array;
  /** The seats of the row that begins with object i end before this unit. */
  endOfRow: Int32Array;
  /** A bit by unit, see `isApart`. */
  apart: Uint8Array;
  /** Strips of object i: from `firstStrip[i]` until `firstStrip[i + 1]`. */
  firstStrip: Int32Array;
  objectOfStrip: Int32Array;
  /** Index in `plan.categories`, or `anyCategory`. */
  categoryOfStrip: Int32Array;
  /** 1 if a query may want some of the object's seats and not others. */
  isMixed: Uint8Array;
  /** By unit: a value of `sold`. */
  soldAs: Uint8Array;
};

/** A unit at its default tier: not for sale, an ordinary place, or the place of a wheelchair user's companion. */
export const sold = { never: 0, alone: 1, companion: 2 } as const;

/** Whether the unit stands apart from the unit before it. */
export function isApart({ apart }: Pick<SeatRows, 'apart'>, unit: number): boolean {
  return (apart[unit >> 3]! & (1 << (unit & 7))) !== 0;
}

/** The object's own focal point. */
export function focusIn({ focuses, focusOf }: SeatRows, object: number): Point {
  return focuses[focusOf[object]!]!;
}

const compiled = new WeakMap<Plan, SeatRows>();
/** The steps of plans whose facts are not yet complete. */
const underWay = new WeakMap<Plan, Steps<SeatRows>>();

/** Takes all steps that are left at once. */
export function seatRowsOf(plan: Plan): SeatRows {
  return compiled.get(plan) ?? finish(seatRowsInSteps(plan));
}

export function* seatRowsInSteps(plan: Plan): Steps<SeatRows> {
  for (;;) {
    // A search may have taken the steps that were left.
    const known = compiled.get(plan);
    if (known) return known;
    const rows = takeStep(plan);
    if (rows) return rows;
    yield;
  }
}

/** The facts behind the last step, otherwise null. */
function takeStep(plan: Plan): SeatRows | null {
  const steps = underWay.get(plan) ?? compileRows(plan);
  // A step that throws leaves nothing: the next caller begins anew.
  underWay.delete(plan);
  const step = steps.next();
  if (step.done) compiled.set(plan, step.value);
  else underWay.set(plan, steps);
  return step.done ? step.value : null;
}

/** Units whose facts are computed in one step: some tenths of a millisecond. */
const unitsPerStep = 2_000;

function* compileRows(plan: Plan): Steps<SeatRows> {
  const { unitCount, objects } = plan;
  const count = objects.length;
  const focuses = focusesOf(plan);
  yield;
  const grain = grainOf(plan, focuses);
  yield;
  const rows: SeatRows = {
    grain,
    ...sharedFocuses(focuses),
    nearest: new Int32Array(count),
    boxes: new Float32Array(4 * count),
    idRank: new Int32Array(count),
    kinds: new Uint8Array(count),
    everyKind: 0,
    companions: companionsPlacesIn(plan),
    mostOfKinds: new Map(),
    ...rowsOfPieces(plan),
    apart: new Uint8Array((unitCount + 7) >> 3),
    firstStrip: new Int32Array(count + 1),
    objectOfStrip: new Int32Array(0),
    categoryOfStrip: new Int32Array(0),
    isMixed: new Uint8Array(count),
    soldAs: new Uint8Array(unitCount),
  };
  yield;
  const soldPlain = soldAsOfPlainSeats(plan);
  for (let from = 0; from < unitCount; from += unitsPerStep) {
    fillUnits(plan, rows, soldPlain, from, Math.min(from + unitsPerStep, unitCount));
    yield;
  }
  yield* rankIds(plan, rows);
  yield* fillObjects(plan, rows, focuses);
  for (const kinds of rows.kinds) rows.everyKind |= kinds;
  return rows;
}

/** A chart has a focal point for each zone and floor at most, so equal points are kept once. */
function sharedFocuses(ofObjects: readonly Point[]): Pick<SeatRows, 'focuses' | 'focusOf'> {
  const indexOf = new Map<string, number>();
  const focuses: Point[] = [];
  let last = { x: Number.NaN, y: Number.NaN, index: 0 };
  const focusOf = Uint32Array.from(ofObjects, (point) => {
    // Most objects have the point of the object before.
    if (point.x === last.x && point.y === last.y) return last.index;
    const name = `${point.x} ${point.y}`;
    let index = indexOf.get(name);
    if (index === undefined) {
      index = focuses.push(point) - 1;
      indexOf.set(name, index);
    }
    last = { ...point, index };
    return index;
  });
  return { focuses, focusOf };
}

function fillUnits(plan: Plan, rows: SeatRows, soldPlain: readonly (number | null)[], from: number, to: number): void {
  const { apart, soldAs, grain } = rows;
  for (let unit = from; unit < to; unit++) {
    if (isApartAt(plan, unit, grain)) apart[unit >> 3]! |= 1 << (unit & 7);
    soldAs[unit] = soldAsOf(plan, unit, soldPlain);
  }
}

/** The facts of each object that follow from its units: the distance, the box and the strips. */
function* fillObjects(plan: Plan, rows: SeatRows, focuses: readonly Point[]): Steps<void> {
  const count = plan.objects.length;
  const objectOfStrip: number[] = [];
  const categoryOfStrip: number[] = [];
  let units = 0;
  for (let i = 0; i < count; i++) {
    const end = rows.endOfRow[i]!;
    fillBox(plan, rows.boxes, i, end);
    // The bound may have been rounded too, so one grain is subtracted.
    rows.nearest[i] = Math.floor(distanceBound(plan, i, end, focuses[i]!) / rows.grain) - 1;
    rows.firstStrip[i] = objectOfStrip.length;
    for (const category of rows.rowOf[i] === i ? stripsOf(plan, rows, i) : []) {
      objectOfStrip.push(i);
      categoryOfStrip.push(category);
    }
    units += 1 + end - plan.objects[i]!.firstUnit;
    if (units < unitsPerStep) continue;
    units = 0;
    yield;
  }
  rows.firstStrip[count] = objectOfStrip.length;
  rows.objectOfStrip = Int32Array.from(objectOfStrip);
  rows.categoryOfStrip = Int32Array.from(categoryOfStrip);
}

function companionsPlacesIn(plan: Plan): Int32Array {
  const units: number[] = [];
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (plan.accessibilityOfUnit[unit] !== companionKind) continue;
    const { type, bookingMode } = objectOf(plan, unit);
    if ((type === 'row' || type === 'table') && bookingMode === 'individual') units.push(unit);
  }
  return Int32Array.from(units);
}

/** Bit 1 of `accessibilityKinds`. */
export const companionKind = 2;

/** The pieces of a row are searched as one row, under the first piece. */
function rowsOfPieces({ objects }: Plan): Pick<SeatRows, 'rowOf' | 'endOfRow'> {
  const rowOf = Int32Array.from(objects.keys());
  const endOfRow = Int32Array.from(objects, ({ firstUnit, unitCount }) => firstUnit + unitCount);
  for (let i = 1; i < objects.length; i++) {
    if (!objects[i]!.continues) continue;
    rowOf[i] = rowOf[i - 1]!;
    endOfRow[rowOf[i]!] = endOfRow[i]!;
  }
  return { rowOf, endOfRow };
}

/** The categories of an object's strips. Also fills `kinds` and `isMixed` of the object. */
function stripsOf(plan: Plan, rows: SeatRows, index: number): number[] {
  const { firstUnit } = plan.objects[index]!;
  const categories: number[] = [];
  for (let unit = firstUnit; unit < rows.endOfRow[index]!; unit++) {
    if (rows.soldAs[unit] === sold.never) continue;
    if (rows.soldAs[unit] === sold.companion) rows.isMixed[index] = 1;
    rows.kinds[index]! |= plan.accessibilityOfUnit[unit]!;
    const category = plan.categoryOfUnit[unit]!;
    if (category !== categories.at(-1) && !categories.includes(category)) categories.push(category);
  }
  if (categories.length > 1 || rows.kinds[index] !== 0) rows.isMixed[index] = 1;
  return categories.length > 1 ? [anyCategory, ...categories] : categories;
}

/** By category: how its plain seats are sold, or null where each seat is asked. */
function soldAsOfPlainSeats({ categories }: Plan): (number | null)[] {
  // In most charts no tier is limited to some units: all plain seats of a category are sold alike.
  return categories.map(({ tiers = [] }) => {
    return tiers.some(({ applicability, restriction }) => applicability || restriction) ? null : sold.alone;
  });
}

function soldAsOf(plan: Plan, unit: number, soldPlain: readonly (number | null)[]): number {
  const category = plan.categoryOfUnit[unit]!;
  if (plan.categories[category]!.notForSale) return sold.never;
  const isPlain = plan.accessibilityOfUnit[unit] === 0;
  return (isPlain ? soldPlain[category] : null) ?? soldAsAtDefault(plan, unit);
}

function soldAsAtDefault(plan: Plan, unit: number): number {
  const tier = tierOf(plan, unit, null);
  if (typeof tier === 'string') return sold.never;
  return isCompanion(plan, tier ? { unit, tierId: tier.id } : { unit }) ? sold.companion : sold.alone;
}

function* rankIds({ objects }: Plan, { idRank }: SeatRows): Steps<void> {
  const order = yield* sortedInSteps(Array.from(objects.keys()), (a, b) => {
    const one = objects[a]!.id;
    const other = objects[b]!.id;
    return one < other ? -1 : one > other ? 1 : a - b;
  });
  for (let rank = 0; rank < order.length; rank++) idRank[order[rank]!] = rank;
}
