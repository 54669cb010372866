/** The texts over the map: names of sections with their cards, of areas, of the stage, of rows. */
import type { Point } from '@parterre/shared/charts/plan';
import { extentOf, legibleTurn, middleOf, overlaps, topAt } from '../rules/bounds.ts';
import { type Caption, formsOf, LINE_SHARE, placeCaptions, TEXT_PIXELS_MIN, type Wish } from '../rules/captions.ts';
import type { Decor } from '../rules/decor.ts';
import type { Block } from '../rules/hall.ts';
import { inkOn } from '../rules/palette.ts';
import { directionOf, type Room, roomsIn } from '../rules/rooms.ts';
import { areaColour, blockColour } from './ground.ts';
import { grown, inChartUnits, type Plot } from './plot.ts';
import { rowNamesIn } from './row-names.ts';
import type { Scene } from './scene.ts';

/** The colours of a text, and the section that it names; a halo keeps it legible on seats and lines. */
export type Ink = { colour: string; halo: string | null; block?: number };
export type Captions = readonly Caption<Ink>[];

const NAME_OVER_SEATS_PIXELS = 13;
/** A text fills no more of its room. */
const ROOM_SHARE = 0.96;
const HALO_PIXELS = 4;
/** The size of a text without a size in the chart: chart units, and bounds on the screen. */
const TEXT_SIZE = 20;
const TEXT_PIXELS = { min: 9, max: 16 };
const WIDTHS_MAX = 3_000;
const UNIT = 100;
const unlimited = { width: Infinity, height: Infinity, turn: 0 };

/** All texts of a floor but the rows' names, at `scale` CSS pixels a chart unit, in pixels from the chart's origin. */
export function layCaptions(scene: Scene, scale: number, floor: number, isNear: boolean, measure: Measure): Captions {
  const { hall, painter } = scene;
  const wishes: Wish<Ink>[] = [];
  for (const each of hall.decor)
    if (each.floor === floor && each.label !== '') wishes.push(decorWish(each, scale, scene));
  for (const [index, area] of hall.areas.entries()) {
    if (area.floor !== floor) continue;
    const card = painter.areaCardOf(index);
    const of = { colour: inkOn(areaColour(scene, index, card)), halo: null };
    wishes.push({ of, rooms: roomsOf(area, area.points, scale), forms: formsOf(area.name, card.lines) });
  }
  const sections = [...hall.blocks.keys()].filter((index) => isNamed(hall.blocks[index]!, floor));
  if (isNear) return placeCaptions([...wishes, ...sections.map((index) => edgeWish(scene, scale, index))], measure);
  const cards = sections.map((index) => cardWish(scene, scale, index));
  const placed = placeCaptions([...wishes, ...cards], measure);
  const shown = placed.filter(({ of }) => of.block !== undefined);
  const isRare = shown.filter(({ lines }) => lines.length > 1).length * 2 < shown.length;
  // Cards of a few sections among many names would look like a fault.
  const seen = isRare ? placeCaptions([...wishes, ...cards.map(nameOnly)], measure) : placed;
  const named = new Set(seen.map(({ of }) => of.block));
  const nameless = sections.filter((index) => !named.has(index));
  return [
    ...seen,
    ...placeCaptions(
      nameless.flatMap((index) => nameWishes(scene, scale, index)),
      measure,
      seen,
    ),
  ];
}

const isNamed = ({ label, outline, floor }: Block, shown: number): boolean =>
  floor === shown && label !== '' && outline !== null;

function nameOnly(wish: Wish<Ink>): Wish<Ink> {
  return { ...wish, forms: wish.forms.filter(({ length }) => length === 1) };
}

/** Near: on the edge itself. The frame of a bent section begins far above its middle, over other seats. */
function edgeWish({ hall, theme }: Scene, scale: number, index: number): Wish<Ink> {
  const { label, bounds, outline } = hall.blocks[index]!;
  const { x } = middleOf(bounds);
  const top = { x: x * scale, y: (topAt(outline!, x) ?? bounds.top) * scale + 2 };
  const forms = [[{ text: label, pixels: NAME_OVER_SEATS_PIXELS, weight: 600 }]];
  return { of: { colour: theme.text, halo: theme.surface }, rooms: [{ ...top, ...unlimited }], forms };
}

/** From afar: within the section, at the angle that the chart gives. */
function cardWish(scene: Scene, scale: number, index: number): Wish<Ink> {
  const block = scene.hall.blocks[index]!;
  const card = scene.painter.cardOf(index);
  const of = { colour: inkOn(blockColour(scene, index, card)), halo: null, block: index };
  return { of, rooms: roomsOf(block, block.outline!, scale), forms: formsOf(block.label, card.lines) };
}

/**
 * The name of a section that has no room for it level with the map: along the section, else over its edges on a halo of
 * the section's colour. A section that is smaller than the text has no name.
 */
function nameWishes(scene: Scene, scale: number, index: number): Wish<Ink>[] {
  const block = scene.hall.blocks[index]!;
  const outline = block.outline!;
  const side = Math.sqrt(extentOf(outline)) * scale;
  if (side < TEXT_PIXELS_MIN * LINE_SHARE) return [];
  const ground = blockColour(scene, index, scene.painter.cardOf(index));
  const colour = inkOn(ground);
  const along = roomsOf(block, outline, scale, directionOf(outline));
  const [first = { ...middleOf(block.bounds), turn: 0 }] = roomsOf(block, outline, 1);
  const over = { x: first.x * scale, y: first.y * scale, width: 2 * side, height: side, turn: first.turn };
  const forms = formsOf(block.label, []);
  const smallest = forms.slice(-1);
  return [
    { of: { colour, halo: null, block: index }, rooms: along, forms },
    { of: { colour, halo: ground, block: index }, rooms: [over], forms: smallest },
  ];
}

type Shape = { holes: Block['holes']; turn?: number };

/** The rooms of a shape, found once for each angle. */
const found = new WeakMap<readonly Point[], Map<number, Room[]>>();

function roomsOf({ holes, turn = 0 }: Shape, outline: readonly Point[], scale: number, angle = turn): Room[] {
  const known = found.get(outline) ?? new Map<number, Room[]>();
  found.set(outline, known);
  const rooms = known.get(angle) ?? roomsIn(outline, holes, angle);
  known.set(angle, rooms);
  return rooms.map(({ x, y, width, height, turn: its }) => ({
    x: x * scale,
    y: y * scale,
    width: width * scale * ROOM_SHARE,
    height: height * scale * ROOM_SHARE,
    turn: its,
  }));
}

function decorWish(decor: Decor, scale: number, { theme }: Scene): Wish<Ink> {
  const { label, bounds, outline, colour, textSize, rotation, isRound } = decor;
  const { x, y } = middleOf(bounds);
  const place = { x: x * scale, y: y * scale };
  if (outline) {
    const width = (bounds.right - bounds.left) * scale * 0.9;
    const height = (bounds.bottom - bounds.top) * scale;
    const turn = isRound ? 0 : legibleTurn(rotation);
    const of = { colour: inkOn(colour ?? theme.stage), halo: null };
    return { of, rooms: [{ ...place, width, height, turn }], forms: textForms(label, null) };
  }
  const of = { colour: theme.text, halo: theme.ground };
  const plain = Math.min(Math.max(TEXT_SIZE * scale, TEXT_PIXELS.min), TEXT_PIXELS.max);
  const rooms = [{ ...place, ...unlimited, turn: rotation }];
  return { of, rooms, forms: textForms(label, (textSize ?? 0) * scale || plain) };
}

function textForms(text: string, pixels: number | null): { text: string; pixels: number; weight: number }[][] {
  const sizes = pixels === null ? [18, 15, 12.5, 10.5, 9] : pixels < 8 ? [] : [Math.min(pixels, 60)];
  return sizes.map((each) => [{ text, pixels: each, weight: 600 }]);
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
  const { rect, pixel } = plot;
  const seen = {
    left: rect.left / pixel,
    top: rect.top / pixel,
    right: rect.right / pixel,
    bottom: rect.bottom / pixel,
  };
  const onPlot = captions.filter(({ box }) => overlaps(grown(box, HALO_PIXELS), seen));
  if (plot.isNear) drawRowNames(pen, scene, plot, onPlot);
  for (const caption of onPlot) drawCaption(pen, scene, plot, caption);
  inChartUnits(pen, plot);
}

function drawCaption(pen: CanvasRenderingContext2D, { theme }: Scene, plot: Plot, caption: Caption<Ink>): void {
  const { ratio } = plot;
  const { x, y, turn, height, lines, of } = caption;
  pen.setTransform(1, 0, 0, 1, x * ratio - plot.left, y * ratio - plot.top);
  if (turn !== 0) pen.rotate((turn * Math.PI) / 180);
  let top = -height / 2;
  for (const { text, pixels, weight } of lines) {
    pen.font = `${weight} ${pixels * ratio}px ${theme.font}`;
    pen.direction = rightToLeft.test(text) ? 'rtl' : 'ltr';
    write(pen, plot, text, 0, (top + (pixels * LINE_SHARE) / 2) * ratio, of);
    top += pixels * LINE_SHARE;
  }
  pen.setTransform(1, 0, 0, 1, 0, 0);
}

/** A section's name goes before the names of rows. */
function drawRowNames(pen: CanvasRenderingContext2D, scene: Scene, plot: Plot, captions: Captions): void {
  const { units, left, top, pixel, ratio } = plot;
  const ink = { colour: scene.theme.text, halo: null };
  for (const { text, x, y, size } of rowNamesIn(scene, plot)) {
    const reach = size / 2;
    const at = { left: x / pixel - reach, top: y / pixel - reach, right: x / pixel + reach, bottom: y / pixel + reach };
    if (captions.some(({ box }) => overlaps(box, at))) continue;
    pen.font = `600 ${size * ratio}px ${scene.theme.font}`;
    write(pen, plot, text, x * units - left, y * units - top, ink);
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
