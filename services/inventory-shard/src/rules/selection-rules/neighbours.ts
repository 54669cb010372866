/**
 * The neighbours of a seat, as the search of best-available sees them: in a row without an aisle between them, or at a
 * table. A place of an area, a booth and a whole table have none. Pure.
 */
import { objectOf, type Plan } from '@parterre/shared/charts/plan';
import { standsApart } from '../seat-search/seat-search.ts';

/** The neighbour with the lower index, at a table with chairs all around also the last of the first. -1 for none. */
export function seatBefore(plan: Plan, unit: number): number {
  const { firstUnit, unitCount, isRing } = objectOf(plan, unit);
  if (!isSeat(plan, unit) || standsApart(plan, unit)) return -1;
  return isRing && unit === firstUnit ? firstUnit + unitCount - 1 : unit - 1;
}

/** The neighbour on the other side, -1 for none. */
export function seatAfter(plan: Plan, unit: number): number {
  const { firstUnit, unitCount, isRing } = objectOf(plan, unit);
  if (!isSeat(plan, unit)) return -1;
  const next = isRing && unit === firstUnit + unitCount - 1 ? firstUnit : unit + 1;
  return next < plan.unitCount && seatBefore(plan, next) === unit ? next : -1;
}

function isSeat(plan: Plan, unit: number): boolean {
  const { type, bookingMode } = objectOf(plan, unit);
  return bookingMode === 'individual' && type !== 'gaArea';
}
