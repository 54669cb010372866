/** Checks a query against the chart, and turns it into the terms of the search. Names equal queries equally. */
import type { Plan } from '@parterre/shared/charts/plan';
import type { SeatQuery } from '@parterre/shared/protocol/commands';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { Reach } from '@parterre/shared/protocol/records';
import { keyOf } from '../reach/masks.ts';
import { kindsOf, qtyOf, type Search } from '../seat-search/search.ts';
import { isRowNamed } from '../seat-search/search-order.ts';
import { everyPlace, unitsNamed } from '../selection/selection.ts';

/** The refusal names everything that the chart lacks, then every category that is not for sale. */
export function searchOf(plan: Plan, query: SeatQuery): Outcome<Search> {
  const { categoryKeys, sectionId, sectionIds, rowLabels, near } = query;
  const keys = categoriesAsked(query);
  const missing = keys?.filter((key) => !plan.categories.some((each) => each.key === key)) ?? [];
  const issues = missing.map((key) => issueOf(categoryKeys ? 'categoryKeys' : 'categoryKey', 'category', key));
  const { zoneId } = query;
  if (zoneId !== undefined && !plan.zones.some(({ id }) => id === zoneId)) {
    issues.push(issueOf('zoneId', 'zone', zoneId));
  }
  const sections = sectionIds ?? (sectionId === undefined ? undefined : [sectionId]);
  for (const section of sections?.filter((id) => !isSection(plan, id)) ?? []) {
    issues.push(issueOf(sectionIds ? 'sectionIds' : 'sectionId', 'section', section));
  }
  for (const label of rowLabels?.filter((each) => !plan.objects.some((object) => isRowNamed(object, [each]))) ?? []) {
    issues.push(issueOf('rowLabels', 'row', label));
  }
  if (issues.length > 0) {
    const message = `The chart lacks parts that the call names: ${issues.map((each) => each.name).join(', ')}.`;
    return refuse('invalid_request', message, { details: { issues: issues.map(({ name: __, ...issue }) => issue) } });
  }
  const around = near && unitsNamed(plan, near, everyPlace);
  if (around && !around.ok) return around;
  const unsold = keys?.filter((key) => plan.categories.some((each) => each.key === key && each.notForSale)) ?? [];
  if (unsold.length > 0) {
    return refuse('not_for_sale', `Not for sale: the category ${unsold.join(', ')}. Ask for other categories.`);
  }
  const { qty, accessible, accessibleSeats, preventOrphans, aisle } = query;
  return done({
    qty,
    ...(zoneId !== undefined && { zoneId }),
    ...(accessible && { accessible }),
    ...(accessibleSeats !== undefined && { accessibleSeats }),
    ...(preventOrphans !== undefined && { preventOrphans }),
    ...(aisle && { aisle }),
    ...(keys && { categoryKeys: keys }),
    ...(sections && { sectionIds: [...new Set(sections)] }),
    ...(rowLabels && { rowLabels: [...new Set(rowLabels)] }),
    ...(around && { near: around.value.units }),
  });
}

function isSection({ sections, scopeIds, zones }: Plan, id: string): boolean {
  return sections.some((section) => section.id === id) || (scopeIds.has(id) && !zones.some((zone) => zone.id === id));
}

/** Each category once. Undefined for every category. */
function categoriesAsked({ categoryKey, categoryKeys }: SeatQuery): string[] | undefined {
  if (categoryKeys) return [...new Set(categoryKeys)];
  return categoryKey === undefined ? undefined : [categoryKey];
}

function issueOf(path: string, what: string, name: string): Issue & { name: string } {
  return {
    path,
    message: `The chart has no ${what} "${name}". Name a ${what} of the chart.`,
    name: `${what} "${name}"`,
  };
}

/** Equal for equal queries of the same channels. Journals keep the text. */
export function fingerprintOf(query: SeatQuery, reach?: Reach): string {
  const keys = categoriesAsked(query);
  const { zoneId, accessibleSeats = 1, preventOrphans = true, near, tickets, sectionId, sectionIds } = query;
  const { rowLabels, minUnitPrice, maxUnitPrice, aisle, stepFree } = query;
  const asked: unknown[] = [
    qtyOf(query),
    keys?.length === 1 ? keys[0] : keys?.toSorted(),
    zoneId,
    kindsOf(query) || undefined,
    keyOf(reach) ?? undefined,
    accessibleSeats === 1 ? undefined : accessibleSeats,
    preventOrphans ? undefined : false,
    near && [...new Set(near)].toSorted(),
    tickets?.map(({ tierId, qty }) => [tierId, qty]),
    sectionIds ? [...new Set(sectionIds)].toSorted() : sectionId === undefined ? undefined : [sectionId],
    rowLabels && [...new Set(rowLabels)].toSorted(),
    minUnitPrice,
    maxUnitPrice,
    aisle || undefined,
    stepFree || undefined,
  ];
  return JSON.stringify(asked.slice(0, 1 + asked.findLastIndex((part) => part !== undefined)));
}
