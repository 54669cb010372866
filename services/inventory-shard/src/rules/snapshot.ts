/**
 * A state as plain data and back: a cache of the fold up to `version`, never the truth (I6). What follows from the
 * rest (owner of each unit, counts, deadlines) is not stored but worked out again, so that it cannot disagree.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { type EventConfig, type EventStatus, packStatuses, unpackStatuses } from '@parterre/shared/records';
import { type Booking, type EventState, type Hold, liveDeadlines, newState } from './state.ts';

/** Of the form; snapshots of another one are passed over. */
export const snapshotVersion = 2;

export type Snapshot = {
  v: typeof snapshotVersion;
  config: EventConfig;
  status: EventStatus;
  holdTtlMs: number | null;
  version: number;
  groups: number;
  at: number;
  statuses: Uint8Array;
  nextSlot: number;
  /** In the order of the state's maps; `owned` are the units the hold still owns. */
  holds: (Hold & { owned: number[] })[];
  bookings: Booking[];
  endedHolds: string[];
  blockedUntil: [number, number][];
};

export function toSnapshot(state: EventState): Snapshot {
  const { config, status, holdTtlMs, version, groups, at, nextSlot, endedHolds } = state;
  return {
    v: snapshotVersion,
    config,
    status,
    holdTtlMs,
    version,
    groups,
    at,
    statuses: packStatuses(state.statuses),
    nextSlot,
    holds: [...state.holds.values()].map((hold) => ({
      ...hold,
      owned: hold.lines.map((line) => line.unit).filter((unit) => state.slotOf[unit] === hold.slot),
    })),
    bookings: [...state.bookings.values()],
    endedHolds,
    blockedUntil: [...state.blockedUntil],
  };
}

export function fromSnapshot(snapshot: Snapshot, plan: Plan): EventState {
  const state = newState(snapshot.config, plan);
  state.status = snapshot.status;
  state.holdTtlMs = snapshot.holdTtlMs;
  state.version = snapshot.version;
  state.groups = snapshot.groups;
  state.at = snapshot.at;
  state.nextSlot = snapshot.nextSlot;
  state.statuses = unpackStatuses(snapshot.statuses, plan.unitCount);
  state.endedHolds = [...snapshot.endedHolds];
  state.counts = [0, 0, 0, 0];
  for (const status of state.statuses) state.counts[status as 0 | 1 | 2 | 3]++;
  for (const { owned, ...hold } of snapshot.holds) {
    state.holds.set(hold.id, hold);
    for (const unit of owned) state.slotOf[unit] = hold.slot;
    state.lineCount += hold.lines.length;
  }
  for (const booking of snapshot.bookings) {
    state.bookings.set(booking.ref, booking);
    state.lineCount += booking.lines.length;
    for (const line of booking.lines) state.slotOf[line.unit] = booking.slot;
  }
  state.blockedUntil = new Map(snapshot.blockedUntil);
  state.deadlines = liveDeadlines(state);
  return state;
}
