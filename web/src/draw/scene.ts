/** A hall to be drawn, and its host's answers on the look of each part. No part of a sale stands here. */
import type { Point } from '@parterre/shared/charts/plan';
import type { Hall } from '../rules/hall.ts';
import { inkOn } from '../rules/palette.ts';
import type { GlyphName, Inks } from './glyphs.ts';
import { makePictures, type Pictures } from './pictures.ts';
import type { Theme } from './theme.ts';

/** Shared by all seats of one look: seats of the same object are drawn together. */
export type Look = {
  readonly glyph: GlyphName;
  readonly category: number;
  /** With the sign for a seat that asks for a look: it breaks a rule, or would be left alone. */
  readonly isMarked?: boolean;
};

/** One object a look: seats of the same object are drawn together. */
export function createLooks() {
  const looks = { plain: new Map<GlyphName, Look[]>(), marked: new Map<GlyphName, Look[]>() };
  return (glyph: GlyphName, category: number, isMarked = false): Look => {
    const all = isMarked ? looks.marked : looks.plain;
    const its = all.get(glyph) ?? [];
    all.set(glyph, its);
    its[category] ??= { glyph, category, isMarked };
    return its[category];
  };
}

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
  /** The text on a seat that is drawn near. [its number] */
  textOf?(spot: number): string;
  /** By category, on this theme. */
  coloursOn(theme: Theme): readonly string[];
  /** The whole address of a picture whose chart gives an address relative to the front door. */
  addressOf(picture: string): string;
};

/** True for the places that stay bright. */
export type SeatFilter = { spot(spot: number): boolean; area(index: number): boolean } | null;

/** A row from its name at one end over its seats to its name at the other. `isFree`: no seat stands on that name. */
export type NamedRow = {
  text: string;
  /** Of its seats. */
  size: number;
  spots: readonly number[];
  /** Before its first seat and behind its last, which a row of one seat has not. */
  ends: readonly { at: Point; isFree: boolean }[];
};

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
  /** By block, once the block was drawn near. */
  rows: (readonly NamedRow[] | undefined)[];
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
    rows: [],
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

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 20;
}
