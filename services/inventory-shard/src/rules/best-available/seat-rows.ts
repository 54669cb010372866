/**
 * The facts of a plan that best-available needs. They are computed once and shared by all events on the plan. Seats are
 * sold together within a row, so every fact belongs to a row: how near its seats can come to its focal point, and the
 * order of the search.
 *
 * Distances are compared in grains: whole numbers of about the 65,536th part of the chart. Coordinates are Float32.
 * Mirrored seats are equally far away only up to a rounding error, which must not decide.
 */
import type { Plan, Point } from '@parterre/shared/chart/plan';
import { tierOf } from '../pricing/pricing.ts';
import { isCompanion } from '../selection/selection.ts';

/** The category of a strip for every category of its row that is for sale. */
export const anyCategory = -1;

/**
 * A strip is the part of a row that a query for one category, or for any category, may take. A row with one category
 * has one strip. A row with several categories has one strip for all categories and one for each category. Tables sold
 * by the chair, booths and areas have strips too. Arrays by object are indexed like `plan.objects`.
 */
export type SeatRows = {
  grain: number;
  focalX: Float64Array;
  focalY: Float64Array;
  /** A lower bound, in grains: the middle of no run of the object's seats is nearer to its focal point. */
  nearest: Int32Array;
  /** The rank of the object's id among all ids. */
  idRank: Int32Array;
  /** The accessibility kinds of the object's seats, as bits. */
  kinds: Uint8Array;
  /** The accessibility kinds of all objects, as bits. */
  everyKind: number;
  /** The object whose strips have the seats of object i: the first piece of its row. Most objects are their own. */
  rowOf: Int32Array;
  /** The seats of the row that begins with object i end before this unit. */
  endOfRow: Int32Array;
  /** Strips of object i: from `firstStrip[i]` until `firstStrip[i + 1]`. */
  firstStrip: Int32Array;
  objectOfStrip: Int32Array;
  /** Index in `plan.categories`, or `anyCategory`. */
  categoryOfStrip: Int32Array;
  /** 1 if a query may want some of the object's seats and not others. */
  isMixed: Uint8Array;
  /** By unit: a value of `sold`. */
  soldAs: Uint8Array;
  /** By category and zone: see `searchOrderOf`. */
  searchOrders: Map<string, SearchOrder>;
};

/**
 * The search order of a query: the strips of rows, then the strips of tables sold by the chair and of booths, then
 * areas (as indexes of objects). In each list the nearest come first.
 */
export type SearchOrder = { seats: readonly Int32Array[]; areas: readonly number[] };

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

/**
 * A table that is sold by the chair counts as a row. A table that is sold as a whole is left out: best-available never
 * chooses it.
 */
export function searchOrderOf(plan: Plan, rows: SeatRows, category: number, zoneId: string | null): SearchOrder {
  const key = `${category} ${zoneId ?? ''}`;
  let order = rows.searchOrders.get(key);
  if (!order) {
    order = compileSearchOrder(plan, rows, category, zoneId);
    rows.searchOrders.set(key, order);
  }
  return order;
}

function compileSearchOrder(plan: Plan, rows: SeatRows, category: number, zoneId: string | null): SearchOrder {
  const [inRows, atTables, areas]: [number[], number[], number[]] = [[], [], []];
  for (let strip = 0; strip < rows.objectOfStrip.length; strip++) {
    const index = rows.objectOfStrip[strip]!;
    const object = plan.objects[index]!;
    if (zoneId !== null && object.zoneId !== zoneId) continue;
    const isFirst = strip === rows.firstStrip[index];
    if (category === anyCategory ? !isFirst : rows.categoryOfStrip[strip] !== category) continue;
    if (object.type === 'row') inRows.push(strip);
    else if (object.type === 'gaArea') areas.push(strip);
    else if (object.bookingMode === 'individual') atTables.push(strip);
  }
  const nearestFirst = (a: number, b: number): number => {
    const [i, j] = [rows.objectOfStrip[a]!, rows.objectOfStrip[b]!];
    return rows.nearest[i]! - rows.nearest[j]! || rows.idRank[i]! - rows.idRank[j]!;
  };
  return {
    seats: [inRows, atTables].map((strips) => Int32Array.from(strips).sort(nearestFirst)),
    areas: areas.sort(nearestFirst).map((strip) => rows.objectOfStrip[strip]!),
  };
}

function compileRows(plan: Plan): SeatRows {
  const count = plan.objects.length;
  const rows: SeatRows = {
    grain: grainOf(plan),
    focalX: new Float64Array(count),
    focalY: new Float64Array(count),
    nearest: new Int32Array(count),
    idRank: idRanks(plan),
    kinds: new Uint8Array(count),
    everyKind: 0,
    ...rowsOfPieces(plan),
    firstStrip: new Int32Array(count + 1),
    objectOfStrip: new Int32Array(0),
    categoryOfStrip: new Int32Array(0),
    isMixed: new Uint8Array(count),
    soldAs: soldAsOf(plan),
    searchOrders: new Map(),
  };
  const objectOfStrip: number[] = [];
  const categoryOfStrip: number[] = [];
  const zoneFocus = new Map(plan.zones.map(({ id, focalPoint }) => [id, focalPoint]));
  for (let i = 0; i < count; i++) {
    const { zoneId } = plan.objects[i]!;
    const focus = (zoneId === null ? null : zoneFocus.get(zoneId)) ?? plan.floorFocalPoints[i] ?? plan.focalPoint;
    rows.focalX[i] = focus.x;
    rows.focalY[i] = focus.y;
    // The bound may have been rounded too, so one grain is subtracted.
    rows.nearest[i] = Math.floor(distanceBound(plan, i, rows.endOfRow[i]!, focus) / rows.grain) - 1;
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

const grainsPerChartLog2 = 16;

/** A power of two: dividing by it adds no rounding error. */
function grainOf({ x, y, focalPoint, floorFocalPoints, zones }: Plan): number {
  let extent = 0;
  for (let unit = 0; unit < x.length; unit++) extent = Math.max(extent, Math.abs(x[unit]!), Math.abs(y[unit]!));
  for (const point of [focalPoint, ...floorFocalPoints, ...zones.map((zone) => zone.focalPoint)]) {
    if (point) extent = Math.max(extent, Math.abs(point.x), Math.abs(point.y));
  }
  return 2 ** (Math.ceil(Math.log2(extent || 1)) - grainsPerChartLog2);
}

function idRanks(plan: Plan): Int32Array {
  const { objects } = plan;
  const order = Array.from(objects.keys()).sort((a, b) => {
    const [one, other] = [objects[a]!.id, objects[b]!.id];
    return one < other ? -1 : one > other ? 1 : a - b;
  });
  const ranks = new Int32Array(objects.length);
  for (let rank = 0; rank < order.length; rank++) ranks[order[rank]!] = rank;
  return ranks;
}

/**
 * The distance from a point to the box around an object's seats. The box is aligned with the line from the first seat
 * to the last. The middle of any of the seats is in the box, and the box of a straight row is the row.
 */
function distanceBound({ x, y, objects }: Plan, index: number, end: number, { x: fx, y: fy }: Point): number {
  const { firstUnit } = objects[index]!;
  const last = end - 1;
  const [alongX, alongY] = unitVector(x[last]! - x[firstUnit]!, y[last]! - y[firstUnit]!);
  let [leastAlong, mostAlong] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [leastAcross, mostAcross] = [leastAlong, mostAlong];
  for (let unit = firstUnit; unit <= last; unit++) {
    const dx = x[unit]! - fx;
    const dy = y[unit]! - fy;
    const along = dx * alongX + dy * alongY;
    const across = dy * alongX - dx * alongY;
    if (along < leastAlong) leastAlong = along;
    if (along > mostAlong) mostAlong = along;
    if (across < leastAcross) leastAcross = across;
    if (across > mostAcross) mostAcross = across;
  }
  return Math.hypot(Math.max(leastAlong, -mostAlong, 0), Math.max(leastAcross, -mostAcross, 0));
}

function unitVector(x: number, y: number): [number, number] {
  const length = Math.hypot(x, y);
  return length === 0 ? [1, 0] : [x / length, y / length];
}
