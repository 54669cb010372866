/**
 * Estimates the memory of an event from counts, which is cheap. The constants are bytes of heap in V8's layout of these
 * objects (bench/shard/memory.ts compares the sum with the memory in use).
 */
import type { Plan } from '@parterre/shared/charts/plan';
import { unitStatus } from '@parterre/shared/protocol/records';
import { weightOfKept } from '../packed/packed.ts';
import { bytesOfLookups, type ReadState } from '../state/state.ts';

const perEvent = 4_000;
/** One byte of status, four of holder. */
const perUnit = 5;
/** An active hold. Ended holds and bookings are packed bytes. */
const perHold = 450;
const perHeldUnit = 60;
const perDeadline = 96;
const perBlock = 64;
const perCall = 320;
const perCallUnit = 8;
/** The reference and time of a cancelled booking. */
const perCancelled = 120;
const perListedUnit = 60;
/** A part of an operation over several events, or a lock. */
const perPart = 900;
/** The units of an offer, or its end. */
const perOffer = 350;
const perPackedOffer = 100;
/** The use of a session, with its id and its map entry. */
const perSession = 160;
/** A place that a visitor of public sale gave up, and a visitor with active holds. */
const perPlaceOfVisitor = 250;
const perVisitor = 100;
/** The same things in a stored snapshot. */
const slotBytes = 4;
const perPackedHold = 120;
const perPackedLine = 8;
const perPackedBlock = 16;
const perPackedCall = 100;
const perPackedSession = 60;
const perPackedPlaceOfVisitor = 70;
const perPackedPart = 600;
/** A row, table, booth or area, with its texts, and its facts for best-available (seat-search/seat-rows.ts). */
const perPlanObject = 250;
/** The facts of a unit for best-available: a byte and a bit. */
const perPlanUnit = 1.125;

export function bytesOf(state: ReadState): number {
  return (
    perEvent +
    perUnit * state.statuses.length +
    perHold * state.holds.active.size +
    perHeldUnit * state.counts[unitStatus.held] +
    state.holds.ended.bytes +
    state.bookings.bytes +
    perCancelled * state.cancelled.size +
    perDeadline * state.deadlines.size +
    perBlock * state.blockedUntil.size +
    perCall * (state.calls.size + state.namedCalls.size) +
    perCallUnit * (state.callUnits + state.namedCallUnits) +
    state.callBytes +
    perPart * sizeOfParts(state) +
    bytesOfOffers(state) +
    state.reservations.bytes +
    perListedUnit * state.listingOf.size +
    state.channels.bytes +
    perSession * state.sessionUse.size +
    perPlaceOfVisitor * state.visitors.size +
    perVisitor * state.visitors.count +
    state.buyers.bytes +
    (state.channels.of?.byteLength ?? 0) +
    weightOfKept(state.releases) +
    weightOfKept(state.availability.rules) +
    weightOfKept(state.sectionStates) +
    bytesOfLookups(state)
  );
}

/** Estimates the size of a stored snapshot: two bits of status for a unit, and the parts that grow with sales. */
export function bytesOfSnapshot(state: ReadState): number {
  const { counts, holds, bookings, statuses } = state;
  const taken = statuses.length - counts[unitStatus.free];
  return (
    perEvent +
    statuses.length / 4 +
    slotBytes * taken +
    perPackedHold * holds.active.size +
    perPackedLine * counts[unitStatus.held] +
    holds.ended.liveBytes +
    bookings.liveBytes +
    perPackedBlock * state.blockedUntil.size +
    perPackedCall * (state.calls.size + state.namedCalls.size) +
    perCallUnit * (state.callUnits + state.namedCallUnits) +
    state.callBytes +
    perPackedPart * sizeOfParts(state) +
    packedBytesOfOffers(state) +
    state.reservations.bytes +
    perPackedSession * state.sessionUse.size +
    perPackedPlaceOfVisitor * state.visitors.size +
    state.buyers.bytes +
    (state.channels.of?.byteLength ?? 0)
  );
}

function sizeOfParts({ parts }: ReadState): number {
  return parts.live.size + parts.ended.size + parts.locks.size + parts.endedLocks.size;
}

function bytesOfOffers({ offers: { live, ended, unitCount } }: ReadState): number {
  return perOffer * (live.size + ended.size) + perHeldUnit * unitCount;
}

function packedBytesOfOffers({ offers: { live, ended, unitCount } }: ReadState): number {
  return perPackedOffer * (live.size + ended.size) + perPackedLine * unitCount;
}

export function bytesOfPlan(plan: Plan): number {
  const { labels, objectOfUnit, indexOfUnit, categoryOfUnit, accessibilityOfUnit, x, y } = plan;
  const { objects, unitCount, seatNames } = plan;
  let bytes = perEvent + perPlanObject * objects.length + perPlanUnit * unitCount + labels.bytes;
  bytes += seatNames?.bytes ?? 0;
  for (const column of [objectOfUnit, indexOfUnit, categoryOfUnit, accessibilityOfUnit, x, y]) {
    bytes += column.byteLength;
  }
  return bytes;
}
