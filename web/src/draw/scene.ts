/** A hall to be drawn, and its host's answers on the look of each part. No part of a sale stands here. */
import { type Hall, rowsOf } from '../rules/hall.ts';
import { inkOn } from '../rules/palette.ts';
import type { GlyphName, Inks } from './glyphs.ts';
import { makePictures, type Pictures } from './pictures.ts';
import type { Theme } from './theme.ts';

/** Shared by all seats of one look: seats of the same object are drawn together. */
export type Look = { readonly glyph: GlyphName; readonly category: number };

/** A section or area from afar. */
export type Card = {
  /** Of 0 to 1, still free. */
  share: number;
  /** Under the name, the most important first. */
  lines: readonly string[];
  /** The buyer has places in it. */
  isOurs: boolean;
};

export type Painter = {
  lookOf(spot: number): Look;
  cardOf(block: number): Card;
  areaCardOf(area: number): Card;
  /** By category, on this theme. */
  coloursOn(theme: Theme): readonly string[];
  /** The whole address of a picture whose chart gives an address relative to the front door. */
  addressOf(picture: string): string;
};

/** True for the places that stay bright. */
export type SeatFilter = { spot(spot: number): boolean; area(index: number): boolean } | null;

export type RowName = { text: string; x: number; y: number; size: number };

export type Scene = {
  hall: Hall;
  painter: Painter;
  theme: Theme;
  colours: readonly string[];
  /** By category, and the last for places without a category. */
  inks: readonly Inks[];
  filter: SeatFilter;
  pictures: Pictures;
  /** The middle one of all seats. */
  seatSize: number;
  rowNames: (readonly RowName[] | undefined)[];
  /** By block, with a filter: whether a place of it stays bright. */
  bright: (boolean | undefined)[];
};

/** `loaded` is called when a picture of the chart has come. */
export function makeScene(hall: Hall, painter: Painter, theme: Theme, loaded: () => void): Scene {
  const colours = painter.coloursOn(theme);
  return {
    hall,
    painter,
    theme,
    colours,
    inks: inksOf(theme, colours),
    filter: null,
    pictures: makePictures(hall, (address) => painter.addressOf(address), loaded),
    seatSize: median(hall.size),
    rowNames: [],
    bright: [],
  };
}

export function restyle(scene: Scene, theme: Theme): void {
  const colours = scene.painter.coloursOn(theme);
  Object.assign(scene, { theme, colours, inks: inksOf(theme, colours) });
}

export function isBright(scene: Scene, block: number): boolean {
  const { filter, hall, bright } = scene;
  if (!filter) return true;
  bright[block] ??= hall.blocks[block]!.spots.some((spot) => filter.spot(spot));
  return bright[block]!;
}

function inksOf(theme: Theme, colours: readonly string[]): Inks[] {
  const { text: own, surface: onOwn, empty: gone, faint } = theme;
  return [...colours, theme.faint].map((tint) => ({ tint, onTint: inkOn(tint), own, onOwn, gone, faint }));
}

/**
 * The names of a block's rows, at both ends of each row where no seat stands. Made when the block is first drawn near.
 */
export function rowNamesOf(scene: Scene, index: number): readonly RowName[] {
  scene.rowNames[index] ??= findRowNames(scene.hall, index);
  return scene.rowNames[index]!;
}

function findRowNames(hall: Hall, index: number): RowName[] {
  const block = hall.blocks[index]!;
  const names: RowName[] = [];
  for (const { label: text, spots } of rowsOf(hall, block)) {
    if (hall.objects[hall.objectOf[spots[0]!]!]!.type !== 'row') continue;
    for (const [end, next] of [
      [spots[0]!, spots[1]],
      [spots.at(-1)!, spots.at(-2)],
    ] as const) {
      const at = beyond(hall, end, next);
      const size = hall.size[end]!;
      const isFree = block.spots.every((spot) => Math.hypot(hall.x[spot]! - at.x, hall.y[spot]! - at.y) > size * 0.8);
      if (isFree) names.push({ text, ...at, size });
      if (spots.length === 1) break;
    }
  }
  return names;
}

/** Beside the last seat of a row, away from its neighbour. */
function beyond({ x, y, size }: Hall, end: number, next: number | undefined): { x: number; y: number } {
  if (next === undefined) return { x: x[end]! - size[end]! * 1.2, y: y[end]! };
  const dx = x[end]! - x[next]!;
  const dy = y[end]! - y[next]!;
  const reach = (size[end]! * 1.2) / Math.max(Math.hypot(dx, dy), 1e-6);
  return { x: x[end]! + dx * reach, y: y[end]! + dy * reach };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 20;
}
