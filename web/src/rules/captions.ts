/**
 * The texts of a map at one scale: each text in the largest form that fits its room and meets no text before it. A text
 * for which no form fits stays away. Positions and sizes are CSS pixels. Pure.
 */
import { type Bounds, overlaps } from './bounds.ts';

export type TextLine = { text: string; pixels: number; weight: number };

export type Wish<T> = {
  of: T;
  /** The middle of the text. */
  x: number;
  y: number;
  room: { width: number; height: number };
  /** The best form first. */
  forms: readonly (readonly TextLine[])[];
};

export type Caption<T> = { of: T; x: number; y: number; lines: readonly TextLine[]; box: Bounds };

export const LINE_SHARE = 1.28;
/** Texts keep this distance. */
const GAP_PIXELS = 3;

/** `widthOf` is the width of a text at a size of one pixel. Wishes that come first are placed first. */
export function placeCaptions<T>(
  wishes: readonly Wish<T>[],
  widthOf: (text: string, weight: number) => number,
): Caption<T>[] {
  const placed: Caption<T>[] = [];
  for (const { of, x, y, room, forms } of wishes) {
    for (const lines of forms) {
      const width = Math.max(...lines.map(({ text, weight, pixels }) => widthOf(text, weight) * pixels));
      const height = lines.reduce((sum, { pixels }) => sum + pixels * LINE_SHARE, 0);
      if (width > room.width || height > room.height) continue;
      const dx = width / 2;
      const dy = height / 2;
      const box = { left: x - dx, top: y - dy, right: x + dx, bottom: y + dy };
      const apart = {
        left: box.left - GAP_PIXELS,
        top: box.top - GAP_PIXELS,
        right: box.right + GAP_PIXELS,
        bottom: box.bottom + GAP_PIXELS,
      };
      if (placed.some((other) => overlaps(other.box, apart))) continue;
      placed.push({ of, x, y, lines, box });
      break;
    }
  }
  return placed;
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

const TEXT_PIXELS_MIN = 9;
const sizes = [15, 13, 11.5, 10, TEXT_PIXELS_MIN];
