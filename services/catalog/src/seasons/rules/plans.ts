/** The plans of a season: drafts, publication, supersession. Pure. */
import type { SeasonPlan } from '@parterre/shared/protocol/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { SeasonDocument } from '../../store/rules/season-records.ts';
import { checkStructure } from './season-state.ts';

export function planNamed({ plans }: Pick<SeasonDocument, 'plans'>, planKey: string): Outcome<SeasonPlan> {
  const plan = plans.find(({ key }) => key === planKey);
  return plan ? done(plan) : refuse('not_found', 'The season has no such plan. Check its key.');
}

/** The season's plans with the plan published as the next one. */
export function withPublished(
  season: SeasonDocument,
  planKey: string,
  activationId: string,
  now: number,
): Outcome<SeasonPlan[]> {
  const plan = planIn(season, planKey, 'draft', 'draft', 'active');
  if (!plan.ok) return plan;
  const publishedRevision = 1 + season.plans.filter((each) => each.publishedRevision !== null).length;
  const published = { publicationState: 'published' as const, publishedRevision, activationId, publishedAt: now };
  return done(replaced(season.plans, { ...plan.value, ...published, updatedAt: now }));
}

/**
 * The season's plans with the plan taken out of sale. Buyers' holds of the plan could not follow while sales are open.
 */
export function withSuperseded(season: SeasonDocument, planKey: string, now: number): Outcome<SeasonPlan[]> {
  const plan = planIn(season, planKey, 'published', 'draft', 'active', 'closed');
  if (!plan.ok) return plan;
  if (season.salesState !== 'closed' && season.salesState !== 'ended') {
    return refuse('invalid_season_state', 'A plan is superseded only while sales are closed or ended.', {
      details: { state: season.salesState },
    });
  }
  return done(replaced(season.plans, { ...plan.value, publicationState: 'superseded', updatedAt: now }));
}

function planIn(
  season: SeasonDocument,
  planKey: string,
  state: SeasonPlan['publicationState'],
  ...structures: SeasonDocument['structureState'][]
): Outcome<SeasonPlan> {
  const plan = planNamed(season, planKey);
  if (!plan.ok) return plan;
  const structure = checkStructure(season, ...structures);
  if (!structure.ok) return structure;
  if (plan.value.publicationState === state) return plan;
  const { publicationState } = plan.value;
  return refuse('invalid_season_state', `The plan is ${publicationState}. The call needs a ${state} plan.`, {
    details: { state: publicationState },
  });
}

function replaced(plans: readonly SeasonPlan[], plan: SeasonPlan): SeasonPlan[] {
  return plans.map((each) => (each.key === plan.key ? plan : each));
}
