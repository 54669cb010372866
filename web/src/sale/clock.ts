/**
 * The server's time, as far as its answers tell it: a buyer's clock may be wrong by hours, and holds end by the
 * server's. Each answer was written between its request and its arrival, which bounds the difference of the clocks.
 * The bounds of later answers narrow the earlier ones. Bounds that contradict each other mean that the buyer's clock
 * was set: the latest count.
 */
export type Clock = ReturnType<typeof createClock>;

/** A `Date` header has no parts of a second, and the server renews it once a second. */
const HEADER_MS = 2_000;

export function createClock(local: () => number = Date.now) {
  let low = -Infinity;
  let high = Infinity;
  /** Server's time less local time. */
  let offset = 0;

  function bound(from: number, to: number): void {
    const isContrary = from > high || to < low;
    low = isContrary ? from : Math.max(low, from);
    high = isContrary ? to : Math.min(high, to);
    // A clock that may be right stays as it is.
    if (low <= 0 && high >= 0) offset = 0;
    else offset = (low + high) / 2;
  }

  return {
    local,
    now: () => local() + offset,
    /** `date` is the answer's header; the others are local times. */
    heardDate(date: string | null, sentAt: number, arrivedAt: number): void {
      const server = date === null ? Number.NaN : Date.parse(date);
      if (!Number.isNaN(server) && arrivedAt >= sentAt) bound(server - arrivedAt, server + HEADER_MS - sentAt);
    },
    /** `server` is the time in an answer's body, in ms. */
    heardTime(server: number, sentAt: number, arrivedAt: number): void {
      if (arrivedAt >= sentAt) bound(server - arrivedAt, server - sentAt);
    },
  };
}
