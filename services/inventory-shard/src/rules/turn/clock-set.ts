/**
 * Event time that stands in the future, because an earlier owner's clock was ahead, goes back by a `clock-set` record.
 * Until then nothing that the event does has a time of its own, and its holds would live on until the future has come.
 *
 * No hold lives longer than `holdTtlMsMax` from its creation. A hold that was made at or before the new time therefore
 * ends within this span, and keeps its end. A hold that was made later was made under the future time: its end and its
 * creation go back with the event's time, so that the hold keeps the time that it had left. No hold ends early. The
 * places that visitors of public sale gave up are forgotten.
 */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import {
  type EventState,
  eventAheadMsMax,
  type Hold,
  Holds,
  liveDeadlinesInSteps,
  type ReadState,
  type StepFolds,
} from '../state/state.ts';

const holdsPerStep = 500;

/** Whether event time `at` stands further ahead of `now` than clocks of machines may differ. */
export function isInFuture(at: number, now: number): boolean {
  return at - now > eventAheadMsMax;
}

/** The record that sets the event's time to the time of its group. */
export function clockSet({ at }: ReadState): JournalRecord {
  return { type: 'clock-set', from: at, by: { source: 'timer', actor: null } };
}

export const clockFolds: StepFolds<'clock-set'> = {
  *'clock-set'(state, { from }, at) {
    const backMs = from - at;
    const active = new Map<string, Hold>();
    for (const hold of state.holds.active.values()) {
      active.set(hold.id, hold.createdAt <= at || isPart(state, hold) ? { ...hold } : setBack(hold, backMs));
      if (active.size % holdsPerStep === 0) yield;
    }
    const next: EventState = { ...state, at, holds: new Holds(active, state.holds.ended) };
    next.visitors = state.visitors.withoutPlaces();
    next.deadlines = yield* liveDeadlinesInSteps(next);
    return next;
  },
};

/** A part has the end of all parts of its operation, which is not of this event's time. */
function isPart({ parts }: ReadState, { id }: Hold): boolean {
  return parts.ofHold.has(id);
}

function setBack(hold: Hold, backMs: number): Hold {
  return { ...hold, createdAt: hold.createdAt - backMs, expiresAt: hold.expiresAt - backMs };
}
