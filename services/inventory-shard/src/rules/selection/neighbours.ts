/** The neighbours of a seat in its row or at its table. A place of an area, a booth and a whole table have none. Pure. */
import { followsNeighbour, objectOf, type Plan } from '@parterre/shared/chart/plan';

/** The neighbour with the lower index, -1 for none. */
export function seatBefore(plan: Plan, unit: number): number {
  return isSeat(plan, unit) && followsNeighbour(plan, unit) ? unit - 1 : -1;
}

/** The neighbour with the higher index, -1 for none. */
export function seatAfter(plan: Plan, unit: number): number {
  return isSeat(plan, unit) && unit + 1 < plan.unitCount && followsNeighbour(plan, unit + 1) ? unit + 1 : -1;
}

function isSeat(plan: Plan, unit: number): boolean {
  const { type, bookingMode } = objectOf(plan, unit);
  return bookingMode === 'individual' && type !== 'gaArea';
}
