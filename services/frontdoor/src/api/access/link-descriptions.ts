/** Access links, as the description has them. */
import { accessLinksPerChannelMax } from '@parterre/shared/limits';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const path = { key: standIn.eventWithAccessLink };
const audited = 'The audit of channels tells of it, with the `reason`.';

export const linkDescriptions = {
  'GET /v1/events/{key}/channels/{id}/access-links': {
    operationId: 'listAccessLinks',
    tag: 'Access',
    summary: 'The access links of a channel',
    description: 'Newest first, those that are over among them.',
    refusals: ['not_found'],
    examples: [
      { summary: 'All of them', path: { ...path, id: standIn.linkedChannel } },
      { summary: 'Of a channel that is not there', path: { ...path, id: 'chn_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/events/{key}/channels/{id}/access-links': {
    operationId: 'createAccessLink',
    tag: 'Access',
    summary: 'Make a hosted link to a channel',
    description: `Whoever has it is given a session to this channel (\`POST /pub/events/{key}/access-links/redeem\`), bound to the origin of the page; \`maxRedemptions\` is counted exactly
over all front doors. A session may outlive its link's \`expiresAt\`, by its own \`sessionTtlSeconds\` (60 to 14,400; 1,800 where it is left out). A channel has at most
${accessLinksPerChannelMax} links: the oldest that is over makes room, and where all stand it is 409 with reason \`access_link_limit_reached\`. ${audited}`,
    headers: ['Cache-Control'],
    refusals: ['not_found', 'invalid_channel_scope', 'conflict'],
    examples: [
      {
        summary: 'For a newsletter',
        path: { key: standIn.eventWithChannel },
        body: { label: 'Newsletter', maxRedemptions: 500, maxQuantity: 2, sessionTtlSeconds: 1_200 },
      },
      {
        summary: 'To a channel in the archive',
        path: { key: standIn.eventWithChannel, id: standIn.archivedChannel },
        body: {},
        answers: 'invalid_channel_scope',
      },
      {
        summary: 'To a channel that is not there',
        path: { key: standIn.eventWithChannel, id: 'chn_0' },
        body: {},
        answers: 'not_found',
      },
      {
        summary: 'That is over already',
        path: { key: standIn.eventWithChannel },
        body: { expiresAt: 1 },
        answers: 'invalid_request',
      },
    ],
  },
  'POST /v1/events/{key}/channels/{id}/access-links/{linkId}/rotate': {
    operationId: 'rotateAccessLink',
    tag: 'Access',
    summary: 'Put another link in the place of one',
    description:
      'The new link has the settings of the one before, and has not been redeemed. A link that does not stand (its `status` is ' +
      `another than active) is refused with reason \`access_link_not_active\`. ${audited}`,
    headers: ['Cache-Control'],
    refusals: ['conflict'],
    examples: [
      {
        summary: 'It got about: end its sessions, too',
        path: { ...path, id: standIn.linkedChannel },
        body: { endActiveSessions: true, reason: 'Posted in a forum' },
      },
      {
        summary: 'One that is not there',
        path: { ...path, id: standIn.linkedChannel, linkId: 'lnk_0' },
        body: { endActiveSessions: false },
        answers: 'not_found',
      },
    ],
  },
  'DELETE /v1/events/{key}/channels/{id}/access-links/{linkId}': {
    operationId: 'revokeAccessLink',
    tag: 'Access',
    summary: 'End an access link',
    description: `Its sessions go on unless \`endActiveSessions\` is 1. Ending it again is harmless, and one that was rotated stays so. ${audited}`,
    refusals: ['invalid_request'],
    examples: [
      { summary: 'End it', path: { ...path, id: standIn.linkedChannel }, query: { endActiveSessions: '1' } },
      {
        summary: 'One that is not there',
        path: { ...path, id: standIn.linkedChannel, linkId: 'lnk_0' },
        answers: 'not_found',
      },
      {
        summary: 'For a reason that is too long',
        path: { ...path, id: standIn.linkedChannel },
        query: { reason: 'x'.repeat(501) },
        answers: 'invalid_request',
      },
    ],
  },
} as const satisfies Record<string, Description>;
