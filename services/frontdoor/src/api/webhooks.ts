/**
 * Webhook subscriptions and their deliveries, and the posts that receivers get. Keys manage the subscriptions in their
 * scope. Users with the admin role manage subscriptions, members read them. A test and a retry are for admins only; a
 * notifier carries them out.
 */

import type { Delivery } from '@parterre/shared/protocol/catalog/deliveries';
import { isOwner } from '@parterre/shared/protocol/catalog/scope';
import type { WebhookBacklog, WebhookSub } from '@parterre/shared/protocol/catalog/webhooks';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import type { TestResult } from '@parterre/shared/protocol/notifier-api';
import { eventOccurrences, seasonOccurrences, webhookEvents } from '@parterre/shared/protocol/vocabulary';
import { manualRetryDeadlineMs, testDeadlineMs, webhookUrlLengthMax } from '@parterre/shared/protocol/webhook-limits';
import { z } from 'zod';
import { budgets, type DashboardPrincipal, type ServerPrincipal, scopeOf } from '../admission/admission.ts';
import { secretOnce } from '../answers/answers.ts';
import { parameter, standIn } from '../openapi/openapi.ts';
import { before, choice, wholeNumber } from './calls/query.ts';
import { type Call, dashboardRoute, serverRoute, type WithPath } from './calls/route.ts';
import {
  count,
  emptyBody,
  environment,
  epochMs,
  eventMeta,
  idOf,
  lineItem,
  mode,
  ok,
  optional,
  priceUnit,
  text,
  textOrNull,
  webhookSub,
} from './records.ts';
import { webhookUrlIssue } from './rules/webhook-url.ts';

const listWebhooksAnswer = z.object({
  subs: z.array(webhookSub),
  webhooks: z.array(webhookSub).describe('The same as subs.'),
});

const listWebhooks = serverRoute(
  'GET /v1/webhooks',
  {
    budget: budgets.serverCalls,
    answer: listWebhooksAnswer,
    description: {
      operationId: 'listWebhooks',
      tag: 'Webhooks',
      summary: 'The subscriptions in scope',
      description: 'uptime7d is the share of successful attempts in the last seven days; null without attempts.',
      examples: [{ summary: 'All of them' }],
    },
  },
  async (call) => {
    const { ports, principal } = call;
    const listed = await ports.catalog('webhooks.list', { scope: scopeOf(principal) });
    if (!listed.ok) return listed;
    const subs = await withBacklogs(call, listed.value.subs);
    return done({ subs, webhooks: subs });
  },
);

/** `backlog` is null where no notifier answers. */
async function withBacklogs<Sub extends { id: string }>(
  { ports, request }: Pick<Call<'server'>, 'ports' | 'request'>,
  subs: Sub[],
) {
  const subIds = subs.map(({ id }) => id);
  const found = subs.length === 0 ? null : await ports.notifier('backlogs', { subIds }, request.deadlineAt);
  return subs.map((sub, at) => ({ ...sub, backlog: found?.ok ? (found.value.backlogs[at] ?? null) : null }));
}

const nothingWaits = { count: 0, bytes: 0, oldestAt: null };

const one = { sub: webhookSub, webhook: webhookSub.describe('The same as sub.') };

const secret = z.string().regex(/^whsec_/);

const createWebhookAnswer = z.object({ ...one, secret });

const url = z.string().max(webhookUrlLengthMax);

const events = z
  .array(z.enum(webhookEvents))
  .min(1)
  .transform((named) => [...new Set(named)]);

const reach = { mode: optional(mode.nullable()), environment: optional(environment.nullable()) };

const webhookBody = z.object({ url, events, ...reach });

const createWebhook = serverRoute(
  'POST /v1/webhooks',
  {
    budget: budgets.serverCalls,
    answer: createWebhookAnswer,
    body: webhookBody,
    droppedForKeys: ['mode', 'environment'],
    status: 201,
    description: {
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
  },
  async ({ ports, principal, body }) => {
    const allowed = allowedUrl(principal, body.url, ports.loopbackWebhooks);
    if (!allowed.ok) return allowed;
    const created = await ports.catalog('webhooks.create', { scope: scopeOf(principal), ...body });
    if (!created.ok) return created;
    const { sub, secret } = created.value;
    return withSecret({ ...sub, backlog: nothingWaits }, secret, 201);
  },
);

const adminsOnly = refuse('forbidden', 'Only admins of the organisation manage webhooks. Log in as an admin.');

/** The refusal of a caller who may not manage subscriptions comes before the check of the address. */
function allowedUrl(principal: ServerPrincipal, url: string | undefined, loopbackOpen: boolean): Outcome<null> {
  if (!mayManage(principal)) return adminsOnly;
  const issue = url === undefined ? null : webhookUrlIssue(url, loopbackOpen);
  if (issue === null) return done(null);
  return refuse('invalid_request', 'The url cannot be used. The issues say why.', {
    details: { issues: [{ path: 'url', message: issue }] },
  });
}

function mayManage(principal: ServerPrincipal | DashboardPrincipal): boolean {
  return principal.kind === 'secret' || isOwner(principal.role);
}

type ShownSub = WebhookSub & { backlog: WebhookBacklog | null };

function withSecret(sub: ShownSub, secret: string, status: number) {
  return secretOnce({ sub, webhook: sub, secret }, status);
}

const updateWebhookAnswer = z.object(one);

const webhookUpdateBody = z.object({
  url: optional(url),
  events: optional(events),
  disabled: optional(z.boolean()),
  ...reach,
});

const manage =
  'Users need the admin role. A key reaches subscriptions of its own mode, and of its environment and workspace if ' +
  'it is bound to them. Any other subscription is 404.';

type Update = Call<'server', z.output<typeof webhookUpdateBody>, null> & WithPath<'id'>;

const updateWebhookRoute = serverRoute(
  'PATCH /v1/webhooks/{id}',
  {
    budget: budgets.serverCalls,
    answer: updateWebhookAnswer,
    body: webhookUpdateBody,
    description: {
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
  },
  updateWebhook,
);

async function updateWebhook(call: Update) {
  const { ports, principal, path, body } = call;
  const allowed = allowedUrl(principal, body.url, ports.loopbackWebhooks);
  if (!allowed.ok) return allowed;
  const target = { scope: scopeOf(principal), id: path.id };
  const updated = await ports.catalog('webhooks.update', { ...target, changes: body });
  if (!updated.ok) return updated;
  const [sub] = await withBacklogs(call, [updated.value.sub]);
  return done({ sub: sub!, webhook: sub! });
}

const recoverBody = z.object({ since: epochMs.describe('Not before the last 30 days.') });

const recoverWebhook = serverRoute(
  'POST /v1/webhooks/{id}/recover',
  {
    budget: budgets.serverCalls,
    answer: updateWebhookAnswer,
    body: recoverBody,
    status: 202,
    description: {
      operationId: 'recoverWebhook',
      tag: 'Webhooks',
      summary: 'Queue again what was not delivered',
      description:
        `${manage} Every occurrence since this time that the subscription did not get is queued again, of pauses too: ` +
        'failed deliveries, those given up or dropped, and occurrences without a delivery. Retries that wait are made ' +
        'now. Bodies keep their occurrenceId. What has arrived is not sent again, as far as the history has it (10,000 ' +
        'deliveries). The call is answered before the posts are made; `backlog` shows what waits. A paused subscription ' +
        'gets them when its pause ends. Occurrences of seasons are replayed from the outbox of the season.',
      refusals: ['not_found'],
      examples: [
        { summary: 'Since a time', path: { id: standIn.webhook }, body: { since: 1_790_000_000_000 } },
        { summary: 'Without a time', body: {}, answers: 'invalid_request' },
        { summary: 'An unknown subscription', path: { id: 'whk_0' }, body: { since: 0 }, answers: 'not_found' },
      ],
    },
  },
  async (call) => {
    const { ports, principal, path, body } = call;
    if (!mayManage(principal)) return adminsOnly;
    const recovered = await ports.catalog('webhooks.recover', { scope: scopeOf(principal), id: path.id, ...body });
    if (!recovered.ok) return recovered;
    const [sub] = await withBacklogs(call, [recovered.value.sub]);
    return done({ sub: sub!, webhook: sub! });
  },
);

const rotateWebhookSecretAnswer = z.object({ ...one, secret });

const rotateWebhookSecret = serverRoute(
  'POST /v1/webhooks/{id}/rotate-secret',
  {
    answer: rotateWebhookSecretAnswer,
    body: emptyBody,
    bodyOptional: true,
    budget: budgets.seasons,
    description: {
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
  },
  async (call) => {
    const { ports, principal, path } = call;
    if (!mayManage(principal)) return adminsOnly;
    const target = { scope: scopeOf(principal), id: path.id };
    const rotated = await ports.catalog('webhooks.rotate-secret', target);
    if (!rotated.ok) return rotated;
    const [sub] = await withBacklogs(call, [rotated.value.sub]);
    return withSecret(sub!, rotated.value.secret, 200);
  },
);

const deleteWebhookAnswer = z.object({ ok });

const deleteWebhook = serverRoute(
  'DELETE /v1/webhooks/{id}',
  {
    budget: budgets.serverCalls,
    answer: deleteWebhookAnswer,
    description: {
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
  },
  ({ ports, principal, path }) =>
    mayManage(principal) ? ports.catalog('webhooks.delete', { scope: scopeOf(principal), id: path.id }) : adminsOnly,
);

const delivery = z.object({
  id: idOf('dlv'),
  at: epochMs.describe('When the delivery was created.'),
  event: text,
  ref: textOrNull.describe('The bookingRef or holdId of the occurrence; null without either.'),
  status: z.int().min(0).describe("The receiver's last HTTP status; 0 before its first answer."),
  attempt: z.int().min(0).describe('Attempts so far, retries by hand included.'),
  maxAttempts: z.int().describe('Attempts of the schedule.'),
  willRetry: z.boolean(),
  retryState: z
    .enum(['scheduled', 'delivered', 'exhausted', 'none'])
    .describe(
      'none: no attempt follows, because the receiver answered 410, or the subscription was paused or had too many ' +
        'deliveries waiting. Of event deliveries.dropped: the row tells a loss.',
    ),
  nextAttemptAt: epochMs.nullable(),
  occurrenceId: idOf('occ'),
  payload: z
    .unknown()
    .describe('The body that was sent. A body over 64 KiB is shown without its data, with truncated: true.'),
  responseBody: textOrNull.describe("The first 2 KiB of the receiver's last answer."),
  errorMessage: textOrNull,
  lastAttemptAt: epochMs.nullable(),
}) satisfies z.ZodType<Delivery>;

const listWebhookDeliveriesAnswer = z.object({
  deliveries: z.array(delivery),
  nextBefore: z.int().nullable().describe('Where the next page begins; null at the end.'),
});

export const deliveriesQuery = z.object({
  /** The catalog clamps the number. */
  limit: parameter('Deliveries on one page: 20 if absent, at most 50.', z.int(), (sent) => wholeNumber(sent)),
  status: choice(
    'ok: delivered; failed: not delivered, or not yet.',
    ['ok', 'failed'],
    'There is no such outcome of a delivery.',
  ),
  before: before("The previous page's nextBefore."),
});

const listWebhookDeliveries = serverRoute(
  'GET /v1/webhooks/{id}/deliveries',
  {
    budget: budgets.serverCalls,
    answer: listWebhookDeliveriesAnswer,
    query: deliveriesQuery,
    description: {
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
  },
  listDeliveries,
);

async function listDeliveries(call: Call<'server', unknown, null, z.output<typeof deliveriesQuery>> & WithPath<'id'>) {
  const { limit, status, before } = call.query;
  const asked: CatalogInput<'deliveries.list'> = {
    scope: scopeOf(call.principal),
    subId: call.path.id,
    ...(limit !== null && { limit }),
    ...(status && { status }),
    ...(before !== undefined && { before }),
  };
  return call.ports.catalog('deliveries.list', asked);
}

const testResult = z.object({
  delivered: z.boolean(),
  status: z.int().min(0).describe('0: no answer came; errorMessage says why.'),
  occurrenceId: idOf('occ'),
  durationMs: z.int().min(0),
  responseBody: textOrNull,
  errorMessage: textOrNull,
}) satisfies z.ZodType<TestResult>;

const testWebhookAnswer = z.object({ test: testResult });

const testWebhook = dashboardRoute(
  'POST /v1/webhooks/{id}/test',
  {
    budget: budgets.serverCalls,
    body: emptyBody,
    bodyOptional: true,
    answer: testWebhookAnswer,
    deadlineMs: requestDeadlineMs + testDeadlineMs,
    description: {
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
  },
  ({ ports, principal, path, request }) =>
    mayManage(principal)
      ? ports.notifier('test', { scope: scopeOf(principal), id: path.id }, request.deadlineAt)
      : adminsOnly,
);

const retryWebhookDeliveryAnswer = z.object({ delivery });

const retryWebhookDelivery = dashboardRoute(
  'POST /v1/webhooks/{id}/deliveries/{deliveryId}/retry',
  {
    budget: budgets.serverCalls,
    body: emptyBody,
    bodyOptional: true,
    answer: retryWebhookDeliveryAnswer,
    deadlineMs: requestDeadlineMs + manualRetryDeadlineMs,
    description: {
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
  },
  ({ ports, principal, request, path: { id, deliveryId } }) => {
    if (!mayManage(principal)) return adminsOnly;
    return ports.notifier('retry', { scope: scopeOf(principal), id, deliveryId }, request.deadlineAt);
  },
);

type WebhookEvent = (typeof webhookEvents)[number];

const meaning = {
  'seat.booked': 'Units were booked.',
  'seat.released':
    'Units are free again. Units of an ended hold are left out if another hold takes them over or if they are ' +
    'listed for resale.',
  'seat.blocked': 'Units were taken off sale.',
  'hold.created': 'Units are held.',
  'hold.extended': 'A hold was extended.',
  'hold.released':
    'A hold gave places up: its holder released them, or another hold replaces it (`replacedBy`). A seat.released ' +
    'names the places that are free again.',
  'hold.expired': 'A hold has expired. A seat.released names its units as well.',
  'event.created': 'An event was created.',
  'event.updated':
    'Facts or settings of an event have changed. `changed` has the names of the fields of PATCH /v1/events/{key} and ' +
    'of `event`, or one of `chart`, `releases`, `availability` and `holdTtlMs`, which have addresses of their own.',
  'event.closed': 'The event is closed: it sells nothing.',
  'event.reopened': 'The event sells again.',
  'event.archived': 'The event is in the archive.',
  'event.deleted': 'The event was deleted.',
  'resale.listed': 'Booked units are listed for resale.',
  'resale.removed':
    'Units are no longer listed for resale. Their booking keeps them, unless a seat.released names them.',
  'webhook.paused':
    'Another subscription of the organisation and mode was paused: by an operator, because its receiver answered 410 ' +
    '(gone), or because every attempt failed for five days (failing).',
  'object.resale.sold': 'Units that were listed for resale were booked by another order. They were never free.',
  'event.soldout': 'Every unit that is for sale is booked. Sent again only after a unit was free in between.',
  ping:
    'A test of the subscription. It is sent whichever events the subscription names, and is not listed as a ' +
    'delivery.',
  'season.*':
    "An occurrence of a season's own, from its outbox. `event` has its name, for example `season.activated` or " +
    '`season.booking.booked`. A subscription without `season.*` hears of holds with `hold.created`, of bookings with ' +
    '`seat.booked`, of cancellations with `seat.released`, and of everything else with `event.created`.',
} as const satisfies Record<WebhookEvent, string>;

const ofPing = {
  workspaceId: optional(idOf('ws').describe('If the subscription is bound to a workspace.')),
  test: z.literal(true),
};

const ofPaused = { workspaceId: optional(idOf('ws').describe('If the paused subscription is bound to a workspace.')) };

const ofSeason = { workspaceId: idOf('ws'), seasonKey: idOf('sea') };

const ofNoEvent = { ping: ofPing, 'season.*': ofSeason, 'webhook.paused': ofPaused };

const ofEvent = {
  eventKey: z.string(),
  eventId: idOf('evt'),
  externalRef: optional(z.string().describe('If the event has one.')),
  workspaceId: idOf('ws'),
  performanceGroupKey: optional(idOf('pg').describe('If a performance group has sold the units.')),
  seasonKey: optional(idOf('sea').describe('If a season has sold or reserved the units.')),
  operationId: optional(z.string().describe("The caller's name of this sale of the group or season.")),
};

const bookingRef = z.string();

const labels = z.array(z.string());

const source = z.enum(['server', 'buyer', 'operator', 'timer']).describe('The role of the actor; never the actor.');

const exchangeId = idOf('exc').describe('One for both occurrences of an exchange.');

const heldData = z.object({ holdId: idOf('hld'), labels, expiresAt: epochMs, source });

const freedItems = z
  .array(lineItem)
  .nullable()
  .describe('The places with the terms of their sale or hold; null where an earlier version did not keep them.');

const listedData = z.object({ listingId: idOf('lst'), bookingRef: bookingRef.nullable(), labels });

/** The fields of all kinds of a season's occurrences. Each kind has some of them. */
const seasonData = z.object({
  operationId: optional(text.describe('The step of the season, or the sale.')),
  code: optional(textOrNull.describe('Why an activation failed.')),
  planKey: optional(text),
  planActivationId: optional(textOrNull),
  eventKeys: optional(z.array(text)),
  from: optional(text.describe('The state of the sales before.')),
  to: optional(text),
  amendmentId: optional(text),
  eventKey: optional(text),
  kind: optional(text),
  before: optional(z.record(z.string(), z.unknown())),
  after: optional(z.record(z.string(), z.unknown())),
  expiresAt: optional(epochMs.nullable()),
  bookActionId: optional(text),
  bookingRef: optional(textOrNull),
  cancelActionId: optional(text),
  rightDisposition: optional(text),
  contractId: optional(text),
  rightId: optional(text),
  holderRef: optional(text),
  labels: optional(labels),
  successorPlanActivationId: optional(text),
  deadlineAt: optional(epochMs),
  state: optional(text),
  successorContractId: optional(textOrNull),
});

const exchangeTerms = {
  swappedWith: optional(text.describe('Of a swap: the other booking.')),
  fromEventKey: optional(text.describe('Of an exchange over events: the event that gave units up.')),
  fromLabels: optional(labels),
  toEventKey: optional(text.describe('Of an exchange over events: the event whose units the booking has now.')),
  toLabels: optional(labels),
  priceDifference: optional(z.int()),
  fee: optional(z.int().min(0)),
  waivedDifference: optional(z.object({ amount: z.int(), reason: text })),
};

const dataOf = {
  'seat.booked': z.object({
    bookingRef,
    holdId: idOf('hld').nullable().describe('The hold that was booked; null for a booking without a hold.'),
    resale: z.boolean().describe('Units of another booking are among them. An object.resale.sold names it.'),
    items: z.array(lineItem.extend({ channelExternalRef: z.string().nullable(), partnerRef: z.string().nullable() })),
    labels,
    quantity: count,
    currency: z.string(),
    priceUnit,
    configuredValue: count.describe('The sum of unitPrice × quantity, without fees on top.'),
    total: count.describe('What the buyer paid for the items, with all fees.'),
    source,
    reason: optional(z.literal('exchanged').describe('The units came for others of the same booking.')),
    exchangeId: optional(exchangeId),
    ...exchangeTerms,
  }),
  'seat.released': z.discriminatedUnion('reason', [
    z.object({ labels, items: freedItems, reason: z.literal('unbooked'), bookingRef }),
    z
      .object({
        labels,
        items: freedItems,
        reason: z.literal('exchanged'),
        bookingRef,
        exchangeId,
        ...exchangeTerms,
        currency: z.string(),
        priceUnit,
      })
      .describe('The booking has other units instead. A seat.booked with the same `exchangeId` names them.'),
    z.object({ labels, items: freedItems, reason: z.enum(['released', 'hold_expired']), holdId: idOf('hld') }),
    z
      .object({ labels, items: freedItems, reason: z.literal('operator'), holdId: idOf('hld') })
      .describe('An operator ended these places of the hold.'),
    z
      .object({ labels, items: z.null(), reason: z.literal('unblocked'), reservationId: optional(idOf('rsv')) })
      .describe('By an operator, or at its `releaseAt`. `reservationId`: the reservation has ended, or gave them up.'),
  ]),
  'seat.blocked': z
    .object({
      labels,
      releaseAt: epochMs.nullable(),
      reason: z.string().nullable(),
      by: source,
      reservationId: optional(idOf('rsv')),
    })
    .describe(
      'With `reservationId`: all units that the reservation has after its making or its change; `reason` is its name.',
    ),
  'hold.created': heldData,
  'hold.extended': heldData,
  'hold.released': z.object({
    holdId: idOf('hld'),
    labels,
    replacedBy: idOf('hld').nullable().describe('The hold that replaces this one.'),
  }),
  'hold.expired': heldData,
  'event.created': z.object({ event: eventMeta }),
  'event.updated': z.object({ changed: z.array(text), event: eventMeta }),
  'event.closed': z.object({ event: eventMeta }),
  'event.reopened': z.object({ event: eventMeta }),
  'event.archived': z.object({ event: eventMeta }),
  'event.deleted': z.object({ event: eventMeta }),
  'resale.listed': listedData,
  'resale.removed': listedData,
  'webhook.paused': z.object({
    subscriptionId: idOf('whk'),
    url: text,
    pausedReason: z.enum(['operator', 'gone', 'failing']),
    pausedAt: epochMs,
  }),
  'object.resale.sold': z.object({ labels, fromBookingRef: bookingRef, toBookingRef: bookingRef }),
  'event.soldout': z.object({ at: epochMs, seatTotal: count.describe('All units of the chart.') }),
  ping: z.object({}),
  'season.*': seasonData,
} as const satisfies Record<WebhookEvent, z.ZodType>;

/** Webhook posts: the body and headers of every occurrence, and the meaning of the receiver's answer. */
export const occurrences = Object.entries(meaning).map(([name, summary]) => ({
  name,
  summary,
  body: bodyOf(name as WebhookEvent),
}));

function bodyOf(name: WebhookEvent) {
  const spelling = name === 'season.*' ? z.enum(seasonOccurrences) : z.literal(name);
  const isOfEvent = (eventOccurrences as readonly string[]).includes(name);
  return z.object({
    occurrenceId: idOf('occ').describe('The same in every attempt and after a retry by hand.'),
    event: spelling,
    type: spelling.describe('The same as event.'),
    at: epochMs.describe('The time of the occurrence, the same in every attempt.'),
    sequence: isOfEvent
      ? z.int().describe('Grows within an event. Bodies of one act share it. The newest state has the highest.')
      : z.null().describe('The occurrence is of no event.'),
    index: count.describe('The place among the bodies of one sequence, from 0.'),
    livemode: z.boolean(),
    ...(isOfEvent ? ofEvent : ofNoEvent[name as keyof typeof ofNoEvent]),
    data: dataOf[name],
  });
}

export const webhookHeaders = {
  'webhook-id': 'The occurrence id.',
  'webhook-timestamp': 'The time of the attempt in seconds since the epoch.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, keyed with the decoded part of the secret after ' +
    '`whsec_`. One signature for each valid secret, separated by spaces.',
  'X-Parterre-Signature':
    '`sha256=` and the HMAC-SHA256 of the body in hex, keyed with the bytes of the whole secret as written. After a ' +
    'rotation only the new secret signs.',
};

export const webhookAnswers = {
  '2XX': 'Delivered.',
  '410': 'The receiver is gone. The subscription is paused, and this delivery is not tried again.',
  '429':
    'Try later. The next attempt waits for `Retry-After` if it is longer than the pause of the schedule. 503 has the ' +
    'same effect.',
  default:
    'A failed attempt. A redirect, or no answer within 15 seconds, is a failed attempt, too. A delivery has up to ' +
    'eight attempts over about 30 hours.',
};

export const webhooksRoutes = [
  listWebhooks,
  createWebhook,
  updateWebhookRoute,
  recoverWebhook,
  rotateWebhookSecret,
  deleteWebhook,
  listWebhookDeliveries,
  testWebhook,
  retryWebhookDelivery,
];
