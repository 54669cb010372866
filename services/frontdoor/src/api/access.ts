/**
 * Sessions that a server issues for pages, and access links.
 *
 * Access links: hosted links to one channel, each redeemed for buyers' sessions. A manage session may read and manage
 * links if it may read and manage channels. A capability appears only in the answer that creates it.
 *
 * Sessions that a server issues for pages: buyers', consoles' and designers'. A manage session may neither issue nor
 * revoke sessions. Otherwise it could give itself further rights. A token appears only in the answer that issues it.
 */

import type {
  AccessLink,
  BuyerSessionInfo,
  EmbedSessionInfo,
  LinkCause,
  MintedAccess,
} from '@parterre/shared/protocol/catalog/access';
import { type Capability, capabilities, type DesignerSession } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  accessLinksPerChannelMax,
  accessRefLengthMax,
  buyerSessionSecondsMax,
  buyerSessionSecondsMin,
  buyerSessionsPerPageMax,
  channelsPerEventMax,
  embedSessionSecondsMax,
  embedSessionSecondsMin,
  featuresLengthMax,
  maxQuantityMax,
  originLengthMax,
  redemptionsDefault,
  redemptionsMax,
} from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets, type KnownEvent, scopeOf } from '../admission/admission.ts';
import { accessLinkUrl, designerUrl, framerQuery, originOf, secretOnce } from '../answers/answers.ts';
import { parameter, standIn } from '../openapi/openapi.ts';
import { cursor, limit, pageOf, text as textOfQuery } from './calls/query.ts';
import { type Call, designerRoute, eventRoute, serverRoute, type WithPath } from './calls/route.ts';
import { checkChannelOfPath, checkChannels } from './channels.ts';
import {
  accessSource,
  count,
  currency,
  epochMs,
  id,
  idOf,
  keptForGood,
  mode,
  moment,
  name,
  nextCursor,
  ok,
  optional,
  reason,
  text,
  textOrNull,
} from './records.ts';

const sessionId = idOf('ses');

const token = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{38}$`))
    .describe('Shown in this answer only, and stored as a hash.');

const mintBuyerSessionAnswer = z.object({
  sessionId,
  token: token('bse'),
  expiresAt: epochMs,
  eventKey: text,
  includePublic: z.boolean(),
  maxQuantity: count.nullable().describe('The guests and places that the session may have in holds and bookings.'),
});

export const allowedOrigin = z.string().min(1).max(originLengthMax);

const buyerSeconds = z.int().min(buyerSessionSecondsMin).max(buyerSessionSecondsMax);

const maxQuantity = z.int().min(1).max(maxQuantityMax).nullable();

export const ref = z.string().trim().min(1).max(accessRefLengthMax);

const buyerSessionBody = z.object({
  channelIds: optional(z.array(id).max(channelsPerEventMax)),
  includePublic: z.boolean(),
  allowedOrigin,
  expiresInSeconds: optional(buyerSeconds),
  maxQuantity: optional(maxQuantity),
  buyerRef: optional(ref.nullable().describe(`The caller's name for the buyer. ${keptForGood}`)),
  partnerRef: optional(ref.nullable().describe(`The caller's name for a partner. ${keptForGood}`)),
  clientRequestId: optional(ref),
});

const origins =
  'The origin is exactly `https://host[:port]` as browsers send it (lower case, without the default port, a path or ' +
  'a wildcard); `http://localhost[:port]` works in test mode only.';

const shop = 'https://shop.example';

type EventCall<Body = unknown> = Call<'console', Body, KnownEvent>;

const nothingReached = refuse(
  'invalid_channel_scope',
  'The session would reach nothing. Name channelIds, or set includePublic.',
  {
    details: { channelIds: [] },
  },
);

const mintBuyerSessionRoute = eventRoute(
  'POST /v1/events/{key}/buyer-access-sessions',
  {
    budget: budgets.serverCalls,
    answer: mintBuyerSessionAnswer,
    body: buyerSessionBody,
    status: 201,
    description: {
      operationId: 'mintBuyerSession',
      tag: 'Access',
      summary: 'Give one buyer access to an event, from one origin and for a limited time',
      description:
        `${origins} The session reaches the seats of its channels, and public sale with \`includePublic\`. A session ` +
        'without any reach is refused. `clientRequestId` names the session. A later request with the same name ' +
        'renews the session under its id, with the new settings. `maxQuantity` is counted by this id. The earlier ' +
        'token is revoked at once. `expiresInSeconds` is 1,800 if absent.',
      refusals: ['invalid_channel_scope'],
      examples: [
        {
          summary: 'To members of the club, four seats each',
          path: { key: standIn.eventWithChannel },
          body: {
            channelIds: [standIn.channel],
            includePublic: false,
            allowedOrigin: shop,
            expiresInSeconds: 900,
            maxQuantity: 4,
            buyerRef: 'member 1042',
            partnerRef: 'club',
            clientRequestId: 'cart-77',
          },
        },
        { summary: 'To public sale', body: { includePublic: true, allowedOrigin: shop } },
        {
          summary: 'To an archived channel',
          path: { key: standIn.eventWithChannel },
          body: { channelIds: [standIn.archivedChannel], includePublic: true, allowedOrigin: shop },
          answers: 'invalid_channel_scope',
        },
        {
          summary: 'From an address that is not an origin',
          body: { includePublic: true, allowedOrigin: `${shop}/cart` },
          answers: 'invalid_request',
        },
      ],
    },
  },
  mintBuyerSession,
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

function whereOf({ principal, event }: Pick<EventCall, 'principal' | 'event'>) {
  return { scope: scopeOf(principal), eventKey: event.event.key };
}

const buyerSession = z.object({
  sessionId,
  channelIds: z.array(idOf('chn')),
  includePublic: z.boolean(),
  allowedOrigin: text,
  mode,
  expiresAt: epochMs,
  maxQuantity: count.nullable(),
  buyerRef: textOrNull,
  partnerRef: textOrNull,
  accessSource,
  state: z.enum(['active', 'revoked', 'expired']),
  createdAt: epochMs,
  revokedAt: epochMs.nullable(),
}) satisfies z.ZodType<BuyerSessionInfo>;

const listBuyerSessionsAnswer = z.object({ sessions: z.array(buyerSession) });

const buyerSessionsQuery = z.object({
  limit: limit({ usual: buyerSessionsPerPageMax, most: buyerSessionsPerPageMax }),
});

const listBuyerSessions = eventRoute(
  'GET /v1/events/{key}/buyer-access-sessions',
  {
    budget: budgets.serverCalls,
    answer: listBuyerSessionsAnswer,
    query: buyerSessionsQuery,
    description: {
      operationId: 'listBuyerSessions',
      tag: 'Access',
      summary: 'The buyers’ sessions of an event',
      description:
        'Newest first. Ended sessions are listed for a day after their deadline. Sessions that were ' +
        'opened with a publishable key are not listed.',
      examples: [
        { summary: 'All of them', path: { key: standIn.eventWithSessions } },
        { summary: 'The newest', path: { key: standIn.eventWithSessions }, query: { limit: '1' } },
      ],
    },
  },
  (call) => call.ports.catalog('buyer-sessions.list', { ...whereOf(call), limit: call.query.limit }),
);

const revokeBuyerSessionAnswer = z.object({
  ok,
  sessionId,
  grantVersion: count.describe('Grows with each token that is issued and each session that is ended.'),
});

const revokeBuyerSession = eventRoute(
  'DELETE /v1/events/{key}/buyer-access-sessions/{sessionId}',
  {
    budget: budgets.serverCalls,
    answer: revokeBuyerSessionAnswer,
    description: {
      operationId: 'revokeBuyerSession',
      tag: 'Access',
      summary: 'Revoke a buyer’s session',
      description:
        "Every front door refuses the token within a second, and closes the session's sockets with 4401. A second " +
        "revocation changes nothing. The session's holds stay until they expire.",
      examples: [
        { summary: 'End it', path: { key: standIn.eventWithSessions } },
        { summary: 'A session of another event', answers: 'not_found' },
      ],
    },
  },
  async (call) => {
    const ended = await call.ports.catalog('buyer-sessions.revoke', sessionOf(call));
    return ended.ok ? done({ ok: true, ...ended.value }) : ended;
  },
);

function sessionOf(call: EventCall & WithPath<'sessionId'>) {
  return { ...whereOf(call), sessionId: call.path.sessionId };
}

const mintManageSessionAnswer = z.object({
  id: sessionId,
  sessionId: sessionId.describe('The same as id.'),
  token: token('mse'),
  expiresAt: epochMs,
  capabilities: z.array(z.enum(capabilities)),
  allowedOrigin: text,
  eventKey: text,
});

const embedSeconds = z.int().min(embedSessionSecondsMin).max(embedSessionSecondsMax);

const manageSessionBody = z.object({
  allowedOrigin,
  // A faulty list is refused with `invalid_capabilities`, not with `invalid_request`.
  capabilities: optional(
    z.unknown().meta({
      type: 'array',
      items: { type: 'string' },
      description: `At least one of ${capabilities.join(', ')}.`,
    }),
  ),
  expiresInSeconds: optional(embedSeconds),
});

const console_ = 'https://console.example';

const known = new Set<unknown>(capabilities);

const mintManageSessionRoute = eventRoute(
  'POST /v1/events/{key}/manage-sessions',
  {
    budget: budgets.serverCalls,
    answer: mintManageSessionAnswer,
    body: manageSessionBody,
    status: 201,
    description: {
      operationId: 'mintManageSession',
      tag: 'Access',
      summary: 'Let an operator’s page manage an event, from one origin and for a limited time',
      description:
        `${origins} Without \`capabilities\` the session has exactly event:view. An empty or unknown list is refused. ` +
        'The session ends when the workspace is disabled, and cannot issue sessions itself. `expiresInSeconds` is ' +
        '3,600 if absent.',
      refusals: ['invalid_capabilities', 'workspace_not_found_or_disabled'],
      examples: [
        {
          summary: 'To view and to block',
          body: { allowedOrigin: console_, capabilities: ['event:view', 'event:block'], expiresInSeconds: 7_200 },
        },
        { summary: 'To view', body: { allowedOrigin: console_ } },
        {
          summary: 'Without a capability',
          body: { allowedOrigin: console_, capabilities: [] },
          answers: 'invalid_capabilities',
        },
        {
          summary: 'For a minute',
          body: { allowedOrigin: console_, expiresInSeconds: 60 },
          answers: 'invalid_request',
        },
      ],
    },
  },
  mintManageSession,
);

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

/**
 * The capabilities that a new manage session asks for. Pure.
 *
 * An absent list means exactly event:view. A repeated name counts once. An empty list, an unknown name or a value that
 * is no list is refused with `invalid_capabilities`.
 */
function capabilitiesOf(asked: unknown): Outcome<Capability[]> {
  if (asked === undefined) return done(['event:view']);
  const named = Array.isArray(asked) ? asked : [];
  const issues = named.flatMap((each, index) =>
    known.has(each) ? [] : [{ path: `capabilities.${index}`, message: 'Must be a known capability.' }],
  );
  if (named.length > 0 && issues.length === 0) return done([...new Set<Capability>(named)]);
  const message = `Send capabilities as a list of at least one of ${capabilities.join(', ')}.`;
  return refuse('invalid_capabilities', message, issues.length === 0 ? {} : { details: { issues } });
}

/** The fields of a listed session beside its rights. */
const standing = {
  state: z.enum(['active', 'revoked', 'expired']),
  createdAt: epochMs,
  revokedAt: epochMs.nullable(),
  mintedBy: textOrNull.describe('The id of the key or user that asked for the session.'),
};

const listManageSessionsAnswer = z.object({
  sessions: z.array(
    z.object({
      id: sessionId,
      sessionId: sessionId.describe('The same as id.'),
      eventKey: text,
      workspaceId: idOf('ws'),
      mode,
      capabilities: z.array(z.enum(capabilities)),
      allowedOrigin: text,
      expiresAt: epochMs,
      ...standing,
    }),
  ),
  nextCursor,
});

const page = { limit: limit({ usual: 100, most: 200 }), cursor };

const manageSessionsQuery = z.object(page);

const listManageSessionsRoute = eventRoute(
  'GET /v1/events/{key}/manage-sessions',
  {
    budget: budgets.serverCalls,
    answer: listManageSessionsAnswer,
    query: manageSessionsQuery,
    description: {
      operationId: 'listManageSessions',
      tag: 'Access',
      summary: 'The manage sessions of an event',
      description: 'Newest first, without tokens. Ended sessions are listed for a day after their deadline.',
      examples: [
        { summary: 'All of them', path: { key: standIn.eventWithSessions } },
        { summary: 'The newest', path: { key: standIn.eventWithSessions }, query: { limit: '1' } },
      ],
    },
  },
  listManageSessions,
);

async function listManageSessions(call: Call<'console', unknown, KnownEvent, z.output<typeof manageSessionsQuery>>) {
  const listed = await call.ports.catalog('manage-sessions.list', { ...whereOf(call), page: pageOf(call.query) });
  if (!listed.ok) return listed;
  const { sessions, ...more } = listed.value;
  return done({ sessions: sessions.map((session) => ({ id: session.sessionId, ...session })), ...more });
}

const getManageSessionAnswer = z.object({
  session: z
    .object({
      id: sessionId,
      eventKey: text,
      workspaceId: idOf('ws'),
      mode,
      capabilities: z.array(z.enum(capabilities)),
      allowedOrigin: text,
      expiresAt: epochMs,
    })
    .nullable()
    .describe('Null for a key or a user, whose rights follow from kind and role.'),
});

const getManageSession = eventRoute(
  'GET /v1/events/{key}/manage-session',
  {
    budget: budgets.serverCalls,
    answer: getManageSessionAnswer,
    capability: capabilities,
    description: {
      operationId: 'getManageSession',
      tag: 'Access',
      summary: 'The rights of the manage session that asks',
      description: "The capabilities and the end of the session whose token is sent, for the console's elements.",
      examples: [{ summary: 'With a key' }],
    },
  },
  ({ principal }) => {
    if (principal.kind !== 'manage') return done({ session: null });
    const { sessionId: id, eventKey, workspaceId, mode, origin, expiresAt } = principal;
    const granted = [...principal.capabilities];
    return done({
      session: { id, eventKey, workspaceId, mode, capabilities: granted, allowedOrigin: origin, expiresAt },
    });
  },
);

const revokeManageSessionAnswer = z.object({ ok });

const revokeManageSession = eventRoute(
  'DELETE /v1/events/{key}/manage-sessions/{sessionId}',
  {
    budget: budgets.serverCalls,
    answer: revokeManageSessionAnswer,
    description: {
      operationId: 'revokeManageSession',
      tag: 'Access',
      summary: 'Revoke a manage session',
      description:
        'The token of the session is refused from now on, and its live feeds close. A repeat changes nothing.',
      examples: [
        { summary: 'End it', path: { key: standIn.eventWithSessions, sessionId: standIn.manageSession } },
        { summary: 'A session of another event', path: { sessionId: standIn.manageSession }, answers: 'not_found' },
      ],
    },
  },
  (call) => call.ports.catalog('manage-sessions.revoke', sessionOf(call)),
);

const designerSession = z.object({
  id: sessionId,
  workspaceId: idOf('ws'),
  chartId: idOf('cht'),
  allowedOrigin: text,
  authority: z.enum(['read-only', 'edit', 'publish']),
  canEdit: z.boolean(),
  canPublish: z.boolean(),
  mode: z.enum(['normal', 'safe']),
  safeModeOptions: z
    .object({ allowDeletingObjects: z.boolean(), allowEditingAreaCapacity: z.boolean() })
    .nullable()
    .describe('Null in normal mode.'),
  featurePolicy: z
    .record(text, z.unknown())
    .describe(
      'The `features` of the request. The designer leaves out those that are false. The server upholds `publish` alone.',
    ),
  expiresAt: epochMs,
});

const mintedDesignerSession = designerSession.extend({
  token: token('dse'),
  designerUrl: text.describe(
    'The address of the designer, with the token in the fragment: for a frame on a page of `allowedOrigin`, or for a ' +
      'tab of its own. The token is valid from this page and from `allowedOrigin`.',
  ),
});

const mintDesignerSessionAnswer = z.object({
  session: mintedDesignerSession,
  id: sessionId.describe('The same as session.id.'),
  token: token('dse'),
  expiresAt: epochMs,
});

const designerSessionBody = z.object({
  workspaceId: id,
  chartId: id,
  allowedOrigin,
  authority: optional(z.enum(['read-only', 'edit', 'publish'])),
  canPublish: optional(z.boolean()),
  mode: optional(z.enum(['normal', 'safe'])),
  safeModeOptions: optional(
    z.object({ allowDeletingObjects: optional(z.boolean()), allowEditingAreaCapacity: optional(z.boolean()) }),
  ),
  features: optional(
    z.record(id, z.unknown()).refine((features) => JSON.stringify(features).length <= featuresLengthMax, {
      message: `Must have at most ${featuresLengthMax} characters as JSON.`,
    }),
  ),
  person: optional(name.nullable()),
  expiresInSeconds: optional(embedSeconds),
});

type DesignerBody = z.infer<typeof designerSessionBody>;

const contradiction = refuse(
  'invalid_request',
  'A session with authority read-only cannot publish. Leave out canPublish, or ask for edit.',
  {
    details: { issues: [{ path: 'canPublish', message: 'Must not be true with authority read-only.' }] },
  },
);

type ShownDesigner = Omit<DesignerSession, 'kind' | 'origin' | 'organisationId'> & { allowedOrigin: string };

const mintDesignerSessionRoute = serverRoute(
  'POST /v1/designer/sessions',
  {
    budget: budgets.serverCalls,
    answer: mintDesignerSessionAnswer,
    body: designerSessionBody,
    status: 201,
    description: {
      operationId: 'mintDesignerSession',
      tag: 'Access',
      summary: 'Let a page read, edit or publish one chart, from one origin and for a limited time',
      description:
        `${origins} A chart has no mode. The key's mode counts for the origin; a dashboard session counts as live, and ` +
        "may always name this server's own origin. " +
        "A session's publish refreshes events of the mode of the key that minted it, like a publish with the key. " +
        '`authority` is edit if absent. `canPublish` adds the right to publish, or takes it away; publishing needs ' +
        'the right to edit. `features: { publish: false }` takes the right to publish away. `person` names the person who draws: others see the name beside their changes. Safe mode refuses changes to the identity of units that the published chart sells. The ' +
        'session ends when the workspace is disabled. `expiresInSeconds` is 300 to 14,400, and 3,600 if absent.',
      refusals: ['workspace_not_found_or_disabled', 'chart_not_found'],
      examples: [
        {
          summary: 'To edit and publish in safe mode',
          body: {
            workspaceId: standIn.workspace,
            chartId: standIn.chart,
            allowedOrigin: console_,
            authority: 'publish',
            mode: 'safe',
            safeModeOptions: { allowDeletingObjects: false, allowEditingAreaCapacity: true },
          },
        },
        {
          summary: 'Of an unknown chart',
          body: { workspaceId: standIn.workspace, chartId: 'cht_0', allowedOrigin: console_ },
          answers: 'chart_not_found',
        },
        {
          summary: 'In an unknown workspace',
          body: { workspaceId: 'ws_0', chartId: standIn.chart, allowedOrigin: console_ },
          answers: 'workspace_not_found_or_disabled',
        },
      ],
    },
  },
  mintDesignerSession,
);

async function mintDesignerSession({ ports, principal, request, body }: Call<'server', DesignerBody, null>) {
  const authority = authorityOf(body);
  if (authority === null) return contradiction;
  const { mode = 'normal', safeModeOptions, features = {}, person } = body;
  const { workspaceId, chartId, allowedOrigin, expiresInSeconds } = body;
  const safe =
    mode === 'normal' ? null : { allowDeletingObjects: false, allowEditingAreaCapacity: false, ...safeModeOptions };
  const minted = await ports.catalog('designer-sessions.create', {
    scope: scopeOf(principal),
    workspaceId,
    chartId,
    allowedOrigin,
    authority,
    safe,
    page: originOf(request),
    // The console opens its own designer, whatever its address is.
    ...(principal.kind === 'dashboard' && allowedOrigin === originOf(request) && { isOwnPage: true }),
    features: JSON.stringify(features),
    ...(person && { person }),
    ...(expiresInSeconds !== undefined && { expiresInSeconds }),
  });
  if (!minted.ok) return minted;
  const { token, session } = minted.value;
  const shown = shownDesigner({ ...session, allowedOrigin });
  const { id, expiresAt } = shown;
  const framer = framerQuery(ports.framerKeys, allowedOrigin);
  return secretOnce({
    session: { ...shown, token, designerUrl: designerUrl(request, framer, token) },
    id,
    token,
    expiresAt,
  });
}

/**
 * `canPublish` adds the right to publish to the authority to edit, or takes the right away. The switch of the feature
 * takes it away too. Null if a read-only session asks to publish.
 */
function authorityOf(body: DesignerBody): DesignerSession['authority'] | null {
  const { authority = 'edit', canPublish = authority === 'publish', features } = body;
  if (authority === 'read-only') return canPublish ? null : authority;
  return canPublish && features?.publish !== false ? 'publish' : 'edit';
}

function shownDesigner(session: ShownDesigner) {
  const { sessionId: id, workspaceId, chartId, allowedOrigin, authority, safe, features = '{}' } = session;
  return {
    id,
    workspaceId,
    chartId,
    allowedOrigin,
    authority,
    canEdit: authority !== 'read-only',
    canPublish: authority === 'publish',
    mode: safe === null ? ('normal' as const) : ('safe' as const),
    safeModeOptions: safe,
    featurePolicy: JSON.parse(features) as Record<string, unknown>,
    expiresAt: session.expiresAt,
  };
}

const person = textOrNull.describe('The `person` of the request.');

const listDesignerSessionsAnswer = z.object({
  sessions: z.array(
    designerSession.extend({
      person,
      eventsMode: mode.nullable().describe('The mode of the events that a publish refreshes; null: both modes.'),
      ...standing,
    }),
  ),
  nextCursor,
});

const designerSessionsQuery = z.object({ ...page, chartId: textOfQuery('Only sessions of this chart.') });

const listDesignerSessionsRoute = serverRoute(
  'GET /v1/designer/sessions',
  {
    budget: budgets.serverCalls,
    answer: listDesignerSessionsAnswer,
    query: designerSessionsQuery,
    description: {
      operationId: 'listDesignerSessions',
      tag: 'Access',
      summary: 'The designer sessions of the organisation',
      description:
        'Newest first, without tokens. A key sees the sessions that keys of its mode asked for, in its workspace where ' +
        'it has one. A dashboard sees all. Ended sessions are listed for a day after their deadline.',
      refusals: ['chart_not_found'],
      examples: [
        { summary: 'All of them' },
        { summary: 'Of one chart', query: { chartId: standIn.chart, limit: '5' } },
        { summary: 'Of an unknown chart', query: { chartId: 'cht_0' }, answers: 'chart_not_found' },
      ],
    },
  },
  listDesignerSessions,
);

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

const revokeDesignerSessionAnswer = z.object({ ok });

const revokeDesignerSession = serverRoute(
  'DELETE /v1/designer/sessions/{sessionId}',
  {
    budget: budgets.serverCalls,
    answer: revokeDesignerSessionAnswer,
    description: {
      operationId: 'revokeDesignerSession',
      tag: 'Access',
      summary: 'Revoke a designer session',
      description: 'The token of the session is refused from now on. Saved work stays. A repeat changes nothing.',
      refusals: ['not_found'],
      examples: [
        { summary: 'End it', path: { sessionId: standIn.designerSession } },
        { summary: 'An unknown session', path: { sessionId: 'ses_0' }, answers: 'not_found' },
      ],
    },
  },
  ({ ports, principal, path }) =>
    ports.catalog('designer-sessions.revoke', { scope: scopeOf(principal), sessionId: path.sessionId }),
);

const getDesignerSessionAnswer = z.object({
  session: designerSession.extend({
    person,
    currency: currency
      .nullable()
      .describe("The organisation's, whose digits the designer writes prices with. Null while it cannot be read."),
  }),
});

const getDesignerSession = designerRoute(
  'GET /v1/designer/session',
  {
    budget: budgets.serverCalls,
    answer: getDesignerSessionAnswer,
    description: {
      operationId: 'getDesignerSession',
      tag: 'Access',
      summary: 'The rights of the designer session that asks',
      description: 'The chart, the authority, and the options of the page that the token opens.',
      examples: [{ summary: 'The session of the token' }],
    },
  },
  async ({ ports, principal }: Call<'designer'>) => {
    const found = await ports.catalog('organisations.get', { organisationId: principal.organisationId });
    return done({
      session: {
        ...shownDesigner({ ...principal, allowedOrigin: principal.origin }),
        person: principal.person ?? null,
        currency: found.ok ? found.value.organisation.currency : null,
      },
    });
  },
);

const accessLink = z.object({
  id: idOf('lnk'),
  channelId: idOf('chn'),
  label: textOrNull,
  includePublic: z.boolean().describe('Whether its sessions also reach public sale.'),
  expiresAt: epochMs,
  maxRedemptions: count.min(1).max(redemptionsMax),
  redemptions: count,
  maxQuantity: count.nullable().describe("The bound of each of the link's sessions."),
  sessionTtlSeconds: count,
  state: z.enum(['active', 'revoked', 'rotated']),
  status: z
    .enum(['active', 'revoked', 'rotated', 'expired', 'exhausted'])
    .describe('Like `state`, and also expired or exhausted. A link that is both shows expired.'),
  createdAt: epochMs,
  createdBy: textOrNull.describe('The id of the key, user or session that created the link.'),
  revokedAt: epochMs.nullable(),
  lastRedeemedAt: epochMs.nullable(),
  rotatedFrom: textOrNull,
  rotatedTo: textOrNull,
}) satisfies z.ZodType<AccessLink>;

const listAccessLinksAnswer = z.object({
  links: z.array(accessLink.extend({ activeSessions: count.describe("The number of the link's valid sessions.") })),
});

const path = { key: standIn.eventWithAccessLink };

const listAccessLinks = eventRoute(
  'GET /v1/events/{key}/channels/{id}/access-links',
  {
    budget: budgets.serverCalls,
    capability: 'event:channels:view',
    answer: listAccessLinksAnswer,
    description: {
      operationId: 'listAccessLinks',
      tag: 'Access',
      summary: 'The access links of a channel',
      description: 'Newest first, ended links included.',
      refusals: ['not_found'],
      examples: [
        { summary: 'All of them', path: { ...path, id: standIn.linkedChannel } },
        { summary: 'Of an unknown channel', path: { ...path, id: 'chn_0' }, answers: 'not_found' },
      ],
    },
  },
  async (call) => {
    const where = channelOf(call);
    const known = await checkChannelOfPath(call, where.channelId, true);
    return known.ok ? call.ports.catalog('access-links.list', where) : known;
  },
);

function channelOf({ principal, event, path }: EventCall & WithPath<'id'>) {
  return { scope: scopeOf(principal), eventKey: event.event.key, channelId: path.id };
}

const revealed = {
  url: text.describe(
    'The address of the demo page of this front door, with the capability in the fragment. The host comes from the ' +
      'Host header, the scheme from X-Forwarded-Proto. Your own page may take the capability from its own address ' +
      'and redeem it.',
  ),
  capability: z
    .string()
    .regex(/^acl_[0-9A-Za-z]{43}$/)
    .describe('Shown in this answer only, and stored as a hash.'),
  revealedOnce: z.literal(true),
};

const createAccessLinkAnswer = z.object({ link: accessLink, ...revealed });

const reasonSaid = reason.nullable();

const accessLinkBody = z.object({
  label: optional(name.nullable()),
  expiresAt: optional(moment.nullable()),
  maxRedemptions: optional(
    z.int().min(1).max(redemptionsMax).nullable().describe(`[${redemptionsDefault}, also for null]`),
  ),
  maxQuantity: optional(maxQuantity),
  sessionTtlSeconds: optional(buyerSeconds),
  includePublic: optional(z.boolean()),
  reason: optional(reasonSaid),
});

const audited = 'The audit of channels shows the call with its `reason`.';

const createAccessLink = eventRoute(
  'POST /v1/events/{key}/channels/{id}/access-links',
  {
    budget: budgets.serverCalls,
    answer: createAccessLinkAnswer,
    capability: 'event:channels:manage',
    body: accessLinkBody,
    bodyOptional: true,
    status: 201,
    description: {
      operationId: 'createAccessLink',
      tag: 'Access',
      summary: 'Create a hosted link to a channel',
      description:
        'A person who has the link gets a session for this channel (`POST /pub/events/{key}/access-links/redeem`), ' +
        'bound to the origin of the page. Without `expiresAt` the link ends after 30 days. `maxRedemptions` (' +
        `${redemptionsDefault} if absent or null) is counted exactly over all front doors. A session may ` +
        "outlive its link's `expiresAt`: it has its own `sessionTtlSeconds` (60 to 14,400; 1,800 if absent). A " +
        `channel has at most ${accessLinksPerChannelMax} links. The oldest ended link makes room for a new one; if ` +
        `all are valid, the answer is 409 with reason \`access_link_limit_reached\`. ${audited}`,
      refusals: ['not_found', 'invalid_channel_scope', 'conflict'],
      examples: [
        {
          summary: 'For a newsletter',
          path: { key: standIn.eventWithChannel },
          body: { label: 'Newsletter', maxRedemptions: 500, maxQuantity: 2, sessionTtlSeconds: 1_200 },
        },
        {
          summary: 'To an archived channel',
          path: { key: standIn.eventWithChannel, id: standIn.archivedChannel },
          body: {},
          answers: 'invalid_channel_scope',
        },
        {
          summary: 'To an unknown channel',
          path: { key: standIn.eventWithChannel, id: 'chn_0' },
          body: {},
          answers: 'not_found',
        },
        {
          summary: 'With a deadline in the past',
          path: { key: standIn.eventWithChannel },
          body: { expiresAt: 1 },
          answers: 'invalid_request',
        },
      ],
    },
  },
  createLink,
);

async function createLink(call: EventCall<z.infer<typeof accessLinkBody>> & WithPath<'id'>) {
  const { reason = null, ...draft } = call.body;
  const where = channelOf(call);
  const known = await checkChannelOfPath(call, where.channelId);
  if (!known.ok) return known;
  const created = await call.ports.catalog('access-links.create', {
    ...where,
    draft,
    by: causeOf(call, reason),
    version: known.value,
  });
  if (!created.ok) return created;
  const { link, capability } = created.value;
  return secretOnce({ link, ...revealedLink(call, capability) });
}

function causeOf({ principal }: EventCall, reason: string | null): LinkCause {
  return { source: principal.kind === 'secret' ? 'server' : 'operator', reason };
}

function revealedLink({ request, event }: EventCall, capability: string) {
  return { url: accessLinkUrl(request, event.event.key, capability), capability, revealedOnce: true as const };
}

const endedSessions = count.describe('The number of sessions that ended with the link.');

const rotateAccessLinkAnswer = z.object({ link: accessLink, previous: accessLink, endedSessions, ...revealed });

const rotationBody = z.object({ endActiveSessions: z.boolean(), reason: optional(reasonSaid) });

const rotateAccessLink = eventRoute(
  'POST /v1/events/{key}/channels/{id}/access-links/{linkId}/rotate',
  {
    budget: budgets.serverCalls,
    answer: rotateAccessLinkAnswer,
    capability: 'event:channels:manage',
    body: rotationBody,
    description: {
      operationId: 'rotateAccessLink',
      tag: 'Access',
      summary: 'Replace an access link',
      description:
        'The new link has the settings of the old one, and no redemptions. A link whose `status` is not active is ' +
        `refused with reason \`access_link_not_active\`. ${audited}`,
      refusals: ['conflict'],
      examples: [
        {
          summary: 'A leaked link: end its sessions, too',
          path: { ...path, id: standIn.linkedChannel },
          body: { endActiveSessions: true, reason: 'Posted in a forum' },
        },
        {
          summary: 'An unknown link',
          path: { ...path, id: standIn.linkedChannel, linkId: 'lnk_0' },
          body: { endActiveSessions: false },
          answers: 'not_found',
        },
      ],
    },
  },
  async (call) => {
    const { endActiveSessions, reason = null } = call.body;
    const input = { ...linkOf(call), endActiveSessions, by: causeOf(call, reason) };
    const rotated = await call.ports.catalog('access-links.rotate', input);
    if (!rotated.ok) return rotated;
    const { link, previous, endedSessions, capability } = rotated.value;
    return secretOnce({ link, previous, endedSessions, ...revealedLink(call, capability) }, 200);
  },
);

function linkOf(call: EventCall & WithPath<'id' | 'linkId'>) {
  return { ...channelOf(call), linkId: call.path.linkId };
}

const revokeAccessLinkAnswer = z.object({ ok, link: accessLink, endedSessions });

export const endOfLinkQuery = z.object({
  endActiveSessions: parameter(
    "1 also ends the link's sessions.",
    z.enum(['0', '1']),
    (sent) => sent === '1' || sent === 'true',
  ),
  reason: parameter('The reason, for the audit of channels.', z.string().max(500), (sent, fail) => {
    const read = reasonSaid.safeParse(sent || null);
    return read.success ? read.data : fail('Must have at most 500 characters.', 'A reason has at most 500 characters.');
  }),
});

const revokeAccessLink = eventRoute(
  'DELETE /v1/events/{key}/channels/{id}/access-links/{linkId}',
  {
    budget: budgets.serverCalls,
    capability: 'event:channels:manage',
    answer: revokeAccessLinkAnswer,
    query: endOfLinkQuery,
    description: {
      operationId: 'revokeAccessLink',
      tag: 'Access',
      summary: 'Revoke an access link',
      description:
        "The link's sessions go on unless `endActiveSessions` is 1. A second revocation changes nothing. A rotated " +
        `link stays rotated. ${audited}`,
      refusals: ['invalid_request'],
      examples: [
        { summary: 'Revoke it', path: { ...path, id: standIn.linkedChannel }, query: { endActiveSessions: '1' } },
        {
          summary: 'An unknown link',
          path: { ...path, id: standIn.linkedChannel, linkId: 'lnk_0' },
          answers: 'not_found',
        },
        {
          summary: 'With too long a reason',
          path: { ...path, id: standIn.linkedChannel },
          query: { reason: 'x'.repeat(501) },
          answers: 'invalid_request',
        },
      ],
    },
  },
  async (call) => {
    const { endActiveSessions, reason } = call.query;
    const input = { ...linkOf(call), endActiveSessions, by: causeOf(call, reason) };
    const ended = await call.ports.catalog('access-links.revoke', input);
    return ended.ok ? done({ ok: true, ...ended.value }) : ended;
  },
);

/** The access that a key or user gave to others. The lists have the first 200 of each kind. */
export const mintedAccess = z.object({
  counts: z.object({ sessions: count, accessLinks: count, webhooks: count }),
  sessions: z.array(
    z.object({
      id: sessionId,
      kind: z.enum(['buyer', 'group', 'season', 'manage', 'designer']),
      of: text.describe('The key of the event, group or season, or the id of the chart.'),
      expiresAt: epochMs,
    }),
  ),
  accessLinks: z.array(
    z.object({ id: idOf('lnk'), eventKey: text, channelId: idOf('chn'), activeSessions: count, expiresAt: epochMs }),
  ),
  webhooks: z.array(z.object({ id: idOf('whk'), url: text })),
}) satisfies z.ZodType<MintedAccess>;

export const accessRoutes = [
  mintBuyerSessionRoute,
  listBuyerSessions,
  revokeBuyerSession,
  mintManageSessionRoute,
  listManageSessionsRoute,
  getManageSession,
  revokeManageSession,
  mintDesignerSessionRoute,
  listDesignerSessionsRoute,
  revokeDesignerSession,
  getDesignerSession,
  listAccessLinks,
  createAccessLink,
  rotateAccessLink,
  revokeAccessLink,
];

export const accessSchemas = { AccessLink: accessLink };
