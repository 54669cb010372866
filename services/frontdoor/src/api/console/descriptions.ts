/** What an operator's console reads, as the description has it. */
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

export const consoleDescriptions = {
  'POST /v1/events/{key}/subscribe-tickets': {
    operationId: 'createConsoleTicket',
    tag: 'Realtime',
    summary: "A ticket for one socket of an operator's console",
    description:
      'For /pub/events/{key}/subscribe, good once and for 30 seconds. Such a socket has the true statuses, and `activity` frames ' +
      'beside those that all have, which tell a manage session of channels with event:channels:view alone.',
    refusals: ['overloaded'],
    examples: [{ summary: 'Without a body' }, { summary: 'With an empty one', body: {} }],
  },
  'GET /v1/events/{key}/control-room': {
    operationId: 'getControlRoom',
    tag: 'Reports',
    summary: 'How an event sells just now',
    description:
      'A manage session needs event:view; money is told only with event:reports beside it, and what was done to channels only with event:channels:view.',
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
    headers: ['ETag', 'Cache-Control'],
    refusals: ['not_found'],
    examples: [
      { summary: 'A poster' },
      { summary: 'One that is not there', path: { assetId: 'ast_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
