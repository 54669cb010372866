/** The ports of this room, and the seasons, plans and scopes behind its calls. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SeasonPlan } from '@parterre/shared/protocol/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { findSeason, type SeasonTarget } from '../seasons/season-access.ts';
import type { Ports } from '../store/operations.ts';
import type { SeasonDocument } from '../store/rules/season-records.ts';
import type { Store } from '../store/store.ts';

export type RightsPorts = Pick<Ports, 'store' | 'clock' | 'ask' | 'log' | 'hurryProjector'>;
export type Versions = readonly { eventKey: string; version: number }[];

/** The season with one of its published plans: the named one, or the plan published last. */
export async function seasonAndPlan(
  store: Store,
  target: SeasonTarget,
  activationId: string | undefined,
): Promise<Outcome<{ season: SeasonDocument; plan: SeasonPlan & { activationId: string } }>> {
  const found = await findSeason(store, target);
  if (!found.ok) return found;
  const season = found.value.value;
  const published = season.plans.filter(({ publicationState }) => publicationState === 'published');
  published.sort((one, other) => other.publishedRevision! - one.publishedRevision!);
  if (published.length === 0) {
    return refuse('invalid_season_state', 'The season has no published plan. Publish a plan first.', {
      reason: 'no_published_plan',
      details: { state: season.structureState },
    });
  }
  const plan =
    activationId === undefined ? published[0]! : published.find((each) => each.activationId === activationId);
  if (plan?.activationId) return done({ season, plan: { ...plan, activationId: plan.activationId } });
  return refuse('invalid_request', 'The season has no published plan with this activationId.', {
    reason: 'unknown_plan',
    details: {
      issues: [{ path: 'successorPlanActivationId', message: 'Must be the activationId of a published plan.' }],
    },
  });
}

export function actorOf({ role }: Pick<Scope, 'role'>): 'server' | 'operator' {
  return role === null ? 'server' : 'operator';
}
