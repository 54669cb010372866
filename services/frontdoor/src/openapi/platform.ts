/** Readiness, the operator's surface and webhook subscriptions, as the description has them. */
import { z } from 'zod';
import type { Description } from './description.ts';
import { keyInfo, ok, organisation, webhookSub } from './records.ts';
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

export const operator = {
  'POST /v1/admin/organisations': {
    operationId: 'createOrganisation',
    tag: 'Operator',
    summary: 'Create an organisation',
    description: 'It comes with a default workspace. `credits` is its first balance, 0 where absent.',
    answer: z.object({ organisation }),
    examples: [
      {
        summary: 'With a hundred credits',
        body: { name: 'Municipal theatre', currency: 'EUR', credits: 100 },
      },
      {
        summary: 'A currency that is none',
        body: { name: 'Municipal theatre', currency: 'euro' },
        answers: 'invalid_request',
      },
    ],
  },
  'POST /v1/admin/organisations/{id}/keys': {
    operationId: 'createKey',
    tag: 'Operator',
    summary: 'Make a secret or publishable key',
    description:
      'The key itself is shown in this answer only; what is kept of it is its SHA-256. A publishable key works from the ' +
      'registered `origins`: `https://host[:port]` exactly, in test mode `http://localhost[:port]` too.',
    answer: z.object({ key: keyInfo, secret: z.string() }),
    headers: ['Cache-Control'],
    refusals: ['not_found'],
    examples: [
      { summary: 'A secret key for tests', body: { kind: 'secret', mode: 'test' } },
      {
        summary: 'A publishable key for one shop',
        body: { kind: 'publishable', mode: 'live', origins: ['https://shop.example'] },
      },
      {
        summary: 'An origin with a path',
        body: { kind: 'publishable', mode: 'live', origins: ['https://shop.example/tickets'] },
        answers: 'invalid_request',
      },
      {
        summary: 'Of an organisation that is not there',
        path: { id: 'org_0' },
        body: { kind: 'secret', mode: 'test' },
        answers: 'not_found',
      },
    ],
  },
  'DELETE /v1/admin/organisations/{id}/keys/{keyId}': {
    operationId: 'revokeKey',
    tag: 'Operator',
    summary: 'Revoke a key',
    description: 'Every front door refuses it within one second, and sockets opened with it are closed.',
    answer: z.object({ ok }),
    refusals: ['not_found'],
    examples: [
      { summary: 'Revoke it' },
      { summary: 'A key that is not there', path: { keyId: 'key_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/admin/organisations/{id}/credits': {
    operationId: 'addCredits',
    tag: 'Operator',
    summary: 'Add credits, or take them away',
    answer: z.object({ organisation }),
    refusals: ['not_found'],
    examples: [
      { summary: 'Add fifty', body: { delta: 50, reason: 'Invoice 2026-117' } },
      {
        summary: 'To an organisation that is not there',
        path: { id: 'org_0' },
        body: { delta: 50, reason: 'Invoice 2026-117' },
        answers: 'not_found',
      },
      { summary: 'Without a reason', body: { delta: 50 }, answers: 'invalid_request' },
    ],
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
