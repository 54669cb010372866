/** The state of a recovery: see recoveries.ts. Pure. */
import type { WebhookRecovery } from '../../store/rules/webhook-records.ts';

/** The recovery for a new request, merged with a standing one: the earlier time counts, and the work begins again.
 * `since` null: only scheduled retries. */
export function mergedRecovery(
  standing: WebhookRecovery | null,
  { organisationId, since }: Pick<WebhookRecovery, 'organisationId' | 'since'>,
  now: number,
): WebhookRecovery {
  // A recovery under way makes the scheduled retries, too.
  if (since === null && standing?.due) return standing;
  const open = standing?.due ? standing.since : null;
  return {
    organisationId,
    since: since !== null && open !== null ? Math.min(since, open) : since,
    asked: (standing?.asked ?? 0) + 1,
    askedAt: now,
    cursor: null,
    rows: null,
    due: true,
    dueAt: now,
  };
}

/**
 * The order from which rows of the history are read: of `since`, and of deliveries whose last attempts came later. Such
 * a delivery is at most as old as the schedule is long.
 */
export function rowsFrom(since: number): number {
  return Math.max(0, (since - scheduleMs) * 1_000);
}

const scheduleMs = 36 * 60 * 60_000;
