/**
 * Whether an event is sold out: something is booked, and no unit that is for sale is free or held any more. Units that are
 * blocked, or of a category that is not for sale, are none; hidden and closed ones are, since they will be sold later.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { type UnitStatus, unitStatus } from '@parterre/shared/records';
import type { EventState } from '../state/state.ts';

/** Free and held units in categories that are not for sale, which the counts by status have in them. */
export type Withheld = {
  /** 1 for a category that is not for sale. */
  readonly byCategory: Uint8Array;
  units: number;
};

/** Null where every category is for sale. */
export function withheldOf(plan: Plan, statuses: Uint8Array): Withheld | null {
  if (!plan.categories.some(({ notForSale }) => notForSale)) return null;
  const byCategory = Uint8Array.from(plan.categories, ({ notForSale }) => (notForSale ? 1 : 0));
  let units = 0;
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (byCategory[plan.categoryOfUnit[unit]!] === 1 && isLeft(statuses[unit] as UnitStatus)) units++;
  }
  return { byCategory, units };
}

/** Part of the fold: a unit's status has turned. */
export function countWithheld(state: EventState, unit: number, before: UnitStatus, after: UnitStatus): void {
  const withheld = state.withheld!;
  if (withheld.byCategory[state.plan.categoryOfUnit[unit]!] === 0) return;
  withheld.units += Number(isLeft(after)) - Number(isLeft(before));
}

function isLeft(status: UnitStatus): boolean {
  return status === unitStatus.free || status === unitStatus.held;
}

/** Whether anything is left that is for sale. */
export function hasUnitsLeft({ counts, withheld }: EventState): boolean {
  const left = counts[unitStatus.free] + counts[unitStatus.held];
  return left > (withheld === null ? 0 : withheld.units);
}

/** Whether that everything is sold is still to be told. */
export function isNewlySoldOut(state: EventState): boolean {
  return !hasUnitsLeft(state) && !state.soldOut && state.counts[unitStatus.booked] > 0;
}
