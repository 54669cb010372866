/**
 * Rigid motions of objects, mirrors included, and their scaling. Each type of object has the fields that place it; the
 * formulas of its seats stand in `geometry.ts`. Pure.
 */
import type { ChartObject, Override, Row } from '@parterre/shared/charts/document';
import { seatPositions } from '@parterre/shared/charts/geometry';
import type { Point } from '@parterre/shared/charts/plan';
import type { Fields } from '../document/fields.ts';

/** The linear part, as a matrix of two rows, moves offsets; `point` moves places. */
export type Motion = {
  readonly point: (point: Point) => Point;
  readonly linear: readonly [number, number, number, number];
  /** Added to the rotation of objects; for a mirror, after the rotation is negated. */
  readonly degrees: number;
  readonly isMirror: boolean;
};

/** Coordinates and angles have this many steps in a unit, so that sums of small moves leave no noise. */
const STEPS = 1e6;
export const tidy = (value: number): number => Math.round(value * STEPS) / STEPS + 0;

function motion(linear: Motion['linear'], about: Point, degrees: number, isMirror: boolean): Motion {
  const [a, b, c, d] = linear;
  const point = ({ x, y }: Point): Point => {
    const dx = x - about.x;
    const dy = y - about.y;
    return { x: tidy(about.x + a * dx + b * dy), y: tidy(about.y + c * dx + d * dy) };
  };
  return { point, linear, degrees, isMirror };
}

export function shift(dx: number, dy: number): Motion {
  const point = ({ x, y }: Point): Point => ({ x: tidy(x + dx), y: tidy(y + dy) });
  return { point, linear: [1, 0, 0, 1], degrees: 0, isMirror: false };
}

export function turn(degrees: number, about: Point): Motion {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  return motion([cos, -sin, sin, cos], about, degrees, false);
}

/** `across`: left and right change places; `down`: top and bottom. */
export function flip(axis: 'across' | 'down', about: Point): Motion {
  const isAcross = axis === 'across';
  return motion(isAcross ? [-1, 0, 0, 1] : [1, 0, 0, -1], about, isAcross ? 0 : 180, true);
}

/** Factors are positive. */
export function stretch(x: number, y: number, about: Point): Motion {
  return motion([x, 0, 0, y], about, 0, false);
}

/** Degrees above −180 and up to 180. */
export function turnedBy({ degrees, isMirror }: Motion, rotation: unknown): number {
  const before = typeof rotation === 'number' ? rotation : 0;
  const sum = tidy((isMirror ? -before : before) + degrees) % 360;
  return sum > 180 ? tidy(sum - 360) : sum <= -180 ? tidy(sum + 360) : sum;
}

/** A point keeps its unknown fields. */
export function movedPoint<T extends Point>(by: Motion, at: T): T {
  return { ...at, ...by.point(at) };
}

export function movedPoints<T extends Point>(by: Motion, points: readonly T[]): T[] {
  return points.map((at) => movedPoint(by, at));
}

/** A field that the object lacks and that stays 0 stays absent. */
export function rotationField(by: Motion, { rotation }: Fields): { rotation?: number } {
  const turned = turnedBy(by, rotation);
  return rotation === undefined && turned === 0 ? {} : { rotation: turned };
}

/** Offsets of single seats turn with their row. */
export function movedOffsets(by: Motion, overrides: readonly Override[] | undefined): { overrides?: Override[] } {
  const [a, b, c, d] = by.linear;
  if (!overrides || (a === 1 && d === 1 && b === 0)) return {};
  return {
    overrides: overrides.map((entry) => {
      const { dx, dy } = entry;
      if (dx === undefined && dy === undefined) return entry;
      const x = dx ?? 0;
      const y = dy ?? 0;
      return { ...entry, dx: tidy(a * x + b * y), dy: tidy(c * x + d * y) };
    }),
  };
}

/** An object after a shift or a turn. For mirrors of seats see mirror.ts. */
export function moved(object: ChartObject, by: Motion): ChartObject {
  switch (object.type) {
    case 'row':
      return {
        ...object,
        ...(object.path ? { path: movedPath(by, object.path) } : rotationField(by, object)),
        origin: movedPoint(by, object.origin),
        ...movedOffsets(by, object.overrides),
      };
    case 'table':
      return {
        ...object,
        center: movedPoint(by, object.center),
        ...rotationField(by, object),
        ...movedOffsets(by, object.overrides),
      };
    case 'booth':
      return { ...object, center: movedPoint(by, object.center), ...rotationField(by, object) };
    case 'gaArea':
      return { ...object, points: movedPoints(by, object.points), ...movedHoles(by, object.holes) };
    case 'section':
      return { ...object, outline: movedPoints(by, object.outline), ...movedHoles(by, object.holes) };
    default:
      return movedDecor(object, by);
  }
}

export function movedHoles(by: Motion, holes: readonly (readonly Point[])[] | undefined): { holes?: Point[][] } {
  return holes ? { holes: holes.map((hole) => movedPoints(by, hole)) } : {};
}

export function movedPath(by: Motion, path: NonNullable<Row['path']>): NonNullable<Row['path']> {
  const { start, control1, control2, end } = path;
  return {
    ...path,
    start: movedPoint(by, start),
    control1: movedPoint(by, control1),
    control2: movedPoint(by, control2),
    end: movedPoint(by, end),
  };
}

/** Decoration leaves its fields open (web/src/rules/decor.ts); all forms of a place move. */
function movedDecor(object: ChartObject, by: Motion): ChartObject {
  const fields = object as Fields;
  const changed: Record<string, unknown> = { ...fields };
  let isTurned = true;
  for (const name of ['points', 'outline']) {
    const points = fields[name];
    if (!Array.isArray(points) || !points.every(isPoint)) continue;
    changed[name] = movedPoints(by, points);
    // An outline turns by its points alone.
    isTurned = false;
  }
  for (const name of ['center', 'origin']) {
    if (isPoint(fields[name])) changed[name] = movedPoint(by, fields[name]);
  }
  if (isPoint(fields)) Object.assign(changed, movedCorner(fields, by));
  if (isTurned) Object.assign(changed, rotationField(by, fields));
  return changed as ChartObject;
}

/** A box is placed by its upper left corner before it turns about its middle. */
function movedCorner(fields: Point & Fields, by: Motion): Point {
  const { width, height } = fields as { width?: unknown; height?: unknown };
  if (typeof width !== 'number' || typeof height !== 'number') return by.point({ x: fields.x, y: fields.y });
  const middle = by.point({ x: fields.x + width / 2, y: fields.y + height / 2 });
  return { x: tidy(middle.x - width / 2), y: tidy(middle.y - height / 2) };
}

export function isPoint(value: unknown): value is Point {
  const { x, y } = (value ?? {}) as Partial<Point>;
  return typeof x === 'number' && typeof y === 'number';
}

/** An object whose places are stretched. Rows keep their form and change their spacing, round tables stay round. */
export function stretched(object: ChartObject, by: Motion): ChartObject {
  const place = moved(object, by);
  const mean = Math.sqrt(by.linear[0] * by.linear[3]);
  switch (object.type) {
    case 'row':
      return object.path ? place : stretchedRow(object, by);
    case 'table': {
      const size =
        object.shape === 'round'
          ? { radius: tidy((object.radius ?? 40) * mean) }
          : sizeOf({ width: 80, height: 50, ...object }, by);
      return { ...place, ...size } as ChartObject;
    }
    case 'gaArea':
    case 'section':
      return place;
    default: {
      const { fontSize } = object as Fields;
      if (typeof fontSize === 'number') return { ...place, fontSize: tidy(fontSize * mean) } as ChartObject;
      const size = sizeOf(object as Fields, by);
      return { ...place, ...size, ...cornerOf(object as Fields, size, by) } as ChartObject;
    }
  }
}

/** Its first and last seat go where the stretch takes them. */
function stretchedRow(row: Row, by: Motion): Row {
  const seats = seatPositions(row);
  const first = seats[0] ?? row.origin;
  const last = seats.at(-1) ?? row.origin;
  const from = by.point(first);
  const to = by.point(last);
  const before = Math.hypot(last.x - first.x, last.y - first.y);
  const after = Math.hypot(to.x - from.x, to.y - from.y);
  const factor = before > 0 ? after / before : by.linear[0];
  const angle = Math.atan2(to.y - from.y, to.x - from.x) - Math.atan2(last.y - first.y, last.x - first.x);
  const turned = before > 0 && after > 0 ? (angle * 180) / Math.PI : 0;
  return {
    ...row,
    origin: { ...row.origin, ...from },
    ...rotationField({ ...by, degrees: turned }, row),
    seatSpacing: tidy(row.seatSpacing * factor),
    ...movedOffsets(by, row.overrides),
  };
}

/** The sides of a turned box, each as much longer as its own direction. */
function sizeOf(fields: Fields, by: Motion): { width?: number; height?: number } {
  const { width, height, rotation } = fields;
  if (typeof width !== 'number' || typeof height !== 'number') return {};
  const angle = (typeof rotation === 'number' ? rotation : 0) * (Math.PI / 180);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const x = by.linear[0];
  const y = by.linear[3];
  return { width: tidy(width * Math.hypot(x * cos, y * sin)), height: tidy(height * Math.hypot(x * sin, y * cos)) };
}

function cornerOf(fields: Fields, size: { width?: number; height?: number }, by: Motion): Partial<Point> {
  const { width, height } = size;
  if (width === undefined || height === undefined || !isPoint(fields)) return {};
  const { width: old, height: tall } = fields as unknown as { width: number; height: number };
  const middle = by.point({ x: fields.x + old / 2, y: fields.y + tall / 2 });
  return { x: tidy(middle.x - width / 2), y: tidy(middle.y - height / 2) };
}
