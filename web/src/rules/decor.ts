/** Decoration of a chart, which is drawn and never sold: shapes and texts whose fields give a position. Pure. */
import type { ChartObject } from '@parterre/shared/chart/document';
import type { Point } from '@parterre/shared/chart/plan';
import { type Bounds, boundsOf } from './bounds.ts';

export type Decor = {
  floor: number;
  /** A closed outline; null for a text. */
  outline: readonly Point[] | null;
  isRound: boolean;
  label: string;
  bounds: Bounds;
};

type Fields = Record<string, unknown>;

/** Null for pictures, and for objects without a clear position. */
export function decorOf(object: ChartObject, floor: number): Decor | null {
  const fields = object as Fields;
  const label = String(fields.label ?? fields.text ?? '');
  if (fields.type === 'text') {
    const at = pointOf(fields.center) ?? pointOf(fields.origin) ?? pointOf(fields);
    return at && { floor, outline: null, isRound: false, label, bounds: boundsOf([at]) };
  }
  if (fields.type !== 'shape') return null;
  const outline = pointsOf(fields.points) ?? pointsOf(fields.outline) ?? boxOf(fields);
  if (!outline) return null;
  const isRound = ['circle', 'ellipse'].includes(String(fields.kind ?? fields.shape));
  return { floor, outline, isRound, label, bounds: boundsOf(outline) };
}

function pointOf(value: unknown): Point | null {
  const { x, y } = (value ?? {}) as Fields;
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

function pointsOf(value: unknown): Point[] | null {
  if (!Array.isArray(value) || value.length < 3) return null;
  const points = value.map(pointOf);
  return points.every((point) => point !== null) ? points : null;
}

function boxOf(fields: Fields): Point[] | null {
  const { width, height } = fields;
  const centre = pointOf(fields.center);
  const corner = pointOf(fields);
  if (typeof width !== 'number' || typeof height !== 'number' || !(centre || corner)) return null;
  const left = centre ? centre.x - width / 2 : corner!.x;
  const top = centre ? centre.y - height / 2 : corner!.y;
  return [
    { x: left, y: top },
    { x: left + width, y: top },
    { x: left + width, y: top + height },
    { x: left, y: top + height },
  ];
}
