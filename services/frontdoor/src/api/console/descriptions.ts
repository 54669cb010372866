/** The description of an operator's console. */
import { type Description, standIn } from '../../openapi/openapi.ts';

export const consoleDescriptions = {
  'POST /v1/events/{key}/subscribe-tickets': {
    operationId: 'createConsoleTicket',
    tag: 'Realtime',
    summary: "A ticket for one socket of an operator's console",
    description:
      'For /pub/events/{key}/subscribe, valid once, within 30 seconds; a ticket that a page asked for, only for pages ' +
      'of its origin. The socket has the true statuses, and `activity` frames in addition to the frames of all viewers. A manage session needs event:channels:view for ' +
      'activity about channels.',
    refusals: ['overloaded'],
    examples: [{ summary: 'Without a body' }, { summary: 'With an empty body', body: {} }],
  },
  'GET /v1/events/{key}/control-room': {
    operationId: 'getControlRoom',
    tag: 'Reports',
    summary: 'The current sales of an event at a glance',
    description:
      'A manage session needs event:view. It sees revenue only with event:reports as well, and activity about ' +
      'channels only with event:channels:view.',
    refusals: ['overloaded'],
    examples: [
      { summary: 'Of the last quarter of an hour', path: { key: standIn.soldEvent } },
      { summary: 'Of the last hour', query: { window: '60' } },
    ],
  },
  'GET /v1/events/{key}/assets/{assetId}': {
    operationId: 'getEventAsset',
    tag: 'Events',
    summary: 'A picture',
    description: 'The same as /pub/assets/{assetId}.',
    mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
    headers: ['ETag'],
    refusals: ['not_found'],
    examples: [
      { summary: 'A poster' },
      { summary: 'An unknown picture', path: { assetId: 'ast_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
