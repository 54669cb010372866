/**
 * Visits the runs of neighbouring seats of an object that a query may take.
 *
 * A position names a seat of an object. In a row it is the seat's unit. At a table with chairs all around, positions go
 * on after the last chair: the first chair comes again, and `unitAt` names its unit.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import { unitStatus } from '@parterre/shared/protocol/records';
import { isIn, type ReachMask } from '../reach/masks.ts';
import type { ReadState } from '../state/state.ts';
import type { Among } from './search.ts';
import { anyCategory, companionKind, isApart, type SeatRows, sold } from './seat-rows.ts';

/**
 * The seats that a query may take: of a category, `anyCategory` or several (see `CategoryScope`); ordinary seats, seats
 * of the named accessibility kinds (as bits) and companion places beside them; in a mask. `taken` are units of the
 * choice so far, `own` units that the caller has and may choose again.
 */
export type Wanted = {
  category: number;
  categories: Uint8Array | null;
  among: Among | null;
  kinds: number;
  mask: ReachMask | null;
  taken: ReadonlySet<number> | null;
  own: ReadonlySet<number> | null;
};

/**
 * Seats from `from` to before `to` may be taken. The run of free seats around them begins at `freeFrom` and ends before
 * `freeTo`. If all chairs around a table are free, `freeFrom` is their number, negated.
 */
export type VisitRun = (from: number, to: number, freeFrom: number, freeTo: number) => void;

/**
 * Visits the longest runs of neighbouring seats of an object that may be taken, in seat order. A run ends at a skipped
 * seat, an aisle, and a seat that is not free, not for sale or not in the mask. A search for ordinary seats ends at a
 * companion's place too, which is no seat for its party.
 */
export function eachRun(
  { plan, statuses }: ReadState,
  rows: SeatRows,
  object: number,
  wanted: Wanted,
  visit: VisitRun,
): void {
  const { soldAs } = rows;
  const { mask, taken, own, kinds, among } = wanted;
  const isMixed = among !== null || rows.isMixed[object] === 1;
  const { firstUnit, isRing } = plan.objects[object]!;
  const end = rows.endOfRow[object]!;
  const count = end - firstUnit;
  const begin = isRing ? breakIn() : firstUnit;
  if (begin === end) {
    visitCircle();
    return;
  }
  const stop = begin + count;
  for (let freeFrom = begin; freeFrom < stop; freeFrom++) {
    if (!isFree(freeFrom < end ? freeFrom : freeFrom - count)) continue;
    let freeTo = freeFrom + 1;
    while (freeTo < stop && continuesAt(freeTo < end ? freeTo : freeTo - count)) freeTo++;
    if (isMixed) visitParts(freeFrom, freeTo, freeFrom, freeTo);
    else visit(freeFrom, freeTo, freeFrom, freeTo);
    freeFrom = freeTo - 1;
  }

  /** As `isVacant`. This function runs for every seat of a search, and has its columns at hand. */
  function isFree(unit: number): boolean {
    if (statuses[unit] !== unitStatus.free && (own === null || !own.has(unit))) return false;
    if (soldAs[unit] === sold.never || (kinds === 0 && soldAs[unit] === sold.companion)) return false;
    return (mask === null || isIn(mask, unit)) && (taken === null || !taken.has(unit));
  }

  function continuesAt(unit: number): boolean {
    return !isApart(rows, unit) && isFree(unit);
  }

  /** The first chair that no run goes through from the left, or `end`. */
  function breakIn(): number {
    let unit = firstUnit;
    while (unit < end && continuesAt(unit)) unit++;
    return unit;
  }

  /** Every chair is free, so a run may begin at every chair. */
  function visitCircle(): void {
    let unwanted = firstUnit;
    while (unwanted < end && (!isMixed || isWanted(plan, rows, wanted, unwanted))) unwanted++;
    if (unwanted === end) visit(firstUnit, firstUnit + 2 * count - 1, -count, 0);
    else visitParts(unwanted, unwanted + count, -count, 0);
  }

  function visitParts(start: number, stop: number, freeFrom: number, freeTo: number): void {
    for (let from = start; from < stop; from++) {
      let to = from;
      while (to < stop && isWanted(plan, rows, wanted, unitAt(to, end, count))) to++;
      if (to === from) continue;
      visit(from, to, freeFrom, freeTo);
      from = to - 1;
    }
  }
}

/** The unit at a position of an object with `count` seats, the last of them before `end`. */
export function unitAt(position: number, end: number, count: number): number {
  return position < end ? position : position - count;
}

/** Whether a unit is free for the caller. Its category and kind do not matter here. */
export function isVacant({ statuses }: ReadState, { soldAs }: SeatRows, wanted: Wanted, unit: number): boolean {
  const { mask, taken, own } = wanted;
  if (statuses[unit] !== unitStatus.free && (own === null || !own.has(unit))) return false;
  if (soldAs[unit] === sold.never || (mask !== null && !isIn(mask, unit))) return false;
  return taken === null || !taken.has(unit);
}

/** Whether a query means a unit of this category and these kinds. */
export function isWanted(plan: Plan, { soldAs }: SeatRows, wanted: Wanted, unit: number): boolean {
  const { category, categories, kinds, among } = wanted;
  const its = plan.accessibilityOfUnit[unit]!;
  const isAlone = soldAs[unit] === sold.alone;
  const isMeant = isAlone ? its === 0 || (its & kinds) !== 0 : kinds !== 0 && (its & ~(kinds | companionKind)) === 0;
  if (!isMeant || (category !== anyCategory && plan.categoryOfUnit[unit] !== category)) return false;
  if (among !== null && (among.bits[unit >> 3]! & (1 << (unit & 7))) === 0) return false;
  return categories === null || categories[plan.categoryOfUnit[unit]!] === 1;
}

/** The number of seats of a visited run. */
export function lengthOf(from: number, to: number, freeFrom: number): number {
  return freeFrom < 0 ? Math.min(to - from, -freeFrom) : to - from;
}

/**
 * The same for a run of `object` that may have companions' places in it and beside it. No buyer of an ordinary seat
 * takes a companion's place: such a place is never left single, and is no company for a single seat.
 */
export function isCleanBesideCompanions(
  { plan, rows: { soldAs, endOfRow } }: { plan: Plan; rows: SeatRows },
  object: number,
  start: number,
  qty: number,
  freeFrom: number,
  freeTo: number,
): boolean {
  const { firstUnit } = plan.objects[object]!;
  const end = endOfRow[object]!;
  const count = end - firstUnit;
  const isCircle = freeFrom < 0;
  const isSeat = (position: number): boolean => {
    const isLeft = isCircle ? (position - start + count) % count >= qty : position >= freeFrom && position < freeTo;
    if (!isLeft) return false;
    return (
      soldAs[isCircle ? firstUnit + ((position - firstUnit + count) % count) : unitAt(position, end, count)] ===
      sold.alone
    );
  };
  const before = start - 1;
  const after = start + qty;
  return !(isSeat(before) && !isSeat(before - 1)) && !(isSeat(after) && !isSeat(after + 1));
}

/** Whether taking these seats from a run of free seats leaves no single seat on either side. */
export function isClean(start: number, qty: number, freeFrom: number, freeTo: number): boolean {
  if (freeFrom < 0) return -freeFrom - qty !== 1;
  return start - freeFrom !== 1 && freeTo - (start + qty) !== 1;
}

/** Whether the end of the row, or a gap in the row, is beside the first or the last seat of a run. */
export function isAtAisle({ objects }: Plan, rows: SeatRows, object: number, start: number, qty: number): boolean {
  const after = start + qty;
  if (start === objects[object]!.firstUnit || isApart(rows, start)) return true;
  return after === rows.endOfRow[object]! || isApart(rows, after);
}
