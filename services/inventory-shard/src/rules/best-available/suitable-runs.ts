/** Finds neighbours in a row that suit a query with accessibility kinds. */
import type { Plan } from '@parterre/shared/chart/plan';
import { isWheelchairs } from '../pricing/pricing.ts';
import { type SeatRows, sold } from './seat-rows.ts';

/**
 * Visits each number of neighbours from `start`, ending before `end`, that have a seat of a named kind, and beside each
 * companion's place a wheelchair place of its own. From left to right, each companion first takes the wheelchair place
 * on the left, as in companions.ts.
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
