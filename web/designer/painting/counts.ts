/**
 * The guests of each category, as the server's `categorySeats` counts them, and the accessible places by kind. Counts
 * are kept by object, so a change counts the changed objects alone. Pure.
 */
import { type AccessibilityKind, accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { accessibilityOf, hasSeats, isSeller, talliesOf } from '@parterre/shared/charts/places';
import { everyObject } from '../document/objects.ts';
import { liveSeats, overrideOf } from './overrides.ts';

/** Places that the chart says have a way without steps, or a lift. */
type Ways = { stepFree: number; lift: number };

type Counted = Ways & {
  /** Guests and units by category key. */
  categories: ReadonlyMap<string, { guests: number; units: number }>;
  kinds: readonly number[];
  restricted: number;
  views: number;
};

export type Counts = Ways & {
  /** Guests by category key, of categories that are not for sale too. */
  categories: ReadonlyMap<string, number>;
  units: number;
  kinds: Readonly<Record<AccessibilityKind, number>>;
  restricted: number;
  views: number;
};

const known = new WeakMap<ChartObject, Counted>();
const nothing: Counted = { categories: new Map(), kinds: [], restricted: 0, views: 0, stepFree: 0, lift: 0 };

let last: { document: ChartDocument; counts: Counts } | null = null;

/** The counts of the last document are kept. */
export function countsOf(document: ChartDocument): Counts {
  if (last?.document !== document) last = { document, counts: sumOf(document) };
  return last.counts;
}

function sumOf(document: ChartDocument): Counts {
  const categories = new Map<string, number>();
  const kinds = accessibilityKinds.map(() => 0);
  let units = 0;
  let restricted = 0;
  let views = 0;
  let stepFree = 0;
  let lift = 0;
  for (const object of everyObject(document)) {
    const counted = countedOf(object);
    for (const [key, { guests, units: its }] of counted.categories) {
      categories.set(key, (categories.get(key) ?? 0) + guests);
      units += its;
    }
    for (const [bit, count] of counted.kinds.entries()) kinds[bit]! += count;
    restricted += counted.restricted;
    views += counted.views;
    stepFree += counted.stepFree;
    lift += counted.lift;
  }
  const byKind = Object.fromEntries(accessibilityKinds.map((kind, bit) => [kind, kinds[bit]!]));
  return { categories, units, kinds: byKind as Counts['kinds'], restricted, views, stepFree, lift };
}

function countedOf(object: ChartObject): Counted {
  if (!isSeller(object)) return nothing;
  let counted = known.get(object);
  if (!counted) {
    counted = count(object);
    known.set(object, counted);
  }
  return counted;
}

function count(object: Extract<ChartObject, { categoryKey: string }>): Counted {
  const categories = new Map<string, { guests: number; units: number }>();
  for (const { categoryKey, guests, units } of talliesOf(object)) {
    const sum = categories.get(categoryKey) ?? { guests: 0, units: 0 };
    categories.set(categoryKey, { guests: sum.guests + guests, units: sum.units + units });
  }
  const own = object as { restrictedView?: unknown; viewFromSeatUrl?: unknown };
  if (!hasSeats(object)) {
    return {
      categories,
      kinds: [],
      restricted: Number(own.restrictedView === true),
      views: Number(!!own.viewFromSeatUrl),
      stepFree: Number(object.stepFree === true),
      lift: Number(object.lift === true),
    };
  }
  const isPlain =
    !object.overrides?.length && !own.restrictedView && !own.viewFromSeatUrl && !object.stepFree && !object.lift;
  if (isPlain) return { ...nothing, categories };
  const kinds = accessibilityKinds.map(() => 0);
  let restricted = 0;
  let views = 0;
  let stepFree = 0;
  let lift = 0;
  for (const index of liveSeats(object)) {
    const seat = overrideOf(object, index);
    const bits = accessibilityOf(seat);
    for (const bit of kinds.keys()) if (bits & (1 << bit)) kinds[bit]!++;
    if (seat.restrictedView === true || own.restrictedView === true) restricted++;
    if (seat.viewFromSeatUrl || own.viewFromSeatUrl) views++;
    if (seat.stepFree ?? object.stepFree) stepFree++;
    if (seat.lift ?? object.lift) lift++;
  }
  return { categories, kinds, restricted, views, stepFree, lift };
}
