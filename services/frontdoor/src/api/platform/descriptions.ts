/** Readiness, and the description itself, as the description has them. */
import type { Description } from '../../openapi/description.ts';

export const platformDescriptions = {
  'GET /health/ready': {
    operationId: 'checkReadiness',
    tag: 'Health',
    summary: 'Whether this front door can serve requests',
    description: 'Ready when the message bus and a catalog answer. Counted by every front door for itself.',
    refusals: ['catalog_unavailable'],
    examples: [{ summary: 'Is it ready?' }],
  },
  'GET /openapi.json': {
    operationId: 'describeApi',
    tag: 'Health',
    summary: 'This description',
    headers: ['ETag', 'Cache-Control'],
    examples: [{ summary: 'The whole description' }],
  },
} as const satisfies Record<string, Description>;
