/** The positions of seats and chairs, in chart units. Pure arithmetic in double precision. */
import type { Row, Table } from './document.ts';
import type { Point } from './plan.ts';

/** The distance of chairs from a table's edge. */
const CHAIR_DISTANCE = 16;
/**
 * The number of straight pieces that measure a cubic. With 256, the length of any realistic curve is off by less than
 * 0.01 %.
 */
const CUBIC_PIECES = 256;
const sideOrder = ['top', 'bottom', 'left', 'right'] as const;
export type Side = (typeof sideOrder)[number];

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/**
 * Positions of all seats of a row by index, skipped seats included, before any override moves them. A negative sweep
 * bends the same way and runs to the left.
 */
export function seatPositions(row: Row): Point[] {
  if (row.path) return cubicPositions(row.path, row.seatCount);
  const stepRadians = row.seatCount > 1 ? radians((row.curve ?? 0) / (row.seatCount - 1)) : 0;
  const toChart = mover(row.rotation ?? 0, row.origin);
  if (stepRadians === 0) return Array.from({ length: row.seatCount }, (_, i) => toChart(i * row.seatSpacing, 0));
  const radius = row.seatSpacing / (2 * Math.sin(Math.abs(stepRadians) / 2));
  return Array.from({ length: row.seatCount }, (_, i) =>
    toChart(radius * Math.sin(i * stepRadians), -radius + radius * Math.cos(i * stepRadians)),
  );
}

/** The distance of neighbours among `seatPositions`; along a cubic, the greatest. */
export function spacingOf(row: Row): number {
  if (!row.path) return Math.abs(row.seatSpacing);
  const seats = seatPositions(row);
  let greatest = 0;
  for (let i = 1; i < seats.length; i++) {
    greatest = Math.max(greatest, Math.hypot(seats[i]!.x - seats[i - 1]!.x, seats[i]!.y - seats[i - 1]!.y));
  }
  return greatest;
}

/** Turns a local point clockwise (y grows downward) about the local origin and moves it to `origin`. */
function mover(rotation: number, origin: Point): (x: number, y: number) => Point {
  const cos = Math.cos(radians(rotation));
  const sin = Math.sin(radians(rotation));
  return (x, y) => ({ x: origin.x + x * cos - y * sin, y: origin.y + x * sin + y * cos });
}

/** `seatCount` points at equal distances along the curve, its ends included; a single seat stands in the middle. */
function cubicPositions(path: NonNullable<Row['path']>, seatCount: number): Point[] {
  const points = Array.from({ length: CUBIC_PIECES + 1 }, (_, i) => cubicPoint(path, i / CUBIC_PIECES));
  const lengths = new Float64Array(points.length);
  for (let i = 1; i < points.length; i++) {
    lengths[i] = lengths[i - 1]! + Math.hypot(points[i]!.x - points[i - 1]!.x, points[i]!.y - points[i - 1]!.y);
  }
  const total = lengths[CUBIC_PIECES]!;
  const positions: Point[] = [];
  let piece = 1;
  for (let seat = 0; seat < seatCount; seat++) {
    const target = seatCount === 1 ? total / 2 : (total * seat) / (seatCount - 1);
    while (piece < CUBIC_PIECES && lengths[piece]! < target) piece++;
    const from = lengths[piece - 1]!;
    const length = lengths[piece]! - from;
    positions.push(between(points[piece - 1]!, points[piece]!, length === 0 ? 0 : (target - from) / length));
  }
  return positions;
}

/** The Bernstein form of a cubic Bézier curve at `t` of 0 to 1. */
export function cubicPoint(path: NonNullable<Row['path']>, t: number): Point {
  const u = 1 - t;
  const weights = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t] as const;
  const along = (axis: 'x' | 'y') =>
    weights[0] * path.start[axis] +
    weights[1] * path.control1[axis] +
    weights[2] * path.control2[axis] +
    weights[3] * path.end[axis];
  return { x: along('x'), y: along('y') };
}

function between(a: Point, b: Point, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

/** Positions of all chairs of a table by index, before any override moves them. */
export function chairPositions(table: Table): Point[] {
  return table.shape === 'round' ? aroundCircle(table) : alongSides(table);
}

/** Whether the chairs go all around a round table, so that the last stands beside the first. */
export function isChairRing({ shape, seatArc = 360, seatCount, overrides = [] }: Table): boolean {
  const isSkipped = (at: number): boolean => overrides.findLast(({ index }) => index === at)?.skip === true;
  return shape === 'round' && seatArc >= 360 && seatCount > 2 && !isSkipped(0) && !isSkipped(seatCount - 1);
}

/** Angle 0 points right and angles grow clockwise. An open arc leaves its gap centred on `rotation`. */
function aroundCircle(table: Table): Point[] {
  const { seatCount, center } = table;
  const reach = (table.radius ?? 40) + CHAIR_DISTANCE;
  const arc = Math.min(Math.max(table.seatArc ?? 360, 0), 360);
  const isRing = arc === 360 || seatCount === 1;
  const first = (table.rotation ?? 0) + (isRing ? 0 : (360 - arc) / 2);
  const step = isRing ? 360 / seatCount : arc / (seatCount - 1);
  return Array.from({ length: seatCount }, (_, i) => {
    const angle = radians(first + i * step);
    return { x: center.x + reach * Math.cos(angle), y: center.y + reach * Math.sin(angle) };
  });
}

/** Each side is cut into as many equal parts as it has chairs, one in the middle of each part. */
function alongSides(table: Table): Point[] {
  const width = table.width ?? 80;
  const height = table.height ?? 50;
  const toChart = mover(table.rotation ?? 0, table.center);
  const counts = chairsBySide(table);
  const positions: Point[] = [];
  for (const side of sideOrder) {
    for (let i = 0; i < counts[side]; i++) {
      const along = (i + 0.5) / counts[side] - 0.5;
      const isLower = side === 'bottom' || side === 'right';
      const across = (extent: number) => (isLower ? 1 : -1) * (extent / 2 + CHAIR_DISTANCE);
      const isLevel = side === 'top' || side === 'bottom';
      positions.push(isLevel ? toChart(along * width, across(height)) : toChart(across(width), along * height));
    }
  }
  return positions;
}

/**
 * Chairs go to the table's sides in turn, unless the document counts them; the chairs that it leaves over go to the
 * sides in turn.
 */
export function chairsBySide(table: Table): Record<Side, number> {
  const counts: Record<Side, number> = { top: 0, bottom: 0, left: 0, right: 0 };
  let left = table.seatCount;
  for (const side of sideOrder) {
    counts[side] = Math.min(table.seatCountsBySide?.[side] ?? 0, left);
    left -= counts[side];
  }
  const chosen = sideOrder.filter((side) => table.sides?.includes(side));
  const dealt: readonly Side[] = chosen.length > 0 ? chosen : ['top', 'bottom'];
  for (let i = 0; i < left; i++) counts[dealt[i % dealt.length]!]++;
  return counts;
}

/** The mean of points; not a number when there are none. */
export function mean(points: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point.x;
    y += point.y;
  }
  return { x: x / points.length, y: y / points.length };
}
