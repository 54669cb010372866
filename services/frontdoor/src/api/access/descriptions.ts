/** The description of sessions that a server issues for pages. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const origins =
  'The origin is exactly `https://host[:port]` as browsers send it (lower case, without the default port, a path or ' +
  'a wildcard); `http://localhost[:port]` works in test mode only.';
const shop = 'https://shop.example';
const console_ = 'https://console.example';

export const sessionDescriptions = {
  'POST /v1/events/{key}/buyer-access-sessions': {
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
  'GET /v1/events/{key}/buyer-access-sessions': {
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
  'DELETE /v1/events/{key}/buyer-access-sessions/{sessionId}': {
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
  'POST /v1/events/{key}/manage-sessions': {
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
  'GET /v1/events/{key}/manage-sessions': {
    operationId: 'listManageSessions',
    tag: 'Access',
    summary: 'The manage sessions of an event',
    description: 'Newest first, without tokens. Ended sessions are listed for a day after their deadline.',
    examples: [
      { summary: 'All of them', path: { key: standIn.eventWithSessions } },
      { summary: 'The newest', path: { key: standIn.eventWithSessions }, query: { limit: '1' } },
    ],
  },
  'DELETE /v1/events/{key}/manage-sessions/{sessionId}': {
    operationId: 'revokeManageSession',
    tag: 'Access',
    summary: 'Revoke a manage session',
    examples: [
      { summary: 'End it', path: { key: standIn.eventWithSessions, sessionId: standIn.manageSession } },
      { summary: 'A session of another event', path: { sessionId: standIn.manageSession }, answers: 'not_found' },
    ],
  },
  'POST /v1/designer/sessions': {
    operationId: 'mintDesignerSession',
    tag: 'Access',
    summary: 'Let a page read, edit or publish one chart, from one origin and for a limited time',
    description:
      `${origins} A chart has no mode. The key's mode counts for the origin; a dashboard session counts as live. ` +
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
  'GET /v1/designer/sessions': {
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
  'GET /v1/designer/session': {
    operationId: 'getDesignerSession',
    tag: 'Access',
    summary: 'The rights of the designer session that asks',
    examples: [{ summary: 'The session of the token' }],
  },
  'DELETE /v1/designer/sessions/{sessionId}': {
    operationId: 'revokeDesignerSession',
    tag: 'Access',
    summary: 'Revoke a designer session',
    refusals: ['not_found'],
    examples: [
      { summary: 'End it', path: { sessionId: standIn.designerSession } },
      { summary: 'An unknown session', path: { sessionId: 'ses_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
