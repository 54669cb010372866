/**
 * Tells every loss of deliveries: a full queue drops the deliveries of its owner, and its owner must see this (I8).
 * Drops of one subscription that follow each other within `lossQuietMs` are one loss. The loss is one row of the
 * delivery history, with its number, its beginning and its reason; the row also marks the subscription
 * (`lastDroppedAt`). The operator gets a count by reason, and a line of the log at the beginning and then once a
 * minute.
 *
 * States of a loss: begun by a drop → growing: the row is reported again every `lossReportMs` while the number grows →
 * quiet for `lossQuietMs` → ended. A further drop then begins another loss. Past `lossesMax` losses, the oldest ends
 * early. A drop never waits for the history. Failure of a report: the recorder's (recorder.ts), which tries again and
 * counts lost reports. This process dies → the number since the last report is missing in the row.
 */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import {
  droppedRowsPerLossMax,
  lossesMax,
  lossLogMs,
  lossQuietMs,
  lossReportMs,
} from '@parterre/shared/protocol/webhook-limits';
import { type Clock, pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Delivery } from './rules/delivery.ts';
import { type Loss, lossReport, whyFull } from './rules/loss.ts';
import { type FullReason, fullReasons } from './rules/queue-ledger.ts';

export type LossPorts = { record(report: AttemptReport): Promise<void>; clock: Clock; log: Logger };

export type Losses = {
  /** Counts a dropped delivery. Returns whether the delivery gets a row of its own in the history. */
  note(delivery: Delivery, reason: FullReason): boolean;
  /** Dropped deliveries by reason, since the start. */
  totals(): Record<FullReason, number>;
  /** Reports the growing losses once more. */
  stop(): Promise<void>;
};

type Counted = Loss & { reported: number; loggedAt: number };

export function createLosses({ record, clock, log }: LossPorts): Losses {
  const losses = new Map<string, Counted>();
  const totals = Object.fromEntries(fullReasons.map((reason) => [reason, 0])) as Record<FullReason, number>;
  const stop = new AbortController();
  let lastOrder = 0;
  let telling: Promise<void> | null = null;

  function begin(delivery: Delivery, reason: FullReason, now: number): Counted {
    lastOrder = Math.max(lastOrder + 1, now * 1_000);
    const loss = { delivery, reason, since: now, lastAt: now, order: lastOrder, count: 0, reported: 0, loggedAt: now };
    losses.set(delivery.subId, loss);
    for (const [subId, oldest] of losses) {
      if (losses.size <= lossesMax) break;
      tell(oldest);
      losses.delete(subId);
    }
    const { subId, organisationId } = delivery;
    log.warn({ subId, organisationId, reason, why: whyFull[reason] }, 'a full queue of webhooks drops deliveries');
    telling ??= tellAll().finally(() => {
      telling = null;
    });
    return loss;
  }

  async function tellAll(): Promise<void> {
    while (losses.size > 0 && !stop.signal.aborted) {
      await pauseUnless(stop.signal, clock, lossReportMs);
      const now = clock.now();
      for (const [subId, loss] of losses) {
        tell(loss);
        const isOver = now - loss.lastAt >= lossQuietMs;
        if (isOver) losses.delete(subId);
        if (!isOver && (now - loss.loggedAt < lossLogMs || loss.lastAt <= loss.loggedAt)) continue;
        loss.loggedAt = now;
        const { reason, since, count } = loss;
        const facts = { subId, organisationId: loss.delivery.organisationId, reason, since, dropped: count };
        log.warn(
          facts,
          isOver ? 'a full queue of webhooks has dropped deliveries' : 'a full queue still drops deliveries',
        );
      }
    }
  }

  function tell(loss: Counted): void {
    if (loss.reported === loss.count) return;
    loss.reported = loss.count;
    void record(lossReport(loss));
  }

  return {
    note(delivery, reason) {
      const now = clock.now();
      const loss = losses.get(delivery.subId) ?? begin(delivery, reason, now);
      loss.count += 1;
      loss.reason = reason;
      loss.lastAt = now;
      totals[reason] += 1;
      return loss.count <= droppedRowsPerLossMax;
    },
    totals: () => ({ ...totals }),
    async stop() {
      stop.abort();
      await telling;
      for (const loss of losses.values()) tell(loss);
    },
  };
}
