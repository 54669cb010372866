/** Areas, decoration and pictures of a floor: few, and drawn in their order, so all are made anew after a change. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { grown } from '../../src/draw/plot.ts';
import { type Bounds, boundsOf, noBounds } from '../../src/rules/bounds.ts';
import { decorOf, pictureOf } from '../../src/rules/decor.ts';
import { areaOf, type CategoryIndex, type Hall } from '../../src/rules/hall.ts';

/** The width of a letter as a share of its height, generously. */
const LETTER_SHARE = 0.8;

export class FlatParts {
  #objects: readonly ChartObject[] | null = null;
  #backgrounds: readonly unknown[] = [];
  #index: CategoryIndex | null = null;

  /**
   * Whether other pictures must be loaded, and whether the ground looks different. A loaded picture stays, wherever it
   * moves.
   */
  change(
    hall: Hall,
    document: ChartDocument,
    floor: number,
    all: readonly ChartObject[],
    index: CategoryIndex,
  ): { hasNewPictures: boolean; hasNewGround: boolean } {
    const objects = all.filter(isFlat);
    const backgrounds = [document, document.floors?.[floor]].map(
      (owner) => (owner as { backgroundImage?: unknown } | undefined)?.backgroundImage,
    );
    const hasNewGround = !isSameList(backgrounds, this.#backgrounds);
    const isSame = isSameList(objects, this.#objects) && !hasNewGround;
    if (isSame && index === this.#index) return { hasNewPictures: false, hasNewGround };
    this.#index = index;
    this.#objects = objects;
    this.#backgrounds = backgrounds;
    hall.areas = objects.flatMap((each) => (each.type === 'gaArea' ? [areaOf(each, null, 0, index)] : []));
    hall.decor = objects.flatMap((each) => decorOf(each, 0) ?? []);
    const images = objects.filter(({ type }) => type === 'decorImage');
    const pictures = [...backgrounds, ...images].flatMap((each) => (each ? (pictureOf(each, 0) ?? []) : []));
    const addresses = (list: typeof pictures) => list.map(({ address }) => address);
    if (!isSameList(addresses(pictures), addresses(hall.pictures))) {
      hall.pictures = pictures;
      return { hasNewPictures: true, hasNewGround };
    }
    for (const [index, each] of hall.pictures.entries()) Object.assign(each, pictures[index]);
    return { hasNewPictures: false, hasNewGround };
  }
}

function isSameList(one: readonly unknown[], other: readonly unknown[] | null): boolean {
  return one.length === other?.length && one.every((each, index) => each === other[index]);
}

/** Objects without places of their own on the map. */
function isFlat({ type }: ChartObject): boolean {
  return type === 'gaArea' || type === 'shape' || type === 'text' || type === 'decorImage';
}

/** Around all that is drawn of an area, a decoration or a picture; null where only the drawing knows. */
export function boundsOfFlat(object: ChartObject): Bounds | null {
  if (object.type === 'gaArea') return boundsOf(object.points);
  const decor = decorOf(object, 0);
  if (decor?.outline) return turned(decor.bounds, decor.rotation);
  // A text has at least a legible size on the screen, so its bounds are not those of the chart.
  if (decor)
    return decor.textSize === null
      ? null
      : grown(decor.bounds, Math.max(decor.label.length, 2) * decor.textSize * LETTER_SHARE);
  const picture = object.type === 'decorImage' ? pictureOf(object, 0) : null;
  if (!picture) return noBounds();
  return picture.bounds && turned(picture.bounds, picture.rotation);
}

function turned(bounds: Bounds, rotation: number): Bounds {
  const { left, top, right, bottom } = bounds;
  return grown(bounds, rotation === 0 ? 2 : Math.hypot(right - left, bottom - top) / 2);
}
