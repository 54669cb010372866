/**
 * The focal point of a hall that names none. The designer and the imports place it by one rule: in the middle of the
 * stage, else before the front row. Such a point carries `supposed: true`: it follows the drawing until a person sets
 * it. Pure; the extent of an object is kept while the object lives.
 */
import type { ChartDocument, ChartObject } from './document.ts';
import { isSeller, partsOf, placesOf, type Seller } from './places.ts';
import type { Point } from './plan.ts';

type Extent = { left: number; top: number; right: number; bottom: number };

/** The distance of a supposed focal point from the first row. */
const FRONT_DISTANCE = 60;

/** Stages and screens in the languages of charts, without accents. */
const stageWords =
  /^(.*buhne|stage|scene|escenario|palco|palcoscenico|podium|podio|toneel|scen|scena|screen|leinwand|ecran|pantalla|schermo|сцена|مسرح|المسرح|خشبة|舞台|ステージ)$/u;
/** “Stage door” and “Stage left” are no stages. */
const otherWords =
  /^(door|entrance|exit|left|right|side|eingang|ausgang|links|rechts|entree|sortie|gauche|droite|entrada|salida)$/u;

/** On the floor of these objects; null where nothing is sold. `others` are the objects of the other floors. */
export function supposedFocalPoint(objects: readonly ChartObject[], others: readonly ChartObject[] = []): Point | null {
  const extent = extentOf(objects);
  if (!extent) return null;
  const own = stageIn(objects);
  if (own) return own;
  const other = stageIn(others);
  // Floors lie over each other in most charts. In the others a stage stands beside these seats.
  if (other && other.x >= extent.left && other.x <= extent.right) return other;
  return { x: (extent.left + extent.right) / 2, y: extent.top - FRONT_DISTANCE };
}

/** Of one floor, by its index in `partsOf`. */
export function supposedFocalPointOn(document: ChartDocument, floor: number): Point | null {
  const parts = partsOf(document);
  const others = parts.flatMap(({ objects }, index) => (index === floor ? [] : objects));
  return supposedFocalPoint(parts[floor]?.objects ?? [], others);
}

/**
 * Whether best-available cannot mean this point: it lies far from all places of the floor, or it is the point (0, 0) of
 * a new chart and lies aside of them.
 */
export function isFocalPointLost({ x, y, supposed }: FocalPoint, objects: readonly ChartObject[]): boolean {
  const extent = extentOf(objects);
  if (!extent || supposed) return false;
  const { left, top, right, bottom } = extent;
  const width = right - left;
  const height = bottom - top;
  const aside = Math.max(left - x, x - right, 0);
  const above = Math.max(top - y, y - bottom, 0);
  if (Math.hypot(aside, above) > Math.max(width, height) + 10 * FRONT_DISTANCE) return true;
  if (x !== 0 || y !== 0 || (aside === 0 && above === 0)) return false;
  const isBefore = x >= left + width / 4 && x <= right - width / 4;
  const isBeside = y >= top + height / 4 && y <= bottom - height / 4;
  return !isBefore && !isBeside;
}

type FocalPoint = ChartDocument['focalPoint'];

const extents = new WeakMap<ChartObject, Extent>();

/** Around the places of all; null without places. */
function extentOf(objects: readonly ChartObject[]): Extent | null {
  const all: Extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const object of objects) {
    if (!isSeller(object)) continue;
    let extent = extents.get(object);
    if (!extent) {
      extent = around(pointsOf(object));
      extents.set(object, extent);
    }
    grow(all, extent);
  }
  return all.left <= all.right ? all : null;
}

/** The places of an object, and the ground of an area. */
export function pointsOf(object: Seller): readonly Point[] {
  if (object.type === 'gaArea') return object.points;
  if (object.type === 'booth') return [object.center];
  return object.type === 'table' ? [object.center, ...placesOf(object)] : placesOf(object);
}

function around(points: readonly Point[]): Extent {
  const extent: Extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) grow(extent, { left: x, top: y, right: x, bottom: y });
  return extent;
}

function grow(all: Extent, { left, top, right, bottom }: Extent): void {
  all.left = Math.min(all.left, left);
  all.top = Math.min(all.top, top);
  all.right = Math.max(all.right, right);
  all.bottom = Math.max(all.bottom, bottom);
}

/** The middle of the largest shape that is called a stage, else of a text; null without one. */
function stageIn(objects: readonly ChartObject[]): Point | null {
  let best: { middle: Point; ground: number } | null = null;
  for (const object of objects) {
    if (object.type !== 'shape' && object.type !== 'text') continue;
    const { label, text } = object as { label?: unknown; text?: unknown };
    const extent = isStage(String(label ?? text ?? '')) ? extentOfDecor(object) : null;
    if (!extent) continue;
    const { left, top, right, bottom } = extent;
    const ground = (right - left) * (bottom - top);
    if (!best || ground > best.ground) best = { ground, middle: { x: (left + right) / 2, y: (top + bottom) / 2 } };
  }
  return best?.middle ?? null;
}

function isStage(name: string): boolean {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  const words = plain.split(/[^\p{Letter}\p{Number}]+/u).filter((word) => word !== '');
  return (
    words.length <= 3 && words.some((word) => stageWords.test(word)) && !words.some((word) => otherWords.test(word))
  );
}

/** Decoration leaves its fields open. A text has a point alone. */
function extentOfDecor(object: ChartObject): Extent | null {
  const fields = object as Record<string, unknown>;
  for (const points of [fields.points, fields.outline]) {
    if (Array.isArray(points) && points.length > 0 && points.every(isPoint)) return around(points);
  }
  const { width, height } = fields;
  const isSized = typeof width === 'number' && typeof height === 'number';
  const [across, down] = isSized ? [width, height] : [0, 0];
  const corner = isPoint(fields) ? { x: fields.x + across / 2, y: fields.y + down / 2 } : null;
  const middle = [fields.center, corner, fields.origin].find(isPoint);
  if (!middle) return null;
  const { x, y } = middle;
  return { left: x - across / 2, right: x + across / 2, top: y - down / 2, bottom: y + down / 2 };
}

function isPoint(value: unknown): value is Point {
  const { x, y } = (value ?? {}) as Partial<Point>;
  return Number.isFinite(x) && Number.isFinite(y);
}
