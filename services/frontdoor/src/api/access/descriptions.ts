/** Sessions that a server mints for pages, as the description has them. */
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const origins =
  'The origin is exactly `https://host[:port]` as browsers send it (lower case, without the usual port, a path or a wildcard); ' +
  '`http://localhost[:port]` in test mode only.';
const shop = 'https://shop.example';
const console_ = 'https://console.example';

export const sessionDescriptions = {
  'POST /v1/events/{key}/buyer-access-sessions': {
    operationId: 'mintBuyerSession',
    tag: 'Access',
    summary: 'Give one buyer access to an event, from one origin and for a while',
    description: `${origins} The session reaches the seats of its channels, and those of the public sale with \`includePublic\`; one that would reach nothing is
refused. \`clientRequestId\` names it: the same again renews it under its id, by which \`maxQuantity\` is counted, with what the new request says; its earlier
token is revoked at once. \`expiresInSeconds\` is 1,800 where it is left out.`,
    headers: ['Cache-Control'],
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
      { summary: 'To the public sale', body: { includePublic: true, allowedOrigin: shop } },
      {
        summary: 'To a channel in the archive',
        path: { key: standIn.eventWithChannel },
        body: { channelIds: [standIn.archivedChannel], includePublic: true, allowedOrigin: shop },
        answers: 'invalid_channel_scope',
      },
      {
        summary: 'From an address that is no origin',
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
      'Newest first, 1,000 at the most; those that have ended stay for a day after their time. Sessions that were opened with a publishable key are not among them.',
    examples: [{ summary: 'All of them', path: { key: standIn.eventWithSessions } }],
  },
  'DELETE /v1/events/{key}/buyer-access-sessions/{sessionId}': {
    operationId: 'revokeBuyerSession',
    tag: 'Access',
    summary: 'End a buyer’s session',
    description:
      'Every front door refuses its token within a second, and closes its sockets with 4401. Ending it again is harmless. What it ' +
      'holds stays held until it expires.',
    examples: [
      { summary: 'End it', path: { key: standIn.eventWithSessions } },
      { summary: 'One of another event', answers: 'not_found' },
    ],
  },
  'POST /v1/events/{key}/manage-sessions': {
    operationId: 'mintManageSession',
    tag: 'Access',
    summary: 'Let an operator’s page manage an event, from one origin and for a while',
    description: `${origins} Without \`capabilities\` it may do exactly what event:view allows; an empty or unknown list is refused. It ends when the workspace is disabled, and
can mint no session itself. \`expiresInSeconds\` is 3,600 where it is left out.`,
    headers: ['Cache-Control'],
    refusals: ['invalid_capabilities', 'workspace_not_found_or_disabled'],
    examples: [
      {
        summary: 'To look and to block',
        body: { allowedOrigin: console_, capabilities: ['event:view', 'event:block'], expiresInSeconds: 7_200 },
      },
      { summary: 'To look', body: { allowedOrigin: console_ } },
      {
        summary: 'To do nothing',
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
  'DELETE /v1/events/{key}/manage-sessions/{sessionId}': {
    operationId: 'revokeManageSession',
    tag: 'Access',
    summary: 'End a manage session',
    examples: [
      { summary: 'End it', path: { key: standIn.eventWithSessions, sessionId: standIn.manageSession } },
      { summary: 'One of another event', path: { sessionId: standIn.manageSession }, answers: 'not_found' },
    ],
  },
  'POST /v1/designer/sessions': {
    operationId: 'mintDesignerSession',
    tag: 'Access',
    summary: 'Let a page read, edit or publish one chart, from one origin and for a while',
    description: `${origins} A chart has no mode: the key's counts, and a dashboard session is taken for a live one. \`authority\` is edit where it is left out, and \`canPublish\`
adds the right to publish to it, or takes it away; publishing needs the right to edit. In safe mode what would change the identity of what the published
chart sells is refused. It ends when the workspace is disabled. \`expiresInSeconds\` is 300 to 14,400, and 3,600 where it is left out.`,
    headers: ['Cache-Control'],
    refusals: ['workspace_not_found_or_disabled', 'chart_not_found'],
    examples: [
      {
        summary: 'To edit and publish, without touching what is sold',
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
        summary: 'Of a chart that is not there',
        body: { workspaceId: standIn.workspace, chartId: 'cht_0', allowedOrigin: console_ },
        answers: 'chart_not_found',
      },
      {
        summary: 'In a workspace that is not there',
        body: { workspaceId: 'ws_0', chartId: standIn.chart, allowedOrigin: console_ },
        answers: 'workspace_not_found_or_disabled',
      },
    ],
  },
  'DELETE /v1/designer/sessions/{sessionId}': {
    operationId: 'revokeDesignerSession',
    tag: 'Access',
    summary: 'End a designer session',
    refusals: ['not_found'],
    examples: [
      { summary: 'End it', path: { sessionId: standIn.designerSession } },
      { summary: 'One that is not there', path: { sessionId: 'ses_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
