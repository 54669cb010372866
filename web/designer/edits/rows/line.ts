/** The line of a row, and parts of it that keep every seat where it is. Formulas of positions stand in shared. Pure. */
import type { Row } from '@parterre/shared/charts/document';
import { cubicPoint, seatPositions } from '@parterre/shared/charts/geometry';
import type { Point } from '@parterre/shared/charts/plan';
import { tidy } from '../motion.ts';

type Path = NonNullable<Row['path']>;
export type RowLine = Pick<Row, 'origin' | 'rotation' | 'curve' | 'seatCount' | 'path'>;

/** Points of a path at which the place of a seat is looked for. */
const PATH_STEPS = 1_024;

/**
 * The line of `count` seats from the seat `first`. Both may lie beyond the row's ends: the line then goes on as before.
 * A path does not go on: its seats move closer together. The sweep of a row with one seat or none has no effect. It is
 * the sweep of two seats, with which a longer row goes on.
 */
export function lineFrom(row: Row, first: number, count: number): RowLine {
  if (row.path) return { origin: row.origin, path: cutPath(row, row.path, first, count), seatCount: count };
  const step = (row.curve ?? 0) / Math.max(row.seatCount - 1, 1);
  const { x, y } = positionAt(row, first, step);
  return {
    origin: { ...row.origin, x: tidy(x), y: tidy(y) },
    rotation: tidy((row.rotation ?? 0) - first * step),
    curve: tidy(step * Math.max(count - 1, 1)),
    seatCount: count,
  };
}

function positionAt(row: Row, index: number, step: number): Point {
  if (index === 0) return row.origin;
  if (index > 0) return seatPositions({ ...row, seatCount: index + 1, curve: step * index }).at(-1)!;
  // Beyond the first seat: the last seat of a row that runs to the left. A negative sweep does, and bends the same way.
  const seatSpacing = step === 0 ? -row.seatSpacing : row.seatSpacing;
  return seatPositions({ ...row, seatSpacing, seatCount: 1 - index, curve: step * index }).at(-1)!;
}

function cutPath(row: Row, path: Path, first: number, count: number): Path {
  const seats = seatPositions(row);
  if (seats.length === 0) return path;
  const from = first <= 0 ? 0 : shareAt(path, seats[Math.min(first, seats.length - 1)]!);
  const to = first + count >= seats.length ? 1 : shareAt(path, seats[Math.max(first + count - 1, 0)]!);
  return from === 0 && to === 1 ? path : partOf(path, from, Math.max(from, to));
}

/** The parameter of the curve, 0 to 1, that is nearest to a point. */
function shareAt(path: Path, { x, y }: Point): number {
  const away = (share: number): number => {
    const at = cubicPoint(path, share);
    return Math.hypot(at.x - x, at.y - y);
  };
  let best = 0;
  for (let i = 1; i <= PATH_STEPS; i++) if (away(i / PATH_STEPS) < away(best)) best = i / PATH_STEPS;
  for (let width = 1 / PATH_STEPS; width > 1e-9; width /= 2) {
    for (const share of [best - width, best + width]) {
      if (share >= 0 && share <= 1 && away(share) < away(best)) best = share;
    }
  }
  return best;
}

/** The part of a cubic between two parameters, by its blossom. */
function partOf(path: Path, from: number, to: number): Path {
  const mix = (a: Point, b: Point, t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
  const at = (t1: number, t2: number, t3: number): Point => {
    const a = mix(path.start, path.control1, t1);
    const b = mix(path.control1, path.control2, t1);
    const c = mix(path.control2, path.end, t1);
    const { x, y } = mix(mix(a, b, t2), mix(b, c, t2), t3);
    return { x: tidy(x), y: tidy(y) };
  };
  return {
    ...path,
    start: at(from, from, from),
    control1: at(from, from, to),
    control2: at(from, to, to),
    end: at(to, to, to),
  };
}
