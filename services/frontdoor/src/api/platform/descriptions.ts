/** Readiness, and the description itself, as the description has them. */
import { z } from 'zod';
import type { Description } from '../../openapi/description.ts';

const up = z.literal('ok');

export const health = {
  'GET /health/ready': {
    operationId: 'checkReadiness',
    tag: 'Health',
    summary: 'Whether this front door can serve requests',
    description: 'Ready when the message bus and a catalog answer. Counted by every front door for itself.',
    answer: z.object({ status: up, checks: z.object({ nats: up, catalog: up }) }),
    refusals: ['catalog_unavailable'],
    examples: [{ summary: 'Is it ready?' }],
  },
  'GET /openapi.json': {
    operationId: 'describeApi',
    tag: 'Health',
    summary: 'This description',
    answer: z.looseObject({ openapi: z.literal('3.1.1'), info: z.looseObject({ version: z.string() }) }),
    headers: ['ETag', 'Cache-Control'],
    examples: [{ summary: 'The whole description' }],
  },
} as const satisfies Record<string, Description>;
