/** The description of reads of channels. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const own = { key: standIn.eventWithChannel };

export const channelReadDescriptions = {
  'GET /v1/events/{key}/channels': {
    operationId: 'listChannels',
    tag: 'Channels',
    summary: 'The channels of an event, with their units and access',
    examples: [
      { summary: 'Without archived ones', path: own },
      { summary: 'With archived ones', path: own, query: { includeArchived: '1' } },
    ],
  },
  'GET /v1/events/{key}/channels/allocation': {
    operationId: 'getAllocation',
    tag: 'Channels',
    summary: 'The channel of each seat',
    description: 'In chart order, without the seats of public sale.',
    examples: [
      { summary: 'All of it', path: own },
      { summary: 'A page', path: own, query: { afterLabel: 'A-2', limit: '1' } },
    ],
  },
  'GET /v1/events/{key}/channels/preview': {
    operationId: 'previewChannels',
    tag: 'Channels',
    summary: 'The event as a buyer of some channels sees it',
    description:
      '`default` and `seats` are the map as `GET /pub/events/{key}/objects?compact=1` shows it to such a buyer. ' +
      '`eligible` units may be selected now. `unavailable` units are the other units of this reach, hidden units ' +
      'included. `counts` cover the visible map: units outside the reach count as `not_for_sale`.',
    refusals: ['invalid_channel_scope'],
    examples: [
      { summary: 'Only a channel', path: own, query: { channelIds: standIn.channel, includePublic: '0' } },
      { summary: 'Public sale', path: own },
      {
        summary: 'An archived channel',
        path: own,
        query: { channelIds: standIn.archivedChannel },
        answers: 'invalid_channel_scope',
      },
    ],
  },
  'GET /v1/events/{key}/channels/report': {
    operationId: 'getChannelReport',
    tag: 'Channels',
    summary: 'The units and sales of each channel',
    examples: [{ summary: 'The report', path: own }],
  },
  'GET /v1/events/{key}/channels/audit': {
    operationId: 'getChannelAudit',
    tag: 'Channels',
    summary: 'Changes of channels and their access links, and overrides that took seats of channels',
    description:
      'Newest first. `details` are as in the log. A link that ends because its channel is archived has no entry of ' +
      'its own: the entry of the archiving stands for it.',
    examples: [
      { summary: 'The latest', path: own },
      { summary: 'Some of them', path: own, query: { limit: '1' } },
    ],
  },
} as const satisfies Record<string, Description>;
