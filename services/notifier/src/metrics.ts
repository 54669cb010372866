/** The metrics of the notifier. The health port serves them. docs/metrics.md describes each family. */
import type { LagWatch } from '@parterre/shared/runtime/lag-watch';
import { counter, counterByLabel, family, histogram, type Sample } from '@parterre/shared/runtime/measures';
import type { Registry } from 'prom-client';
import type { Attempts } from './deliveries/deliver.ts';
import type { Losses } from './deliveries/losses.ts';
import type { QueueLedger } from './deliveries/rules/queue-ledger.ts';

export type Measured = {
  /** Dropped deliveries by reason. */
  dropped: Losses['totals'];
  /** Reports that the history never got. */
  historyLost(): number;
  queues: QueueLedger['amounts'];
  attempts: Attempts;
  lag: LagWatch;
  /** Bytes of the account of NATS, as far as NATS tells them. */
  storage(): { used: number; limit: number } | null;
};

/** Reasons and streams are the only labels: labels of tenants would have no bound. */
export function measure(registry: Registry, { dropped, historyLost, queues, attempts, lag, storage }: Measured): void {
  const results = 'Attempts to deliver a webhook, by result. Manual ones are not counted.';
  counterByLabel(registry, 'notifier_attempts_total', results, 'result', () => Object.entries(attempts.results));
  const seconds = 'How long an attempt took, an answer or not.';
  histogram(registry, 'notifier_attempt_seconds', seconds, () => [[{}, attempts.seconds]]);
  const lagging =
    'The age of the oldest message that waits, by stream: journal before first attempts, retries, backlogs.';
  family(registry, 'gauge', 'notifier_lag_seconds', lagging, () => lag.seconds());
  family(registry, 'gauge', 'notifier_waiting_messages', 'Messages that wait, by stream.', () => lag.messages());
  counterByLabel(
    registry,
    'notifier_deliveries_dropped_total',
    'Deliveries that a full queue dropped, by the bound that was reached.',
    'reason',
    () => Object.entries(dropped()),
  );
  counter(
    registry,
    'notifier_history_reports_lost_total',
    'Reports of attempts that the delivery history never got.',
    historyLost,
  );
  const bytesOf = (value: 'bytes' | 'bytesMax') => () =>
    Object.entries(queues()).map(([stream, amount]): Sample => [{ stream }, amount[value]]);
  family(registry, 'gauge', 'notifier_queue_bytes', 'Bytes of waiting deliveries, by stream.', bytesOf('bytes'));
  const bound = 'The bound of the bytes of waiting deliveries, by stream.';
  family(registry, 'gauge', 'notifier_queue_bytes_max', bound, bytesOf('bytesMax'));
  measureStorage(registry, storage);
}

function measureStorage(registry: Registry, storage: Measured['storage']): void {
  const used = 'Bytes that the streams of the account of NATS take, all copies together.';
  family(registry, 'gauge', 'parterre_nats_storage_used_bytes', used, () => {
    const known = storage();
    return known === null ? [] : [[{}, known.used]];
  });
  const limit = 'The limit of the account of NATS, else the storage of its servers, where either is known.';
  family(registry, 'gauge', 'parterre_nats_storage_limit_bytes', limit, () => {
    const known = storage();
    return known === null || known.limit <= 0 ? [] : [[{}, known.limit]];
  });
}
