/** The description of the readiness check, and of the API description. */
import type { Description } from '../../openapi/openapi.ts';

export const platformDescriptions = {
  'GET /health/ready': {
    operationId: 'checkReadiness',
    tag: 'Health',
    summary: 'Whether this front door can serve requests',
    description:
      'Ready if the message bus and a catalog answer. Each front door counts the budget of this address by itself.',
    refusals: ['catalog_unavailable'],
    examples: [{ summary: 'Is it ready?' }],
  },
  'GET /openapi.json': {
    operationId: 'describeApi',
    tag: 'Health',
    summary: 'This description',
    headers: ['ETag'],
    examples: [{ summary: 'The whole description' }],
  },
} as const satisfies Record<string, Description>;
