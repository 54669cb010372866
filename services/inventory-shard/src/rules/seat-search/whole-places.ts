/** Booths, tables that are sold as a whole, and areas: places without neighbours in a row. */
import { isOpenToBuyers } from '../availability/availability.ts';
import { areCompanionsPlacesForAll, firstFreeOf, isReleasedCompanions, nextFreeIn } from '../selection/selection.ts';
import { grainsOf, type Hunt, type PartOfParty, wantedBy } from './hunt.ts';
import { isAtAisle, isVacant, isWanted } from './run-search.ts';
import { isWithin } from './search-order.ts';
import { companionKind, focusIn } from './seat-rows.ts';
import { type Need, ordinary } from './suitable-runs.ts';

/** One unit for the whole rest of the party: a booth for one person, otherwise a table that fits. */
export function wholeUnit(hunt: Hunt, rest: number): PartOfParty | null {
  const { plan, order } = hunt;
  const booth = rest === 1 ? nearestOf(hunt, order.booths, (object) => isSpare(hunt, object)) : null;
  if (booth !== null) return unitOf(hunt, booth, 1);
  const fits = (object: number): boolean =>
    leastGuests(hunt, object) <= rest && rest <= plan.objects[object]!.maxOccupancy && isSpare(hunt, object);
  const most = order.tables.reduce((least, object) => {
    return fits(object) ? Math.min(least, plan.objects[object]!.maxOccupancy) : least;
  }, Number.POSITIVE_INFINITY);
  // The fewest chairs stay empty: a buyer may pay for each.
  const table = nearestOf(hunt, order.tables, (object) => plan.objects[object]!.maxOccupancy === most && fits(object));
  return table === null ? null : unitOf(hunt, table, rest);
}

/** `qty` places of the nearest area that has so many, the lowest first. */
export function placesOf(hunt: Hunt, qty: number): PartOfParty | null {
  const area = nearestOf(hunt, hunt.order.areas, (object) => lowestPlaces(hunt, object, qty).length === qty);
  if (area === null) return null;
  return { units: lowestPlaces(hunt, area, qty), guests: qty, accessible: 0, isRun: false };
}

/** The number of places that one area can give, `most` at most. */
export function placesMax(hunt: Hunt, most: number): number {
  let greatest = 0;
  for (const area of hunt.order.areas) {
    if (greatest === most) break;
    if (isOpenToBuyers(hunt.state, area)) greatest = Math.max(greatest, lowestPlaces(hunt, area, most).length);
  }
  return greatest;
}

/** The table with the most chairs for a part of the party, otherwise a booth for one person. */
export function tableOrBooth(hunt: Hunt, rest: number): PartOfParty | null {
  const { plan, order } = hunt;
  const takes = (object: number): boolean => leastGuests(hunt, object) <= rest && isSpare(hunt, object);
  const most = order.tables.reduce((greatest, object) => {
    return takes(object) ? Math.max(greatest, plan.objects[object]!.maxOccupancy) : greatest;
  }, 0);
  const table = nearestOf(hunt, order.tables, (object) => plan.objects[object]!.maxOccupancy === most && takes(object));
  if (table !== null) return unitOf(hunt, table, Math.min(rest, most));
  const booth = nearestOf(hunt, order.booths, (object) => isSpare(hunt, object));
  return booth === null ? null : unitOf(hunt, booth, 1);
}

/** The nearest companion's place that is for everybody. At equal distance the lower unit wins. */
export function companionsPlace(hunt: Hunt): PartOfParty | null {
  const { plan, rows, focus } = hunt;
  hunt.companions ??= spareCompanions(hunt);
  let best = -1;
  let least = 0;
  for (const unit of hunt.companions) {
    const object = plan.objectOfUnit[unit]!;
    const { x, y } = focus ?? focusIn(rows, object);
    const distance = grainsOf(rows, plan.x[unit]! - x, plan.y[unit]! - y);
    if (best < 0 || distance < least || (distance === least && unit < best)) [best, least] = [unit, distance];
  }
  if (best < 0) return null;
  hunt.companions.delete(best);
  return { units: [best], guests: 1, accessible: 0, isRun: true };
}

/** The free companions' places that are for everybody, once for a search that has no other place left. */
function spareCompanions(hunt: Hunt): Set<number> {
  const { state, plan, rows, divisions, taken, own } = hunt;
  const wanted = wantedBy(hunt, companions);
  const spare = new Set<number>();
  for (const unit of rows.companions) {
    if (!isVacant(state, rows, wanted, unit) || !isWanted(plan, rows, wanted, unit)) continue;
    const object = rows.rowOf[plan.objectOfUnit[unit]!]!;
    if (!isWithin(plan, plan.objects[object]!, divisions) || !isOpenToBuyers(state, object)) continue;
    if (!divisions.aisle || isAtAisle(plan, rows, object, unit, 1)) spare.add(unit);
  }
  if (spare.size > 0 && areCompanionsPlacesForAll(state, taken ?? noUnits, own)) return spare;
  return new Set([...spare].filter((unit) => isReleasedCompanions(state, unit, hunt.now)));
}

const noUnits: ReadonlySet<number> = new Set();

const companions: Need = { kinds: companionKind, count: 0, isAccompanied: false, isAtAisle: false };

/** Whether a companion's place is free for a search of these kinds. */
export function isSpareFor(hunt: Hunt, kinds: number, unit: number): boolean {
  const { state, plan, rows } = hunt;
  const wanted = wantedBy(hunt, { ...ordinary, kinds });
  const object = plan.objectOfUnit[unit]!;
  if (!isWithin(plan, plan.objects[object]!, hunt.divisions)) return false;
  return isOpenToBuyers(state, object) && isVacant(state, rows, wanted, unit) && isWanted(plan, rows, wanted, unit);
}

/** A table that is sold as a whole seats a smaller party too, which pays for every chair. */
function leastGuests({ plan }: Hunt, object: number): number {
  const { bookingMode, minOccupancy } = plan.objects[object]!;
  return bookingMode === 'variable' ? minOccupancy : 1;
}

function unitOf({ plan }: Hunt, object: number, guests: number): PartOfParty {
  return { units: [plan.objects[object]!.firstUnit], guests, accessible: 0, isRun: false };
}

/** At equal distance the lower id wins. */
function nearestOf(hunt: Hunt, objects: Int32Array, accepts: (object: number) => boolean): number | null {
  const { state, plan, rows, focus } = hunt;
  let best = -1;
  let least = 0;
  // A loop by index: there may be thousands of areas, and an iterator allocates an object for each.
  for (let i = 0; i < objects.length; i++) {
    const object = objects[i]!;
    const unit = plan.objects[object]!.firstUnit;
    const { x, y } = focus ?? focusIn(rows, object);
    const distance = grainsOf(rows, plan.x[unit]! - x, plan.y[unit]! - y);
    const isNearer = best < 0 || distance < least || (distance === least && rows.idRank[object]! < rows.idRank[best]!);
    if (!isNearer || !isOpenToBuyers(state, object) || !accepts(object)) continue;
    [best, least] = [object, distance];
  }
  return best < 0 ? null : best;
}

function isSpare(hunt: Hunt, object: number): boolean {
  return isOrdinary(hunt, hunt.plan.objects[object]!.firstUnit);
}

function isOrdinary(hunt: Hunt, unit: number): boolean {
  const { state, plan, rows } = hunt;
  const wanted = wantedBy(hunt, ordinary);
  return isVacant(state, rows, wanted, unit) && isWanted(plan, rows, wanted, unit);
}

/** The lowest places of an area that are free for the caller, `most` at most. */
function lowestPlaces(hunt: Hunt, object: number, most: number): number[] {
  const { state, plan, mask, own } = hunt;
  const { firstUnit, unitCount } = plan.objects[object]!;
  const end = firstUnit + unitCount;
  const places: number[] = [];
  // The index of free places does not know the caller's own.
  const next = (from: number): number => (own.size > 0 ? Math.min(from, end) : nextFreeIn(state, from, end, mask));
  let unit = own.size > 0 ? firstUnit : firstFreeOf(state, object, mask);
  for (; unit < end && places.length < most; unit = next(unit + 1)) if (isOrdinary(hunt, unit)) places.push(unit);
  return places;
}
