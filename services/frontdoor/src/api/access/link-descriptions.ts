/** The description of access links. */
import { accessLinksPerChannelMax } from '@parterre/shared/limits';
import { type Description, standIn } from '../../openapi/openapi.ts';

const path = { key: standIn.eventWithAccessLink };
const audited = 'The audit of channels shows the call with its `reason`.';

export const linkDescriptions = {
  'GET /v1/events/{key}/channels/{id}/access-links': {
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
  'POST /v1/events/{key}/channels/{id}/access-links': {
    operationId: 'createAccessLink',
    tag: 'Access',
    summary: 'Create a hosted link to a channel',
    description:
      'A person who has the link gets a session for this channel (`POST /pub/events/{key}/access-links/redeem`), ' +
      'bound to the origin of the page. Without `expiresAt` the link ends after 30 days. `maxRedemptions` is counted exactly over all front doors. A session may ' +
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
  'POST /v1/events/{key}/channels/{id}/access-links/{linkId}/rotate': {
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
  'DELETE /v1/events/{key}/channels/{id}/access-links/{linkId}': {
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
} as const satisfies Record<string, Description>;
