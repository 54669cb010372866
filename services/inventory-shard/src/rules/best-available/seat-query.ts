/** Checks a best-available query against the chart, and names equal queries equally. */
import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
import type { Plan } from '@parterre/shared/chart/plan';
import type { SeatQuery } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { bestAvailableQtyMax } from '@parterre/shared/limits';
import type { Reach } from '@parterre/shared/records';
import { keyOf } from '../reach/reach.ts';
import type { CategoryScope } from './search-order.ts';
import { anyCategory } from './seat-rows.ts';

/** The categories of the query, or the refusal with every name that the chart lacks. */
export function checkedQuery(plan: Plan, { categoryKey, categoryKeys, zoneId }: SearchScope): Outcome<CategoryScope> {
  const keys = [...new Set(categoryKeys ?? (categoryKey === undefined ? [] : [categoryKey]))];
  const indexes = keys.map((key) => plan.categories.findIndex((each) => each.key === key));
  const path = categoryKeys ? 'categoryKeys' : 'categoryKey';
  const issues = keys.filter((_, i) => indexes[i]! < 0).map((key) => ({ path, what: 'category', name: key }));
  if (zoneId !== undefined && !plan.zones.some(({ id }) => id === zoneId)) {
    issues.push({ path: 'zoneId', what: 'zone', name: zoneId });
  }
  if (issues.length > 0) return unknown(issues);
  const kept = keys.filter((_, i) => plan.categories[indexes[i]!]!.notForSale);
  if (kept.length > 0) {
    const [what, other] = kept.length === 1 ? ['category', 'another category'] : ['categories', 'other categories'];
    const verb = kept.length === 1 ? 'is' : 'are';
    return refuse('not_for_sale', `The ${what} ${kept.join(', ')} ${verb} not for sale. Ask for ${other}.`);
  }
  return done(scopeOf(plan, indexes));
}

type SearchScope = Pick<SeatQuery, 'categoryKey' | 'zoneId'> & { categoryKeys?: readonly string[] };

function scopeOf(plan: Plan, indexes: readonly number[]): CategoryScope {
  const [category = anyCategory, ...others] = indexes;
  if (others.length === 0) return { category, categories: null, key: `${category}` };
  const categories = new Uint8Array(plan.categories.length);
  for (const index of indexes) categories[index] = 1;
  return { category: anyCategory, categories, key: indexes.toSorted((a, b) => a - b).join() };
}

function unknown(issues: readonly { path: string; what: string; name: string }[]): Outcome<never> {
  const named = issues.map(({ what, name }) => `no ${what} "${name}"`).join(', ');
  return refuse('invalid_request', `The chart has ${named}.`, {
    details: { issues: issues.map(({ path, what }) => ({ path, message: `Must be a ${what} of the chart.` })) },
  });
}

/** Equal for equal queries of the same channels. */
export function fingerprintOf(query: SeatQuery, reach?: Reach): string {
  const asked = [qtyOf(query), query.categoryKey, query.zoneId, kindsOf(query) || undefined, keyOf(reach) ?? undefined];
  return JSON.stringify(asked.slice(0, 1 + asked.findLastIndex((part) => part !== undefined)));
}

export function qtyOf({ qty }: Pick<SeatQuery, 'qty'>): number {
  return Math.min(qty, bestAvailableQtyMax);
}

/** As bits, see `plan.accessibilityOfUnit`. */
export function kindsOf({ accessible = [] }: Pick<SeatQuery, 'accessible'>): number {
  return accessible.reduce((bits, kind) => bits | (1 << accessibilityKinds.indexOf(kind)), 0);
}
