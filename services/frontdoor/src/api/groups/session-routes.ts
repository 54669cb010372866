/** Buyers' sessions to a performance group: issued by a server, or opened by a page with a publishable key. */
import type { GroupRecord } from '@parterre/shared/catalog/groups';
import type { OwnerOfSession } from '@parterre/shared/catalog/owner-sessions';
import { done } from '@parterre/shared/errors';
import { ownerSessionsPerPageMax } from '@parterre/shared/group-limits';
import { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { nothingHere, secretOnce } from '../../answers/answers.ts';
import { bootstrapBody } from '../buyers/buyers.ts';
import { inTime, limit, pageRoute, serverRoute } from '../calls/calls.ts';
import { mintOwnerSession, openOwnerSession, ownerSessionBody } from '../owner-sessions/owner-sessions.ts';
import { target } from './routes.ts';
import {
  groupSessionOf,
  listGroupSessionsAnswer,
  mintedGroupSession,
  mintedGroupSessionOf,
  openedGroupSession,
  revokedGroupSession,
} from './session-answers.ts';

const counted = { budget: budgets.serverCalls };
const sessionsQuery = z.object({ limit: limit({ usual: ownerSessionsPerPageMax, most: ownerSessionsPerPageMax }) });

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
    { ...counted, answer: listGroupSessionsAnswer, query: sessionsQuery },
    async (call) => {
      const found = await call.ports.catalog('groups.get', target(call));
      if (!found.ok) return found;
      const asked = { owner: ownerOf(found.value.group), limit: call.query.limit };
      const listed = await call.ports.catalog('owner-sessions.list', asked);
      return listed.ok ? done({ sessions: listed.value.sessions.map(groupSessionOf) }) : listed;
    },
  ),
  serverRoute(
    'DELETE /v1/performance-groups/{key}/buyer-access-sessions/{sessionId}',
    { ...counted, answer: revokedGroupSession },
    async (call) => {
      const found = await call.ports.catalog('groups.get', target(call));
      if (!found.ok) return found;
      const sessionId = call.request.params[1]!;
      const ended = await call.ports.catalog('owner-sessions.revoke', { owner: ownerOf(found.value.group), sessionId });
      return ended.ok ? done({ ok: true, sessionId }) : ended;
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

function ownerOf({ key }: Pick<GroupRecord, 'key'>) {
  return { kind: 'group' as const, key };
}

function sessionOf(group: GroupRecord): OwnerOfSession {
  const { organisationId, workspaceId, mode, environment } = group;
  return { organisationId, workspaceId, mode, environment, owner: ownerOf(group) };
}
