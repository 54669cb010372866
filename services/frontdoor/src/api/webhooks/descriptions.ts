/** The description of webhook subscriptions and their deliveries. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const manage =
  'Users need the admin role. A key reaches subscriptions of its own mode, and of its environment and workspace if ' +
  'it is bound to them. Any other subscription is 404.';

export const webhookDescriptions = {
  'GET /v1/webhooks': {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'The subscriptions in scope',
    description: 'uptime7d is the share of successful attempts in the last seven days; null without attempts.',
    examples: [{ summary: 'All of them' }],
  },
  'POST /v1/webhooks': {
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Subscribe an address to occurrences',
    description:
      "The answer shows the signing secret; no later answer does. A subscription of a key has the key's mode, " +
      'environment and workspace, whatever the body says. A subscription of an admin gets occurrences of live ' +
      'events unless `mode` says otherwise, and of every environment unless the body names an environment. Only an ' +
      'admin may create and manage a subscription for both modes (mode null). The address begins with https:// and ' +
      'names no private address. The IP address of its host is checked at every attempt. An Idempotency-Key has no ' +
      'effect here, since the secret is not stored and could not be repeated.',
    refusals: ['webhook_limit_reached'],
    examples: [
      {
        summary: 'Hear of sales',
        body: { url: 'https://hooks.example/parterre', events: ['seat.booked', 'seat.released'] },
      },
      { summary: 'An invalid address', body: { url: 'hooks', events: ['ping'] }, answers: 'invalid_request' },
      {
        summary: 'A private address',
        body: { url: 'https://10.0.0.7/hooks', events: ['ping'] },
        answers: 'invalid_request',
      },
    ],
  },
  'PATCH /v1/webhooks/{id}': {
    operationId: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change, pause or resume a subscription',
    description:
      `${manage} events replaces the whole set. A key may repeat mode and environment, but not change them. disabled ` +
      'true pauses the subscription: occurrences during the pause are never sent, and a delivery that falls due ' +
      'during the pause is given up. A delivery that falls due after the pause is attempted. disabled false needs ' +
      'room among the 10 active subscriptions.',
    refusals: ['nothing_to_update', 'webhook_scope_immutable', 'not_found', 'webhook_limit_reached'],
    examples: [
      { summary: 'Pause it', body: { disabled: true } },
      {
        summary: 'Another address and other events',
        body: { url: 'https://hooks.example/new', events: ['seat.booked'] },
      },
      { summary: 'Without a field', body: {}, answers: 'nothing_to_update' },
      { summary: 'Another mode with a key', body: { mode: 'live' }, answers: 'webhook_scope_immutable' },
      { summary: 'An unknown subscription', path: { id: 'whk_0' }, body: { disabled: true }, answers: 'not_found' },
      { summary: 'An unknown subscription, without a field', path: { id: 'whk_0' }, body: {}, answers: 'not_found' },
    ],
  },
  'POST /v1/webhooks/{id}/rotate-secret': {
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Replace the signing secret of a subscription',
    description:
      `${manage} The answer shows the new secret; no later answer does. The previous secret also signs for another ` +
      '24 hours. If several secrets were replaced in this time, the last four also sign.',
    refusals: ['not_found'],
    examples: [
      { summary: 'Rotate it' },
      { summary: 'An unknown subscription', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
  'DELETE /v1/webhooks/{id}': {
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a subscription',
    description: `${manage} The history of its deliveries is deleted with it.`,
    refusals: ['not_found'],
    examples: [
      { summary: 'Delete it', path: { id: standIn.webhook } },
      { summary: 'An unknown subscription', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
  'GET /v1/webhooks/{id}/deliveries': {
    operationId: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'The deliveries of a subscription',
    description:
      'Newest first, of the last 30 days and at most 10,000. A page may repeat deliveries of the page before: ' +
      'compare their ids. A delivery is listed from its first attempt on. Tests are not listed.',
    refusals: ['not_found', 'invalid_request'],
    examples: [
      { summary: 'The newest' },
      { summary: 'Failed deliveries', query: { status: 'failed', limit: '50' } },
      { summary: 'An unknown outcome', query: { status: 'maybe' }, answers: 'invalid_request' },
      { summary: 'Of an unknown subscription', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/webhooks/{id}/test': {
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a ping now',
    description:
      'Sessions of admins only. The body has event ping and test true. It is signed like every delivery, sent once ' +
      'within 5 seconds, and not recorded. A paused subscription can be tested.',
    refusals: ['not_found', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'Send one' },
      { summary: 'An unknown subscription', path: { id: 'whk_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/webhooks/{id}/deliveries/{deliveryId}/retry': {
    operationId: 'retryWebhookDelivery',
    tag: 'Webhooks',
    summary: 'Send a delivery once more, now',
    description:
      'Sessions of admins only. The delivery keeps its occurrenceId and gets a new signature. Its scheduled ' +
      'attempts stay due, unless this attempt delivers it.',
    refusals: ['not_found', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'Once more', path: { id: standIn.webhookWithDelivery, deliveryId: standIn.delivery } },
      { summary: 'An unknown subscription', path: { deliveryId: 'dlv_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
