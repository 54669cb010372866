/**
 * The settled deliveries of journal messages that wait for an unsettled delivery. When such a message is read again,
 * only its unsettled deliveries are dispatched. Past `settledDeliveriesMax` the oldest messages are forgotten, and
 * their receivers get a delivery again.
 */
import { settledDeliveriesMax } from '@parterre/shared/protocol/webhook-limits';
import type { Delivery } from './delivery.ts';

export function createSettledDeliveries() {
  const messages = new Map<string, Set<string>>();
  let count = 0;

  function forget(deliveries: readonly Delivery[]): void {
    if (messages.size > 0 && deliveries.length > 0) drop(messageKey(deliveries));
  }

  function drop(key: string): void {
    count -= messages.get(key)?.size ?? 0;
    messages.delete(key);
  }

  return {
    forget,

    /** The deliveries without the settled ones. `deliveries` are all deliveries of one message, in order. */
    without(deliveries: readonly Delivery[]): readonly Delivery[] {
      if (messages.size === 0 || deliveries.length === 0) return deliveries;
      const settled = messages.get(messageKey(deliveries));
      return settled ? deliveries.filter(({ deliveryId }) => !settled.has(deliveryId)) : deliveries;
    },

    /** Adds `settled` to the remembered deliveries of the message. */
    remember(deliveries: readonly Delivery[], settled: readonly string[]): void {
      const key = messageKey(deliveries);
      const all = new Set([...(messages.get(key) ?? []), ...settled]);
      drop(key);
      if (all.size === 0) return;
      messages.set(key, all);
      count += all.size;
      for (const oldest of messages.keys()) {
        if (count <= settledDeliveriesMax) return;
        drop(oldest);
      }
    },
  };
}

function messageKey(deliveries: readonly Delivery[]): string {
  const { partition, sequence } = deliveries[0]!.place;
  return `${partition}.${sequence}`;
}
