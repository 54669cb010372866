/** Checks a channel's prices. A price names a category of the chart; in a category with tiers it names a tier. */
import type { Plan } from '@parterre/shared/charts/plan';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { priceMaxIn, unitOf } from '@parterre/shared/protocol/money';
import type { PriceOverride } from '@parterre/shared/protocol/records';
import type { ReadState } from '../state/state.ts';

type Priced = Omit<PriceOverride, 'price'>;

/**
 * The prices in the order of the chart, so that equal prices give equal lists. Otherwise a refusal with every fault.
 */
export function checkOverrides(
  { plan, config }: ReadState,
  drafts: readonly PriceOverride[],
): Outcome<PriceOverride[]> {
  const max = priceMaxIn(unitOf(config));
  const byName = new Map<string, PriceOverride>();
  const issues: Issue[] = [];
  for (const [index, draft] of drafts.entries()) {
    const fault = byName.has(nameOf(draft)) ? duplicate : (faultOf(plan, draft) ?? priceFault(draft, max));
    byName.set(nameOf(draft), draft);
    if (fault) issues.push({ path: `priceOverrides.${index}.${fault.field}`, message: fault.message });
  }
  if (issues.length > 0) {
    return refuse(
      'invalid_request',
      "Prices name categories and tiers of the event's chart. The issues list the prices that do not.",
      {
        details: { issues },
      },
    );
  }
  return done(pricedIn(plan).flatMap((each) => byName.get(nameOf(each)) ?? []));
}

/** Whether the chart has the priced category and tier. */
export function isPriced(plan: Plan, priced: Priced): boolean {
  return faultOf(plan, priced) === null;
}

type Fault = { field: keyof PriceOverride; message: string };

function priceFault({ price }: PriceOverride, max: number): Fault | null {
  return price <= max ? null : { field: 'price', message: `Must be at most ${max}.` };
}

const duplicate: Fault = { field: 'categoryKey', message: 'The category or tier is priced twice.' };

function faultOf({ categories }: Plan, { categoryKey, tierId }: Priced): Fault | null {
  const category = categories.find(({ key }) => key === categoryKey);
  if (!category) return { field: 'categoryKey', message: `The chart has no category "${categoryKey}".` };
  const { tiers = [] } = category;
  if (tiers.length === 0 || tierId === null) {
    const isFaulty = tiers.length > 0 || tierId !== null;
    const message =
      tiers.length > 0
        ? 'The category has tiers: name one of them.'
        : 'The category has no tiers: tierId must be null.';
    return isFaulty ? { field: 'tierId', message } : null;
  }
  if (tiers.some(({ id }) => id === tierId)) return null;
  return { field: 'tierId', message: `The category has no tier "${tierId}".` };
}

/** Every category and tier that can have a price, in the order of the chart. */
function pricedIn({ categories }: Plan): Priced[] {
  return categories.flatMap(({ key: categoryKey, tiers = [] }): Priced[] =>
    tiers.length === 0 ? [{ categoryKey, tierId: null }] : tiers.map(({ id: tierId }) => ({ categoryKey, tierId })),
  );
}

function nameOf({ categoryKey, tierId }: Priced): string {
  return JSON.stringify([categoryKey, tierId]);
}
