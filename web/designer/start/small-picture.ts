/** A small picture of a chart on a canvas: sections, decoration, areas and each seat in its category's colour. */
import type { ChartDocument, ChartObject } from '@parterre/shared/chart/document';
import { isSeller, partsOf, placesOf } from '@parterre/shared/chart/places';
import type { Point } from '@parterre/shared/chart/plan';
import { type Bounds, boundsOf } from '../../src/rules/bounds.ts';
import { decorOf } from '../../src/rules/decor.ts';

type Pen = CanvasRenderingContext2D;
type Dots = { colour: string; points: readonly Point[] };
type Shapes = { outline: readonly Point[]; colour: string | null }[];

/** In chart units. */
const SEAT_RADIUS = 8;
const MARGIN = 12;
/** In points of the screen: smaller seats of a large house run together. */
const DOT_RADIUS_MIN = 0.7;
/** Seen on light and on dark ground. */
const GROUND = 'rgb(128 132 142 / .16)';
const DECOR = 'rgb(128 132 142 / .45)';

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
  for (const { outline, colour } of shapes) fill(pen, outline, colour ?? GROUND);
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
function fit(pen: Pen, { left, top, right, bottom }: Bounds, { width, height }: HTMLCanvasElement): number {
  const [across, down] = [right - left + 2 * MARGIN, bottom - top + 2 * MARGIN];
  const scale = Math.min(width / across, height / down);
  const [x, y] = [(width - scale * (left + right)) / 2, (height - scale * (top + bottom)) / 2];
  pen.setTransform(scale, 0, 0, scale, x, y);
  return scale;
}

function shapesOf(objects: readonly ChartObject[], document: ChartDocument): Shapes {
  const colourOf = coloursOf(document);
  return objects.flatMap((object): Shapes => {
    if (object.type === 'section') return [{ outline: object.outline, colour: null }];
    if (object.type === 'gaArea') return [{ outline: object.points, colour: colourOf(object.categoryKey) }];
    const outline = decorOf(object, 0)?.outline;
    return outline ? [{ outline, colour: DECOR }] : [];
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
  return (key) => colours.get(key) ?? DECOR;
}

function fill(pen: Pen, outline: readonly Point[], colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  for (const { x, y } of outline) pen.lineTo(x, y);
  pen.fill();
}
