/**
 * Sessions that a server issues for pages: buyers', consoles' and designers'. A manage session may neither issue nor
 * revoke sessions. Otherwise it could give itself further rights. A token appears only in the answer that issues it.
 */
import type { EmbedSessionInfo } from '@parterre/shared/catalog/access';
import type { DesignerSession } from '@parterre/shared/catalog/scope';
import { done, refuse } from '@parterre/shared/errors';
import type { z } from 'zod';
import { budgets, type KnownEvent, scopeOf } from '../../admission/admission.ts';
import { designerUrl, framerQuery, originOf, secretOnce } from '../../answers/answers.ts';
import { type Call, designerRoute, eventRoute, pageOf, serverRoute } from '../calls/calls.ts';
import { checkChannels } from '../channels/channels.ts';
import {
  getDesignerSessionAnswer,
  listBuyerSessionsAnswer,
  listDesignerSessionsAnswer,
  listManageSessionsAnswer,
  mintBuyerSessionAnswer,
  mintDesignerSessionAnswer,
  mintManageSessionAnswer,
  revokeBuyerSessionAnswer,
  revokeDesignerSessionAnswer,
  revokeManageSessionAnswer,
} from './answers.ts';
import { capabilitiesOf } from './asked-capabilities.ts';
import { buyerSessionBody, designerSessionBody, manageSessionBody } from './bodies.ts';
import { buyerSessionsQuery, designerSessionsQuery, manageSessionsQuery } from './queries.ts';

const counted = { budget: budgets.serverCalls };

type EventCall<Body = unknown> = Call<'console', Body, KnownEvent>;

export const accessRoutes = [
  eventRoute(
    'POST /v1/events/{key}/buyer-access-sessions',
    { ...counted, answer: mintBuyerSessionAnswer, body: buyerSessionBody, status: 201 },
    mintBuyerSession,
  ),
  eventRoute(
    'GET /v1/events/{key}/buyer-access-sessions',
    { ...counted, answer: listBuyerSessionsAnswer, query: buyerSessionsQuery },
    (call) => call.ports.catalog('buyer-sessions.list', { ...whereOf(call), limit: call.query.limit }),
  ),
  eventRoute(
    'DELETE /v1/events/{key}/buyer-access-sessions/{sessionId}',
    { ...counted, answer: revokeBuyerSessionAnswer },
    async (call) => {
      const ended = await call.ports.catalog('buyer-sessions.revoke', sessionOf(call));
      return ended.ok ? done({ ok: true, ...ended.value }) : ended;
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/manage-sessions',
    { ...counted, answer: mintManageSessionAnswer, body: manageSessionBody, status: 201 },
    mintManageSession,
  ),
  eventRoute(
    'GET /v1/events/{key}/manage-sessions',
    { ...counted, answer: listManageSessionsAnswer, query: manageSessionsQuery },
    listManageSessions,
  ),
  eventRoute(
    'DELETE /v1/events/{key}/manage-sessions/{sessionId}',
    { ...counted, answer: revokeManageSessionAnswer },
    (call) => call.ports.catalog('manage-sessions.revoke', sessionOf(call)),
  ),
  serverRoute(
    'POST /v1/designer/sessions',
    { ...counted, answer: mintDesignerSessionAnswer, body: designerSessionBody, status: 201 },
    mintDesignerSession,
  ),
  serverRoute(
    'GET /v1/designer/sessions',
    { ...counted, answer: listDesignerSessionsAnswer, query: designerSessionsQuery },
    listDesignerSessions,
  ),
  serverRoute(
    'DELETE /v1/designer/sessions/{sessionId}',
    { ...counted, answer: revokeDesignerSessionAnswer },
    ({ ports, principal, request }) =>
      ports.catalog('designer-sessions.revoke', { scope: scopeOf(principal), sessionId: request.params[0]! }),
  ),
  designerRoute(
    'GET /v1/designer/session',
    { ...counted, answer: getDesignerSessionAnswer },
    async ({ principal }: Call<'designer'>) =>
      done({
        session: {
          ...shownDesigner({ ...principal, allowedOrigin: principal.origin }),
          person: principal.person ?? null,
        },
      }),
  ),
];

function whereOf({ principal, event }: Pick<EventCall, 'principal' | 'event'>) {
  return { scope: scopeOf(principal), eventKey: event.event.key };
}

function sessionOf(call: EventCall) {
  return { ...whereOf(call), sessionId: call.request.params[1]! };
}

const nothingReached = refuse(
  'invalid_channel_scope',
  'The session would reach nothing. Name channelIds, or set includePublic.',
  {
    details: { channelIds: [] },
  },
);

async function mintBuyerSession(call: EventCall<z.infer<typeof buyerSessionBody>>) {
  const { body, ports } = call;
  const channelIds = [...new Set(body.channelIds)];
  if (channelIds.length === 0 && !body.includePublic) return nothingReached;
  const known = await checkChannels(call, channelIds);
  if (!known.ok) return known;
  const accessSource = channelIds.length === 0 ? 'public' : body.partnerRef ? 'partner' : 'promoter';
  const draft = { ...body, channelIds };
  const minted = await ports.catalog('buyer-sessions.create', { ...whereOf(call), draft, accessSource });
  if (!minted.ok) return minted;
  const { token, session } = minted.value;
  const { sessionId, expiresAt, eventKey, includePublic, maxQuantity } = session;
  return secretOnce({ sessionId, token, expiresAt, eventKey, includePublic, maxQuantity });
}

async function mintManageSession(call: EventCall<z.infer<typeof manageSessionBody>>) {
  const { capabilities: asked, ...body } = call.body;
  const capabilities = capabilitiesOf(asked);
  if (!capabilities.ok) return capabilities;
  const input = { ...whereOf(call), ...body, capabilities: capabilities.value };
  const minted = await call.ports.catalog('manage-sessions.create', input);
  if (!minted.ok) return minted;
  const { token, session } = minted.value;
  const { sessionId, expiresAt, origin, eventKey } = session;
  const answer = { id: sessionId, sessionId, token, expiresAt, capabilities: session.capabilities };
  return secretOnce({ ...answer, allowedOrigin: origin, eventKey });
}

async function listManageSessions(call: Call<'console', unknown, KnownEvent, z.output<typeof manageSessionsQuery>>) {
  const listed = await call.ports.catalog('manage-sessions.list', { ...whereOf(call), page: pageOf(call.query) });
  if (!listed.ok) return listed;
  const { sessions, ...more } = listed.value;
  return done({ sessions: sessions.map((session) => ({ id: session.sessionId, ...session })), ...more });
}

async function listDesignerSessions(call: Call<'server', unknown, null, z.output<typeof designerSessionsQuery>>) {
  const { chartId, ...page } = call.query;
  const scope = scopeOf(call.principal);
  const asked = { scope, page: pageOf(page), ...(chartId && { chartId }) };
  const listed = await call.ports.catalog('designer-sessions.list', asked);
  if (!listed.ok) return listed;
  const { sessions, ...more } = listed.value;
  return done({ sessions: sessions.map(listedDesigner), ...more });
}

function listedDesigner(session: EmbedSessionInfo<DesignerSession>) {
  const { state, createdAt, revokedAt, mintedBy, person = null, mode = null } = session;
  return { ...shownDesigner(session), person, eventsMode: mode, state, createdAt, revokedAt, mintedBy };
}

type DesignerBody = z.infer<typeof designerSessionBody>;

async function mintDesignerSession({ ports, principal, request, body }: Call<'server', DesignerBody, null>) {
  const authority = authorityOf(body);
  if (authority === null) return contradiction;
  const { mode = 'normal', safeModeOptions, features = {}, person } = body;
  const { workspaceId, chartId, allowedOrigin, expiresInSeconds } = body;
  const safe =
    mode === 'normal' ? null : { allowDeletingObjects: false, allowEditingAreaCapacity: false, ...safeModeOptions };
  const minted = await ports.catalog('designer-sessions.create', {
    scope: scopeOf(principal),
    ...{ workspaceId, chartId, allowedOrigin, authority, safe },
    ...{ page: originOf(request), features: JSON.stringify(features) },
    ...(person && { person }),
    ...(expiresInSeconds !== undefined && { expiresInSeconds }),
  });
  if (!minted.ok) return minted;
  const { token, session } = minted.value;
  const shown = shownDesigner({ ...session, allowedOrigin });
  const { id, expiresAt } = shown;
  const framer = framerQuery(ports.framerKey, allowedOrigin);
  return secretOnce({
    session: { ...shown, token, designerUrl: designerUrl(request, framer, token) },
    ...{ id, token, expiresAt },
  });
}

type ShownDesigner = Omit<DesignerSession, 'kind' | 'origin' | 'organisationId'> & { allowedOrigin: string };

function shownDesigner(session: ShownDesigner) {
  const { sessionId: id, workspaceId, chartId, allowedOrigin, authority, safe, features = '{}' } = session;
  return {
    ...{ id, workspaceId, chartId, allowedOrigin, authority },
    canEdit: authority !== 'read-only',
    canPublish: authority === 'publish',
    mode: safe === null ? ('normal' as const) : ('safe' as const),
    safeModeOptions: safe,
    featurePolicy: JSON.parse(features) as Record<string, unknown>,
    expiresAt: session.expiresAt,
  };
}

const contradiction = refuse(
  'invalid_request',
  'A session with authority read-only cannot publish. Leave out canPublish, or ask for edit.',
  {
    details: { issues: [{ path: 'canPublish', message: 'Must not be true with authority read-only.' }] },
  },
);

/**
 * `canPublish` adds the right to publish to the authority to edit, or takes the right away. The switch of the feature
 * takes it away too. Null if a read-only session asks to publish.
 */
function authorityOf(body: DesignerBody): DesignerSession['authority'] | null {
  const { authority = 'edit', canPublish = authority === 'publish', features } = body;
  if (authority === 'read-only') return canPublish ? null : authority;
  return canPublish && features?.publish !== false ? 'publish' : 'edit';
}
