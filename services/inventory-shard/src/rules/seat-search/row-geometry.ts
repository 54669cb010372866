/**
 * The positions of a plan's rows: the distances that rank runs, and the neighbours of each seat. Positions are those of
 * `plan.x` and `plan.y`, as seen from the plan's centre.
 *
 * Distances are compared in grains: whole numbers of about the 65,536th part of the chart. Coordinates are Float32.
 * Mirrored seats are equally far away only up to a rounding error, which must not decide.
 */
import { areOfOneWheelchair } from '@parterre/shared/charts/companions';
import { followsNeighbour, objectOf, type Plan, type Point } from '@parterre/shared/charts/plan';

const grainsPerChartLog2 = 16;
/** The greatest distance in grains is a small integer: a float would be a new object for every seat tested. */
const grainsMaxLog2 = 29;

/** A power of two: dividing by it adds no rounding error. `focuses` may lie far outside the chart. */
export function grainOf({ x, y }: Plan, focuses: readonly Point[]): number {
  let extent = 0;
  for (let unit = 0; unit < x.length; unit++) extent = Math.max(extent, Math.abs(x[unit]!), Math.abs(y[unit]!));
  let reach = extent;
  for (const focus of focuses) reach = Math.max(reach, Math.abs(focus.x), Math.abs(focus.y));
  const chartLog2 = Math.ceil(Math.log2(extent || 1));
  const reachLog2 = Math.ceil(Math.log2(reach || 1));
  return 2 ** Math.max(chartLog2 - grainsPerChartLog2, reachLog2 - grainsMaxLog2);
}

/**
 * The focal point of each object, as seen from the centre: the zone's, otherwise the floor's, otherwise the chart's.
 */
export function focusesOf({ objects, zones, floorFocalPoints, focalPoint, centre }: Plan): Point[] {
  const zoneFocus = new Map(zones.map(({ id, focalPoint }) => [id, focalPoint]));
  return objects.map(({ zoneId }, i) => {
    const { x, y } = (zoneId === null ? null : zoneFocus.get(zoneId)) ?? floorFocalPoints[i] ?? focalPoint;
    return { x: x - centre.x, y: y - centre.y };
  });
}

/** Seats of a row that stand further apart than this many spacings have an aisle between them. */
const aisleSpacings = 1.5;

/** Of the units that were asked for: 1 if the unit stands apart, 0 if not, -1 for the others. */
const asked = new WeakMap<Plan, { grain: number; isApart: Int8Array }>();

/** The same for one unit. A first question about a large plan does not wait for all of its seats. */
export function standsApart(plan: Plan, unit: number): boolean {
  let known = asked.get(plan);
  if (!known) {
    known = { grain: grainOf(plan, focusesOf(plan)), isApart: new Int8Array(plan.unitCount).fill(-1) };
    asked.set(plan, known);
  }
  const { grain, isApart } = known;
  if (isApart[unit]! < 0) isApart[unit] = isApartAt(plan, unit, grain) ? 1 : 0;
  return isApart[unit] === 1;
}

/**
 * No neighbour of the unit before it. The first chair of a table with chairs all around has the last chair before it.
 */
export function isApartAt(plan: Plan, unit: number, grain: number): boolean {
  const { firstUnit, isRing } = objectOf(plan, unit);
  if (unit === firstUnit && isRing) return false;
  return !followsNeighbour(plan, unit) || hasAisleBefore(plan, unit, grain);
}

function hasAisleBefore(plan: Plan, unit: number, grain: number): boolean {
  const { type, seatSpacing } = objectOf(plan, unit);
  if (type !== 'row') return false;
  const spacing = Math.max(seatSpacing, objectOf(plan, unit - 1).seatSpacing);
  const { x, y } = plan;
  const distance = Math.hypot(x[unit]! - x[unit - 1]!, y[unit]! - y[unit - 1]!);
  // A seat that stands at the limit may be rounded past it. No distance parts a wheelchair place from its companions'.
  return distance > aisleSpacings * spacing + grain && !areOfOneWheelchair(plan, unit - 1, unit);
}

/**
 * Four numbers for each object in `boxes`: the left, right, upper and lower edge of the box around the seats of its
 * row, which end before the unit `end`.
 */
export function fillBox({ x, y, objects }: Plan, boxes: Float32Array, object: number, end: number): void {
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (let unit = objects[object]!.firstUnit; unit < end; unit++) {
    if (x[unit]! < left) left = x[unit]!;
    if (x[unit]! > right) right = x[unit]!;
    if (y[unit]! < top) top = y[unit]!;
    if (y[unit]! > bottom) bottom = y[unit]!;
  }
  boxes.set([left, right, top, bottom], 4 * object);
}

/** A lower bound of the distance of any run of the object's row from a point. */
export function distanceToBox(boxes: Float32Array, object: number, x: number, y: number): number {
  const at = 4 * object;
  const dx = Math.max(boxes[at]! - x, x - boxes[at + 1]!, 0);
  const dy = Math.max(boxes[at + 2]! - y, y - boxes[at + 3]!, 0);
  return Math.sqrt(dx * dx + dy * dy);
}

/**
 * The distance from a point to the box around an object's seats. The box is aligned with the line from the first seat
 * to the last. The middle of any of the seats is in the box, and the box of a straight row is the row.
 */
export function distanceBound({ x, y, objects }: Plan, index: number, end: number, { x: fx, y: fy }: Point): number {
  const { firstUnit } = objects[index]!;
  const last = end - 1;
  const [alongX, alongY] = unitVector(x[last]! - x[firstUnit]!, y[last]! - y[firstUnit]!);
  let leastAlong = Number.POSITIVE_INFINITY;
  let mostAlong = Number.NEGATIVE_INFINITY;
  let leastAcross = leastAlong;
  let mostAcross = mostAlong;
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
