/** Reads the shapes, texts and pictures of a seats.io drawing. */
import type { Point } from '../../plan.ts';
import {
  colourOf,
  type Fields,
  fieldsOf,
  moved,
  numberOf,
  objectsOf,
  pictureUrlOf,
  pointFrom,
  pointsFrom,
  textOf,
} from '../reading.ts';
import { quoted } from '../report.ts';
import type { FoundDecor } from '../venue.ts';
import { placed, type Within } from './seatsio-seats.ts';

export function readDecor(drawing: Fields, within: Within): FoundDecor[] {
  const each = (
    list: unknown,
    kind: 'shape' | 'text' | 'picture',
    read: (object: Fields, within: Within, source: string) => FoundDecor | null,
  ) =>
    objectsOf(list).flatMap((object, index) => {
      within.unread.see(kind, object);
      return read(object, within, sourceOf(object, kind, index, within)) ?? [];
    });
  return [
    ...each(drawing.shapes, 'shape', readShape),
    ...each(drawing.texts, 'text', readText),
    ...each(drawing.imageObjects, 'picture', readImage),
  ];
}

function sourceOf(object: Fields, kind: string, index: number, { section, notes }: Within): string {
  return notes.nameOf(textOf(object.uuid) ?? `${kind} ${index + 1}${section === null ? '' : ` of section ${section}`}`);
}

function readShape(shape: Fields, within: Within, source: string): FoundDecor | null {
  const type = textOf(shape.type) ?? '';
  const label = textOf(shape.label);
  const fill = colourOf(shape.fillColor);
  const stroke = colourOf(shape.strokeColor);
  const fields = {
    ...(label !== null && { label }),
    ...(textOf(shape.smartType) !== null && { smartType: textOf(shape.smartType) }),
    ...(fill !== null && { fill }),
    ...(stroke !== null && { stroke }),
    ...sizeOf('strokeWidth', shape, within),
    ...sizeOf('cornerRadius', shape, within),
  };
  const points = pointsFrom(shape.points).map((point) => placed(point, within));
  if (points.length >= 3) return { type: 'shape', source, place: { points }, fontSize: null, fields };
  const center = pointFrom(shape.center);
  const radius = numberOf(shape.radius1) ?? numberOf(shape.radius);
  const width = numberOf(shape.width) ?? (radius === null ? null : 2 * radius);
  const height = numberOf(shape.height) ?? (radius === null ? null : 2 * (numberOf(shape.radius2) ?? radius));
  if (center === null || width === null || height === null) {
    within.notes.leftOut(
      'shape',
      `A shape ${quoted(label ?? type)}: its form is not known here. Draw it anew if you need it.`,
      { source },
    );
    return null;
  }
  const isRound = type === 'circle' || type === 'ellipse' || (radius !== null && type !== 'rectangle');
  const place = {
    center: placed(center, within),
    width: width * within.scale,
    height: height * within.scale,
    rotation: numberOf(shape.rotationAngle) ?? 0,
  };
  return { type: 'shape', source, place, fontSize: null, fields: { kind: isRound ? 'ellipse' : 'rect', ...fields } };
}

function sizeOf(name: string, object: Fields, { scale }: Within): Fields {
  const size = numberOf(object[name]);
  return size === null ? {} : { [name]: size * scale };
}

/** The middle of an object that names its centre or its corner. */
function centreOf(object: Fields, within: Within): Point | null {
  const center = pointFrom(object.center) ?? pointFrom({ x: object.centerX, y: object.centerY });
  if (center) return placed(center, within);
  const corner = [object.topLeft, object, object.origin, object.position].map(pointFrom).find((each) => each !== null);
  if (!corner) return null;
  const half = { x: (numberOf(object.width) ?? 0) / 2, y: (numberOf(object.height) ?? 0) / 2 };
  return placed(moved(corner, half), within);
}

function readText(object: Fields, within: Within, source: string): FoundDecor | null {
  const text = textOf(object.text) ?? textOf(object.label);
  const center = centreOf(object, within);
  if (text === null) {
    within.notes.leftOut('text', 'A text without words.', { source });
    return null;
  }
  if (center === null) {
    within.notes.leftOut('text', `The text ${quoted(text)}: the file has no position.`, { source });
    return null;
  }
  const color = colourOf(object.textColor) ?? colourOf(object.color) ?? colourOf(object.fillColor);
  const place = { center, width: null, height: null, rotation: numberOf(object.rotationAngle) ?? 0 };
  const size = numberOf(object.fontSize) ?? numberOf(object.labelSize) ?? numberOf(object.size);
  const fontSize = size === null ? null : size * within.scale;
  return { type: 'text', source, place, fontSize, fields: { text, ...(color !== null && { color }) } };
}

function readImage(object: Fields, within: Within, source: string): FoundDecor | null {
  const addresses = [object.url, object.imageUrl, object.src, object.href, object.image, fieldsOf(object.image).url];
  const url = addresses.map(pictureUrlOf).find((each) => each !== null);
  const center = centreOf(object, within);
  const width = numberOf(object.width);
  const height = numberOf(object.height);
  if (url == null || center === null || width === null || height === null) {
    within.notes.leftOut(
      'image',
      'A picture: the file has no address, position or size of it. Upload it again in the designer.',
      { source },
    );
    return null;
  }
  const place = {
    center,
    width: width * within.scale,
    height: height * within.scale,
    rotation: numberOf(object.rotationAngle) ?? 0,
  };
  const opacity = numberOf(object.opacity);
  return { type: 'decorImage', source, place, fontSize: null, fields: { url, ...(opacity !== null && { opacity }) } };
}
