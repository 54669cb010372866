/** Reads the drawn areas of a pretix seating plan, and their texts. Areas sell nothing in pretix. */
import type { Point } from '../../plan.ts';
import {
  colourOf,
  type Fields,
  fieldsOf,
  moved,
  numberOf,
  pointFrom,
  pointsFrom,
  textOf,
  turnedAbout,
} from '../reading.ts';
import { type Notes, quoted } from '../report.ts';
import type { FoundDecor } from '../venue.ts';

/** The size of texts that have none. */
const FONT_SIZE = 16;

export function readArea(area: Fields, zoneAt: Point, source: string, notes: Notes): FoundDecor[] {
  const at = moved(zoneAt, pointFrom(area.position) ?? { x: 0, y: 0 });
  const rotation = numberOf(area.rotation) ?? 0;
  const shape = textOf(area.shape);
  const drawn = shapeOf(shape, area, at, rotation);
  const found = [
    ...(drawn === null ? [] : [shapeFrom(drawn, area, source)]),
    ...(textFrom(area, at, rotation, source) ?? []),
  ];
  if (drawn === null && shape !== 'text') {
    const message = `A drawn area of the shape ${quoted(shape ?? '?')}: its form is not known here. Draw it anew if you need it.`;
    notes.leftOut('shape', message, { source });
  } else if (found.length === 0) notes.leftOut('text', 'A text without words.', { source });
  return found;
}

type Drawn = { place: FoundDecor['place']; fields: Record<string, unknown> };

function shapeFrom({ place, fields }: Drawn, area: Fields, source: string): FoundDecor {
  const fill = colourOf(area.color);
  const stroke = colourOf(area.border_color);
  const colours = { ...(fill !== null && { fill }), ...(stroke !== null && { stroke }) };
  return { type: 'shape', source, place, fontSize: null, fields: { ...fields, ...colours } };
}

/**
 * The shape that the area names; the older version names none, and has rectangles. All turn about the position: the
 * corner of a rectangle, the middle of a circle or ellipse.
 */
function shapeOf(shape: string | null, area: Fields, at: Point, rotation: number): Drawn | null {
  switch (shape ?? (['polygon', 'ellipse', 'circle', 'rectangle'].find((name) => name in area) || 'older')) {
    case 'polygon': {
      const points = pointsFrom(fieldsOf(area.polygon).points);
      return points.length < 3 ? null : polygon(points, at, rotation);
    }
    case 'ellipse': {
      const radii = pointFrom(fieldsOf(area.ellipse).radius);
      return radii && ellipse(radii, at, rotation);
    }
    case 'circle': {
      const radius = numberOf(fieldsOf(area.circle).radius);
      return radius === null ? null : ellipse({ x: radius, y: radius }, at, rotation);
    }
    case 'rectangle':
      return rectangle(fieldsOf(area.rectangle), at, rotation);
    case 'older':
      return rectangle(area, at, rotation);
    default:
      return null;
  }
}

function polygon(points: readonly Point[], at: Point, rotation: number): Drawn {
  return { place: { points: points.map(({ x, y }) => turnedAbout(at, x, y, rotation)) }, fields: {} };
}

function ellipse({ x, y }: Point, center: Point, rotation: number): Drawn {
  return { place: { center, width: 2 * x, height: 2 * y, rotation }, fields: { kind: 'ellipse' } };
}

function rectangle(box: Fields, at: Point, rotation: number): Drawn | null {
  const width = numberOf(box.width);
  const height = numberOf(box.height);
  if (width === null || height === null) return null;
  const corners = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
  return polygon(corners, at, rotation);
}

/**
 * A text stands at its position in the area, and turns with it. In the older version it is a mere word in the middle.
 */
function textFrom(area: Fields, at: Point, rotation: number, source: string): FoundDecor[] | null {
  const words = textOf(area.text) ?? textOf(fieldsOf(area.text).text);
  if (words === null) return null;
  const fields = fieldsOf(area.text);
  const middle = { x: (numberOf(area.width) ?? 0) / 2, y: (numberOf(area.height) ?? 0) / 2 };
  const position = pointFrom(fields.position) ?? middle;
  const color = colourOf(fields.color);
  return [
    {
      type: 'text',
      source: `text of ${source}`,
      place: { center: turnedAbout(at, position.x, position.y, rotation), width: null, height: null, rotation },
      fontSize: numberOf(fields.size) ?? FONT_SIZE,
      fields: { text: words, ...(color !== null && { color }) },
    },
  ];
}
