/** Which neighbours in a row suit a call that names accessibility kinds. */
import type { Plan } from '@parterre/shared/chart/plan';
import { isWheelchairs } from '../pricing/tiers.ts';
import { type SeatRows, sold } from './seat-rows.ts';

/**
 * How many neighbours from `start` on, and before `end`, have a seat of a named kind among them, and beside each companion's
 * place a wheelchair's of his own. From the left each companion takes the place on his left first, as in companions.ts.
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
    // Who waits for the place on his right, and does not find it, is in all that are longer as well.
    if (isWaiting && !isWheelchair) return;
    const isTaken: boolean = isWaiting;
    isWaiting = soldAs[unit] === sold.companion && !isSpareBefore;
    isSpareBefore = isWheelchair && !isTaken;
    if ((plan.accessibilityOfUnit[unit]! & kinds) !== 0) hasNamed = true;
    if (hasNamed && !isWaiting) visit(unit - start + 1);
  }
}
