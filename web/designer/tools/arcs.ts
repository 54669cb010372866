/** A row along a circle through three points. Pure; angles in degrees clockwise, y grows downward. */
import type { Point } from '@parterre/shared/charts/plan';

type Curved = { rotation: number; curve: number; seatCount: number; seatSpacing: number };

const degrees = (radians: number): number => (radians * 180) / Math.PI;
const angleOf = (from: Point, to: Point): number => Math.atan2(to.y - from.y, to.x - from.x);
const apart = (one: Point, other: Point): number => Math.hypot(other.x - one.x, other.y - one.y);

/**
 * From `start` to `end` past `through`, with seats about `spacing` apart. Three points on a line give a straight row.
 * The central angle of an arc is the full turn less twice the angle that its ends make at a point on it.
 */
export function rowThrough(start: Point, end: Point, through: Point, spacing: number): Curved {
  const heading = angleOf(start, end);
  const chord = apart(start, end);
  const cross = (end.x - start.x) * (through.y - start.y) - (end.y - start.y) * (through.x - start.x);
  const isStraight = Math.abs(cross) < chord * Math.max(chord * 0.005, 0.5) || chord === 0;
  if (isStraight)
    return { rotation: degrees(heading), curve: 0, seatCount: countFor(chord, spacing), seatSpacing: spacing };
  const a = apart(through, end);
  const b = apart(through, start);
  const atMiddle = Math.acos(Math.max(-1, Math.min(1, (a * a + b * b - chord * chord) / (2 * a * b))));
  const sweep = 2 * Math.PI - 2 * atMiddle;
  const radius = chord / (2 * Math.sin(atMiddle));
  const seatCount = Math.max(countFor(radius * sweep, spacing), 2);
  const seatSpacing = 2 * radius * Math.sin(sweep / (seatCount - 1) / 2);
  // A row turns to the left of its direction. One that turns to the right runs backwards, with a negative sweep.
  if (cross > 0) return { rotation: degrees(heading + sweep / 2), curve: degrees(sweep), seatCount, seatSpacing };
  return { rotation: degrees(heading - sweep / 2 + Math.PI), curve: -degrees(sweep), seatCount, seatSpacing };
}

/** The number of seats along a line, one at each end. */
export function countFor(length: number, spacing: number): number {
  return Math.max(Math.round(length / Math.max(spacing, 1)) + 1, 1);
}
