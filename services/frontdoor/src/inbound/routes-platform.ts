/** The operator's surface, webhook subscriptions and readiness (wire contract 2 and 9). */
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { jsonType, noStore, Prepared } from '../answer.ts';
import type { Ports } from '../ports.ts';
import { budgets } from '../rules/budget.ts';
import { webhookUrlIssue } from '../rules/webhook-url.ts';
import { creditsBody, keyBody, organisationBody, webhookBody } from './bodies-platform.ts';
import { openRoute, operatorRoute, type Route, serverRoute } from './route.ts';
import { scopeOf } from './scope.ts';

export const platformRoutes: Route[] = [
  openRoute('GET /health/ready', { budget: budgets.readiness }, ({ ports }) => readiness(ports)),

  operatorRoute('POST /v1/admin/organisations', { body: organisationBody, status: 201 }, ({ ports, body }) =>
    ports.catalog('organisations.create', body),
  ),
  operatorRoute('POST /v1/admin/organisations/{id}/keys', { body: keyBody, status: 201 }, async (call) => {
    const created = await call.ports.catalog('keys.create', { organisationId: call.request.params[0]!, ...call.body });
    return created.ok ? secretOnce(created.value) : created;
  }),
  operatorRoute('DELETE /v1/admin/organisations/{id}/keys/{keyId}', {}, ({ ports, request: { params } }) =>
    ports.catalog('keys.revoke', { organisationId: params[0]!, keyId: params[1]! }),
  ),
  operatorRoute('POST /v1/admin/organisations/{id}/credits', { body: creditsBody }, ({ ports, request, body }) =>
    ports.catalog('organisations.add-credits', { organisationId: request.params[0]!, ...body }),
  ),

  serverRoute('GET /v1/webhooks', {}, async ({ ports, principal }) => {
    const listed = await ports.catalog('webhooks.list', { scope: scopeOf(principal) });
    return listed.ok ? done({ subs: listed.value.subs, webhooks: listed.value.subs }) : listed;
  }),
  serverRoute('POST /v1/webhooks', { body: webhookBody, status: 201 }, async ({ ports, principal, body }) => {
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
    ports.catalog('webhooks.delete', { scope: scopeOf(principal), id: request.params[0]! }),
  ),
];

/** A body that shows a secret for the only time: never kept by anything on its way. */
function secretOnce(body: object): Outcome<Prepared> {
  return done(new Prepared(201, [jsonType, noStore], JSON.stringify(body)));
}

/** Ready when NATS and a catalog answer; owners of partitions come and go, and have their own deadline in each request. */
async function readiness(ports: Ports): Promise<Outcome<unknown>> {
  if (!ports.linked()) return refuse('shard_unavailable', 'The link to NATS is gone.', { retryable: true });
  // No key has this hash: a catalog that is there refuses it at once.
  const probe = await ports.catalog('keys.resolve', { hash: 'readiness' });
  if (!probe.ok && probe.refusal.code === 'catalog_unavailable') return probe;
  return done({ status: 'ok', checks: { nats: 'ok', catalog: 'ok' } });
}
