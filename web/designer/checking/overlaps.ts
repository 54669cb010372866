/**
 * Objects of a floor that lie on each other: two tables or booths whose bodies meet, a seat on a body, or seats of two
 * objects in one place. Pure.
 */
import type { ChartObject } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, overlaps } from '../../src/rules/bounds.ts';
import { idOf } from '../document/objects.ts';
import { cornersOf, placementOf } from '../document/placement.ts';

type Pair = readonly [string, string];

/** Two seats meet where their middles are nearer than this. */
const SEATS_APART_MIN = 9;
/** Bodies may touch, and overlap by the width of a line. */
const BODY_SLACK = 2;
const CELL = 20;
const CELLS_ACROSS = 1_000_003;

/** Each pair of ids once, at most `most`. */
export function overlapsOn(objects: readonly ChartObject[], most: number): Pair[] {
  const found = new Map<string, Pair>();
  const add = (one: ChartObject, other: ChartObject): void => {
    const pair: Pair = [idOf(one), idOf(other)];
    const key = JSON.stringify(pair.toSorted());
    if (!found.has(key)) found.set(key, pair);
  };
  const seated = objects.filter(({ type }) => type === 'row' || type === 'table');
  const bodies = objects.flatMap((object) => bodyOf(object) ?? []);
  meetingSeats(seated, most, found, add);
  const ordered = bodies.toSorted((a, b) => a.bounds.left - b.bounds.left);
  for (const [at, body] of ordered.entries()) {
    for (let next = at + 1; next < ordered.length && ordered[next]!.bounds.left < body.bounds.right; next++) {
      if (found.size < most && doMeet(body, ordered[next]!)) add(body.object, ordered[next]!.object);
    }
    for (const object of seated) {
      if (object === body.object || !overlaps(placementOf(object).bounds, body.bounds)) continue;
      if (found.size < most && isSeatOn(object, body)) add(body.object, object);
    }
  }
  return [...found.values()];
}

function meetingSeats(
  objects: readonly ChartObject[],
  most: number,
  found: ReadonlyMap<string, Pair>,
  add: (one: ChartObject, other: ChartObject) => void,
): void {
  const cells = new Map<number, { x: number; y: number; object: ChartObject }[]>();
  const cell = (value: number): number => Math.floor(value / CELL);
  for (const object of objects) {
    const { x, y } = placementOf(object);
    for (let seat = 0; seat < x.length && found.size < most; seat++) {
      const at = { x: x[seat]!, y: y[seat]!, object };
      for (let across = -1; across <= 1; across++) {
        for (let down = -1; down <= 1; down++) {
          for (const other of cells.get((cell(at.x) + across) * CELLS_ACROSS + cell(at.y) + down) ?? []) {
            const isOther = other.object !== object;
            if (isOther && Math.hypot(other.x - at.x, other.y - at.y) < SEATS_APART_MIN) add(other.object, object);
          }
        }
      }
      const key = cell(at.x) * CELLS_ACROSS + cell(at.y);
      const here = cells.get(key);
      if (here) here.push(at);
      else cells.set(key, [at]);
    }
  }
}

/** `radius` for a round table; else its corners in order. */
type Body = { object: ChartObject; centre: Point; radius: number | null; corners: readonly Point[]; bounds: Bounds };

function bodyOf(object: ChartObject): Body | null {
  if (object.type !== 'table' && object.type !== 'booth') return null;
  const { center: centre, rotation } = object;
  const isRound = object.type === 'table' && object.shape === 'round';
  const radius = isRound ? (object.radius ?? 40) : null;
  const { width = 80, height = 50 } = object;
  const corners = radius === null ? cornersOf(centre, width, height, rotation) : [];
  const bounds = boundsOf(radius === null ? corners : cornersOf(centre, 2 * radius, 2 * radius));
  return { object, centre, radius, corners, bounds };
}

function isSeatOn(object: ChartObject, body: Body): boolean {
  const { x, y } = placementOf(object);
  return x.some((across, seat) => isInside({ x: across, y: y[seat]! }, body));
}

function isInside(point: Point, { centre, radius, corners }: Body): boolean {
  if (radius !== null) return Math.hypot(point.x - centre.x, point.y - centre.y) < radius - BODY_SLACK;
  return axesOf(corners).every((axis) => {
    const [from, to] = shadowOf(corners, axis);
    const at = point.x * axis.x + point.y * axis.y;
    return at > from + BODY_SLACK && at < to - BODY_SLACK;
  });
}

/** Convex bodies meet unless an axis parts their shadows. */
function doMeet(one: Body, other: Body): boolean {
  if (!overlaps(one.bounds, other.bounds)) return false;
  const axes = [...axesOf(one.corners), ...axesOf(other.corners), ...towards(one, other), ...towards(other, one)];
  return axes.every((axis) => {
    const [from, to] = shadow(one, axis);
    const [otherFrom, otherTo] = shadow(other, axis);
    return Math.min(to, otherTo) - Math.max(from, otherFrom) > BODY_SLACK;
  });
}

/** Of a round body: the direction to the nearest corner, or to the middle, of the other. */
function towards({ centre, radius }: Body, other: Body): Point[] {
  if (radius === null) return [];
  const distance = ({ x, y }: Point): number => Math.hypot(x - centre.x, y - centre.y);
  const points = other.radius === null ? other.corners : [other.centre];
  const nearest = points.reduce((best, point) => (distance(point) < distance(best) ? point : best));
  const length = distance(nearest) || 1;
  return [{ x: (nearest.x - centre.x) / length, y: (nearest.y - centre.y) / length }];
}

function axesOf(corners: readonly Point[]): Point[] {
  return corners.slice(0, 2).map((from, at) => {
    const to = corners[at + 1]!;
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  });
}

function shadow({ centre, radius, corners }: Body, axis: Point): [number, number] {
  if (radius === null) return shadowOf(corners, axis);
  const middle = centre.x * axis.x + centre.y * axis.y;
  return [middle - radius, middle + radius];
}

function shadowOf(corners: readonly Point[], { x, y }: Point): [number, number] {
  const along = corners.map((corner) => corner.x * x + corner.y * y);
  return [Math.min(...along), Math.max(...along)];
}
