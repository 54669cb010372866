/**
 * Rectangles in chart units. A hall may have nothing to draw yet, and a document may have a coordinate that is no
 * number: `growBounds` leaves such coordinates out, and `soundBounds` gives nothing a place. Pure.
 */
import type { Point } from '@parterre/shared/charts/plan';

export type Bounds = { left: number; top: number; right: number; bottom: number };

/** The empty rectangle, which grows to any other. */
export const noBounds = (): Bounds => ({ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });

/** Coordinates that are no finite number change nothing. */
export function growBounds(bounds: Bounds, by: Bounds): void {
  if (Number.isFinite(by.left)) bounds.left = Math.min(bounds.left, by.left);
  if (Number.isFinite(by.top)) bounds.top = Math.min(bounds.top, by.top);
  if (Number.isFinite(by.right)) bounds.right = Math.max(bounds.right, by.right);
  if (Number.isFinite(by.bottom)) bounds.bottom = Math.max(bounds.bottom, by.bottom);
}

/** The part of the chart that stands in for the extent of nothing: about as large as a small hall. */
const emptyGround: Bounds = { left: 0, top: 0, right: 1_200, bottom: 800 };

/** The rectangle itself if it is one, else the ground of an empty hall. */
export function soundBounds(bounds: Bounds): Bounds {
  const { left, top, right, bottom } = bounds;
  const isSound = [left, top, right, bottom].every(Number.isFinite) && left <= right && top <= bottom;
  return isSound ? bounds : { ...emptyGround };
}

export function boundsOf(points: readonly Point[]): Bounds {
  const bounds = noBounds();
  for (const { x, y } of points) growBounds(bounds, { left: x, top: y, right: x, bottom: y });
  return bounds;
}

/** The area of a closed outline, in either direction. */
export function extentOf(points: readonly Point[]): number {
  let doubled = 0;
  let a = points.at(-1);
  for (const b of points) {
    doubled += a!.x * b.y - b.x * a!.y;
    a = b;
  }
  return Math.abs(doubled) / 2;
}

/** The height at which a closed outline begins, seen from above at `x`; null beside the outline. */
export function topAt(points: readonly Point[], x: number): number | null {
  let top: number | null = null;
  let a = points.at(-1);
  for (const b of points) {
    const [left, right] = a!.x <= b.x ? [a!, b] : [b, a!];
    if (left.x <= x && x <= right.x) {
      const share = right.x === left.x ? 0 : (x - left.x) / (right.x - left.x);
      const y = left.y + share * (right.y - left.y);
      if (top === null || y < top) top = y;
    }
    a = b;
  }
  return top;
}

export function overlaps(a: Bounds, b: Bounds): boolean {
  return a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;
}

/** Around the rectangle after a turn about its middle. */
export function turnedBounds(bounds: Bounds, degrees: number): Bounds {
  const { x, y } = middleOf(bounds);
  const wide = bounds.right - bounds.left;
  const high = bounds.bottom - bounds.top;
  const across = Math.abs(Math.cos((degrees * Math.PI) / 180));
  const along = Math.abs(Math.sin((degrees * Math.PI) / 180));
  const halfWide = (wide * across + high * along) / 2;
  const halfHigh = (wide * along + high * across) / 2;
  return { left: x - halfWide, top: y - halfHigh, right: x + halfWide, bottom: y + halfHigh };
}

export function middleOf({ left, top, right, bottom }: Bounds): Point {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** The same line, from left to right, or upwards. */
export function legibleTurn(degrees: number): number {
  const turn = ((degrees % 180) + 180) % 180;
  return turn >= 90 ? turn - 180 : turn;
}
