/**
 * The wheelchair places of companion places: the one rule for holds by name, best-available and the aisles of a row. A
 * companion place belongs to
 *
 * 1. the wheelchair place that its override names (`companionOf`), in any row;
 * 2. otherwise the wheelchair places that follow it in its row or at its table with companion places alone between;
 * 3. otherwise, in a row, the next wheelchair place on either side.
 *
 * Neither distance nor skipped seats part the two: a bay is wider than a seat. Any other place at a companion tier
 * belongs to the wheelchair places beside it. Each wheelchair place takes three companions.
 */
import { accessibilityKinds, isCompanionsKind } from './accessibility.ts';
import { neighboursOf, type Plan } from './plan.ts';

export const companionsPerWheelchairMax = 3;

const wheelchair = 1 << accessibilityKinds.indexOf('wheelchair');

export function isWheelchairs(plan: Plan, unit: number): boolean {
  return (plan.accessibilityOfUnit[unit]! & wheelchair) !== 0;
}

/**
 * Whether a place is a companion's at every tier. A place of both kinds is a wheelchair place, except at a companion
 * tier.
 */
export function isCompanionsPlace(plan: Plan, unit: number): boolean {
  return isCompanionsKind(plan.accessibilityOfUnit[unit]!);
}

const none: readonly number[] = [];

export function wheelchairPlacesOf(plan: Plan, unit: number): readonly number[] {
  if (isCompanionsPlace(plan, unit)) return belongings(plan).wheelchairs.get(unit) ?? none;
  return neighboursOf(plan, unit).filter((beside) => isWheelchairs(plan, beside));
}

/** Whether two seats of one row are a wheelchair place and its companion's, or the places of its two companions. */
export function areOfOneWheelchair(plan: Plan, one: number, other: number): boolean {
  if (isCompanionsPlace(plan, one)) {
    const places = wheelchairPlacesOf(plan, one);
    if (!isCompanionsPlace(plan, other)) return places.includes(other);
    return wheelchairPlacesOf(plan, other).some((unit) => places.includes(unit));
  }
  return isCompanionsPlace(plan, other) && wheelchairPlacesOf(plan, other).includes(one);
}

/** The companion places that belong to a wheelchair place, in unit order. */
export function companionPlacesOf(plan: Plan, wheelchairPlace: number): readonly number[] {
  return belongings(plan).companions.get(wheelchairPlace) ?? none;
}

type Places = ReadonlyMap<number, readonly number[]>;

const known = new WeakMap<Plan, { wheelchairs: Places; companions: Places }>();

function belongings(plan: Plan): { wheelchairs: Places; companions: Places } {
  let places = known.get(plan);
  if (places) return places;
  const named = Array.from(plan.companionOf, ([unit, of]) => [unit, [of]] as const);
  const wheelchairs = new Map([...placesInRows(plan), ...named].sort(([a], [b]) => a - b));
  const companions = new Map<number, number[]>();
  for (const [unit, its] of wheelchairs) {
    for (const place of its) {
      const others = companions.get(place);
      if (others) others.push(unit);
      else companions.set(place, [unit]);
    }
  }
  places = { wheelchairs, companions };
  known.set(plan, places);
  return places;
}

function placesInRows(plan: Plan): Map<number, readonly number[]> {
  const places = new Map<number, readonly number[]>();
  const { objects, accessibilityOfUnit } = plan;
  for (let first = 0; first < objects.length; ) {
    let last = first;
    while (objects[last + 1]?.continues) last++;
    const { firstUnit, isRing, type } = objects[first]!;
    const end = objects[last]!.firstUnit + objects[last]!.unitCount;
    first = last + 1;
    const units: number[] = [];
    let hasCompanions = false;
    for (let unit = firstUnit; unit < end; unit++) {
      units.push(unit);
      hasCompanions ||= isCompanionsKind(accessibilityOfUnit[unit]!);
    }
    if (!hasCompanions) continue;
    const found = wheelchairsAlong(accessibilityOfUnit, units, { isRow: type === 'row', isRing });
    for (const [unit, its] of found) places.set(unit, its);
  }
  return places;
}

/**
 * The wheelchair places of the companion places of one row or table. `units` are its places in order, `kinds` the
 * accessibility of all places, as bits.
 */
export function wheelchairsAlong(
  kinds: ArrayLike<number>,
  units: readonly number[],
  { isRow, isRing }: { isRow: boolean; isRing: boolean },
): Map<number, readonly number[]> {
  const places = new Map<number, readonly number[]>();
  const around = isRing ? [...units, ...units] : units;
  const before = nextInOrder(kinds, around);
  const after = nextInOrder(kinds, around.toReversed());
  for (const unit of units) {
    const found = [before.get(unit), after.get(unit)].filter((each) => each !== undefined);
    const adjoining = found.filter(({ isAdjoining }) => isAdjoining);
    const its = adjoining.length > 0 || !isRow ? adjoining : found;
    if (its.length > 0) places.set(unit, [...new Set(its.map((each) => each.unit))]);
  }
  return places;
}

/** By companion place: the last wheelchair place before it, and whether companion places alone lie between. */
function nextInOrder(
  kinds: ArrayLike<number>,
  units: readonly number[],
): Map<number, { unit: number; isAdjoining: boolean }> {
  const next = new Map<number, { unit: number; isAdjoining: boolean }>();
  let last = -1;
  let isAdjoining = false;
  for (const unit of units) {
    if ((kinds[unit]! & wheelchair) !== 0) {
      last = unit;
      isAdjoining = true;
    } else if (!isCompanionsKind(kinds[unit]!)) {
      isAdjoining = false;
    } else if (last >= 0) {
      next.set(unit, { unit: last, isAdjoining });
    }
  }
  return next;
}
