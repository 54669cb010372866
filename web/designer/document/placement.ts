/** The positions of an object, made when they are first asked for and kept while the object lives. Pure. */
import type { Booth, ChartObject, Row, Table } from '@parterre/shared/charts/document';
import { mean } from '@parterre/shared/charts/geometry';
import { centreOf, isSeller, type Place, placesOf } from '@parterre/shared/charts/places';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, growBounds, middleOf } from '../../src/rules/bounds.ts';
import { decorOf, pictureOf } from '../../src/rules/decor.ts';

export type Placement = {
  /** Of the seats of a row or the chairs of a table, without skipped ones; else of the object's middle. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The index of each seat in its object. */
  readonly index: Int32Array;
  /** Around all of the object. */
  readonly bounds: Bounds;
  /** The point that decides the section of an object; else the middle. */
  readonly centre: Point;
};

/** The share of the distance to its neighbour that a seat fills on each side. */
const SEAT_REACH = 0.41;
const CHAIR_RADIUS = 9;
/** The width of a letter, in heights of the text. */
const LETTER_WIDTH = 0.55;
const TEXT_SIZE = 16;

const known = new WeakMap<ChartObject, Placement>();

export function placementOf(object: ChartObject): Placement {
  let placement = known.get(object);
  if (!placement) {
    placement = place(object);
    known.set(object, placement);
  }
  return placement;
}

function place(object: ChartObject): Placement {
  if (object.type === 'row' || object.type === 'table') return placeSeats(object);
  const outline = outlineOf(object);
  const bounds = boundsOf(outline);
  const isCentred = isSeller(object) || object.type === 'section';
  const points = object.type === 'gaArea' ? object.points : outline;
  const centre = object.type === 'booth' ? object.center : isCentred ? mean(points) : middleOf(bounds);
  return at([centre], bounds, centre);
}

function placeSeats(object: Row | Table): Placement {
  // The chairs of a table that is sold as a whole have positions too.
  const places = placesOf(
    object.type === 'table' ? { ...object, bookAsWhole: false, variableOccupancy: false } : object,
  );
  const bounds = boundsOf(places);
  if (places.length > 0) extend(bounds, object.type === 'table' ? CHAIR_RADIUS : seatReach(object, places));
  if (object.type === 'table') growBounds(bounds, boundsOf(bodyOf(object)));
  else if (places.length === 0) growBounds(bounds, boundsOf([object.path?.start ?? object.origin]));
  const centre = places.length > 0 ? centreOf(object, places) : middleOf(bounds);
  return at(places, bounds, centre);
}

function seatReach(row: Row, places: readonly Place[]): number {
  const [first, second] = places;
  if (!row.path || !second) return Math.abs(row.seatSpacing) * SEAT_REACH;
  return (Math.hypot(second.x - first!.x, second.y - first!.y) / (second.index - first!.index)) * SEAT_REACH;
}

function at(places: readonly (Point & { index?: number })[], bounds: Bounds, centre: Point): Placement {
  return {
    x: Float64Array.from(places, ({ x }) => x),
    y: Float64Array.from(places, ({ y }) => y),
    index: Int32Array.from(places, ({ index = 0 }) => index),
    bounds,
    centre,
  };
}

function extend(bounds: Bounds, by: number): void {
  bounds.left -= by;
  bounds.top -= by;
  bounds.right += by;
  bounds.bottom += by;
}

/** The corners of an object without seats. An object without a position has its corner at the origin. */
export function outlineOf(object: ChartObject): readonly Point[] {
  switch (object.type) {
    case 'booth':
      return cornersOf(object.center, object.width, object.height, object.rotation);
    case 'gaArea':
      return object.points.length > 0 ? object.points : [{ x: 0, y: 0 }];
    case 'section':
      return object.outline.length > 0 ? object.outline : [{ x: 0, y: 0 }];
    case 'row':
    case 'table':
      return [];
    default:
      return decorOutline(object);
  }
}

function decorOutline(object: ChartObject): readonly Point[] {
  const decor = decorOf(object, 0);
  if (decor?.outline) return decor.rotation ? turned(decor.outline, decor.rotation) : decor.outline;
  if (decor) {
    const height = decor.textSize ?? TEXT_SIZE;
    const width = Math.max(decor.label.length, 1) * height * LETTER_WIDTH;
    return cornersOf(middleOf(decor.bounds), width, height, decor.rotation);
  }
  const picture = pictureOf(object, 0);
  if (!picture) return [{ x: 0, y: 0 }];
  const { bounds, at: middle, rotation } = picture;
  if (!bounds) return [middle];
  return cornersOf(middleOf(bounds), bounds.right - bounds.left, bounds.bottom - bounds.top, rotation);
}

/** The edge of a table's body. */
function bodyOf(table: Table): readonly Point[] {
  const diameter = 2 * (table.radius ?? 40);
  if (table.shape === 'round') return cornersOf(table.center, diameter, diameter, 0);
  return cornersOf(table.center, table.width ?? 80, table.height ?? 50, table.rotation);
}

export function cornersOf(centre: Point, width: number, height: number, rotation: Booth['rotation'] = 0): Point[] {
  const x = width / 2;
  const y = height / 2;
  const corners = [
    { x: centre.x - x, y: centre.y - y },
    { x: centre.x + x, y: centre.y - y },
    { x: centre.x + x, y: centre.y + y },
    { x: centre.x - x, y: centre.y + y },
  ];
  return rotation ? turned(corners, rotation, centre) : corners;
}

/** Points that are turned clockwise (y grows downward) about a point, by default the middle of their bounds. */
export function turned(points: readonly Point[], degrees: number, about: Point = middleOf(boundsOf(points))): Point[] {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  return points.map((point) => {
    const x = point.x - about.x;
    const y = point.y - about.y;
    return { ...point, x: about.x + x * cos - y * sin, y: about.y + x * sin + y * cos };
  });
}
