/**
 * Free seats that a choice would leave single. Neighbours are those of best-available (neighbours.ts). A seat counts as
 * free if best-available could take it for this caller: free and for sale, in reach, in an open division, and no
 * companion's place, unless such places are for everybody. Seats that the call gives back count as free too.
 *
 * A seat that was single before the call is no orphan of the call. A choice may also leave a single seat where no other
 * choice avoids it: nowhere in the house are as many neighbours free in the same category that leave no single seat.
 * Best-available would choose such seats itself.
 */

import { isCompanionsPlace } from '@parterre/shared/charts/companions';
import { categoryOf, objectOf, type Plan } from '@parterre/shared/charts/plan';
import { isOpenToBuyers } from '../availability/availability.ts';
import { tierOf } from '../pricing/pricing.ts';
import { isIn, type ReachMask } from '../reach/masks.ts';
import { standsApart } from '../seat-search/row-geometry.ts';
import { areCompanionsPlacesForAll } from '../selection/selection.ts';
import { isFree, type ReadState } from '../state/state.ts';

/** `back` are the units of the hold that the call replaces. */
export type Choice = {
  taken: ReadonlySet<number>;
  back: ReadonlySet<number>;
  mask: ReachMask | null;
  /** Whether companions' places are for everybody; asked once, where the choice has such a place beside it. */
  areCompanionsForAll?: boolean;
};

/** The walks of one call by what they look for: a choice of 1,000 single seats asks the same a thousand times. */
type KnownRuns = Map<string, boolean>;

/** The units that the choice leaves single and could avoid, in unit order. */
export function orphansOf(state: ReadState, choice: Choice): number[] {
  const { plan } = state;
  const orphans = new Set<number>();
  const known: KnownRuns = new Map();
  for (const unit of choice.taken) {
    for (const seat of [seatBefore(plan, unit), seatAfter(plan, unit)]) {
      if (seat < 0 || orphans.has(seat) || !isMadeSingle(state, choice, seat)) continue;
      if (isAvoidable(state, choice, unit, known)) orphans.add(seat);
    }
  }
  return [...orphans].sort((a, b) => a - b);
}

/**
 * The neighbours of a seat, as the search of best-available sees them: in a row without an aisle between them, or at a
 * table. A place of an area, a booth and a whole table have none. Pure.
 *
 * The neighbour with the lower index, at a table with chairs all around also the last of the first. -1 for none.
 */
function seatBefore(plan: Plan, unit: number): number {
  const { firstUnit, unitCount, isRing } = objectOf(plan, unit);
  if (!isSeat(plan, unit) || standsApart(plan, unit)) return -1;
  return isRing && unit === firstUnit ? firstUnit + unitCount - 1 : unit - 1;
}

function isSeat(plan: Plan, unit: number): boolean {
  const { type, bookingMode } = objectOf(plan, unit);
  return bookingMode === 'individual' && type !== 'gaArea';
}

/** The neighbour on the other side, -1 for none. */
function seatAfter(plan: Plan, unit: number): number {
  const { firstUnit, unitCount, isRing } = objectOf(plan, unit);
  if (!isSeat(plan, unit)) return -1;
  const next = isRing && unit === firstUnit + unitCount - 1 ? firstUnit : unit + 1;
  return next < plan.unitCount && seatBefore(plan, next) === unit ? next : -1;
}

/** Whether the seat stays free, without a free neighbour, and was not so before the call. */
function isMadeSingle(state: ReadState, choice: Choice, seat: number): boolean {
  const { plan } = state;
  const { taken, back } = choice;
  if (taken.has(seat) || !canBeTaken(state, choice, seat)) return false;
  const beside = [seatBefore(plan, seat), seatAfter(plan, seat)].filter((unit) => unit >= 0);
  if (beside.some((unit) => !taken.has(unit) && canBeTaken(state, choice, unit))) return false;
  return back.has(seat) || beside.some((unit) => taken.has(unit) && !back.has(unit) && isForBuyer(state, choice, unit));
}

/** Whether the caller could take the unit, were nothing chosen yet. */
function canBeTaken(state: ReadState, choice: Choice, unit: number): boolean {
  const { plan } = state;
  const { back, mask } = choice;
  if (!isFree(state, unit) && !back.has(unit)) return false;
  if (!isIn(mask, unit) || !isOpenToBuyers(state, plan.objectOfUnit[unit]!)) return false;
  if (categoryOf(plan, unit).notForSale || typeof tierOf(plan, unit, null) === 'string') return false;
  return isForBuyer(state, choice, unit);
}

function isForBuyer(state: ReadState, choice: Choice, unit: number): boolean {
  if (!isCompanionsPlace(state.plan, unit)) return true;
  choice.areCompanionsForAll ??= areCompanionsPlacesForAll(state, choice.taken, choice.back);
  return choice.areCompanionsForAll;
}

/** Whether as many neighbours as the choice has around this unit could be taken elsewhere without a single seat. */
function isAvoidable(state: ReadState, choice: Choice, unit: number, known: KnownRuns): boolean {
  const { plan } = state;
  const part = partAround(plan, choice.taken, unit);
  const category = plan.categoryOfUnit[unit]!;
  const isMixed = part.some((each) => plan.categoryOfUnit[each] !== category);
  const isPlain = part.every((each) => plan.accessibilityOfUnit[each] === 0);
  const asked = `${part.length} ${isMixed ? 'any' : category} ${isPlain}`;
  let isThere = known.get(asked);
  if (isThere === undefined) {
    const isWanted = (seat: number): boolean =>
      (isMixed || plan.categoryOfUnit[seat] === category) && (!isPlain || plan.accessibilityOfUnit[seat] === 0);
    isThere = hasCleanRun(state, choice, part.length, isWanted);
    known.set(asked, isThere);
  }
  return isThere;
}

/** The neighbours in the choice around one of its units. */
function partAround(plan: Plan, taken: ReadonlySet<number>, unit: number): number[] {
  const part = [unit];
  for (let seat = seatAfter(plan, unit); taken.has(seat) && seat !== unit; seat = seatAfter(plan, seat))
    part.push(seat);
  if (part.length > 1 && seatAfter(plan, part.at(-1)!) === unit) return part;
  for (let seat = seatBefore(plan, unit); taken.has(seat); seat = seatBefore(plan, seat)) part.push(seat);
  return part;
}

/** O(units) at the worst, for a call that is refused unless there is no such run. Usually the first row has one. */
function hasCleanRun(state: ReadState, choice: Choice, qty: number, isWanted: (seat: number) => boolean): boolean {
  const { plan } = state;
  const isThere = (seat: number): boolean => seat >= 0 && canBeTaken(state, choice, seat);
  const isSingle = (seat: number, first: number, last: number): boolean =>
    isThere(seat) &&
    ![seatBefore(plan, seat), seatAfter(plan, seat)].some((each) => each !== first && each !== last && isThere(each));
  for (let first = 0; first < plan.unitCount; first++) {
    if (!isWanted(first)) continue;
    const { type, bookingMode } = objectOf(plan, first);
    if (type === 'gaArea' || bookingMode !== 'individual' || !isThere(first)) continue;
    let last = first;
    let length = 0;
    for (let seat = first; length < qty && isThere(seat) && isWanted(seat); seat = seatAfter(plan, seat)) {
      if (length > 0 && seat === first) break;
      last = seat;
      length++;
    }
    if (length < qty) continue;
    const before = seatBefore(plan, first);
    const after = seatAfter(plan, last);
    if (before === last || !(isSingle(before, first, last) || isSingle(after, first, last))) return true;
  }
  return false;
}
