/** Buyers' sessions to a performance group: issued by a server, or opened by a page with a publishable key. */
import type { GroupRecord } from '@parterre/shared/catalog/groups';
import type { OwnerOfSession } from '@parterre/shared/catalog/owner-sessions';
import { budgets } from '../../admission/admission.ts';
import { nothingHere, secretOnce } from '../../answers/answers.ts';
import { bootstrapBody } from '../buyers/buyers.ts';
import { inTime, pageRoute, serverRoute } from '../calls/calls.ts';
import {
  listOwnerSessions,
  mintOwnerSession,
  openOwnerSession,
  ownerSessionBody,
  ownerSessionsQuery,
  revokedOwnerSession,
  revokeOwnerSession,
} from '../owner-sessions/owner-sessions.ts';
import { target } from './routes.ts';
import {
  groupSessionOf,
  listGroupSessionsAnswer,
  mintedGroupSession,
  mintedGroupSessionOf,
  openedGroupSession,
} from './session-answers.ts';

const counted = { budget: budgets.serverCalls };

export const groupSessionRoutes = [
  serverRoute(
    'POST /v1/performance-groups/{key}/buyer-access-sessions',
    { ...counted, answer: mintedGroupSession, body: ownerSessionBody, status: 201 },
    async (call) => {
      const found = await call.ports.catalog('groups.get', target(call));
      if (!found.ok) return found;
      const { group } = found.value;
      const minted = await mintOwnerSession(call, sessionOf(group), group.eventKeys);
      return minted.ok ? secretOnce(mintedGroupSessionOf(minted.value)) : minted;
    },
  ),
  serverRoute(
    'GET /v1/performance-groups/{key}/buyer-access-sessions',
    { ...counted, answer: listGroupSessionsAnswer, query: ownerSessionsQuery },
    async (call) => {
      const found = await call.ports.catalog('groups.get', target(call));
      if (!found.ok) return found;
      return listOwnerSessions(call, sessionOf(found.value.group), groupSessionOf);
    },
  ),
  serverRoute(
    'DELETE /v1/performance-groups/{key}/buyer-access-sessions/{sessionId}',
    { ...counted, answer: revokedOwnerSession },
    async (call) => {
      const found = await call.ports.catalog('groups.get', target(call));
      return found.ok ? revokeOwnerSession(call, sessionOf(found.value.group)) : found;
    },
  ),
  pageRoute(
    'POST /pub/performance-groups/{key}/sessions',
    {
      budget: budgets.groupSessions,
      answer: openedGroupSession,
      body: bootstrapBody,
      anyType: true,
      bodyOptional: true,
    },
    async (call) => {
      const found = await inTime(call, Promise.resolve(call.ports.groups.get(call.request.params[0]!)));
      if (!found.ok) return found;
      const opened = await openOwnerSession(call, sessionOf(found.value), nothingHere);
      return opened.ok
        ? secretOnce({ token: opened.value.token, expiresAt: opened.value.session.expiresAt }, 200)
        : opened;
    },
  ),
];

function sessionOf(group: GroupRecord): OwnerOfSession {
  const { organisationId, workspaceId, mode, environment, key } = group;
  return { organisationId, workspaceId, mode, environment, owner: { kind: 'group', key } };
}
