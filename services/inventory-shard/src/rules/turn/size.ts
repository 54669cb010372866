/**
 * What an event takes in memory, estimated from counts, so that it costs nothing to ask. The constants are bytes of
 * heap as V8 lays these objects out (bench/memory.ts compares the sum with what is used).
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { unitStatus } from '@parterre/shared/records';
import { weightOfKept } from '../packed/packed.ts';
import { bytesOfLookups, type ReadState } from '../state/state.ts';

const perEvent = 4_000;
/** One byte of status, four of holder. */
const perUnit = 5;
/** An active one; an ended one is bytes, as a booking is. */
const perHold = 450;
const perHeldUnit = 60;
const perDeadline = 96;
const perBlock = 64;
const perCall = 320;
const perCallUnit = 8;
const perListedUnit = 60;
/** With its id and its entry. */
const perSession = 160;
/** A row, table, booth or area, with its texts. */
const perPlanObject = 150;

export function bytesOf(state: ReadState): number {
  return (
    perEvent +
    perUnit * state.statuses.length +
    perHold * state.holds.active.size +
    perHeldUnit * state.counts[unitStatus.held] +
    state.holds.ended.bytes +
    state.bookings.bytes +
    perDeadline * state.deadlines.size +
    perBlock * state.blockedUntil.size +
    perCall * (state.calls.size + state.namedCalls.size) +
    perCallUnit * (state.callUnits + state.namedCallUnits) +
    state.callBytes +
    perListedUnit * state.listingOf.size +
    state.channels.bytes +
    perSession * state.sessionUse.size +
    (state.channels.of?.byteLength ?? 0) +
    weightOfKept(state.releases) +
    weightOfKept(state.availability.rules) +
    weightOfKept(state.sectionStates) +
    bytesOfLookups(state)
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
