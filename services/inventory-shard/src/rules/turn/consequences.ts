/**
 * What follows from a command without being asked for: a threshold is reached, nothing is left to be sold. It stands
 * in the group of the command, behind its records. Only a change of chart, which is alone in its group, leaves it to the
 * next one, which is cut at once (`nextDeadline`).
 */
import type { JournalRecord } from '@parterre/shared/records';
import { isReached, scopesToReveal } from '../availability/divisions.ts';
import { isNewlySoldOut } from '../availability/sold-out.ts';
import { isMutable } from '../event/lifecycle.ts';
import type { EventState } from '../state/state.ts';
import { apply } from './apply.ts';

const timer = { source: 'timer', actor: null } as const;

/** Applies what follows from the state, and puts it behind `records`. */
export function applyConsequences(state: EventState, now: number, records: JournalRecord[]): void {
  if (!hasConsequences(state)) return;
  if (isThresholdReached(state)) {
    // Scopes that the clock opens are due by themselves: see due.ts.
    const scopes = scopesToReveal(state.availability.rules, state.thresholdBase, Number.NEGATIVE_INFINITY);
    perform({ type: 'revealed', scopes, by: timer });
  }
  if (isNewlySoldOut(state)) perform({ type: 'sold-out', seatTotal: state.plan.unitCount, by: timer });

  function perform(record: JournalRecord): void {
    apply(state, record, now);
    records.push(record);
  }
}

/** Cheap: it is asked after every command. An archived event is kept as it is. */
export function hasConsequences(state: EventState): boolean {
  return (isNewlySoldOut(state) || isThresholdReached(state)) && isMutable(state);
}

function isThresholdReached({ thresholdBase: base }: EventState): boolean {
  return base !== null && isReached(base, base.leastPct);
}
