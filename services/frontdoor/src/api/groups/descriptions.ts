/** The description of performance groups: their documents, lifecycle and buyers' sessions. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const polling =
  'The answer is 200 if the step has ended, else 202: then poll the address in `Location`. Every step ends in a ' +
  'terminal phase.';
const shop = { Origin: 'https://shop.example' };
const unknownGroup = { summary: 'An unknown group', path: { key: 'pg_0' }, answers: 'not_found' } as const;

export const groupDescriptions = {
  'GET /v1/performance-groups': {
    operationId: 'listPerformanceGroups',
    tag: 'Groups',
    summary: 'The performance groups, newest first',
    refusals: ['invalid_request'],
    examples: [
      { summary: 'All of them' },
      { summary: 'The active ones', query: { state: 'active' } },
      { summary: 'An unknown state', query: { state: 'open' }, answers: 'invalid_request' },
    ],
  },
  'POST /v1/performance-groups': {
    operationId: 'createPerformanceGroup',
    tag: 'Groups',
    summary: 'Create a draft of a performance group',
    description:
      'The events have one chart version, mode, workspace, region and currency, and each has a start. An event may be ' +
      'in several drafts, and in one active group. Events that do not fit are refused with all `issues` at once.',
    refusals: ['incompatible_events'],
    examples: [
      { summary: 'Two evenings', body: { name: 'Spring run', eventKeys: [standIn.evening, standIn.nextEvening] } },
      {
        summary: 'One event',
        body: { name: 'Spring run', eventKeys: [standIn.evening] },
        answers: 'incompatible_events',
      },
      {
        summary: 'An unknown event',
        body: { name: 'Spring run', eventKeys: [standIn.evening, 'no-such-event'] },
        answers: 'incompatible_events',
      },
    ],
  },
  'GET /v1/performance-groups/{key}': {
    operationId: 'getPerformanceGroup',
    tag: 'Groups',
    summary: 'One performance group with its performances',
    refusals: ['not_found', 'mode_mismatch'],
    examples: [{ summary: 'The group' }, unknownGroup],
  },
  'DELETE /v1/performance-groups/{key}': {
    operationId: 'deletePerformanceGroup',
    tag: 'Groups',
    summary: 'Delete a draft',
    refusals: ['not_found', 'mode_mismatch', 'invalid_group_state', 'conflict'],
    examples: [
      { summary: 'A draft', path: { key: standIn.draftGroup } },
      { summary: 'An active group', answers: 'invalid_group_state' },
      unknownGroup,
    ],
  },
  'POST /v1/performance-groups/{key}/activate': {
    operationId: 'activatePerformanceGroup',
    tag: 'Groups',
    summary: 'Put a draft on sale',
    description:
      'Locks every event: while the group is active or closing, its events keep chart, times, venue and currency, and ' +
      'cannot be closed, archived or deleted (409 `performance_group_locked`). If an event does not fit any more, the ' +
      `step ends in \`activation_failed\` with a \`code\`, and the group is a draft again. ${polling}`,
    headers: ['Location', 'Retry-After'],
    refusals: ['not_found', 'mode_mismatch', 'invalid_group_state', 'conflict'],
    examples: [
      { summary: 'A draft', path: { key: standIn.draftGroup }, body: { expectedRevision: 1 } },
      {
        summary: 'A stale revision',
        path: { key: standIn.draftGroup },
        body: { expectedRevision: 99 },
        answers: 'conflict',
      },
      { ...unknownGroup, body: { expectedRevision: 1 } },
    ],
  },
  'POST /v1/performance-groups/{key}/close': {
    operationId: 'closePerformanceGroup',
    tag: 'Groups',
    summary: 'Take a group off sale for good',
    description: `New holds are refused at once. The step waits for live holds, then unlocks the events. ${polling}`,
    headers: ['Location', 'Retry-After'],
    refusals: ['not_found', 'mode_mismatch', 'invalid_group_state', 'conflict'],
    examples: [
      { summary: 'The group, which has a live hold', body: { expectedRevision: 3 }, status: 202 },
      { summary: 'A stale revision', body: { expectedRevision: 99 }, answers: 'conflict' },
      { ...unknownGroup, body: { expectedRevision: 1 } },
    ],
  },
  'GET /v1/performance-groups/{key}/lifecycle/{operationId}': {
    operationId: 'getPerformanceGroupLifecycle',
    tag: 'Groups',
    summary: 'One step of the lifecycle',
    headers: ['Retry-After'],
    refusals: ['not_found', 'mode_mismatch'],
    examples: [
      { summary: 'The activation', path: { operationId: standIn.groupStep } },
      { summary: 'An unknown step', path: { operationId: 'op_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/performance-groups/{key}/buyer-access-sessions': {
    operationId: 'mintGroupBuyerSession',
    tag: 'Groups',
    summary: 'Issue a buyer’s session to a group',
    description:
      'The token is shown once. `channelIdsByEvent` names the channels of each event. `maxQuantity` counts labels, ' +
      'not labels times events.',
    refusals: ['not_found', 'mode_mismatch', 'invalid_channel_scope', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'To public sale', body: { includePublic: true, allowedOrigin: 'https://shop.example' } },
      {
        summary: 'To an unknown channel',
        body: {
          channelIdsByEvent: { 'no-such-event': ['chn_0'] },
          includePublic: true,
          allowedOrigin: 'https://shop.example',
        },
        answers: 'invalid_channel_scope',
      },
      { ...unknownGroup, body: { includePublic: true, allowedOrigin: 'https://shop.example' } },
    ],
  },
  'GET /v1/performance-groups/{key}/buyer-access-sessions': {
    operationId: 'listGroupBuyerSessions',
    tag: 'Groups',
    summary: 'The buyers’ sessions to a group, newest first',
    description: 'Sessions that a page has opened with a publishable key are not listed.',
    refusals: ['not_found', 'mode_mismatch'],
    examples: [{ summary: 'All of them' }, unknownGroup],
  },
  'DELETE /v1/performance-groups/{key}/buyer-access-sessions/{sessionId}': {
    operationId: 'revokeGroupBuyerSession',
    tag: 'Groups',
    summary: 'End a buyer’s session',
    refusals: ['not_found', 'mode_mismatch'],
    examples: [
      { summary: 'The session' },
      { summary: 'An unknown session', path: { sessionId: 'ses_0' }, answers: 'not_found' },
    ],
  },
  'POST /pub/performance-groups/{key}/sessions': {
    operationId: 'openGroupBuyerSession',
    tag: 'Groups',
    summary: 'Open a session to public sale of a group with a publishable key',
    description:
      'The key is in the Authorization header or in the body, which is read as JSON under any content type. The token ' +
      'is valid from the Origin of this request, and is shown once.',
    refusals: ['buyer_access_mode_mismatch', 'catalog_unavailable'],
    examples: [
      { summary: 'With a key', body: { publicKey: standIn.publishableKey }, headers: shop },
      { summary: 'Without a key', body: {}, headers: shop, answers: 'not_found' },
      {
        summary: 'Of an unknown group',
        path: { key: 'pg_0' },
        body: { publicKey: standIn.publishableKey },
        headers: shop,
        answers: 'not_found',
      },
    ],
  },
} as const satisfies Record<string, Description>;
