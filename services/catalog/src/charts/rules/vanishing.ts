/**
 * The units that an event on `before` would lose on `after`: units whose label is gone, or is sold in another way
 * there. The shard decides by the same rule when the event moves (rules/chart/places.ts of the inventory shard). Pure.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { bookingModeOf, isSeller, partsOf, placesOf } from '@parterre/shared/charts/places';

/** At most `most` labels of the `count` units. */
export type Vanishing = { count: number; labels: string[] };

export type SoldLabels = ReadonlyMap<string, boolean>;

/** Whether a label is sold as one for several guests, by label. */
export function soldOn(document: ChartDocument): SoldLabels {
  const sold = new Map<string, boolean>();
  for (const object of partsOf(document).flatMap(({ objects }) => objects.filter(isSeller))) {
    const isAsOne = bookingModeOf(object) !== 'individual';
    for (const { label } of placesOf(object)) sold.set(label, isAsOne);
  }
  return sold;
}

export function vanishing(before: SoldLabels, after: SoldLabels, most: number): Vanishing {
  const gone = [...before].filter(([label, isAsOne]) => after.get(label) !== isAsOne).map(([label]) => label);
  return { count: gone.length, labels: gone.slice(0, most) };
}
