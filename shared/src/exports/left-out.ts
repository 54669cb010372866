/** What a chart has and the format of an export has not, in words for the caller. */
import type { ChartDocument, ChartObject } from '../chart/document.ts';
import { bookingModeOf, isSeller, partsOf, placesOf } from '../chart/places.ts';

export type Exported = { text: string; leftOut: string[] };

/** The kinds of things that a format lacks. */
export type Lacks = {
  /** The name of the tables that it lacks. */
  table?: string;
  areas?: true;
  booths?: true;
  decor?: true;
  prices?: true;
  accessibility?: true;
  floors?: true;
};

export function leftOutOf(document: ChartDocument, lacks: Lacks): string[] {
  const objects = partsOf(document).flatMap((part) => part.objects);
  const count = (test: (object: ChartObject) => boolean) => objects.filter(test).length;
  const told: [lacking: unknown, count: number, name: string][] = [
    [
      lacks.table,
      count((object) => object.type === 'table' && bookingModeOf(object) !== 'individual'),
      lacks.table ?? '',
    ],
    [lacks.areas, count(({ type }) => type === 'gaArea'), 'standing areas'],
    [lacks.booths, count(({ type }) => type === 'booth'), 'booths'],
    [lacks.accessibility, accessibleOf(objects), 'kinds of accessible places'],
    [lacks.floors, (document.floors?.length ?? 1) - 1, 'further floors'],
    [
      lacks.prices,
      document.categories.filter(({ price, tiers }) => price !== undefined || tiers !== undefined).length,
      'prices of categories',
    ],
    [
      lacks.decor,
      count(({ type }) => type === 'shape' || type === 'text' || type === 'decorImage'),
      'shapes, texts and pictures',
    ],
  ];
  return told.flatMap(([lacking, number, name]) => (lacking && number > 0 ? `${number} ${name}` : []));
}

function accessibleOf(objects: readonly ChartObject[]): number {
  let accessible = 0;
  for (const object of objects.filter(isSeller)) {
    if (object.type !== 'row' && object.type !== 'table') continue;
    if (!object.overrides) continue;
    accessible += placesOf(object).filter((place) => place.accessibility > 0).length;
  }
  return accessible;
}
