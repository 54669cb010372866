/**
 * Seats, chairs, tables and booths. Seats of one look and size in a block are drawn as one path a layer of their glyph,
 * so a tile of two thousand small seats takes a few milliseconds without a graphics card.
 */
import { type Bounds, overlaps } from '../rules/bounds.ts';
import { NUMBER_PIXELS_MIN } from '../rules/camera.ts';
import type { Block, Hall, HallObject } from '../rules/hall.ts';
import { mixed } from '../rules/palette.ts';
import { drawGlyphs, isFreeGlyph, isNumberable } from './glyphs.ts';
import { traceBody } from './ground.ts';
import { grown, inChartUnits, type Plot, writeAt } from './plot.ts';
import type { Look, Scene } from './scene.ts';

/** Smaller seats are squares. */
const DISC_PIXELS_MIN = 3;
const DIM_ALPHA = 0.2;
/** The size of a chair at a table that is sold as a whole, in chart units. */
const CHAIR_SIZE = 18;
const TEXT_PIXELS_MIN = 8;
/** From the edge of a table to the far side of its chairs, the ring of a chosen table included. */
export const CHAIRS_REACH = 30;

/** Draws the blocks of the plot's floor, and returns the number of seats drawn. The pen's units are the chart's. */
export function drawSeats(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot): number {
  const { hall } = scene;
  let count = 0;
  for (const object of hall.objects) {
    if (object.body && object.floor === plot.floor) drawTable(pen, scene, plot, object);
  }
  for (const block of hall.blocks) {
    if (block.floor !== plot.floor || !overlaps(block.bounds, plot.rect)) continue;
    if (block.outline === null || plot.isNear) count += drawBlockSeats(pen, scene, plot, block);
  }
  return count;
}

/** True for a place that is a table or booth, not a seat. */
export function isBody({ body, mode }: HallObject): boolean {
  return body !== null && (body.type === 'booth' || mode !== 'individual');
}

/** Seats of one look and size that wait to be drawn. */
type Batch = { look: Look; size: number; places: number[]; spots: number[] };

function drawBlockSeats(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot, { spots }: Block): number {
  const { hall, painter, filter } = scene;
  const bright = new Map<Look, Batch>();
  const dim = new Map<Look, Batch>();
  let count = 0;
  for (const spot of spots) {
    const object = hall.objects[hall.objectOf[spot]!]!;
    const isTable = isBody(object);
    if (!(isTable ? isNearby(object.body!, plot) : isSeen(hall, spot, plot.rect))) continue;
    count++;
    const look = painter.lookOf(spot);
    if (isTable) {
      drawBodySpot(pen, scene, plot, spot, look);
      continue;
    }
    const batches = filter && !filter.spot(spot) ? dim : bright;
    const size = hall.size[spot]!;
    let batch = batches.get(look);
    if (batch && batch.size !== size) flush(pen, scene, plot, batch, batches === dim);
    if (batch?.size !== size) {
      batch = { look, size, places: [], spots: [] };
      batches.set(look, batch);
    }
    batch!.places.push(hall.x[spot]!, hall.y[spot]!);
    batch!.spots.push(spot);
  }
  for (const batch of dim.values()) flush(pen, scene, plot, batch, true);
  for (const batch of bright.values()) flush(pen, scene, plot, batch, false);
  return count;
}

/** Marks the free places with a restricted view among these. */
function markRestricted(
  pen: CanvasRenderingContext2D,
  { hall }: Scene,
  { look, size, spots }: Batch,
  inks: Scene['inks'][number],
): void {
  if (hall.restricted.size === 0 || !isFreeGlyph(look.glyph)) return;
  const restricted = spots.filter((spot) => hall.restricted.has(spot));
  const places = restricted.flatMap((spot) => [hall.x[spot]!, hall.y[spot]!]);
  if (places.length > 0) drawGlyphs(pen, 'foot', places, size, inks, false);
}

function isSeen({ x, y, size }: Hall, spot: number, { left, top, right, bottom }: Bounds): boolean {
  const reach = size[spot]! * 0.6;
  return x[spot]! > left - reach && x[spot]! < right + reach && y[spot]! > top - reach && y[spot]! < bottom + reach;
}

function flush(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot, batch: Batch, isDim: boolean): void {
  const { look, size, places, spots } = batch;
  const inks = scene.inks[look.category] ?? scene.inks.at(-1)!;
  const pixels = size / plot.pixel;
  const isNumbered = pixels >= NUMBER_PIXELS_MIN && isNumberable(look.glyph);
  pen.globalAlpha = isDim ? DIM_ALPHA : 1;
  if (pixels < DISC_PIXELS_MIN) drawSquares(pen, places, size, look, inks);
  else {
    drawGlyphs(pen, look.glyph, places, size, inks, isNumbered);
    markRestricted(pen, scene, batch, inks);
  }
  if (isNumbered) drawNumbers(pen, scene, plot, spots, look.glyph === 'free' ? inks.onTint : inks.onOwn);
  if (look.isMarked) drawGlyphs(pen, 'marked', places, size, inks, false);
  pen.globalAlpha = 1;
}

function drawSquares(
  pen: CanvasRenderingContext2D,
  places: readonly number[],
  size: number,
  { glyph }: Look,
  inks: Scene['inks'][number],
): void {
  const isFree = isFreeGlyph(glyph);
  const isOurs = glyph === 'chosen' || glyph === 'reserved' || glyph === 'bought';
  pen.fillStyle = isFree ? inks.tint : isOurs ? inks.own : inks.gone;
  const side = size * 0.9;
  pen.beginPath();
  for (let i = 0; i < places.length; i += 2) pen.rect(places[i]! - side / 2, places[i + 1]! - side / 2, side, side);
  pen.fill();
}

function drawNumbers(
  pen: CanvasRenderingContext2D,
  { hall, theme, painter }: Scene,
  plot: Plot,
  spots: readonly number[],
  ink: string,
): void {
  pen.fillStyle = ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  let drawnPixels = 0;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  for (const spot of spots) {
    const text = painter.textOf?.(spot) ?? hall.numbers[spot]!;
    const pixels = hall.size[spot]! / plot.pixel;
    const height = Math.min(pixels * 0.46, (pixels * 1.15) / Math.max(text.length, 2), 17);
    if (height !== drawnPixels) pen.font = `600 ${height * plot.ratio}px ${theme.font}`;
    drawnPixels = height;
    pen.fillText(
      text,
      hall.x[spot]! * plot.units - plot.left,
      hall.y[spot]! * plot.units - plot.top + 0.5 * plot.ratio,
    );
  }
  inChartUnits(pen, plot);
}

/** A table whose chairs are sold one by one: its shape and its name. */
function drawTable(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot, object: HallObject): void {
  const { body } = object;
  if (!body || isBody(object) || !isNearby(body, plot)) return;
  pen.fillStyle = scene.theme.surface;
  pen.strokeStyle = scene.theme.edge;
  pen.lineWidth = 1.5 * plot.pixel;
  traceBody(pen, body);
  pen.fill();
  pen.stroke();
  nameBody(pen, scene, plot, object, scene.theme.text);
}

/** A booth, or a table that is sold as a whole with its chairs: it has the colour and the sign of a seat. */
function drawBodySpot(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot, spot: number, look: Look): void {
  const { hall, theme, filter } = scene;
  const object = hall.objects[hall.objectOf[spot]!]!;
  const body = object.body!;
  const inks = scene.inks[look.category] ?? scene.inks.at(-1)!;
  const isFree = look.glyph === 'free';
  const isOurs = !isFree && isNumberable(look.glyph);
  const fill = isFree ? inks.tint : isOurs ? inks.own : theme.empty;
  pen.globalAlpha = filter && !filter.spot(spot) ? DIM_ALPHA : 1;
  const chairs = object.chairs.flatMap(({ x, y }) => [x, y]);
  drawGlyphs(pen, 'free', chairs, CHAIR_SIZE, { ...inks, tint: mixed(theme.floor, fill, 0.65) }, true);
  traceBody(pen, body);
  pen.fillStyle = fill;
  pen.strokeStyle = isFree ? theme.edge : isOurs ? inks.own : theme.faint;
  pen.lineWidth = 1.5 * plot.pixel;
  pen.fill();
  pen.stroke();
  if (isOurs) ringOf(pen, plot, body, look, inks.own);
  if (isFree && hall.restricted.has(spot)) {
    drawGlyphs(pen, 'foot', [body.center.x, body.center.y], hall.size[spot]!, inks, false);
  }
  if (isFree || isOurs) nameBody(pen, scene, plot, object, isFree ? inks.onTint : inks.onOwn);
  else {
    const side = Math.min(hall.size[spot]!, 40);
    drawGlyphs(pen, look.glyph, [body.center.x, body.center.y], side, inks, false);
  }
  if (look.isMarked) drawGlyphs(pen, 'marked', [body.center.x, body.center.y], hall.size[spot]!, inks, false);
  pen.globalAlpha = 1;
}

/** Around the buyer's own table: whole for chosen, dashed for held, none for bought. */
function ringOf(
  pen: CanvasRenderingContext2D,
  plot: Plot,
  body: NonNullable<HallObject['body']>,
  { glyph }: Look,
  colour: string,
): void {
  if (glyph === 'bought') return;
  traceBody(pen, body, 4 * plot.pixel);
  pen.strokeStyle = colour;
  pen.lineWidth = 2.5 * plot.pixel;
  if (glyph === 'reserved') pen.setLineDash([6 * plot.pixel, 4 * plot.pixel]);
  pen.stroke();
  pen.setLineDash([]);
}

function isNearby(body: NonNullable<HallObject['body']>, { rect }: Plot): boolean {
  const { x, y } = body.center;
  const isRound = body.type === 'table' && body.shape === 'round';
  const reach = CHAIRS_REACH + (isRound ? (body.radius ?? 40) : Math.hypot(body.width ?? 80, body.height ?? 50) / 2);
  const { left, top, right, bottom } = grown(rect, reach);
  return x > left && x < right && y > top && y < bottom;
}

/** The name within the shape, or none where it would be illegible. */
function nameBody(
  pen: CanvasRenderingContext2D,
  { theme }: Scene,
  plot: Plot,
  { name, body }: HallObject,
  ink: string,
): void {
  if (!body) return;
  const isRound = body.type === 'table' && body.shape === 'round';
  const width = isRound ? (body.radius ?? 40) * 1.7 : (body.width ?? 80) * 0.9;
  const height = isRound ? (body.radius ?? 40) : (body.height ?? 50) * 0.8;
  const pixels = Math.min(width / plot.pixel / (name.length * 0.6), height / plot.pixel / 1.2, 15);
  if (pixels < TEXT_PIXELS_MIN) return;
  pen.font = `600 ${pixels * plot.ratio}px ${theme.font}`;
  pen.fillStyle = ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  writeAt(pen, plot, name, body.center.x, body.center.y);
}
