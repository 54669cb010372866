/** Reads the categories and zones of a seats.io chart, and the names by which objects refer to them. */
import { type Prices, priceFrom } from '../prices.ts';
import { colourOf, type Fields, fieldsOf, isTrue, objectsOf, pointFrom, textOf } from '../reading.ts';
import { type Notes, quoted } from '../report.ts';
import type { UnreadFields } from '../unread-fields.ts';
import type { FoundVenue } from '../venue.ts';
import type { SeatsioKind } from './seatsio-fields.ts';
import type { Categories } from './seatsio-seats.ts';

type ReadCategory = FoundVenue['categories'][number] & { isAccessible: boolean };

export function categoriesOf(
  root: Fields,
  { notes, unread, prices }: { notes: Notes; unread: UnreadFields<SeatsioKind>; prices: Prices },
): ReadCategory[] {
  const list = Array.isArray(root.categories) ? root.categories : fieldsOf(root.categories).list;
  const seen = new Set<string>();
  return objectsOf(list).flatMap((category) => {
    unread.see('category', category);
    const key = textOf(category.key) ?? textOf(category.label);
    if (key === null) {
      notes.leftOut('category_without_name', 'A category without a key and a label.');
      return [];
    }
    const label = textOf(category.label) ?? key;
    if (seen.has(key)) {
      notes.leftOut('category_twice', `The file has the category ${quoted(key)} twice. The first counts.`);
      return [];
    }
    seen.add(key);
    const isAccessible = isTrue(category.accessible);
    if (isAccessible) {
      notes.ambiguous(
        'accessible_category',
        `The file marks the whole category ${quoted(label)} as accessible. Its seats are imported as wheelchair places ` +
          'unless a seat itself says otherwise. Check them.',
      );
    }
    const price = prices.read(priceFrom(category.price), `category ${quoted(label)}`);
    return [{ key, label, color: colourOf(category.color), isAccessible, ...(price !== null && { price }) }];
  });
}

/** Objects name categories by their keys, and in some charts by their labels alone. */
export function categoryNames(categories: readonly ReadCategory[]): Categories {
  const keyOfLabel = new Map<string, string | null>();
  for (const { key, label } of categories) keyOfLabel.set(label, keyOfLabel.has(label) ? null : key);
  return {
    accessible: new Set(categories.filter(({ isAccessible }) => isAccessible).map(({ key }) => key)),
    keyOf(object) {
      const key = textOf(object.categoryKey);
      if (key !== null) return key;
      const label = textOf(object.categoryLabel);
      return label === null ? null : (keyOfLabel.get(label) ?? label);
    },
  };
}

export type Zones = { list: FoundVenue['zones']; idOf: ReadonlyMap<string, string> };

/** Sections name a zone by its key, its id or its label. */
export function zonesOf(root: Fields, unread: UnreadFields<SeatsioKind>): Zones {
  const list: FoundVenue['zones'] = [];
  const idOf = new Map<string, string>();
  for (const zone of objectsOf(Array.isArray(root.zones) ? root.zones : fieldsOf(root.zones).list)) {
    unread.see('zone', zone);
    const names = namesOf(zone);
    const [id] = names;
    if (id === undefined) continue;
    const label = textOf(zone.label) ?? textOf(zone.name) ?? id;
    list.push({ id, label, color: colourOf(zone.color), focalPoint: pointFrom(zone.focalPoint) });
    for (const name of names) if (!idOf.has(name)) idOf.set(name, id);
  }
  return { list, idOf };
}

/** The names that a zone may have. */
export function namesOf({ key, id, uuid, label, name }: Fields): string[] {
  return [key, id, uuid, label, name].flatMap((each) => textOf(each) ?? []);
}
