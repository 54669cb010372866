/** The metrics of the notifier. The health port serves them. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Losses } from './deliveries/losses.ts';
import type { QueueLedger } from './deliveries/rules/queue-ledger.ts';

export type Measured = {
  /** Dropped deliveries by reason. */
  dropped: Losses['totals'];
  /** Reports that the history never got. */
  historyLost(): number;
  queues: QueueLedger['amounts'];
};

/** Reasons and streams are the only labels: labels of tenants would have no bound. */
export function measure(registry: Registry, { dropped, historyLost, queues }: Measured): void {
  const registers = [registry];
  new Counter({
    name: 'notifier_deliveries_dropped_total',
    help: 'Deliveries that a full queue dropped, by the bound that was reached.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(dropped())) this.inc({ reason }, count);
    },
  });
  new Counter({
    name: 'notifier_history_reports_lost_total',
    help: 'Reports of attempts that the delivery history never got.',
    registers,
    collect() {
      this.reset();
      this.inc(historyLost());
    },
  });
  new Gauge({
    name: 'notifier_queue_bytes',
    help: 'Bytes of waiting deliveries, by stream.',
    labelNames: ['stream'],
    registers,
    collect() {
      for (const [stream, { bytes }] of Object.entries(queues())) this.set({ stream }, bytes);
    },
  });
  new Gauge({
    name: 'notifier_queue_bytes_max',
    help: 'The bound of the bytes of waiting deliveries, by stream.',
    labelNames: ['stream'],
    registers,
    collect() {
      for (const [stream, { bytesMax }] of Object.entries(queues())) this.set({ stream }, bytesMax);
    },
  });
}
