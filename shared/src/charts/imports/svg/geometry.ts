/** The outlines of SVG shapes in the coordinates of the drawing. */
import svgpath from 'svgpath';
import type { Point } from '../../plan.ts';
import { boxOutline, ellipseOutline } from '../reading.ts';
import type { SvgNode } from './tree.ts';

/** x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];
/** Straight pieces of one curve. */
const CURVE_PIECES = 8;
/** Points of one outline. Further points are left out. */
const OUTLINE_MAX = 5_000;

export function times([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function mapped([a, b, c, d, e, f]: Matrix, { x, y }: Point): Point {
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

/** Bounded, and from the start of a word: a long text without brackets is read once. */
const STEP = /\b([a-zA-Z]{1,10})\s*\(([^()]*)\)/g;
/** Longer texts are no lengths. */
const LENGTH_TEXT_MAX = 64;

/** A transform attribute. Steps without a meaning are passed over. */
export function transformOf(text: string | undefined): Matrix {
  let matrix = identity;
  for (const [, name, list] of (text ?? '').matchAll(STEP)) {
    const numbers = (list!.match(/[-+]?(?:\d*\.)?\d+(?:[eE][-+]?\d+)?/g) ?? []).map(Number);
    const step = stepOf(name!, numbers);
    if (step?.every(Number.isFinite)) matrix = times(matrix, step);
  }
  return matrix;
}

function stepOf(name: string, [p = 0, q, r, ...rest]: number[]): Matrix | null {
  const tan = Math.tan((p * Math.PI) / 180);
  switch (name) {
    case 'translate':
      return [1, 0, 0, 1, p, q ?? 0];
    case 'scale':
      return [p, 0, 0, q ?? p, 0, 0];
    case 'rotate': {
      const cos = Math.cos((p * Math.PI) / 180);
      const sin = Math.sin((p * Math.PI) / 180);
      const x = q ?? 0;
      const y = r ?? 0;
      return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
    }
    case 'skewX':
      return [1, 0, tan, 1, 0, 0];
    case 'skewY':
      return [1, tan, 0, 1, 0, 0];
    case 'matrix':
      return rest.length === 3 ? [p, q ?? 0, r ?? 0, rest[0]!, rest[1]!, rest[2]!] : null;
    default:
      return null;
  }
}

/** A length in units of the drawing; null for none, and for a share of the drawing (%). */
export function lengthOf(text: string | undefined): number | null {
  if (text === undefined || text.length > LENGTH_TEXT_MAX) return null;
  const found = /^\s*([-+]?(?:\d*\.)?\d+(?:[eE][-+]?\d+)?)\s*(px|pt|mm|cm|in)?\s*$/.exec(text);
  if (!found) return null;
  const value = Number(found[1]) * { px: 1, pt: 4 / 3, mm: 96 / 25.4, cm: 960 / 25.4, in: 96 }[found[2] ?? 'px']!;
  return Number.isFinite(value) ? value : null;
}

/** The outline of a shape in its own coordinates; empty for other elements, and for shapes without a size. */
export function outlineOf({ name, attributes }: SvgNode): Point[] {
  const length = (attribute: string) => lengthOf(attributes[attribute]);
  const center = { x: length('cx') ?? 0, y: length('cy') ?? 0 };
  switch (name) {
    case 'circle': {
      const radius = length('r');
      return radius === null ? [] : ellipseOutline(center, radius, radius, 0);
    }
    case 'ellipse': {
      const x = length('rx');
      const y = length('ry');
      return x === null && y === null ? [] : ellipseOutline(center, x ?? y!, y ?? x!, 0);
    }
    case 'rect':
    case 'image': {
      const width = length('width');
      const height = length('height');
      if (width === null || height === null) return [];
      return boxOutline({ x: (length('x') ?? 0) + width / 2, y: (length('y') ?? 0) + height / 2 }, width, height, 0);
    }
    case 'polygon':
    case 'polyline':
      return pairsOf(attributes.points ?? '');
    case 'line':
      return [
        { x: length('x1') ?? 0, y: length('y1') ?? 0 },
        { x: length('x2') ?? 0, y: length('y2') ?? 0 },
      ];
    case 'path':
      return flattened(attributes.d ?? '');
    default:
      return [];
  }
}

function pairsOf(text: string): Point[] {
  const numbers = (text.match(/[-+]?(?:\d*\.)?\d+(?:[eE][-+]?\d+)?/g) ?? []).map(Number);
  const points: Point[] = [];
  for (let i = 0; i + 1 < numbers.length && points.length < OUTLINE_MAX; i += 2) {
    points.push({ x: numbers[i]!, y: numbers[i + 1]! });
  }
  return points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
}

/** All parts of the path as one list of points; curves in straight pieces. */
function flattened(path: string): Point[] {
  const points: Point[] = [];
  const add = (x: number, y: number) => {
    if (points.length < OUTLINE_MAX && Number.isFinite(x) && Number.isFinite(y)) points.push({ x, y });
  };
  svgpath(path)
    .abs()
    .unarc()
    .unshort()
    .iterate(([command, ...numbers], _, x, y) => {
      const curve = command === 'C' || command === 'Q' ? [x, y, ...numbers] : null;
      if (curve) addCurve(curve, add);
      else if (command === 'H') add(numbers[0]!, y);
      else if (command === 'V') add(x, numbers[0]!);
      else if (command === 'M' || command === 'L') add(numbers[0]!, numbers[1]!);
    });
  const [first] = points;
  const last = points.at(-1);
  if (first && last && points.length > 1 && first.x === last.x && first.y === last.y) points.pop();
  return points;
}

/** A Bézier curve of two or three degrees, without its start, by the scheme of de Casteljau. */
function addCurve(numbers: readonly number[], add: (x: number, y: number) => void): void {
  for (let piece = 1; piece <= CURVE_PIECES; piece++) {
    const t = piece / CURVE_PIECES;
    let level = [...numbers];
    while (level.length > 2) level = level.slice(2).map((value, i) => level[i]! + (value - level[i]!) * t);
    add(level[0]!, level[1]!);
  }
}

/** The middle of the points' box, and its sides; null without points. */
export function boxOf(points: readonly Point[]): { center: Point; width: number; height: number } | null {
  if (points.length === 0) return null;
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { center: { x: (left + right) / 2, y: (top + bottom) / 2 }, width: right - left, height: bottom - top };
}
