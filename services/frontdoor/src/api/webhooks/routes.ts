/**
 * Webhook subscriptions and their deliveries. Keys manage the subscriptions in their scope. Users with the admin role
 * manage subscriptions, members read them. A test and a retry are for admins only; a notifier carries them out.
 */
import type { WebhookSub } from '@parterre/shared/catalog/webhooks';
import type { CatalogInput } from '@parterre/shared/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { requestDeadlineMs } from '@parterre/shared/limits';
import { manualRetryDeadlineMs, testDeadlineMs } from '@parterre/shared/webhook-limits';
import type { z } from 'zod';
import { budgets, type DashboardPrincipal, type ServerPrincipal, scopeOf } from '../../admission/admission.ts';
import { secretOnce } from '../../answers/answers.ts';
import { type Call, dashboardRoute, serverRoute } from '../calls/calls.ts';
import { emptyBody } from '../records/records.ts';
import {
  createWebhookAnswer,
  deleteWebhookAnswer,
  listWebhookDeliveriesAnswer,
  listWebhooksAnswer,
  retryWebhookDeliveryAnswer,
  rotateWebhookSecretAnswer,
  testWebhookAnswer,
  updateWebhookAnswer,
} from './answers.ts';
import { webhookBody, webhookUpdateBody } from './bodies.ts';
import { deliveriesQuery } from './queries.ts';
import { webhookUrlIssue } from './webhook-url.ts';

const counted = { budget: budgets.serverCalls };

type Update = Call<'server', z.output<typeof webhookUpdateBody>, null>;

const noBody = { body: emptyBody, bodyOptional: true } as const;

export const webhookRoutes = [
  serverRoute('GET /v1/webhooks', { ...counted, answer: listWebhooksAnswer }, async ({ ports, principal }) => {
    const listed = await ports.catalog('webhooks.list', { scope: scopeOf(principal) });
    return listed.ok ? done({ subs: listed.value.subs, webhooks: listed.value.subs }) : listed;
  }),
  serverRoute(
    'POST /v1/webhooks',
    {
      ...counted,
      answer: createWebhookAnswer,
      body: webhookBody,
      droppedForKeys: ['mode', 'environment'],
      status: 201,
    },
    async ({ ports, principal, body }) => {
      const allowed = allowedUrl(principal, body.url, ports.loopbackWebhooks);
      if (!allowed.ok) return allowed;
      const created = await ports.catalog('webhooks.create', { scope: scopeOf(principal), ...body });
      return created.ok ? withSecret(created.value, 201) : created;
    },
  ),
  serverRoute(
    'PATCH /v1/webhooks/{id}',
    { ...counted, answer: updateWebhookAnswer, body: webhookUpdateBody },
    updateWebhook,
  ),
  serverRoute(
    'POST /v1/webhooks/{id}/rotate-secret',
    { answer: rotateWebhookSecretAnswer, ...noBody, budget: budgets.seasons },
    async ({ ports, principal, request }) => {
      if (!mayManage(principal)) return adminsOnly;
      const target = { scope: scopeOf(principal), id: request.params[0]! };
      const rotated = await ports.catalog('webhooks.rotate-secret', target);
      return rotated.ok ? withSecret(rotated.value, 200) : rotated;
    },
  ),
  serverRoute(
    'DELETE /v1/webhooks/{id}',
    { ...counted, answer: deleteWebhookAnswer },
    ({ ports, principal, request }) =>
      mayManage(principal)
        ? ports.catalog('webhooks.delete', { scope: scopeOf(principal), id: request.params[0]! })
        : adminsOnly,
  ),

  serverRoute(
    'GET /v1/webhooks/{id}/deliveries',
    { ...counted, answer: listWebhookDeliveriesAnswer, query: deliveriesQuery },
    listDeliveries,
  ),
  dashboardRoute(
    'POST /v1/webhooks/{id}/test',
    { ...counted, ...noBody, answer: testWebhookAnswer, deadlineMs: requestDeadlineMs + testDeadlineMs },
    ({ ports, principal, request }) =>
      mayManage(principal)
        ? ports.notifier('test', { scope: scopeOf(principal), id: request.params[0]! }, request.deadlineAt)
        : adminsOnly,
  ),
  dashboardRoute(
    'POST /v1/webhooks/{id}/deliveries/{deliveryId}/retry',
    {
      ...counted,
      ...noBody,
      answer: retryWebhookDeliveryAnswer,
      deadlineMs: requestDeadlineMs + manualRetryDeadlineMs,
    },
    ({ ports, principal, request }) => {
      if (!mayManage(principal)) return adminsOnly;
      const [id, deliveryId] = request.params as [string, string];
      return ports.notifier('retry', { scope: scopeOf(principal), id, deliveryId }, request.deadlineAt);
    },
  ),
];

const adminsOnly = refuse('forbidden', 'Only admins of the organisation manage webhooks. Log in as an admin.');

function mayManage(principal: ServerPrincipal | DashboardPrincipal): boolean {
  return principal.kind === 'secret' || principal.role === 'admin';
}

async function updateWebhook({ ports, principal, request, body }: Update) {
  const allowed = allowedUrl(principal, body.url, ports.loopbackWebhooks);
  if (!allowed.ok) return allowed;
  const target = { scope: scopeOf(principal), id: request.params[0]! };
  const updated = await ports.catalog('webhooks.update', { ...target, changes: body });
  return updated.ok ? done({ sub: updated.value.sub, webhook: updated.value.sub }) : updated;
}

/** The refusal of a caller who may not manage subscriptions comes before the check of the address. */
function allowedUrl(principal: ServerPrincipal, url: string | undefined, loopbackOpen: boolean): Outcome<null> {
  if (!mayManage(principal)) return adminsOnly;
  const issue = url === undefined ? null : webhookUrlIssue(url, loopbackOpen);
  if (issue === null) return done(null);
  return refuse('invalid_request', 'The url cannot be used. The issues say why.', {
    details: { issues: [{ path: 'url', message: issue }] },
  });
}

function withSecret({ sub, secret }: { sub: WebhookSub; secret: string }, status: number) {
  return secretOnce({ sub, webhook: sub, secret }, status);
}

async function listDeliveries(call: Call<'server', unknown, null, z.output<typeof deliveriesQuery>>) {
  const { limit, status, before } = call.query;
  const asked: CatalogInput<'deliveries.list'> = {
    ...{ scope: scopeOf(call.principal), subId: call.request.params[0]! },
    ...(limit !== null && { limit }),
    ...(status && { status }),
    ...(before !== undefined && { before }),
  };
  return call.ports.catalog('deliveries.list', asked);
}
