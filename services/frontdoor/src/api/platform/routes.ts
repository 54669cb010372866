/** Readiness. */
import { done, refuse } from '@parterre/shared/errors';
import { budgets } from '../../admission/budget.ts';
import type { Ports } from '../../ports.ts';
import { type Answering, openRoute } from '../calls/route.ts';
import { checkReadinessAnswer } from './answers.ts';

export const platformRoutes = [
  openRoute('GET /health/ready', { answer: checkReadinessAnswer, budget: budgets.readiness }, ({ ports }) =>
    readiness(ports),
  ),
];

/** Ready when NATS and a catalog answer; owners of partitions come and go, and have their own deadline in each request. */
async function readiness(ports: Ports): Answering<typeof checkReadinessAnswer> {
  if (!ports.linked()) return refuse('shard_unavailable', 'The link to NATS is gone.', { retryable: true });
  // No key has this hash: a catalog that is there refuses it at once.
  const probe = await ports.catalog('credentials.resolve', { hash: 'readiness' });
  if (!probe.ok && probe.refusal.code === 'catalog_unavailable') return probe;
  return done({ status: 'ok', checks: { nats: 'ok', catalog: 'ok' } });
}
