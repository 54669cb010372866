/**
 * The room for a text inside an outline: rectangles that lie within it, level with the map or turned along the outline.
 * A rectangle of a given form is as large as the distance of its middle to the nearest edge allows, measured in the
 * rectangle's own form. Pure.
 */
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, legibleTurn, middleOf } from './bounds.ts';

/** `x` and `y` are the middle. `turn`: degrees clockwise. */
export type Room = { x: number; y: number; width: number; height: number; turn: number };

type Outline = readonly Point[];
type Segment = { from: Point; to: Point };

/** Width to height of a name with two lines, of a short name, of a long one. */
const FORMS = [1.3, 3, 6];
/** Places that are tried, across and down. */
const GRID = 4;
const STEPS = 3;
/** A place beside the middle must be larger than the middle by this factor. */
const WORTH = 1.08;

/** The largest rectangle of each form, a card's first. None for an outline without extent. */
export function roomsIn(outline: Outline, holes: readonly Outline[], turn = 0): Room[] {
  const [upright, ...uprightHoles] = [outline, ...holes].map((points) => points.map((each) => turned(each, -turn)));
  const bounds = boundsOf(upright!);
  const wide = bounds.right - bounds.left;
  const high = bounds.bottom - bounds.top;
  if (!(wide > 0 && high > 0)) return [];
  const lines = [upright!, ...uprightHoles].flatMap(linesOf);
  const places = [middleOf(bounds), ...gridIn(bounds)].filter((at) => isWithin(at, lines));
  const forms = [...FORMS, Math.min(Math.max(wide / high, 0.5), 12)];
  return forms.flatMap((form) => {
    const best = largestAt(places, form, lines, { wide, high });
    if (!best) return [];
    const { x, y } = turned(best.at, turn);
    return { x, y, width: 2 * best.half * form, height: 2 * best.half, turn };
  });
}

/** The direction of a long outline, such that a text along it can be read: above −90 and at most 90 degrees. */
export function directionOf(outline: Outline): number {
  const { x, y } = middleOf(boundsOf(outline));
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (const { from, to } of linesOf(outline)) {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const dx = (from.x + to.x) / 2 - x;
    const dy = (from.y + to.y) / 2 - y;
    const along = { x: to.x - from.x, y: to.y - from.y };
    xx += length * (dx * dx + (along.x * along.x) / 12);
    xy += length * (dx * dy + (along.x * along.y) / 12);
    yy += length * (dy * dy + (along.y * along.y) / 12);
  }
  return legibleTurn((Math.atan2(2 * xy, xx - yy) / 2) * (180 / Math.PI));
}

export function turned({ x, y }: Point, degrees: number): Point {
  if (degrees === 0) return { x, y };
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

function gridIn({ left, top, right, bottom }: Bounds): Point[] {
  const shares = Array.from({ length: GRID }, (_, index) => (index + 0.5) / GRID);
  return shares.flatMap((down) =>
    shares.map((across) => ({ x: left + across * (right - left), y: top + down * (bottom - top) })),
  );
}

/** Even-odd: a ray to the right crosses the lines an odd number of times. So a hole is outside. */
function isWithin({ x, y }: Point, lines: readonly Segment[]): boolean {
  let inside = false;
  for (const { from, to } of lines) {
    if (from.y > y !== to.y > y && x < ((to.x - from.x) * (y - from.y)) / (to.y - from.y) + from.x) inside = !inside;
  }
  return inside;
}

type Best = { at: Point; half: number };

/** The place with the largest rectangle of a form, made better in a few smaller and smaller steps. */
function largestAt(
  places: readonly Point[],
  form: number,
  lines: readonly Segment[],
  { wide, high }: { wide: number; high: number },
): Best | null {
  let best: Best | null = null;
  for (const at of places) {
    const least: number = best ? best.half * WORTH : 0;
    const half = halfAt(at, form, lines, least);
    if (half > least) best = { at, half };
  }
  let across = wide / GRID / 2;
  let down = high / GRID / 2;
  for (let step = 0; best && step < STEPS; step++) {
    const { x, y }: Point = best.at;
    for (const [dx, dy] of directions) {
      const at: Point = { x: x + dx * across, y: y + dy * down };
      const half = halfAt(at, form, lines, best.half * 1.01);
      if (half > best.half * 1.01 && isWithin(at, lines)) best = { at, half };
    }
    across /= 2;
    down /= 2;
  }
  return best;
}

const directions = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

/** Half the height of the largest rectangle about a point that no line enters; any less than `enough` tells enough. */
function halfAt({ x, y }: Point, form: number, lines: readonly Segment[], enough: number): number {
  let least = Infinity;
  for (const { from, to } of lines) {
    const fromX = (from.x - x) / form;
    const toX = (to.x - x) / form;
    const fromY = from.y - y;
    const toY = to.y - y;
    // The whole line is on one side, farther away than the nearest.
    if (Math.min(fromX, toX) > least || Math.max(fromX, toX) < -least) continue;
    if (Math.min(fromY, toY) > least || Math.max(fromY, toY) < -least) continue;
    least = Math.min(least, reachOf(fromX, fromY, toX - fromX, toY - fromY));
    if (least <= enough) return least;
  }
  return least;
}

/** The least of max(|x|, |y|) on a line from (x, y) by (dx, dy): at an end, or where |x| and |y| are equal, or at 0. */
function reachOf(x: number, y: number, dx: number, dy: number): number {
  let least = Math.min(Math.max(Math.abs(x), Math.abs(y)), Math.max(Math.abs(x + dx), Math.abs(y + dy)));
  for (let way = 0; way < 4; way++) {
    const share = way === 0 ? (y - x) / (dx - dy) : way === 1 ? -(x + y) / (dx + dy) : way === 2 ? -x / dx : -y / dy;
    if (!(share > 0 && share < 1)) continue;
    least = Math.min(least, Math.max(Math.abs(x + share * dx), Math.abs(y + share * dy)));
  }
  return least;
}

function linesOf(points: Outline): Segment[] {
  return points.map((to, index) => ({ from: points.at(index - 1)!, to }));
}
