/**
 * The facts of a plan that best-available needs. They are computed once and shared by all events on the plan. Seats are
 * sold together within a row, so most facts belong to a row: how near its seats can come to its focal point, and the
 * categories that it has. search-order.ts has the order of the search, row-geometry.ts the distances.
 */
import { objectOf, type Plan } from '@parterre/shared/charts/plan';
import { tierOf } from '../pricing/pricing.ts';
import { isCompanion } from '../selection/selection.ts';
import { apartOf, boxesOf, distanceBound, focusesOf, grainOf } from './row-geometry.ts';

/** The category of a strip for every category of its row that is for sale. */
export const anyCategory = -1;

/**
 * A strip is the part of a row that a query for one category, or for any category, may take. A row with one category
 * has one strip. A row with several categories has one strip for all categories and one for each category. Tables,
 * booths and areas have strips too. Arrays by object are indexed like `plan.objects`.
 */
export type SeatRows = {
  grain: number;
  focalX: Float64Array;
  focalY: Float64Array;
  /** A lower bound, in grains: the middle of no run of the object's seats is nearer to its focal point. */
  nearest: Int32Array;
  /** See `boxesOf`. */
  boxes: Float64Array;
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
  /** By unit: see `apartOf`. */
  isApart: Uint8Array;
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

const compiled = new WeakMap<Plan, SeatRows>();

export function seatRowsOf(plan: Plan): SeatRows {
  let rows = compiled.get(plan);
  if (!rows) {
    rows = compileRows(plan);
    compiled.set(plan, rows);
  }
  return rows;
}

function compileRows(plan: Plan): SeatRows {
  const count = plan.objects.length;
  const focuses = focusesOf(plan);
  const grain = grainOf(plan, focuses);
  const pieces = rowsOfPieces(plan);
  const rows: SeatRows = {
    grain,
    focalX: Float64Array.from(focuses, ({ x }) => x),
    focalY: Float64Array.from(focuses, ({ y }) => y),
    nearest: new Int32Array(count),
    boxes: boxesOf(plan, pieces.endOfRow),
    idRank: idRanks(plan),
    kinds: new Uint8Array(count),
    everyKind: 0,
    companions: companionsPlacesIn(plan),
    mostOfKinds: new Map(),
    ...pieces,
    isApart: apartOf(plan, grain),
    firstStrip: new Int32Array(count + 1),
    objectOfStrip: new Int32Array(0),
    categoryOfStrip: new Int32Array(0),
    isMixed: new Uint8Array(count),
    soldAs: soldAsOf(plan),
  };
  const objectOfStrip: number[] = [];
  const categoryOfStrip: number[] = [];
  for (let i = 0; i < count; i++) {
    // The bound may have been rounded too, so one grain is subtracted.
    rows.nearest[i] = Math.floor(distanceBound(plan, i, rows.endOfRow[i]!, focuses[i]!) / grain) - 1;
    rows.firstStrip[i] = objectOfStrip.length;
    if (rows.rowOf[i] !== i) continue;
    for (const category of stripsOf(plan, rows, i)) {
      objectOfStrip.push(i);
      categoryOfStrip.push(category);
    }
  }
  for (const kinds of rows.kinds) rows.everyKind |= kinds;
  rows.firstStrip[count] = objectOfStrip.length;
  rows.objectOfStrip = Int32Array.from(objectOfStrip);
  rows.categoryOfStrip = Int32Array.from(categoryOfStrip);
  return rows;
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

function soldAsOf(plan: Plan): Uint8Array {
  const soldAs = new Uint8Array(plan.unitCount);
  // In most charts no tier is limited to some units: all plain seats of a category are sold alike.
  const ofPlainSeats = plan.categories.map(({ tiers = [] }) => {
    return tiers.some(({ applicability, restriction }) => applicability || restriction) ? null : sold.alone;
  });
  for (let unit = 0; unit < plan.unitCount; unit++) {
    const category = plan.categoryOfUnit[unit]!;
    if (plan.categories[category]!.notForSale) continue;
    const isPlain = plan.accessibilityOfUnit[unit] === 0;
    soldAs[unit] = (isPlain ? ofPlainSeats[category] : null) ?? soldAsAtDefault(plan, unit);
  }
  return soldAs;
}

function soldAsAtDefault(plan: Plan, unit: number): number {
  const tier = tierOf(plan, unit, null);
  if (typeof tier === 'string') return sold.never;
  return isCompanion(plan, tier ? { unit, tierId: tier.id } : { unit }) ? sold.companion : sold.alone;
}

function idRanks(plan: Plan): Int32Array {
  const { objects } = plan;
  const order = Array.from(objects.keys()).sort((a, b) => {
    const one = objects[a]!.id;
    const other = objects[b]!.id;
    return one < other ? -1 : one > other ? 1 : a - b;
  });
  const ranks = new Int32Array(objects.length);
  for (let rank = 0; rank < order.length; rank++) ranks[order[rank]!] = rank;
  return ranks;
}
