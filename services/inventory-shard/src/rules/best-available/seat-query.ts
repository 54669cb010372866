/** Checks a best-available query against the chart, and names equal queries equally. */
import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
import type { Plan } from '@parterre/shared/chart/plan';
import type { SeatQuery } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { bestAvailableQtyMax } from '@parterre/shared/limits';
import type { Reach } from '@parterre/shared/records';
import { keyOf } from '../reach/reach.ts';
import { anyCategory } from './seat-rows.ts';

/** The index of the query's category, or `anyCategory`. */
export function checkedQuery(plan: Plan, { categoryKey, zoneId }: SeatQuery): Outcome<number> {
  const category = categoryOf(plan, categoryKey);
  if (!category.ok || zoneId === undefined) return category;
  return plan.zones.some(({ id }) => id === zoneId) ? category : unknown('zoneId', 'zone', zoneId);
}

/** Equal for equal queries of the same channels. */
export function fingerprintOf(query: SeatQuery, reach?: Reach): string {
  const asked = [qtyOf(query), query.categoryKey, query.zoneId, kindsOf(query) || undefined, keyOf(reach) ?? undefined];
  return JSON.stringify(asked.slice(0, 1 + asked.findLastIndex((part) => part !== undefined)));
}

export function qtyOf({ qty }: SeatQuery): number {
  return Math.min(qty, bestAvailableQtyMax);
}

/** As bits, see `plan.accessibilityOfUnit`. */
export function kindsOf({ accessible = [] }: SeatQuery): number {
  return accessible.reduce((bits, kind) => bits | (1 << accessibilityKinds.indexOf(kind)), 0);
}

function categoryOf({ categories }: Plan, key: string | undefined): Outcome<number> {
  if (key === undefined) return done(anyCategory);
  const index = categories.findIndex((each) => each.key === key);
  if (index < 0) return unknown('categoryKey', 'category', key);
  if (categories[index]!.notForSale)
    return refuse('not_for_sale', `The category ${key} is not for sale. Ask for another category.`);
  return done(index);
}

function unknown(path: string, what: string, name: string): Outcome<never> {
  return refuse('invalid_request', `The chart has no ${what} "${name}".`, {
    details: { issues: [{ path, message: `Must be a ${what} of the chart.` }] },
  });
}
