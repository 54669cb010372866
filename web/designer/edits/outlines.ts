/** Outlines of sections and areas. Pure. */
import type { ChartObject } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { placementOf } from '../document/placement.ts';
import { tidy } from './motion.ts';

/** An outline around seats keeps this distance from the bounds of their rows. */
const MARGIN = 12;

/** The convex outline around points, clockwise on the page (monotone chain). */
export function hullOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const half = (order: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of order) {
      while (chain.length > 1 && turnOf(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

/** Above 0 for a turn to the right on the page. */
function turnOf(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/** An outline for a section of the objects; null for none. */
export function outlineAround(objects: readonly ChartObject[]): Point[] | null {
  if (objects.length === 0) return null;
  const corners = objects.flatMap((object) => {
    const { x, y, bounds } = placementOf(object);
    const left = bounds.left - MARGIN;
    const top = bounds.top - MARGIN;
    const right = bounds.right + MARGIN;
    const bottom = bounds.bottom + MARGIN;
    if (object.type !== 'row') return [point(left, top), point(right, top), point(right, bottom), point(left, bottom)];
    // A turned or curved row fills its bounds poorly.
    return Array.from(x, (at, seat) =>
      [-2 * MARGIN, 2 * MARGIN].flatMap((dx) => [-2 * MARGIN, 2 * MARGIN].map((dy) => point(at + dx, y[seat]! + dy))),
    ).flat();
  });
  return hullOf(corners);
}

const point = (x: number, y: number): Point => ({ x: tidy(x), y: tidy(y) });
