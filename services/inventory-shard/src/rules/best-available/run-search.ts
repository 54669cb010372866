/** Visits the runs of neighbouring seats of an object that a query may take. */
import { followsNeighbour } from '@parterre/shared/chart/plan';
import { unitStatus } from '@parterre/shared/records';
import { isIn, type ReachMask } from '../reach/reach.ts';
import type { ReadState } from '../state/state.ts';
import { anyCategory, type SeatRows, sold } from './seat-rows.ts';

/** The seats that a query may take: a category or `anyCategory`, the named accessibility kinds as bits, and a mask. */
export type Wanted = { category: number; kinds: number; mask: ReachMask | null };

/**
 * Seats from `from` to before `to` may be taken. The run of free seats around them begins at `freeFrom` and ends before
 * `freeTo`.
 */
export type VisitRun = (from: number, to: number, freeFrom: number, freeTo: number) => void;

/**
 * Visits the longest runs of neighbouring seats of an object that may be taken, in seat order. Neighbours have
 * consecutive indexes. A skipped seat parts a run, and so does a seat that is not free, not for sale or not in the
 * mask.
 */
export function eachRun(
  { plan, statuses }: ReadState,
  { endOfRow, isMixed, soldAs }: SeatRows,
  object: number,
  { category, kinds, mask }: Wanted,
  visit: VisitRun,
): void {
  const { accessibilityOfUnit, categoryOfUnit } = plan;
  const { firstUnit } = plan.objects[object]!;
  const end = endOfRow[object]!;
  for (let freeFrom = firstUnit; freeFrom < end; freeFrom++) {
    if (!isFreeForSale(freeFrom)) continue;
    let freeTo = freeFrom + 1;
    while (freeTo < end && followsNeighbour(plan, freeTo) && isFreeForSale(freeTo)) freeTo++;
    if (isMixed[object] === 1) visitParts(freeFrom, freeTo);
    else visit(freeFrom, freeTo, freeFrom, freeTo);
    freeFrom = freeTo - 1;
  }

  function isFreeForSale(unit: number): boolean {
    return statuses[unit] === unitStatus.free && soldAs[unit] !== sold.never && (mask === null || isIn(mask, unit));
  }

  function visitParts(freeFrom: number, freeTo: number): void {
    for (let from = freeFrom; from < freeTo; from++) {
      let to = from;
      while (to < freeTo && isWanted(to)) to++;
      if (to === from) continue;
      visit(from, to, freeFrom, freeTo);
      from = to - 1;
    }
  }

  function isWanted(unit: number): boolean {
    const its = accessibilityOfUnit[unit]!;
    const isMeant = its === 0 ? soldAs[unit] === sold.alone : (its & kinds) !== 0;
    return isMeant && (category === anyCategory || categoryOfUnit[unit] === category);
  }
}

/** Whether taking these seats from a run of free seats leaves no single seat on either side. */
export function isClean(start: number, qty: number, freeFrom: number, freeTo: number): boolean {
  return start - freeFrom !== 1 && freeTo - (start + qty) !== 1;
}
