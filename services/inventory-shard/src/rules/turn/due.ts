/**
 * The changes that time makes: holds end at `expiresAt`, blocks end at `releaseAt`, reservations end at `until`, and
 * divisions open at `revealAt`, never early, to the millisecond.
 */
import { expiriesPerGroupMax, unitsPerGroupMax } from '@parterre/shared/protocol/limits';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { divisionsToReveal } from '../availability/divisions.ts';
import { tagOf } from '../parts/parts.ts';
import { endOf } from '../reservations/reservations.ts';
import {
  type Deadline,
  freedOf,
  type Hold,
  heldLines,
  isStale,
  listedAmong,
  type ReadState,
  unitsOfLines,
} from '../state/state.ts';
import { hasConsequences } from './consequences.ts';

/** Stands for the reveal, which is one for all divisions. */
const noUnit = -1;

const timer = { source: 'timer', actor: null } as const;

/**
 * The due records at `now`, earliest first: at most `expiriesPerGroupMax`, and one record for all blocks that end. No
 * record is added behind `unitsPerGroupMax` units.
 */
export function due(state: ReadState, now: number): JournalRecord[] {
  const records: JournalRecord[] = [];
  if (!isPast(state, now)) return records;
  const unblocked: number[] = [];
  let units = 0;
  // A hold, unit or reveal may have several entries for one time.
  const seen = new Set<number | string>();
  for (const entry of state.deadlines.inOrder()) {
    if (entry.at > now || records.length >= expiriesPerGroupMax || units >= unitsPerGroupMax) break;
    const { what } = entry;
    const subject = subjectOf(what);
    if (isStale(state, entry) || seen.has(subject)) continue;
    seen.add(subject);
    if (what === 'reveal') {
      records.push({ type: 'revealed', scopes: divisionsToReveal(state.availability.rules, null, now), by: timer });
    } else if ('unit' in what) {
      units++;
      unblocked.push(what.unit);
    } else if ('reservationId' in what) {
      const ended = endOf(state.reservations.active.get(what.reservationId)!, null, 'scheduled', timer);
      units += ended.units.length;
      records.push(ended);
    } else {
      const expiry = expiryOf(state, state.holds.active.get(what.holdId)!);
      units += expiry.units.length;
      records.push(expiry);
    }
  }
  if (unblocked.length > 0) records.push({ type: 'unblocked', units: unblocked, reason: 'scheduled', by: timer });
  return records;
}

function subjectOf(what: Deadline['what']): number | string {
  if (what === 'reveal') return noUnit;
  if ('unit' in what) return what.unit;
  return 'reservationId' in what ? what.reservationId : what.holdId;
}

function expiryOf(state: ReadState, hold: Readonly<Hold>): JournalRecord & { type: 'expired' } {
  const units = unitsOfLines(heldLines(state, hold));
  const kept = listedAmong(state, units);
  const operationId = state.parts.ofHold.get(hold.id);
  const part = operationId === undefined ? undefined : state.parts.get(operationId);
  const { id: holdId, expiresAt } = hold;
  const freed = freedOf(hold, units, kept);
  const more = { ...(kept && { kept }), ...(part && { operation: tagOf(part) }), ...(freed && { freed }) };
  return { type: 'expired', holdId, expiresAt, units, ...more, by: timer };
}

/** Whether `due` leaves something for the next group. */
export function isDue(state: ReadState, now: number): boolean {
  const next = nextDeadline(state);
  return next !== null && next <= now;
}

/** The time at which the state next changes by itself, in epoch milliseconds, or null. */
export function nextDeadline(state: ReadState): number | null {
  if (hasConsequences(state)) return state.at;
  return state.deadlines.peek()?.at ?? null;
}

/** Whether a deadline has come. The folds keep the earliest entry live, so it alone decides. */
function isPast({ deadlines }: ReadState, now: number): boolean {
  const next = deadlines.peek();
  return next !== undefined && next.at <= now;
}
