/** Webhook subscriptions (wire contract 9) and readiness. */
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { Ports } from '../ports.ts';
import type { ServerPrincipal } from '../principals.ts';
import { budgets } from '../rules/budget.ts';
import { webhookUrlIssue } from '../rules/webhook-url.ts';
import { webhookBody } from './bodies-platform.ts';
import { openRoute, type Route, serverRoute } from './route.ts';
import { scopeOf } from './scope.ts';
import { secretOnce } from './secret-once.ts';

export const platformRoutes: Route[] = [
  openRoute('GET /health/ready', { budget: budgets.readiness }, ({ ports }) => readiness(ports)),

  serverRoute('GET /v1/webhooks', {}, async ({ ports, principal }) => {
    const listed = await ports.catalog('webhooks.list', { scope: scopeOf(principal) });
    return listed.ok ? done({ subs: listed.value.subs, webhooks: listed.value.subs }) : listed;
  }),
  serverRoute('POST /v1/webhooks', { body: webhookBody, status: 201 }, async ({ ports, principal, body }) => {
    if (!mayManageWebhooks(principal)) return adminsOnly;
    const issue = webhookUrlIssue(body.url, ports.loopbackWebhooks);
    if (issue !== null) {
      return refuse('invalid_request', 'The body does not fit this route.', {
        details: { issues: [{ path: 'url', message: issue }] },
      });
    }
    const created = await ports.catalog('webhooks.create', { scope: scopeOf(principal), ...body });
    if (!created.ok) return created;
    const { sub, secret } = created.value;
    return secretOnce({ sub, webhook: sub, secret });
  }),
  serverRoute('DELETE /v1/webhooks/{id}', {}, ({ ports, principal, request }) =>
    mayManageWebhooks(principal)
      ? ports.catalog('webhooks.delete', { scope: scopeOf(principal), id: request.params[0]! })
      : adminsOnly,
  ),
];

const adminsOnly = refuse('forbidden', 'Webhooks are managed by admins of the organisation.');

function mayManageWebhooks(principal: ServerPrincipal): boolean {
  return principal.kind === 'secret' || principal.role === 'admin';
}

/** Ready when NATS and a catalog answer; owners of partitions come and go, and have their own deadline in each request. */
async function readiness(ports: Ports): Promise<Outcome<unknown>> {
  if (!ports.linked()) return refuse('shard_unavailable', 'The link to NATS is gone.', { retryable: true });
  // No key has this hash: a catalog that is there refuses it at once.
  const probe = await ports.catalog('credentials.resolve', { hash: 'readiness' });
  if (!probe.ok && probe.refusal.code === 'catalog_unavailable') return probe;
  return done({ status: 'ok', checks: { nats: 'ok', catalog: 'ok' } });
}
