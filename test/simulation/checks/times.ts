/**
 * The times of groups against the true time. A shard's time may be ahead by the difference that clocks may have, and by
 * the slew. With `at` no further ahead, no hold ends earlier by true time, since `at` of an expiry is not before the
 * hold's end (oracle.ts). Shards that follow wall clocks may write any time. Nobody sets event time back too far.
 */
import type { EventGroup } from '@parterre/shared/protocol/records';

/** Clocks may differ by 5 s, the time of NATS by 1 s of its way, and an outage of a minute allows 3 s of slew. */
export const timeErrorMsMax = 9_000;

/**
 * `truth` is in epoch milliseconds. `hasWallClockShards`: some shards follow wall clocks that jump. Throws on a
 * violation.
 */
export function checkTime({ at, records }: EventGroup, truth: number, hasWallClockShards: boolean): void {
  const aheadMs = at - truth;
  if (!hasWallClockShards && aheadMs > timeErrorMsMax) {
    throw new Error(`a group is ${aheadMs.toFixed(0)} ms ahead of the true time`);
  }
  if (records[0]?.type === 'clock-set' && aheadMs < -setBackMsMax) {
    throw new Error(`an event is set back to ${(-aheadMs).toFixed(0)} ms before the true time`);
  }
}

/** A group may also reach the stream late. */
const setBackMsMax = timeErrorMsMax + 20_000;
