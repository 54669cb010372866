/** The texts over the map: names of sections with their cards, of areas, of the stage, of rows. */
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, extentOf, middleOf, overlaps, topAt } from '../rules/bounds.ts';
import { type Caption, formsOf, LINE_SHARE, placeCaptions, type Wish } from '../rules/captions.ts';
import type { Decor } from '../rules/decor.ts';
import type { Area } from '../rules/hall.ts';
import { inkOn } from '../rules/palette.ts';
import { areaColour, blockColour } from './ground.ts';
import { grown, inChartUnits, type Plot } from './plot.ts';
import { rowNamesOf, type Scene } from './scene.ts';

/** The colours of a text; a halo keeps it legible on seats and lines. */
export type Ink = { colour: string; halo: string | null; isSection?: boolean };
export type Captions = readonly Caption<Ink>[];

const ROW_SEAT_PIXELS_MIN = 10;
const NAME_OVER_SEATS_PIXELS = 13;
/** A section of at least this share of its frame has the whole frame as room for text. */
const FRAME_SHARE = 0.8;
const HALO_PIXELS = 4;
/** The size of a text without a size in the chart: chart units, and bounds on the screen. */
const TEXT_SIZE = 20;
const TEXT_PIXELS = { min: 9, max: 16 };
const WIDTHS_MAX = 3_000;
const UNIT = 100;
const unlimited = { width: Infinity, height: Infinity };

/** All texts of a floor but the rows' names, at `scale` CSS pixels a chart unit, in pixels from the chart's origin. */
export function layCaptions(scene: Scene, scale: number, floor: number, isNear: boolean, measure: Measure): Captions {
  const wishes: Wish<Ink>[] = [];
  const { hall, painter, theme } = scene;
  const at = (bounds: Bounds) => {
    const { x, y } = middleOf(bounds);
    return { x: x * scale, y: y * scale };
  };
  for (const each of hall.decor)
    if (each.floor === floor && each.label !== '') wishes.push(decorWish(each, scale, scene));
  for (const [index, { name, centre, points, holes, floor: its }] of hall.areas.entries()) {
    if (its !== floor) continue;
    const card = painter.areaCardOf(index);
    const of = { colour: inkOn(areaColour(scene, index, card)), halo: null };
    const { x, y, clear } = clearOf(holes, centre, boundsOf(points));
    const whole = roomOf(points, boundsOf(points), scale);
    const width = Math.min(whole.width, 2 * clear * scale);
    const height = Math.min(whole.height, clear * scale);
    const room = { width, height };
    wishes.push({ of, x: x * scale, y: y * scale, room, forms: formsOf(name, card.lines) });
  }
  for (const [index, { label, bounds, outline, floor: its }] of hall.blocks.entries()) {
    if (its !== floor || label === '' || outline === null) continue;
    if (isNear) {
      // On the edge itself: the frame of a bent section begins far above its middle, over other seats.
      const { x } = middleOf(bounds);
      const top = { x: x * scale, y: (topAt(outline, x) ?? bounds.top) * scale + 2 };
      const forms = [[{ text: label, pixels: NAME_OVER_SEATS_PIXELS, weight: 600 }]];
      wishes.push({ of: { colour: theme.text, halo: theme.surface }, ...top, room: unlimited, forms });
      continue;
    }
    const card = painter.cardOf(index);
    const of = { colour: inkOn(blockColour(scene, index, card)), halo: null, isSection: true };
    wishes.push({ of, ...at(bounds), room: roomOf(outline, bounds, scale), forms: formsOf(label, card.lines) });
  }
  const placed = placeCaptions(wishes, measure);
  const cards = placed.filter(({ of }) => of.isSection);
  const isRare = cards.filter(({ lines }) => lines.length > 1).length * 2 < cards.length;
  // Cards of a few sections among many names would look like a fault.
  return isRare ? placeCaptions(wishes.map(nameOnly), measure) : placed;
}

function nameOnly(wish: Wish<Ink>): Wish<Ink> {
  return wish.of.isSection ? { ...wish, forms: wish.forms.filter(({ length }) => length === 1) } : wish;
}

/** The middle of an area; in an area with holes, the place farthest from them on the lines through the middle. */
function clearOf(holes: Area['holes'], middle: Point, bounds: Bounds): Point & { clear: number } {
  if (holes.length === 0) return { ...middle, clear: Infinity };
  const wide = bounds.right - bounds.left;
  const high = bounds.bottom - bounds.top;
  const steps = [0, -0.15, 0.15, -0.3, 0.3];
  const places = steps.flatMap((by) => [
    { x: middle.x + by * wide, y: middle.y },
    { x: middle.x, y: middle.y + by * high },
  ]);
  const room = ({ x, y }: Point) => {
    const edges = [x - bounds.left, bounds.right - x, (y - bounds.top) * 2, (bounds.bottom - y) * 2];
    return Math.min(...edges, ...holes.map((hole) => distanceTo(boundsOf(hole), x, y)));
  };
  const best = places.reduce((one, other) => (room(other) > room(one) ? other : one));
  return { ...best, clear: Math.max(room(best), 0) };
}

/** Text is wider than high, so a step up or down counts twice. */
function distanceTo({ left, top, right, bottom }: Bounds, x: number, y: number): number {
  return Math.max(left - x, x - right, (top - y) * 2, (y - bottom) * 2);
}

function decorWish({ label, bounds, outline, colour, textSize }: Decor, scale: number, { theme }: Scene): Wish<Ink> {
  const { x, y } = middleOf(bounds);
  const place = { x: x * scale, y: y * scale };
  if (outline) {
    const room = { width: (bounds.right - bounds.left) * scale * 0.9, height: (bounds.bottom - bounds.top) * scale };
    return { of: { colour: inkOn(colour ?? theme.stage), halo: null }, ...place, room, forms: textForms(label, null) };
  }
  const of = { colour: theme.text, halo: theme.ground };
  const plain = Math.min(Math.max(TEXT_SIZE * scale, TEXT_PIXELS.min), TEXT_PIXELS.max);
  return { of, ...place, room: unlimited, forms: textForms(label, (textSize ?? 0) * scale || plain) };
}

function textForms(text: string, pixels: number | null): { text: string; pixels: number; weight: number }[][] {
  const sizes = pixels === null ? [18, 15, 12.5, 10.5, 9] : pixels < 8 ? [] : [Math.min(pixels, 60)];
  return sizes.map((each) => [{ text, pixels: each, weight: 600 }]);
}

/** A bent or slanted section has less room than its frame: a square of the same area. */
function roomOf(
  outline: Parameters<typeof extentOf>[0],
  bounds: Bounds,
  scale: number,
): { width: number; height: number } {
  const extent = extentOf(outline);
  const width = bounds.right - bounds.left;
  const height = bounds.bottom - bounds.top;
  const side = Math.sqrt(extent) * scale;
  if (extent < FRAME_SHARE * width * height) return { width: side * 0.88, height: side * 0.88 };
  return { width: width * scale * 0.94, height: height * scale * 0.94 };
}

export type Measure = (text: string, weight: number) => number;

export function makeMeasure(pen: CanvasRenderingContext2D, font: () => string): Measure {
  const widths = new Map<string, number>();
  return (text, weight) => {
    const key = `${weight}${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    if (widths.size >= WIDTHS_MAX) widths.clear();
    pen.font = `${weight} ${UNIT}px ${font()}`;
    const width = pen.measureText(text).width / UNIT;
    widths.set(key, width);
    return width;
  };
}

/** Hebrew, Arabic and their neighbours: numbers and signs beside them stand in the order of their reading. */
const rightToLeft = /[\u0590-\u08ff]/;

/** Draws the texts that touch the plot. */
export function drawCaptions(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot, captions: Captions): void {
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.lineJoin = 'round';
  if (plot.isNear) drawRowNames(pen, scene, plot);
  const { rect, pixel } = plot;
  const seen = {
    left: rect.left / pixel,
    top: rect.top / pixel,
    right: rect.right / pixel,
    bottom: rect.bottom / pixel,
  };
  for (const { x, lines, box, of } of captions) {
    if (!overlaps(grown(box, HALO_PIXELS), seen)) continue;
    let y = box.top;
    for (const { text, pixels, weight } of lines) {
      const middle = (y + (pixels * LINE_SHARE) / 2) * plot.ratio - plot.top;
      pen.font = `${weight} ${pixels * plot.ratio}px ${scene.theme.font}`;
      pen.direction = rightToLeft.test(text) ? 'rtl' : 'ltr';
      write(pen, plot, text, x * plot.ratio - plot.left, middle, of);
      y += pixels * LINE_SHARE;
    }
  }
  inChartUnits(pen, plot);
}

function drawRowNames(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot): void {
  const { hall, theme } = scene;
  const { units, left, top, pixel, ratio, rect } = plot;
  for (const [index, { bounds, floor }] of hall.blocks.entries()) {
    if (floor !== plot.floor || !overlaps(grown(bounds, scene.seatSize * 2), rect)) continue;
    for (const { text, x, y, size } of rowNamesOf(scene, index)) {
      const pixels = size / pixel;
      if (pixels < ROW_SEAT_PIXELS_MIN) break;
      if (x < rect.left - size || x > rect.right + size || y < rect.top - size || y > rect.bottom + size) continue;
      pen.font = `600 ${Math.min(Math.max(pixels * 0.62, 9), 14) * ratio}px ${theme.font}`;
      write(pen, plot, text, x * units - left, y * units - top, { colour: theme.text, halo: null });
    }
  }
}

function write(
  pen: CanvasRenderingContext2D,
  { ratio }: Plot,
  text: string,
  x: number,
  y: number,
  { colour, halo }: Ink,
): void {
  if (halo) {
    pen.lineWidth = HALO_PIXELS * ratio;
    pen.strokeStyle = halo;
    pen.strokeText(text, x, y);
  }
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}
