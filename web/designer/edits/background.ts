/** The picture to trace, under the whole chart or under a floor of its own. Pure. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Bounds } from '../../src/rules/bounds.ts';
import type { Size } from '../../src/rules/camera.ts';
import type { Edit } from '../document/editor.ts';
import { type Fields, isFields } from '../document/fields.ts';
import { changeFloor } from './floors.ts';

/** Seats are told apart on a plan of black lines. */
const TRACED_OPACITY = 0.5;

/** As web/src/rules/decor.ts reads it. `locked` keeps it still in the designer. */
export type Background = Fields & {
  /** An address of https, or the picture itself (`data:image/…`). */
  readonly url: string;
  readonly x: number;
  readonly y: number;
  readonly width?: number;
  readonly height?: number;
  /** Chart units of a pixel, for a picture without a size. */
  readonly scale?: number;
  /** 0 to 1. */
  readonly opacity?: number;
  readonly rotation?: number;
  readonly locked?: boolean;
};

/** The picture of a floor, else of the whole chart (`floor` null). A text is the address alone. */
export function backgroundOf(document: ChartDocument, floor: number | null): Background | null {
  const owner: Fields | undefined = floor === null ? document : document.floors?.[floor];
  const value = owner?.backgroundImage;
  if (typeof value === 'string') return { url: value, x: 0, y: 0 };
  return isFields(value) ? ({ x: 0, y: 0, ...value } as Background) : null;
}

/** Null takes the picture away. */
export function setBackground(floor: number | null, picture: Background | null): Edit {
  const change = <T extends object>(owner: T): T => {
    const { backgroundImage: before, ...rest } = owner as T & { backgroundImage?: unknown };
    if (picture === null) return before === undefined ? owner : (rest as T);
    return { ...owner, backgroundImage: picture };
  };
  return floor === null ? change : changeFloor(floor, change);
}

/** A new picture within these bounds, as large as its proportions allow, pale enough to draw over. */
export function placedIn(picture: Background, natural: Size, { left, top, right, bottom }: Bounds): Background {
  const { width, height } = natural;
  if (width <= 0 || height <= 0) return picture;
  const factor = Math.min((right - left) / width, (bottom - top) / height);
  const wide = rounded(width * factor);
  const high = rounded(height * factor);
  return {
    ...picture,
    x: rounded((left + right - wide) / 2),
    y: rounded((top + bottom - high) / 2),
    width: wide,
    height: high,
    opacity: picture.opacity ?? TRACED_OPACITY,
  };
}

/** Another picture in the place of one before, as wide as it. */
export function proportioned(picture: Background, { width, height }: Size): Background {
  if (picture.width === undefined || width <= 0 || height <= 0) return picture;
  return { ...picture, height: rounded((picture.width * height) / width) };
}

/** Another width or height, in the same proportions. Its upper left corner stays. */
export function resized(picture: Background, name: 'width' | 'height', to: number): Background {
  const { width = to, height = to } = picture;
  const factor = to / (name === 'width' ? width : height);
  return { ...picture, width: rounded(width * factor), height: rounded(height * factor) };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
