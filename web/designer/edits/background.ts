/** The picture to trace, under the whole chart or under a floor of its own. Pure. */
import type { ChartDocument } from '@parterre/shared/chart/document';
import type { Edit } from '../document/editor.ts';
import { type Fields, isFields } from '../document/fields.ts';
import { changeFloor } from './floors.ts';

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
