/**
 * The index of a state's deadlines. Extended and ended holds and changed times leave stale entries behind. Folds remove
 * a stale entry when it reaches the top, so that the earliest entry is always live. They remove all stale entries when
 * these outnumber the live entries and `staleDeadlinesMin` (I8).
 */
import { unitStatus } from '@parterre/shared/protocol/records';
import { finish, type Steps } from '../packed/packed.ts';
import { neverMs } from '../parts/parts.ts';
import { staleDeadlinesMin } from './bounds.ts';
import { type Deadline, DeadlineHeap } from './deadlines.ts';
import type { EventState, ReadState } from './event-state.ts';

const deadlinesPerStep = 2_000;

/** For folds: adds a deadline. */
export function schedule(state: EventState, deadline: Deadline): void {
  state.deadlines.push(deadline);
  const live = state.holds.active.size + state.blockedUntil.size + state.reservations.size;
  if (state.deadlines.size > 2 * live + staleDeadlinesMin) state.deadlines.keep((each) => !isStale(state, each));
}

/** For folds, after each record: removes stale entries from the top. */
export function dropStaleDeadlines(state: EventState): void {
  const { deadlines } = state;
  for (let next = deadlines.peek(); next && isStale(state, next); next = deadlines.peek()) deadlines.pop();
}

/** Whether an entry of `deadlines` is stale. */
export function isStale(state: ReadState, { at, what }: Deadline): boolean {
  if (what === 'reveal') return state.divisions.nextReveal !== at;
  if ('unit' in what) {
    return state.statuses[what.unit] !== unitStatus.blocked || state.blockedUntil.get(what.unit) !== at;
  }
  if ('reservationId' in what) return state.reservations.active.get(what.reservationId)?.until !== at;
  return state.holds.active.get(what.holdId)?.expiresAt !== at;
}

/** Rebuilds the index of deadlines from the state. */
export function liveDeadlines(state: ReadState): DeadlineHeap {
  return finish(liveDeadlinesInSteps(state));
}

export function* liveDeadlinesInSteps(state: ReadState): Steps<DeadlineHeap> {
  const { holds, blockedUntil, reservations, divisions } = state;
  const deadlines = new DeadlineHeap();
  for (const hold of holds.active.values()) {
    if (hold.expiresAt !== neverMs) deadlines.push({ at: hold.expiresAt, what: { holdId: hold.id } });
    if (deadlines.size % deadlinesPerStep === 0) yield;
  }
  for (const [unit, at] of blockedUntil) {
    deadlines.push({ at, what: { unit } });
    if (deadlines.size % deadlinesPerStep === 0) yield;
  }
  for (const { id, until } of reservations.active.values()) {
    deadlines.push({ at: until, what: { reservationId: id } });
    if (deadlines.size % deadlinesPerStep === 0) yield;
  }
  const { nextReveal } = divisions;
  if (nextReveal !== null) deadlines.push({ at: nextReveal, what: 'reveal' });
  return deadlines;
}
