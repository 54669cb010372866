/** The season of a buyer's call, and the plan that it sells. A session sells the plan that was published last before it. */
import type { SeasonPlan, SeasonRecord } from '@parterre/shared/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { type Call, inTime } from '../calls/calls.ts';

type BuyerCall = Pick<Call<'season-buyer'>, 'ports' | 'request' | 'principal'>;

export type SoldSeason = { season: SeasonRecord; plan: SeasonPlan };

/** The season for a read. A publication of a moment ago may be unknown to the cache. */
export async function soldSeason(call: BuyerCall): Promise<Outcome<SoldSeason>> {
  const { seasons } = call.ports;
  const key = call.request.params[0]!;
  const known = await inTime(call, Promise.resolve(seasons.get(key)));
  if (!known.ok) return known;
  const plan = planOf(call, known.value);
  if (plan) return done({ season: known.value, plan });
  seasons.drop(key);
  const latest = await inTime(call, Promise.resolve(seasons.get(key)));
  return latest.ok ? withPlan(call, latest.value) : latest;
}

/** The season while it sells the session's plan. No event knows the sales state, so no cache is asked. */
export async function sellingSeason(call: BuyerCall): Promise<Outcome<SoldSeason>> {
  const found = await call.ports.catalog('seasons.find', { seasonKey: call.request.params[0]! });
  if (!found.ok) return found;
  const { season } = found.value;
  const { structureState, salesState } = season;
  if (structureState !== 'active' || salesState !== 'open') {
    return refuse('event_closed', 'This season sells nothing now.', {
      reason: structureState === 'active' ? `sales_${salesState}` : 'season_not_active',
    });
  }
  const sold = withPlan(call, season);
  return sold.ok && sold.value.plan.publicationState !== 'published' ? superseded : sold;
}

const superseded = refuse('event_closed', 'The plan of this session is not sold any more. Open a new session.', {
  reason: 'plan_superseded',
});

function withPlan(call: BuyerCall, season: SeasonRecord): Outcome<SoldSeason> {
  const plan = planOf(call, season);
  return plan ? done({ season, plan }) : superseded;
}

function planOf({ principal }: BuyerCall, { plans }: SeasonRecord): SeasonPlan | undefined {
  return plans.find(({ activationId }) => activationId !== null && activationId === principal.planActivationId);
}

/** The plan that new sessions sell. */
export function latestPlan({ plans }: SeasonRecord): SeasonPlan | null {
  const published = plans.filter(({ publicationState }) => publicationState === 'published');
  return published.reduce<SeasonPlan | null>((latest, plan) => {
    return (latest?.publishedRevision ?? 0) < plan.publishedRevision! ? plan : latest;
  }, null);
}

/** The home and the first member of every plan that was ever published: one of them knows each hold of the season. */
export function likelyEvents({ plans }: SeasonRecord): string[] {
  const published = plans.filter(({ activationId }) => activationId !== null);
  return [...new Set(published.flatMap(({ eventKeys }) => eventKeys.slice(0, 2)))];
}
