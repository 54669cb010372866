/** The order of deliveries in lists: microseconds, never the same twice. */

export function createDeliveryOrder(clock: { now(): number }): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * 1_000);
    return last;
  };
}
