/**
 * Writes the status and the holder of units, with every count that follows from them. Only two folds write these
 * columns themselves: the sale of a listing clears `slotOf` for the next record (sales/booking-folds.ts), and a change
 * of chart rebuilds the columns (chart/replan.ts).
 */
import type { Plan } from '@parterre/shared/charts/plan';
import { type UnitStatus, unitStatus } from '@parterre/shared/protocol/records';
import type { EventState, ThresholdBase, Withheld } from './event-state.ts';
import { tellLookups } from './lookups.ts';

/** For folds. `slot` is the holder's slot, 0 for none. */
export function setUnits(state: EventState, units: readonly number[], status: UnitStatus, slot: number): void {
  for (let i = 0; i < units.length; i++) setUnit(state, units[i]!, status, slot);
  tellLookups(state, units, status === unitStatus.free);
}

function setUnit(state: EventState, unit: number, status: UnitStatus, slot: number): void {
  const before = state.statuses[unit] as UnitStatus;
  state.counts[before]--;
  state.counts[status]++;
  if (state.withheld !== null) countWithheld(state.withheld, state.plan, unit, before, status);
  if (state.thresholdBase !== null) countForThreshold(state.thresholdBase, state.plan, unit, before, status);
  state.statuses[unit] = status;
  state.slotOf[unit] = slot;
}

function countWithheld(withheld: Withheld, plan: Plan, unit: number, before: UnitStatus, after: UnitStatus): void {
  if (withheld.byCategory[plan.categoryOfUnit[unit]!] === 0) return;
  withheld.units += Number(isLeft(after)) - Number(isLeft(before));
}

function countForThreshold(base: ThresholdBase, plan: Plan, unit: number, before: UnitStatus, after: UnitStatus): void {
  if (before === after || base.counts[plan.objectOfUnit[unit]!] === 0) return;
  if (after === unitStatus.booked) base.booked++;
  if (before === unitStatus.booked) base.booked--;
}

/** The withheld units, null if every category is for sale. */
export function withheldOf(plan: Plan, statuses: Uint8Array): Withheld | null {
  if (!plan.categories.some(({ notForSale }) => notForSale)) return null;
  const byCategory = Uint8Array.from(plan.categories, ({ notForSale }) => (notForSale ? 1 : 0));
  let units = 0;
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (byCategory[plan.categoryOfUnit[unit]!] === 1 && isLeft(statuses[unit] as UnitStatus)) units++;
  }
  return { byCategory, units };
}

function isLeft(status: UnitStatus): boolean {
  return status === unitStatus.free || status === unitStatus.held;
}
