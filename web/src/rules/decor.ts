/**
 * Decoration of a chart, which is drawn and never sold: shapes, texts and pictures whose fields give a position. The
 * chart document leaves these fields open, so each is read in every usual form. Pure.
 */
import type { ChartObject } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf } from './bounds.ts';
import { hexOf, pictureAddress } from './names.ts';

export type Decor = {
  floor: number;
  /** A closed outline; null for a text. */
  outline: readonly Point[] | null;
  isRound: boolean;
  label: string;
  bounds: Bounds;
  /** `#rrggbb`; null for the theme's colour. */
  colour: string | null;
  /** Degrees clockwise about the middle. */
  rotation: number;
  /** The height of a text in chart units; null for a size of the screen. */
  textSize: number | null;
};

export type Picture = {
  floor: number;
  address: string;
  /** Null for a picture of its natural size, with its corner or its middle at `at`. */
  bounds: Bounds | null;
  at: Point;
  isCentred: boolean;
  /** Chart units of a pixel of the picture, without bounds. */
  scale: number;
  rotation: number;
  opacity: number;
};

type Fields = Record<string, unknown>;

/** Null for objects without a clear position. */
export function decorOf(object: ChartObject, floor: number): Decor | null {
  const fields = object as Fields;
  const label = String(fields.label ?? fields.text ?? '');
  const colour = hexOf(fields.fill) ?? hexOf(fields.color);
  const rotation = numberOf(fields.rotation, 0);
  const shared = { floor, label, colour, rotation };
  if (fields.type === 'text') {
    const at = pointOf(fields.center) ?? pointOf(fields.origin) ?? pointOf(fields);
    const textSize = numberOf(fields.fontSize, 0) || null;
    return at && { ...shared, outline: null, isRound: false, bounds: boundsOf([at]), textSize };
  }
  if (fields.type !== 'shape') return null;
  const points = pointsOf(fields.points) ?? pointsOf(fields.outline);
  const outline = points ?? boxOf(fields);
  if (!outline) return null;
  const isRound = ['circle', 'ellipse'].includes(String(fields.kind ?? fields.shape));
  return { ...shared, outline, isRound, bounds: boundsOf(outline), rotation: points ? 0 : rotation, textSize: null };
}

/** From a `decorImage` or the chart's `backgroundImage`; null without an address that a page may load. */
export function pictureOf(value: unknown, floor: number): Picture | null {
  const fields = (typeof value === 'string' ? { url: value } : (value ?? {})) as Fields;
  const named = [fields.url, fields.src, fields.href, fields.imageUrl, fields.image, fields.picture];
  const address = pictureAddress(named.find((each) => typeof each === 'string'));
  if (address === null) return null;
  const centre = pointOf(fields.center);
  const box = boxOf(fields) ?? (centre ? null : boxOf({ x: 0, y: 0, ...fields }));
  return {
    floor,
    address,
    bounds: box && boundsOf(box),
    at: centre ?? pointOf(fields.origin) ?? pointOf(fields) ?? { x: 0, y: 0 },
    isCentred: centre !== null,
    scale: numberOf(fields.scale, 1),
    rotation: numberOf(fields.rotation, 0),
    opacity: Math.min(Math.max(numberOf(fields.opacity, 1), 0), 1),
  };
}

function numberOf(value: unknown, otherwise: number): number {
  return isNumber(value) ? value : otherwise;
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

function pointOf(value: unknown): Point | null {
  const { x, y } = (value ?? {}) as Fields;
  return isNumber(x) && isNumber(y) ? { x, y } : null;
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
  if (!isNumber(width) || !isNumber(height) || !(centre || corner)) return null;
  const left = centre ? centre.x - width / 2 : corner!.x;
  const top = centre ? centre.y - height / 2 : corner!.y;
  return [
    { x: left, y: top },
    { x: left + width, y: top },
    { x: left + width, y: top + height },
    { x: left, y: top + height },
  ];
}
