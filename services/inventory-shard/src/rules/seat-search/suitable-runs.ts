/** Finds neighbours in a row that suit a query with accessibility kinds. */
import { companionsPerWheelchairMax, isWheelchairs, wheelchairPlacesOf } from '@parterre/shared/charts/companions';
import type { Plan } from '@parterre/shared/charts/plan';
import { unitAt } from './run-search.ts';
import { type SeatRows, sold } from './seat-rows.ts';

/**
 * The accessible places of a run: `count` places of `kinds` (bits), no more and no fewer. If `isAccompanied`, each has
 * a companion's or an ordinary place beside it in the run. No kinds: a run of ordinary seats. If `isAtAisle`, the run
 * begins or ends at an aisle (run-search.ts).
 */
export type Need = { kinds: number; count: number; isAccompanied: boolean; isAtAisle: boolean };

const nobody: readonly number[] = [];

export const ordinary: Need = { kinds: 0, count: 0, isAccompanied: false, isAtAisle: false };
export const ordinaryAtAisle: Need = { ...ordinary, isAtAisle: true };

/**
 * Visits each `qty` for which the `qty` neighbours from `start`, all before `stop`, suit the need, and each companion's
 * place belongs to a wheelchair place among them (charts/companions.ts). From left to right, each companion first takes
 * the wheelchair place on the left, if it has room. `object` has the seats.
 */
export function eachSuitable(
  plan: Plan,
  { soldAs, endOfRow }: SeatRows,
  object: number,
  { kinds, count, isAccompanied }: Need,
  start: number,
  stop: number,
  visit: (qty: number) => void,
): void {
  const end = endOfRow[object]!;
  const seats = end - plan.objects[object]!.firstUnit;
  let named = 0;
  let isNamedBefore = false;
  let isLonely = false;
  let wheelchair = -1;
  let spare = 0;
  let waiting: readonly number[] = nobody;
  for (let position = start; position < stop; position++) {
    const unit = unitAt(position, end, seats);
    const isAlone = soldAs[unit] === sold.alone;
    if (isAlone && isWheelchairs(plan, unit)) {
      // A companion without a place on either side is also in every longer run.
      const isFull = waiting.length > companionsPerWheelchairMax;
      if (isFull || !waiting.every((companion) => wheelchairPlacesOf(plan, companion).includes(unit))) return;
      wheelchair = unit;
      spare = companionsPerWheelchairMax - waiting.length;
      waiting = nobody;
    } else if (!isAlone) {
      if (spare > 0 && wheelchairPlacesOf(plan, unit).includes(wheelchair)) spare--;
      else waiting = [...waiting, unit];
    }
    const isNamed = isAlone && (plan.accessibilityOfUnit[unit]! & kinds) !== 0;
    if (isNamed && (++named > count || (isLonely && isAccompanied))) return;
    isLonely = isNamed && (position === start || isNamedBefore);
    isNamedBefore = isNamed;
    if (named === count && waiting.length === 0 && !(isLonely && isAccompanied)) visit(position - start + 1);
  }
}
