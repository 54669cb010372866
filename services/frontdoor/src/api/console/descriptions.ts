/** What an operator's console reads, as the description has it. */
import { z } from 'zod';
import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { logEntry } from '../history/descriptions.ts';
import { count, counts, currency, epochMs, eventMeta, taken, text, ticket } from '../records/records.ts';

const room = z.object({
  event: eventMeta,
  currency,
  totals: counts,
  bookedValue: z.object({
    gross: taken,
    bySection: z.array(
      z.object({ sectionId: text, sectionLabel: text, total: count, booked: count, bookedValue: taken }),
    ),
  }),
  velocity: z.object({
    windowMinutes: z.int(),
    since: epochMs.describe('Where the window begins; later in an event that sold more than is looked through.'),
    bySection: z
      .array(
        z.object({
          sectionId: text,
          netBooked: z.int().describe('Units booked less those unbooked.'),
          trend: z
            .enum(['rising', 'steady', 'cooling'])
            .describe('Whether the second half of the window had more of them than the first, as many, or fewer.'),
          bookedValue: taken.describe(
            'Of what was booked in the window. Null for a manage session without event:reports.',
          ),
        }),
      )
      .describe('Sections in which anything was booked or unbooked.'),
  }),
  presence: z.object({ shoppingSessions: count, activeHolds: count }),
  activity: z.array(logEntry).describe('The last 20 entries of the log, newest first, each with its first labels.'),
});

export const consoles = {
  'POST /v1/events/{key}/subscribe-tickets': {
    operationId: 'createConsoleTicket',
    tag: 'Realtime',
    summary: "A ticket for one socket of an operator's console",
    description:
      'For /pub/events/{key}/subscribe, good once and for 30 seconds. Such a socket has the true statuses, and `activity` frames ' +
      'beside those that all have, which tell a manage session of channels with event:channels:view alone.',
    answer: ticket,
    refusals: ['overloaded'],
    examples: [{ summary: 'Without a body' }, { summary: 'With an empty one', body: {} }],
  },
  'GET /v1/events/{key}/control-room': {
    operationId: 'getControlRoom',
    tag: 'Reports',
    summary: 'How an event sells just now',
    description:
      'A manage session needs event:view; money is told only with event:reports beside it, and what was done to channels only with event:channels:view.',
    answer: room,
    query: {
      window: { description: 'Minutes that velocity looks back: 5 to 60, 15 where absent. Clamped.', schema: text },
    },
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
    answer: null,
    mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
    headers: ['ETag', 'Cache-Control'],
    refusals: ['not_found'],
    examples: [
      { summary: 'A poster' },
      { summary: 'One that is not there', path: { assetId: 'ast_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
