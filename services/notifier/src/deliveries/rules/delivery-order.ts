/** The order of deliveries in lists: microseconds, never the same twice. */
import type { Clock } from '@parterre/shared/runtime/clock';

export function createDeliveryOrder(clock: Pick<Clock, 'now'>): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * 1_000);
    return last;
  };
}
