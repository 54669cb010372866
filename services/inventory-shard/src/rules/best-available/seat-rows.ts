/**
 * What best-available knows of a plan: worked out once, and the same for every event on it. Seats are sold together within
 * a row, so that all of it is by row: how near its seats can come to what the row looks at, and in which order to look.
 *
 * Distances are compared in grains, whole numbers of about the 65,536th part of the chart. Coordinates are Float32: seats that
 * mirror each other are as far away as each other only up to a rounding, which must not decide.
 */
import type { Plan, Point } from '@parterre/shared/chart/plan';
import { tierOf } from '../pricing/tiers.ts';
import { isCompanion } from '../selection/companions.ts';

/** Of a strip: every category of its row that is for sale. */
export const anyCategory = -1;

/**
 * A strip is a row as a caller sees it who wants one category, or any: a row has one strip, or with several categories one
 * for all of them and one for each. Tables sold by the chair, booths and areas have strips too. What is said of an
 * object stands at its index in `plan.objects`.
 */
export type SeatRows = {
  grain: number;
  focalX: Float64Array;
  focalY: Float64Array;
  /** No run of the object's seats has its middle nearer to its focal point than this, grains. */
  nearest: Int32Array;
  /** The place of the object's id among all ids. */
  idRank: Int32Array;
  /** Every accessibility kind of its seats. */
  kinds: Uint8Array;
  /** Of all objects. */
  everyKind: number;
  /** Strips of object i: from `firstStrip[i]` until `firstStrip[i + 1]`. */
  firstStrip: Int32Array;
  objectOfStrip: Int32Array;
  /** Index in `plan.categories`, or `anyCategory`. */
  categoryOfStrip: Int32Array;
  /** 1 where a query may want some of the object's seats and not others. */
  isMixed: Uint8Array;
  /** By unit, one of `sold`. */
  soldAs: Uint8Array;
  /** By category and zone; see `scopeOf`. */
  scopes: Map<string, Scope>;
};

/**
 * Where a query looks: the strips of rows, then those of tables sold by the chair and booths, then areas (as indexes of objects);
 * each of them the nearest first.
 */
export type Scope = { seats: readonly Int32Array[]; areas: readonly number[] };

/** What a unit is at its default tier: not for sale, a place like any other, or one for the companion of a wheelchair's. */
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

/** Each table that is sold by the chair stands for a row. A table sold as a whole is nobody's best seat. */
export function scopeOf(plan: Plan, rows: SeatRows, category: number, zoneId: string | null): Scope {
  const key = `${category} ${zoneId ?? ''}`;
  let scope = rows.scopes.get(key);
  if (!scope) {
    scope = compileScope(plan, rows, category, zoneId);
    rows.scopes.set(key, scope);
  }
  return scope;
}

function compileScope(plan: Plan, rows: SeatRows, category: number, zoneId: string | null): Scope {
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
    firstStrip: new Int32Array(count + 1),
    objectOfStrip: new Int32Array(0),
    categoryOfStrip: new Int32Array(0),
    isMixed: new Uint8Array(count),
    soldAs: soldAsOf(plan),
    scopes: new Map(),
  };
  const objectOfStrip: number[] = [];
  const categoryOfStrip: number[] = [];
  const zoneFocus = new Map(plan.zones.map(({ id, focalPoint }) => [id, focalPoint]));
  for (let i = 0; i < count; i++) {
    const { zoneId } = plan.objects[i]!;
    const focus = (zoneId === null ? null : zoneFocus.get(zoneId)) ?? plan.floorFocalPoints[i] ?? plan.focalPoint;
    rows.focalX[i] = focus.x;
    rows.focalY[i] = focus.y;
    // A grain less than the bound, which may have been rounded as well.
    rows.nearest[i] = Math.floor(distanceBound(plan, i, focus) / rows.grain) - 1;
    rows.firstStrip[i] = objectOfStrip.length;
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

/** The categories of an object's strips. Notes on the way what its seats are. */
function stripsOf(plan: Plan, rows: SeatRows, index: number): number[] {
  const { firstUnit, unitCount } = plan.objects[index]!;
  const categories: number[] = [];
  for (let unit = firstUnit; unit < firstUnit + unitCount; unit++) {
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
  // Most charts have no tier that is for some units alone: all plain seats of a category are sold alike.
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

/** A power of two, so that dividing by it rounds nothing. */
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
 * How far a point is from the box around an object's seats that lies along it, from its first seat to its last. The middle of
 * any of its seats is in that box, and for a straight row the box is the row.
 */
function distanceBound({ x, y, objects }: Plan, index: number, { x: fx, y: fy }: Point): number {
  const { firstUnit, unitCount } = objects[index]!;
  const last = firstUnit + unitCount - 1;
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
