/** Buyers' sessions to a season: issued by a server, or opened by a page with a publishable key. */
import type { OwnerOfSession } from '@parterre/shared/catalog/owner-sessions';
import type { SeasonRecord } from '@parterre/shared/catalog/seasons';
import { refuse } from '@parterre/shared/errors';
import { budgets } from '../../admission/admission.ts';
import { nothingHere, secretOnce } from '../../answers/answers.ts';
import { bootstrapBody } from '../buyers/buyers.ts';
import { pageRoute, serverRoute } from '../calls/calls.ts';
import {
  listOwnerSessions,
  mintOwnerSession,
  openOwnerSession,
  ownerSessionBody,
  ownerSessionsQuery,
  revokedOwnerSession,
  revokeOwnerSession,
} from '../owner-sessions/owner-sessions.ts';
import { counted, target } from '../seasons/seasons.ts';
import { latestPlan } from './season-plans.ts';
import {
  listSeasonSessionsAnswer,
  mintedSeasonSession,
  mintedSeasonSessionOf,
  openedSeasonSession,
  seasonSessionOf,
} from './session-answers.ts';

const withoutPlan = refuse('invalid_season_state', 'The season has no published plan. Publish a plan first.', {
  reason: 'no_published_plan',
});

export const seasonSessionRoutes = [
  serverRoute(
    'POST /v1/seasons/{key}/buyer-access-sessions',
    { ...counted, answer: mintedSeasonSession, body: ownerSessionBody, status: 201 },
    async (call) => {
      const found = await call.ports.catalog('seasons.get', target(call));
      if (!found.ok) return found;
      const { season } = found.value;
      const plan = latestPlan(season);
      if (!plan) return withoutPlan;
      const minted = await mintOwnerSession(call, sessionOf(season), season.eventKeys);
      return minted.ok ? secretOnce(mintedSeasonSessionOf(minted.value)) : minted;
    },
  ),
  serverRoute(
    'GET /v1/seasons/{key}/buyer-access-sessions',
    { ...counted, answer: listSeasonSessionsAnswer, query: ownerSessionsQuery },
    async (call) => {
      const found = await call.ports.catalog('seasons.get', target(call));
      return found.ok ? listOwnerSessions(call, sessionOf(found.value.season), seasonSessionOf) : found;
    },
  ),
  serverRoute(
    'DELETE /v1/seasons/{key}/buyer-access-sessions/{sessionId}',
    { ...counted, answer: revokedOwnerSession },
    async (call) => {
      const found = await call.ports.catalog('seasons.get', target(call));
      return found.ok ? revokeOwnerSession(call, sessionOf(found.value.season)) : found;
    },
  ),
  pageRoute(
    'POST /pub/seasons/{key}/sessions',
    {
      budget: budgets.seasonSessions,
      answer: openedSeasonSession,
      body: bootstrapBody,
      anyType: true,
      bodyOptional: true,
    },
    async (call) => {
      const found = await call.ports.catalog('seasons.find', { seasonKey: call.request.params[0]! });
      if (!found.ok) return found;
      const { season } = found.value;
      const unready = latestPlan(season) ? undefined : withoutPlan;
      const opened = await openOwnerSession(call, sessionOf(season), nothingHere, unready);
      if (!opened.ok) return opened;
      return secretOnce({ token: opened.value.token, expiresAt: opened.value.session.expiresAt }, 200);
    },
  ),
];

function sessionOf(season: SeasonRecord): OwnerOfSession {
  const { organisationId, workspaceId, mode, environment, key } = season;
  const activationId = latestPlan(season)?.activationId;
  return {
    ...{ organisationId, workspaceId, mode, environment, owner: { kind: 'season', key } },
    ...(activationId != null && { planActivationId: activationId }),
  };
}
