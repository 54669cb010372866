/**
 * The texts of a map at one scale: each text in the largest form that fits one of its rooms and meets no text before
 * it. A text for which no form fits stays away. Positions and sizes are CSS pixels. Pure.
 */
import { type Bounds, overlaps, turnedBounds } from './bounds.ts';
import type { Room } from './rooms.ts';

export type TextLine = { text: string; pixels: number; weight: number };

export type Wish<T> = {
  of: T;
  /** The middle of a room is the middle of the text. The best room first. */
  rooms: readonly Room[];
  /** The best form first. */
  forms: readonly (readonly TextLine[])[];
};

/** `turn`: degrees clockwise. The box is around the turned text. */
export type Caption<T> = {
  of: T;
  x: number;
  y: number;
  turn: number;
  height: number;
  lines: readonly TextLine[];
  box: Bounds;
};

export const LINE_SHARE = 1.28;
/** Texts keep this distance. */
const GAP_PIXELS = 3;

/**
 * `widthOf` is the width of a text at a size of one pixel. Wishes that come first are placed first, and none meets the
 * texts of `others`.
 */
export function placeCaptions<T>(
  wishes: readonly Wish<T>[],
  widthOf: (text: string, weight: number) => number,
  others: readonly Caption<T>[] = [],
): Caption<T>[] {
  const placed: Caption<T>[] = [];
  for (const wish of wishes) {
    const caption = captionOf(wish, widthOf, [others, placed]);
    if (caption) placed.push(caption);
  }
  return placed;
}

function captionOf<T>(
  { of, rooms, forms }: Wish<T>,
  widthOf: (text: string, weight: number) => number,
  placed: readonly (readonly Caption<T>[])[],
): Caption<T> | null {
  const highest = Math.max(...rooms.map((room) => room.height));
  for (const lines of forms) {
    const height = lines.reduce((sum, { pixels }) => sum + pixels * LINE_SHARE, 0);
    if (height > highest) continue;
    const width = Math.max(...lines.map(({ text, weight, pixels }) => widthOf(text, weight) * pixels));
    for (const { x, y, turn, ...room } of rooms) {
      if (width > room.width || height > room.height) continue;
      const level = { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
      const box = turn === 0 ? level : turnedBounds(level, turn);
      const apart = grown(box);
      if (placed.some((captions) => captions.some((other) => overlaps(other.box, apart)))) continue;
      return { of, x, y, turn, height, lines, box };
    }
  }
  return null;
}

function grown({ left, top, right, bottom }: Bounds): Bounds {
  return { left: left - GAP_PIXELS, top: top - GAP_PIXELS, right: right + GAP_PIXELS, bottom: bottom + GAP_PIXELS };
}

/** A name over other lines, in every size down to a legible one, then with fewer lines. */
export function formsOf(name: string, lines: readonly string[]): TextLine[][] {
  const forms: TextLine[][] = [];
  for (let kept = lines.length; kept >= 0; kept--) {
    for (const pixels of sizes) {
      const title = { text: name, pixels, weight: 700 };
      const small = Math.max(pixels * 0.82, TEXT_PIXELS_MIN);
      forms.push([title, ...lines.slice(0, kept).map((text) => ({ text, pixels: small, weight: 400 }))]);
    }
  }
  return forms;
}

export const TEXT_PIXELS_MIN = 9;
const sizes = [15, 13, 11.5, 10, TEXT_PIXELS_MIN];
