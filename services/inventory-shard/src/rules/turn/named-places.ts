/**
 * The names of places in refusals. A rule refuses labels; here each label gets the name that the buyer reads on a
 * ticket, in the event's locale. Answers name no places here: front doors add the names of line items.
 */
import { nameOfLabel, placeTextsIn } from '@parterre/shared/charts/place-names';
import type { Caller } from '@parterre/shared/protocol/commands';
import type { Conflict } from '../selection/conflicts.ts';
import type { Decision, ReadState } from '../state/state.ts';

/** `name` for each of `conflicts`; `names` beside `labels`. Labels that the chart lacks have no name. */
export function namedPlaces({ plan }: ReadState, { locale }: Caller, decision: Decision): Decision {
  if (decision.ok || decision.refusal.details === undefined) return decision;
  const { refusal } = decision;
  const { conflicts, labels } = decision.refusal.details as { conflicts?: Conflict[]; labels?: string[] };
  const texts = placeTextsIn(locale);
  const details = { ...refusal.details };
  if (conflicts !== undefined) {
    details.conflicts = conflicts.map((conflict) => ({
      ...conflict,
      name: nameOfLabel(plan, conflict.label, texts),
    }));
  }
  if (labels !== undefined && refusal.code !== 'unknown_labels') {
    details.names = labels.map((label) => nameOfLabel(plan, label, texts));
  }
  return { ok: false, refusal: { ...refusal, details } };
}
