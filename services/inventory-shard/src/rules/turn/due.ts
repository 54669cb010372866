/**
 * What the passing of time does: it ends holds at `expiresAt` and blocks at `releaseAt`, and opens scopes at `revealAt`; never early, to
 * the millisecond.
 */
import { expiriesPerGroupMax } from '@parterre/shared/limits';
import type { JournalRecord } from '@parterre/shared/records';
import { scopesToReveal } from '../availability/divisions.ts';
import { listedAmong } from '../state/listings.ts';
import { type EventState, isStale, ownedLines } from '../state/state.ts';
import { apply } from './apply.ts';
import { applyConsequences, hasConsequences } from './consequences.ts';

const timer = { source: 'timer', actor: null } as const;

/** Applies and returns what is due at `now`, of holds no more than a group takes; empty when nothing is. */
export function applyDue(state: EventState, now: number): JournalRecord[] {
  const records: JournalRecord[] = [];
  const unblocked: number[] = [];
  for (let next = state.deadlines.peek(); next && next.at <= now; next = state.deadlines.peek()) {
    if (records.length >= expiriesPerGroupMax) break;
    state.deadlines.pop();
    if (isStale(state, next)) continue;
    if (next.what === 'reveal') {
      perform({ type: 'revealed', scopes: scopesToReveal(state.availability.rules, null, now), by: timer });
      continue;
    }
    if ('unit' in next.what) {
      unblocked.push(next.what.unit);
      state.blockedUntil.delete(next.what.unit);
      continue;
    }
    const hold = state.holds.active.get(next.what.holdId)!;
    const units = ownedLines(state, hold).map((line) => line.unit);
    const kept = listedAmong(state, units);
    perform({ type: 'expired', holdId: hold.id, expiresAt: hold.expiresAt, units, ...(kept && { kept }), by: timer });
  }
  if (unblocked.length > 0) perform({ type: 'unblocked', units: unblocked, reason: 'scheduled', by: timer });
  applyConsequences(state, now, records);
  return records;

  function perform(record: JournalRecord): void {
    apply(state, record, now);
    records.push(record);
  }
}

/** Whether `applyDue` left something for the next group. */
export function isDue(state: EventState, now: number): boolean {
  const next = nextDeadline(state);
  return next !== null && next <= now;
}

/** When the state next changes by itself, or null. Drops stale entries on the way. */
export function nextDeadline(state: EventState): number | null {
  if (hasConsequences(state)) return state.at;
  for (let next = state.deadlines.peek(); next; next = state.deadlines.peek()) {
    if (!isStale(state, next)) return next.at;
    state.deadlines.pop();
  }
  return null;
}
