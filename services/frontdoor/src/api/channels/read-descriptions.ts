import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const own = { key: standIn.eventWithChannel };

export const channelReadDescriptions = {
  'GET /v1/events/{key}/channels': {
    operationId: 'listChannels',
    tag: 'Channels',
    summary: 'The channels of an event, with what each has and who may reach it',
    examples: [
      { summary: 'Those that sell', path: own },
      { summary: 'All that there ever were', path: own, query: { includeArchived: '1' } },
    ],
  },
  'GET /v1/events/{key}/channels/allocation': {
    operationId: 'getAllocation',
    tag: 'Channels',
    summary: 'To which channel each seat is assigned',
    description: 'In the order of the chart, without what is of public sale.',
    examples: [
      { summary: 'All of it', path: own },
      { summary: 'A page', path: own, query: { afterLabel: 'A-2', limit: '1' } },
    ],
  },
  'GET /v1/events/{key}/channels/preview': {
    operationId: 'previewChannels',
    tag: 'Channels',
    summary: 'What a buyer of some channels would see',
    description:
      '`default` and `seats` are the map as `GET /pub/events/{key}/objects?compact=1` shows it to such a buyer. `eligible` may be selected now; `unavailable` is ' +
      'the rest of what this scope has itself, with what is hidden. `counts` are of the map as it is shown: what is not in the scope is `not_for_sale` there.',
    headers: ['Cache-Control'],
    refusals: ['invalid_channel_scope'],
    examples: [
      { summary: 'A channel alone', path: own, query: { channelIds: standIn.channel, includePublic: '0' } },
      { summary: 'Public sale', path: own },
      {
        summary: 'One in the archive',
        path: own,
        query: { channelIds: standIn.archivedChannel },
        answers: 'invalid_channel_scope',
      },
    ],
  },
  'GET /v1/events/{key}/channels/report': {
    operationId: 'getChannelReport',
    tag: 'Channels',
    summary: 'What each channel has and has sold',
    examples: [{ summary: 'The report', path: own }],
  },
  'GET /v1/events/{key}/channels/audit': {
    operationId: 'getChannelAudit',
    tag: 'Channels',
    summary: 'What was done to the channels and their access links, and who had private seats by an override',
    description:
      'Newest first. Details are those of the log. Links that end because their channel is archived are told of by the archive alone.',
    examples: [
      { summary: 'The latest', path: own },
      { summary: 'Some of them', path: own, query: { limit: '1' } },
    ],
  },
} as const satisfies Record<string, Description>;
