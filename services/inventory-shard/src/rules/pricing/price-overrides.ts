/** What a channel's prices may name: categories of the chart, and of a tiered one each tier by itself. */
import type { Plan } from '@parterre/shared/chart/plan';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/errors';
import type { PriceOverride } from '@parterre/shared/records';

type Priced = Omit<PriceOverride, 'price'>;

/** All of them in the order of the chart, so that the same prices are the same list; or all that is wrong with them. */
export function checkOverrides(plan: Plan, drafts: readonly PriceOverride[]): Outcome<PriceOverride[]> {
  const byName = new Map<string, PriceOverride>();
  const issues: Issue[] = [];
  for (const [index, draft] of drafts.entries()) {
    const fault = byName.has(nameOf(draft)) ? duplicate : faultOf(plan, draft);
    byName.set(nameOf(draft), draft);
    if (fault) issues.push({ path: `priceOverrides.${index}.${fault.field}`, message: fault.message });
  }
  if (issues.length > 0) {
    return refuse('invalid_request', 'The chart of this event has not what these prices are for.', {
      details: { issues },
    });
  }
  return done(pricedIn(plan).flatMap((each) => byName.get(nameOf(each)) ?? []));
}

/** Whether the chart has what is priced. */
export function isPriced(plan: Plan, priced: Priced): boolean {
  return faultOf(plan, priced) === null;
}

type Fault = { field: keyof Priced; message: string };

const duplicate: Fault = { field: 'categoryKey', message: 'Is priced twice.' };

function faultOf({ categories }: Plan, { categoryKey, tierId }: Priced): Fault | null {
  const category = categories.find(({ key }) => key === categoryKey);
  if (!category) return { field: 'categoryKey', message: 'The chart of the event has no such category.' };
  const { tiers = [] } = category;
  if (tiers.length === 0 || tierId === null) {
    const isFaulty = tiers.length > 0 || tierId !== null;
    const message = tiers.length > 0 ? 'A category with tiers is priced by tier.' : 'The category has no tiers.';
    return isFaulty ? { field: 'tierId', message } : null;
  }
  if (tiers.some(({ id }) => id === tierId)) return null;
  return { field: 'tierId', message: 'The category has no such tier.' };
}

/** All that can be priced, in the order of the chart. */
function pricedIn({ categories }: Plan): Priced[] {
  return categories.flatMap(({ key: categoryKey, tiers = [] }): Priced[] =>
    tiers.length === 0 ? [{ categoryKey, tierId: null }] : tiers.map(({ id: tierId }) => ({ categoryKey, tierId })),
  );
}

function nameOf({ categoryKey, tierId }: Priced): string {
  return JSON.stringify([categoryKey, tierId]);
}
