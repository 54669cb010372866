import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';

const manage =
  'Of people, admins only. A key reaches subscriptions of its own mode, and of its environment and workspace where it has ' +
  'one; anything else is 404.';

export const webhookDescriptions = {
  'GET /v1/webhooks': {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'The subscriptions in scope',
    description: 'uptime7d is the share of the attempts of the last seven days that were delivered, null without any.',
    examples: [{ summary: 'All of them' }],
  },
  'POST /v1/webhooks': {
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Subscribe an address to events',
    description:
      'The signing secret is shown in this answer only. What a key makes has its mode, environment and workspace, whatever the ' +
      'body says; what an admin makes hears of live events unless mode says more, and of every environment unless one is ' +
      'named. mode null, for both modes, is an admin’s to give and to manage. The address begins with https:// and names no ' +
      'private address; what it resolves to is checked with every delivery. An Idempotency-Key does not count here, as no ' +
      'secret is kept to be told again.',
    headers: ['Cache-Control'],
    refusals: ['webhook_limit_reached'],
    examples: [
      {
        summary: 'Hear of sales',
        body: { url: 'https://hooks.example/parterre', events: ['seat.booked', 'seat.released'] },
      },
      { summary: 'An address that is none', body: { url: 'hooks', events: ['ping'] }, answers: 'invalid_request' },
      {
        summary: 'An address inside a network',
        body: { url: 'https://10.0.0.7/hooks', events: ['ping'] },
        answers: 'invalid_request',
      },
    ],
  },
  'PATCH /v1/webhooks/{id}': {
    operationId: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change a subscription, pause it, or let it go on',
    description:
      `${manage} events replaces the whole set. A key may repeat mode and environment as they are, and not change them. ` +
      'disabled true pauses: what happens meanwhile is not told later, and a delivery that comes due meanwhile is given up; one that ' +
      'is due later is made if the subscription is active again by then. disabled false needs ' +
      'room among the 10 active ones.',
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
    description: `${manage} The history of its deliveries is shown no more, and is deleted.`,
    refusals: ['not_found'],
    examples: [
      { summary: 'Remove it', path: { id: standIn.webhook } },
      { summary: 'One that is not there', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
  'GET /v1/webhooks/{id}/deliveries': {
    operationId: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'What became of the deliveries of a subscription',
    description:
      'The newest first, 30 days of them and at most 10,000. Pages can overlap where one ends; tell deliveries apart by id. ' +
      'A delivery is listed from its first attempt on. Tests are not among them.',
    refusals: ['not_found', 'invalid_request'],
    examples: [
      { summary: 'The newest' },
      { summary: 'Those that failed', query: { status: 'failed', limit: '50' } },
      { summary: 'An outcome that is none', query: { status: 'maybe' }, answers: 'invalid_request' },
      { summary: 'Of one that is not there', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/webhooks/{id}/test': {
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a ping now',
    description:
      'Sessions of admins only. The body has event ping and test true; it is signed as every delivery, sent once, within 5 seconds, and not ' +
      'recorded. A paused subscription can be tested.',
    refusals: ['not_found', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'Does it answer?' },
      { summary: 'One that is not there', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/webhooks/{id}/deliveries/{deliveryId}/retry': {
    operationId: 'retryWebhookDelivery',
    tag: 'Webhooks',
    summary: 'Send a delivery once more, now',
    description:
      'Sessions of admins only. It keeps its occurrenceId and gets a new signature; attempts that are still due are not changed by it, ' +
      'but for one that is delivered now: that needs no other.',
    refusals: ['not_found', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'Once more', path: { id: standIn.webhookWithDelivery, deliveryId: standIn.delivery } },
      { summary: 'One that is not there', path: { deliveryId: 'dlv_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
