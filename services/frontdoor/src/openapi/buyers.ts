/** What buyers' browsers call, as the description has it. */
import { z } from 'zod';
import { chartDocument } from '../inbound/bodies-charts.ts';
import type { Description } from './description.ts';
import { buyerEvent, buyerObjects } from './records.ts';
import { standIn } from './stand-ins.ts';

export const buyers = {
  'GET /pub/events/{key}/chart': {
    operationId: 'getBuyerChart',
    tag: 'Buyers',
    summary: 'The seat map that a buyer sees',
    description: 'A closed event still answers.',
    answer: z.object({ event: buyerEvent, doc: chartDocument }),
    headers: ['ETag', 'Cache-Control'],
    examples: [
      { summary: 'The map' },
      {
        summary: 'Of a live event, with a key for tests',
        path: { key: standIn.liveEvent },
        answers: 'buyer_access_mode_mismatch',
      },
    ],
  },
  'GET /pub/events/{key}/objects': {
    operationId: 'getBuyerObjects',
    tag: 'Buyers',
    summary: 'The status of every unit as a buyer sees it',
    description:
      'What is blocked, closed or of another channel is `not_for_sale`: one word, so that they cannot be told apart.',
    answer: buyerObjects,
    query: {
      compact: {
        description: '1 makes the commonest status the default; else it is free.',
        schema: z.enum(['0', '1']),
      },
    },
    headers: ['Cache-Control'],
    examples: [{ summary: 'By label' }, { summary: 'As few as can be', query: { compact: '1' } }],
  },
} as const satisfies Record<string, Description>;
