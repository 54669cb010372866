/**
 * The consequences of a command: a threshold is reached, or the event is sold out. Their records stand in the command's
 * group, behind its records. A change of chart is alone in its group: its consequences come in the next group, which is
 * cut at once (`nextDeadline`).
 */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { divisionsToReveal, isReached } from '../availability/divisions.ts';
import { isNewlySoldOut } from '../availability/sold-out.ts';
import { isMutable } from '../event/lifecycle.ts';
import type { EventState, ReadState } from '../state/state.ts';
import { apply } from './apply.ts';

const timer = { source: 'timer', actor: null } as const;

const none: readonly JournalRecord[] = [];

/** Applies the consequences of the state and appends their records to `records`. */
export function applyConsequences(state: EventState, now: number, records: JournalRecord[]): void {
  for (const record of consequences(state)) {
    apply(state, record, now);
    records.push(record);
  }
}

/** The records that follow from the present state. */
function consequences(state: ReadState): readonly JournalRecord[] {
  if (!hasConsequences(state)) return none;
  const records: JournalRecord[] = [];
  if (isThresholdReached(state)) {
    // The clock opens timed divisions: see due.ts.
    const scopes = divisionsToReveal(state.availability.rules, state.thresholdBase, Number.NEGATIVE_INFINITY);
    records.push({ type: 'revealed', scopes, by: timer });
  }
  if (isNewlySoldOut(state)) records.push({ type: 'sold-out', seatTotal: state.plan.unitCount, by: timer });
  return records;
}

/** Cheap, because it runs after every command. An archived event has no consequences. */
export function hasConsequences(state: ReadState): boolean {
  return (isNewlySoldOut(state) || isThresholdReached(state)) && isMutable(state);
}

function isThresholdReached({ thresholdBase: base }: ReadState): boolean {
  return base !== null && isReached(base, base.leastPct);
}
