/**
 * The names of places in refusals. A rule refuses labels; here each label gets the name that the buyer reads on a
 * ticket, in the event's locale. Answers name no places here: front doors add the names of line items.
 */
import { nameOfLabel, placeTextsIn } from '@parterre/shared/charts/place-names';
import type { Caller } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import { isHiddenFrom } from '../availability/availability.ts';
import { finish, type Steps } from '../packed/packed.ts';
import { type Conflict, labelsPerStep } from '../selection/selection.ts';
import type { ReadState } from '../state/state.ts';

/** `name` for each of `conflicts`; `names` beside `labels`. Labels that the chart lacks have no name. */
export function withNames(state: ReadState, caller: Caller, refusal: Refusal): Refusal {
  return refusal.details === undefined ? refusal : finish(withNamesInSteps(state, caller, refusal));
}

/** The same in steps: a change of chart may have 100,000 units in its way. */
export function* withNamesInSteps(state: ReadState, caller: Caller, refusal: Refusal): Steps<Refusal> {
  const { conflicts, labels } = (refusal.details ?? {}) as { conflicts?: Conflict[]; labels?: string[] };
  const isNamed = labels !== undefined && refusal.code !== 'unknown_labels';
  if (conflicts === undefined && !isNamed) return refusal;
  const details = { ...refusal.details };
  if (conflicts !== undefined) {
    const inTheWay = conflicts.map(({ label }) => label);
    const names = yield* namesOf(state, caller, inTheWay);
    details.conflicts = conflicts.map((conflict, nth) => ({ ...conflict, name: names[nth]! }));
  }
  if (!isNamed) return { ...refusal, details };
  const names = yield* namesOf(state, caller, labels);
  details.names = names;
  return { ...refusal, message: saying(refusal, names), details };
}

/** The message names the companion places that lack their wheelchair place. */
function saying({ code, message }: Refusal, names: readonly string[]): string {
  if (code !== 'companion_pair_required') return message;
  const more = names.length > namesTold ? `; and ${names.length - namesTold} more` : '';
  return `${message} Without it: ${names.slice(0, namesTold).join('; ')}${more}.`;
}

const namesTold = 6;

/** A buyer who is told of a hidden place by its label alone does not learn its name. */
function* namesOf(state: ReadState, caller: Caller, labels: readonly string[]): Steps<string[]> {
  const { plan } = state;
  const texts = placeTextsIn(caller.locale);
  const names: string[] = [];
  for (const label of labels) {
    const unit = plan.labels.unitOf(label);
    const object = unit === undefined ? plan.areaByLabel.get(label) : plan.objectOfUnit[unit];
    const isHidden = object !== undefined && isHiddenFrom(caller, state, object);
    names.push(isHidden ? label : nameOfLabel(plan, label, texts));
    if (names.length % labelsPerStep === 0) yield;
  }
  return names;
}
