/**
 * A small picture of a chart on a canvas: sections, decoration, areas, tables and each seat in its category's colour.
 */
import type { ChartDocument, ChartObject, Table } from '@parterre/shared/charts/document';
import { isSeller, partsOf, placesOf } from '@parterre/shared/charts/places';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf } from '../rules/bounds.ts';
import { decorOf } from '../rules/decor.ts';

type Dots = { colour: string; points: readonly Point[] };
type Shapes = { outline: readonly Point[]; colour: string; opacity: number }[];

/** In chart units. */
const SEAT_RADIUS = 8;
const MARGIN = 12;
/** In points of the screen: smaller seats of a large house run together. */
const DOT_RADIUS_MIN = 0.7;
/** Seen on light and on dark ground. */
const GREY = '#80848e';
/** The seats of a table stand around it. */
const TABLE_OPACITY = 0.35;
const TABLE_CORNERS = 20;

export function drawSmallPicture(canvas: HTMLCanvasElement, document: ChartDocument): void {
  const { clientWidth, clientHeight } = canvas;
  const density = window.devicePixelRatio;
  canvas.width = Math.round(clientWidth * density);
  canvas.height = Math.round(clientHeight * density);
  const pen = canvas.getContext('2d');
  const objects = partsOf(document).flatMap((part) => part.objects);
  const shapes = shapesOf(objects, document);
  const dots = dotsOf(objects, document);
  const points = [...shapes.map(({ outline }) => outline), ...dots.map((each) => each.points)].flat();
  if (!pen || points.length === 0 || clientWidth === 0) return;
  const scale = fit(pen, boundsOf(points), canvas);
  for (const shape of shapes) fill(pen, shape);
  const radius = Math.max(SEAT_RADIUS, (DOT_RADIUS_MIN * density) / scale);
  for (const { colour, points: seats } of dots) {
    pen.fillStyle = colour;
    pen.beginPath();
    for (const { x, y } of seats) {
      pen.moveTo(x + radius, y);
      pen.arc(x, y, radius, 0, 2 * Math.PI);
    }
    pen.fill();
  }
}

/** Sets the pen to chart units. Returns pixels of the canvas for a unit. */
function fit(
  pen: CanvasRenderingContext2D,
  { left, top, right, bottom }: Bounds,
  { width, height }: HTMLCanvasElement,
): number {
  const across = right - left + 2 * MARGIN;
  const down = bottom - top + 2 * MARGIN;
  const scale = Math.min(width / across, height / down);
  const x = (width - scale * (left + right)) / 2;
  const y = (height - scale * (top + bottom)) / 2;
  pen.setTransform(scale, 0, 0, scale, x, y);
  return scale;
}

function shapesOf(objects: readonly ChartObject[], document: ChartDocument): Shapes {
  const colourOf = coloursOf(document);
  return objects.flatMap((object): Shapes => {
    if (object.type === 'section') return [{ outline: object.outline, colour: GREY, opacity: 0.16 }];
    if (object.type === 'gaArea')
      return [{ outline: object.points, colour: colourOf(object.categoryKey), opacity: 0.8 }];
    if (object.type === 'table')
      return [{ outline: topOf(object), colour: colourOf(object.categoryKey), opacity: TABLE_OPACITY }];
    const outline = decorOf(object, 0)?.outline;
    return outline ? [{ outline, colour: GREY, opacity: 0.45 }] : [];
  });
}

/** A round table, or the ellipse in a rectangular one. */
function topOf({ center, shape, radius = 40, width = 80, height = 50 }: Table): Point[] {
  const [across, down] = shape === 'round' ? [radius, radius] : [width / 2, height / 2];
  return Array.from({ length: TABLE_CORNERS }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / TABLE_CORNERS;
    return { x: center.x + across * Math.cos(angle), y: center.y + down * Math.sin(angle) };
  });
}

function dotsOf(objects: readonly ChartObject[], document: ChartDocument): Dots[] {
  const colourOf = coloursOf(document);
  const byColour = new Map<string, Point[]>();
  for (const object of objects) {
    if (!isSeller(object) || object.type === 'gaArea') continue;
    for (const place of placesOf(object)) {
      const colour = colourOf(place.categoryKey);
      const known = byColour.get(colour);
      if (known) known.push(place);
      else byColour.set(colour, [place]);
    }
  }
  return [...byColour].map(([colour, points]) => ({ colour, points }));
}

function coloursOf({ categories }: ChartDocument): (key: string) => string {
  const colours = new Map(categories.map(({ key, color }) => [key, color]));
  return (key) => colours.get(key) ?? GREY;
}

function fill(pen: CanvasRenderingContext2D, { outline, colour, opacity }: Shapes[number]): void {
  pen.globalAlpha = opacity;
  pen.fillStyle = colour;
  pen.beginPath();
  for (const { x, y } of outline) pen.lineTo(x, y);
  pen.fill();
  pen.globalAlpha = 1;
}
