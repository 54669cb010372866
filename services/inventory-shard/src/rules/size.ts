/**
 * What an event takes in memory, estimated from counts, so that it costs nothing to ask. The constants are bytes of
 * heap as V8 lays these objects out (bench/recovery.ts compares the sum with what is used).
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { bytesOfFreeRuns } from './free-runs.ts';
import type { EventState } from './state.ts';

const perEvent = 4_000;
/** One byte of status, four of owner. */
const perUnit = 5;
const perHold = 450;
const perBooking = 350;
const perLine = 48;
const perDeadline = 96;
const perBlock = 64;
const perCall = 320;
const perCallUnit = 8;
/** A row, table, booth or area, with its texts. */
const perPlanObject = 150;

export function bytesOf(state: EventState): number {
  return (
    perEvent +
    perUnit * state.statuses.length +
    perHold * state.holds.size +
    perBooking * state.bookings.size +
    perLine * state.lineCount +
    perDeadline * state.deadlines.size +
    perBlock * state.blockedUntil.size +
    perCall * state.calls.size +
    perCallUnit * state.callUnits +
    bytesOfFreeRuns(state)
  );
}

export function bytesOfPlan(plan: Plan): number {
  const { labels, objectOfUnit, indexOfUnit, categoryOfUnit, accessibilityOfUnit, x, y } = plan;
  let bytes = perEvent + perPlanObject * plan.objects.length + labels.bytes;
  for (const column of [objectOfUnit, indexOfUnit, categoryOfUnit, accessibilityOfUnit, x, y]) {
    bytes += column.byteLength;
  }
  return bytes;
}
