/** The object at a point of the map. Pure but for the hall that it reads. */
import type { ChartObject } from '@parterre/shared/charts/document';
import { pointInOutline } from '@parterre/shared/charts/membership';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, middleOf } from '../../src/rules/bounds.ts';
import { decorOf } from '../../src/rules/decor.ts';
import { spotAt } from '../../src/rules/find.ts';
import type { Hall } from '../../src/rules/hall.ts';
import { idOf, isLocked } from '../document/objects.ts';
import type { LiveHall } from './live-hall.ts';

/** A seat that is less far ahead lies beside. */
const AHEAD_MIN = 1;

/** `seat`: the index of the seat of a row or table at the point; null for the object itself. */
export type PointedObject = { id: string; seat: number | null };

/** From the top of the drawing to its bottom. `areSeatsShown`: seats in sections are drawn. `reach` in chart units. */
export function objectAt(live: LiveHall, point: Point, reach: number, areSeatsShown: boolean): PointedObject | null {
  const { hall, objects } = live;
  const spot = spotAt(hall, 0, point, reach);
  if (spot !== null && (areSeatsShown || hall.blocks[hall.blockOf[spot]!]!.outline === null))
    return foundSpot(hall, spot);
  const body = bodyAt(live, point);
  if (body) return { id: body.id, seat: null };
  for (const type of ['text', 'gaArea', 'shape', 'section', 'decorImage'] as const) {
    const found = objects.findLast(
      (object) => object.type === type && !isLocked(object) && holds(live, object, point, reach),
    );
    if (found) return { id: idOf(found), seat: null };
  }
  return null;
}

/** The middle of the seat at a point. */
export function seatAt({ hall }: LiveHall, point: Point): Point | null {
  const spot = spotAt(hall, 0, point, 0);
  return spot === null ? null : { x: hall.x[spot]!, y: hall.y[spot]! };
}

/**
 * The middle of the next seat in the direction of an arrow: of those no further aside than ahead, the nearest, where a
 * way aside counts twice.
 */
export function seatTowards({ hall }: LiveHall, from: Point, across: number, down: number): Point | null {
  let found: Point | null = null;
  let nearest = Infinity;
  for (const { spots } of hall.blocks) {
    for (const spot of spots) {
      const dx = hall.x[spot]! - from.x;
      const dy = hall.y[spot]! - from.y;
      const ahead = dx * across + dy * down;
      const aside = Math.abs(dx * down + dy * across);
      if (ahead < AHEAD_MIN || aside > ahead || ahead + 2 * aside >= nearest) continue;
      nearest = ahead + 2 * aside;
      found = { x: hall.x[spot]!, y: hall.y[spot]! };
    }
  }
  return found;
}

function foundSpot({ objects, objectOf, indexOf }: Hall, spot: number): PointedObject {
  const { id, type, mode } = objects[objectOf[spot]!]!;
  return { id, seat: type === 'row' || (type === 'table' && mode === 'individual') ? indexOf[spot]! : null };
}

function bodyAt({ hall }: LiveHall, point: Point): { id: string } | null {
  const isOn = ({ body }: Hall['objects'][number]): boolean => {
    if (!body) return false;
    if (body.type === 'table' && body.shape === 'round') {
      return Math.hypot(point.x - body.center.x, point.y - body.center.y) <= (body.radius ?? 40);
    }
    const { x, y } = turnedBack(point, body.center, body.rotation ?? 0);
    const width = body.width ?? 80;
    const height = body.height ?? 50;
    return Math.abs(x - body.center.x) <= width / 2 && Math.abs(y - body.center.y) <= height / 2;
  };
  return hall.objects.findLast(isOn) ?? null;
}

function holds(live: LiveHall, object: ChartObject, point: Point, reach: number): boolean {
  if (object.type === 'gaArea' || object.type === 'section') {
    const outline = object.type === 'section' ? object.outline : object.points;
    return pointInOutline(point, outline) && !object.holes?.some((hole) => pointInOutline(point, hole));
  }
  const decor = decorOf(object, 0);
  if (!decor) return contains(live.boundsOf(object), point);
  const middle = middleOf(decor.bounds);
  const own = turnedBack(point, middle, decor.rotation);
  if (decor.outline && !decor.isRound) return pointInOutline(own, decor.outline);
  const { left, top, right, bottom } = decor.bounds;
  if (decor.outline) {
    const across = (right - left) / 2;
    const down = (bottom - top) / 2;
    return ((own.x - middle.x) / across) ** 2 + ((own.y - middle.y) / down) ** 2 <= 1;
  }
  const height = decor.textSize ?? 4 * reach;
  return Math.abs(own.x - middle.x) <= (height * decor.label.length) / 3 && Math.abs(own.y - middle.y) <= height * 0.7;
}

function contains(bounds: Bounds | null, { x, y }: Point): boolean {
  if (!bounds) return false;
  const { left, top, right, bottom } = bounds;
  return x >= left && x <= right && y >= top && y <= bottom;
}

/** A point of the chart as an object sees it that is turned clockwise about its middle. */
function turnedBack({ x, y }: Point, middle: Point, degrees: number): Point {
  const angle = (-degrees * Math.PI) / 180;
  const dx = x - middle.x;
  const dy = y - middle.y;
  return {
    x: middle.x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: middle.y + dx * Math.sin(angle) + dy * Math.cos(angle),
  };
}
