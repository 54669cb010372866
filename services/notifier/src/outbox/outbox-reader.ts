/**
 * Takes the occurrences of seasons from their outbox in the catalog, and dispatches a delivery to each subscription
 * that hears of them. The outbox is the queue of first attempts, as the journal is for the occurrences of events. Any
 * number of notifiers may read it: the catalog gives an occurrence to one of them at a time.
 *
 * States of an occurrence here: taken → its receivers are known → dispatched → settled: each delivery was attempted, or
 * waits in a queue of the notifiers → the catalog is told. Without a receiver it is settled at once.
 *
 * Failure at each await: the catalog is away → the next look, or after its lease the occurrence is given out again; a
 * delivery cannot be settled, this notifier stops or dies, or the catalog does not hear the end → the same. Receivers
 * may then get it twice, under one id.
 */
import type { DueOccurrence } from '@parterre/shared/protocol/catalog/season-outbox';
import { outboxPollMs, outboxUnsettledMax } from '@parterre/shared/protocol/webhook-limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Directory } from '../catalog/directory.ts';
import type { Dispatch } from '../deliveries/dispatch.ts';
import { type Delivery, seasonDelivery } from '../deliveries/rules/delivery.ts';
import { createDeliveryOrder } from '../deliveries/rules/delivery-order.ts';
import { hearsOf, matchesEvent, matchesTime } from '../occurrences/rules/matching.ts';
import { keepReading, type Reading } from '../streams/keep-reading.ts';

export type OutboxPorts = {
  catalog: CatalogClient;
  directory: Pick<Directory, 'subscriptions'>;
  dispatch: Pick<Dispatch, 'dispatchNew' | 'room'>;
  clock: Clock;
  log: Logger;
};

/** The queues of the deliveries must exist. */
export function readOutbox(ports: OutboxPorts): Reading {
  const { catalog, dispatch, clock } = ports;
  const underWay = new Set<Promise<void>>();
  const nextOrder = createDeliveryOrder(clock);
  const reading = keepReading(ports, { queue: 'outbox' }, async (stopping) => {
    while (!stopping.aborted) {
      while (underWay.size >= outboxUnsettledMax) await Promise.race(underWay);
      await dispatch.room();
      const taken = await catalog('seasons.take-due', {});
      const due = taken.ok ? taken.value.due : [];
      for (const occurrence of due) {
        const settling = settle(ports, occurrence, nextOrder).finally(() => underWay.delete(settling));
        underWay.add(settling);
      }
      if (due.length === 0) await pauseUnless(stopping, clock, outboxPollMs);
    }
  });
  return {
    async stop() {
      await reading.stop();
      await Promise.all(underWay);
    },
  };
}

/** Never rejects. */
async function settle(ports: OutboxPorts, due: DueOccurrence, nextOrder: () => number): Promise<void> {
  const { catalog, dispatch, log } = ports;
  const { occurrenceId, replayCount } = due;
  try {
    const deliveries = await deliveriesOf(ports, due, nextOrder);
    if (deliveries === null) return;
    await dispatch.dispatchNew(deliveries);
    await catalog('seasons.settle-due', { occurrenceId, replayCount });
  } catch (error) {
    log.warn({ err: error, occurrenceId }, 'an occurrence of a season was not settled, and comes again');
  }
}

/** Null where the catalog does not tell the subscriptions now. */
async function deliveriesOf(
  { directory }: OutboxPorts,
  due: DueOccurrence,
  nextOrder: () => number,
): Promise<Delivery[] | null> {
  const subs = await directory.subscriptions(due.organisationId, due.mode);
  if (!subs.ok) return null;
  return subs.value
    .filter((sub) => matchesEvent(sub, due.season) && matchesTime(sub, due.at) && hearsOf(sub, due.eventName))
    .map(({ id }) => seasonDelivery(due, id, nextOrder()));
}
