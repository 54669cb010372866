/** The floor below the floor in sight, as a shadow under the tools: a balcony is drawn over its stalls. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, growBounds, noBounds } from '../../src/rules/bounds.ts';
import { objectsOn } from '../document/objects.ts';
import { outlineOf, placementOf } from '../document/placement.ts';

export type Shadow = {
  /** Seats: x and y in turn. */
  readonly places: readonly number[];
  readonly outlines: readonly (readonly Point[])[];
  readonly bounds: Bounds;
};

/** Shadows of a document's floors; the last one is kept while its floor does not change. */
export class FloorBelow {
  #of: readonly ChartObject[] | null = null;
  #shadow: Shadow | null = null;

  /** Null below the lowest floor, and over a floor without objects. */
  of(document: ChartDocument, floor: number): Shadow | null {
    const objects = floor > 0 ? objectsOn(document, floor - 1) : [];
    if (objects.length === 0) return null;
    if (objects !== this.#of) {
      this.#of = objects;
      this.#shadow = shadowOf(objects);
    }
    return this.#shadow;
  }
}

function shadowOf(objects: readonly ChartObject[]): Shadow {
  const places: number[] = [];
  const outlines: (readonly Point[])[] = [];
  const bounds = noBounds();
  for (const object of objects) {
    const { x, y, bounds: its } = placementOf(object);
    growBounds(bounds, its);
    if (object.type !== 'row' && object.type !== 'table') outlines.push(outlineOf(object));
    else for (let seat = 0; seat < x.length; seat++) places.push(x[seat]!, y[seat]!);
  }
  return { places, outlines, bounds };
}
