/** Readiness and webhook subscriptions, as the description has them. */
import { z } from 'zod';
import { webhookSub } from './account-records.ts';
import type { Description } from './description.ts';
import { ok } from './records.ts';
import { standIn } from './stand-ins.ts';

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

export const webhooks = {
  'GET /v1/webhooks': {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'The subscriptions in scope',
    answer: z.object({ subs: z.array(webhookSub), webhooks: z.array(webhookSub).describe('The same as subs.') }),
    examples: [{ summary: 'All of them' }],
  },
  'POST /v1/webhooks': {
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Subscribe an address to events',
    description: 'The signing secret is shown in this answer only.',
    answer: z.object({
      sub: webhookSub,
      webhook: webhookSub.describe('The same as sub.'),
      secret: z.string().regex(/^whsec_/),
    }),
    headers: ['Cache-Control'],
    refusals: ['webhook_limit_reached'],
    examples: [
      {
        summary: 'Hear of sales',
        body: { url: 'https://hooks.example/parterre', events: ['seat.booked', 'seat.released'] },
      },
      { summary: 'An address that is none', body: { url: 'hooks', events: ['ping'] }, answers: 'invalid_request' },
    ],
  },
  'DELETE /v1/webhooks/{id}': {
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Remove a subscription',
    answer: z.object({ ok }),
    refusals: ['not_found'],
    examples: [
      { summary: 'Remove it', path: { id: standIn.webhook } },
      { summary: 'One that is not there', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
