/** Finds neighbours in a row that suit a query with accessibility kinds. */
import type { Plan } from '@parterre/shared/chart/plan';
import { isWheelchairs } from '../pricing/pricing.ts';
import { type SeatRows, sold } from './seat-rows.ts';

/**
 * Visits each `qty` for which the `qty` neighbours from `start`, all before `end`, suit the query: a seat has a named
 * kind, and each companion's place has a wheelchair place of its own beside it. From left to right, each companion
 * first takes the wheelchair place on the left, as in companions.ts.
 */
export function eachSuitable(
  plan: Plan,
  { soldAs }: SeatRows,
  kinds: number,
  start: number,
  end: number,
  visit: (qty: number) => void,
): void {
  let hasNamed = false;
  let isSpareBefore = false;
  let isWaiting = false;
  for (let unit = start; unit < end; unit++) {
    const isWheelchair = soldAs[unit] === sold.alone && isWheelchairs(plan, unit);
    // A companion without a place on either side is also in every longer run.
    if (isWaiting && !isWheelchair) return;
    const isTaken: boolean = isWaiting;
    isWaiting = soldAs[unit] === sold.companion && !isSpareBefore;
    isSpareBefore = isWheelchair && !isTaken;
    if ((plan.accessibilityOfUnit[unit]! & kinds) !== 0) hasNamed = true;
    if (hasNamed && !isWaiting) visit(unit - start + 1);
  }
}
