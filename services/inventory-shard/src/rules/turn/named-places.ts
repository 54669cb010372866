/**
 * The names of places in refusals. A rule refuses labels; here each label gets the name that the buyer reads on a
 * ticket, in the event's locale. Answers name no places here: front doors add the names of line items.
 */
import { nameOfLabel, type PlaceTexts, placeTextsIn } from '@parterre/shared/charts/place-names';
import type { Plan } from '@parterre/shared/charts/plan';
import type { Caller } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import { finish, type Steps } from '../packed/packed.ts';
import { type Conflict, labelsPerStep } from '../selection/selection.ts';
import type { ReadState } from '../state/state.ts';

/** `name` for each of `conflicts`; `names` beside `labels`. Labels that the chart lacks have no name. */
export function withNames(state: ReadState, caller: Caller, refusal: Refusal): Refusal {
  return refusal.details === undefined ? refusal : finish(withNamesInSteps(state, caller, refusal));
}

/** The same in steps: a change of chart may have 100,000 units in its way. */
export function* withNamesInSteps({ plan }: ReadState, { locale }: Caller, refusal: Refusal): Steps<Refusal> {
  const { conflicts, labels } = (refusal.details ?? {}) as { conflicts?: Conflict[]; labels?: string[] };
  const isNamed = labels !== undefined && refusal.code !== 'unknown_labels';
  if (conflicts === undefined && !isNamed) return refusal;
  const texts = placeTextsIn(locale);
  const details = { ...refusal.details };
  if (conflicts !== undefined) {
    const names = yield* namesOf(
      plan,
      conflicts.map(({ label }) => label),
      texts,
    );
    details.conflicts = conflicts.map((conflict, nth) => ({ ...conflict, name: names[nth]! }));
  }
  if (isNamed) details.names = yield* namesOf(plan, labels, texts);
  return { ...refusal, details };
}

function* namesOf(plan: Plan, labels: readonly string[], texts: PlaceTexts): Steps<string[]> {
  const names: string[] = [];
  for (const label of labels) {
    names.push(nameOfLabel(plan, label, texts));
    if (names.length % labelsPerStep === 0) yield;
  }
  return names;
}
