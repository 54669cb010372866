/** Webhook subscriptions, as the description has them. */
import { z } from 'zod';
import { webhookSub } from './account-records.ts';
import type { Description } from './description.ts';
import { ok } from './records.ts';
import { standIn } from './stand-ins.ts';

const one = { sub: webhookSub, webhook: webhookSub.describe('The same as sub.') };
const secret = z.string().regex(/^whsec_/);

const manage =
  'Of people, admins only. A key reaches subscriptions of its own mode, and of its environment and workspace where it has ' +
  'one; anything else is 404.';

export const webhooks = {
  'GET /v1/webhooks': {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'The subscriptions in scope',
    description: 'uptime7d is the share of the attempts of the last seven days that were delivered, null without any.',
    answer: z.object({ subs: z.array(webhookSub), webhooks: z.array(webhookSub).describe('The same as subs.') }),
    examples: [{ summary: 'All of them' }],
  },
  'POST /v1/webhooks': {
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Subscribe an address to events',
    description:
      'The signing secret is shown in this answer only. What a key makes has its mode, environment and workspace, whatever the ' +
      'body says; what an admin makes hears of live events unless mode says more, and of every environment unless one is ' +
      'named. mode null, for both modes, is an admin’s to give and to manage. The address begins with https:// ' +
      'and what it resolves to is checked with every delivery. An Idempotency-Key does not count here, as no ' +
      'secret is kept to be told again.',
    answer: z.object({ ...one, secret }),
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
  'PATCH /v1/webhooks/{id}': {
    operationId: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change a subscription, pause it, or let it go on',
    description:
      `${manage} events replaces the whole set. A key may repeat mode and environment as they are, and not change them. ` +
      'disabled true pauses: what happens meanwhile is not told later, and what was waiting is given up. disabled false needs ' +
      'room among the 10 active ones.',
    answer: z.object(one),
    refusals: ['nothing_to_update', 'webhook_scope_immutable', 'not_found', 'webhook_limit_reached'],
    examples: [
      { summary: 'Pause it', body: { disabled: true } },
      { summary: 'Another address, other events', body: { url: 'https://hooks.example/new', events: ['seat.booked'] } },
      { summary: 'Nothing at all', body: {}, answers: 'nothing_to_update' },
      { summary: 'Another mode, with a key', body: { mode: 'live' }, answers: 'webhook_scope_immutable' },
      { summary: 'One that is not there', path: { id: 'whk_0' }, body: { disabled: true }, answers: 'not_found' },
    ],
  },
  'POST /v1/webhooks/{id}/rotate-secret': {
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Give a subscription another signing secret',
    description:
      `${manage} The new secret is shown in this answer only. The one before signs too for 24 hours; of those replaced within ` +
      'that time the last four do.',
    answer: z.object({ ...one, secret }),
    headers: ['Cache-Control'],
    refusals: ['not_found'],
    examples: [
      { summary: 'Rotate it' },
      { summary: 'One that is not there', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
  'DELETE /v1/webhooks/{id}': {
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Remove a subscription',
    description: `${manage} The history of its deliveries goes with it.`,
    answer: z.object({ ok }),
    refusals: ['not_found'],
    examples: [
      { summary: 'Remove it', path: { id: standIn.webhook } },
      { summary: 'One that is not there', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
