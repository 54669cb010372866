/**
 * Safe mode: a designer may not change the identity of units that may be sold. These are the units of the published
 * version, whether or not they are sold now, since its events sell all the time. A unit keeps its identity where its
 * label stays on the same seat; a place of an area where its label is in any area; a table that is sold as a whole
 * where it also keeps its chairs and its numbers of guests. The catalog judges whole documents, the designer the
 * objects of an edit. Pure.
 */
import { bookingModeOf, occupancyOf, type Place, placesOf, type Seller } from './places.ts';

export type SafeOptions = { allowDeletingObjects: boolean; allowEditingAreaCapacity: boolean };

type Drawn = {
  objects: ReadonlyMap<string, Seller>;
  /** The seat of each label, and all seats. */
  seatOf: ReadonlyMap<string, { seatId: string; inArea: boolean }>;
  seatIds: ReadonlySet<string>;
};

/** Labels of units of `published` that lose their identity in `draft`; for a resized area or table, its own label. */
export function lostLabels(published: readonly Seller[], draft: Iterable<Seller>, safe: SafeOptions): string[] {
  const drawn = drawnOn(draft);
  return published.flatMap((object) => lostOf(object, drawn, safe));
}

function drawnOn(draft: Iterable<Seller>): Drawn {
  const objects = new Map<string, Seller>();
  const seatOf = new Map<string, { seatId: string; inArea: boolean }>();
  const seatIds = new Set<string>();
  for (const object of draft) {
    objects.set(object.id, object);
    for (const place of placesOf(object)) {
      const seatId = seatIdOf(object, place);
      seatOf.set(place.label, { seatId, inArea: object.type === 'gaArea' });
      seatIds.add(seatId);
    }
  }
  return { objects, seatOf, seatIds };
}

function seatIdOf({ id }: Seller, { index }: Place): string {
  return `${id}:${index}`;
}

/** Labels of an object's units that lose their identity; for a resized area, its own label. */
function lostOf(object: Seller, drawn: Drawn, safe: SafeOptions): string[] {
  const places = placesOf(object);
  const isGone = !drawn.objects.has(object.id);
  if (object.type === 'gaArea') return lostOfArea(object, places, drawn, safe);
  if (isResized(object, drawn.objects.get(object.id), safe)) return [object.label];
  const lost = places.filter((place) => {
    const now = drawn.seatOf.get(place.label);
    if (now?.seatId === seatIdOf(object, place)) return false;
    // A seat that still exists has another name now. A missing seat was deleted, and perhaps drawn again.
    return !safe.allowDeletingObjects || !(isGone || !drawn.seatIds.has(seatIdOf(object, place)));
  });
  return lost.map(({ label }) => label);
}

/**
 * Whether a table that is one unit, and stays one, takes other numbers of guests than before, or has fewer chairs,
 * without permission.
 */
function isResized(object: Seller, now: Seller | undefined, safe: SafeOptions): boolean {
  if (bookingModeOf(object) === 'individual' || now === undefined || bookingModeOf(now) === 'individual') return false;
  const before = occupancyOf(object);
  const after = occupancyOf(now);
  const hasFewer = after.capacity < before.capacity;
  const isOther = (['capacity', 'minOccupancy', 'maxOccupancy'] as const).some((size) => before[size] !== after[size]);
  return (hasFewer && !safe.allowDeletingObjects) || (isOther && !safe.allowEditingAreaCapacity);
}

function lostOfArea(area: Seller, places: readonly Place[], drawn: Drawn, safe: SafeOptions): string[] {
  const now = drawn.objects.get(area.id);
  const isKept = places.every(({ label }) => drawn.seatOf.get(label)?.inArea);
  const isSame = isKept && (now === undefined || placesOf(now).length === places.length);
  const allowed = now === undefined ? safe.allowDeletingObjects : safe.allowEditingAreaCapacity;
  return isSame || allowed ? [] : [area.label];
}
