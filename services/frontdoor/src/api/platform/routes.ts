/** Readiness. */
import { done, refuse } from '@parterre/shared/errors';
import { budgets } from '../../admission/admission.ts';
import { type Answering, openRoute, type Ports } from '../calls/calls.ts';
import { checkReadinessAnswer } from './answers.ts';

export const platformRoutes = [
  openRoute('GET /health/ready', { answer: checkReadinessAnswer, budget: budgets.readiness }, ({ ports }) =>
    readiness(ports),
  ),
];

/**
 * Ready if NATS and a catalog answer. Owners of partitions come and go, and each request has its own deadline for them.
 */
async function readiness(ports: Ports): Answering<typeof checkReadinessAnswer> {
  if (!ports.linked())
    return refuse('shard_unavailable', 'The link to the inventory is down. Try again.', { retryable: true });
  // No key has this hash: a running catalog refuses it at once.
  const probe = await ports.catalog('credentials.resolve', { hash: 'readiness' });
  if (!probe.ok && probe.refusal.code === 'catalog_unavailable') return probe;
  return done({ status: 'ok', checks: { nats: 'ok', catalog: 'ok' } });
}
