/** Readiness. */
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { budgets } from '../../admission/budget.ts';
import type { Ports } from '../../ports.ts';
import { openRoute, type Route } from '../calls/route.ts';

export const platformRoutes: Route[] = [
  openRoute('GET /health/ready', { budget: budgets.readiness }, ({ ports }) => readiness(ports)),
];

/** Ready when NATS and a catalog answer; owners of partitions come and go, and have their own deadline in each request. */
async function readiness(ports: Ports): Promise<Outcome<unknown>> {
  if (!ports.linked()) return refuse('shard_unavailable', 'The link to NATS is gone.', { retryable: true });
  // No key has this hash: a catalog that is there refuses it at once.
  const probe = await ports.catalog('credentials.resolve', { hash: 'readiness' });
  if (!probe.ok && probe.refusal.code === 'catalog_unavailable') return probe;
  return done({ status: 'ok', checks: { nats: 'ok', catalog: 'ok' } });
}
