/**
 * Opens the room of selection rules, which an event may have for the holds of buyers. A choice seat by seat is refused
 * if it breaks a rule; best-available searches within the limits (limited-search.ts). Servers and operators pass.
 */
import { nameOfLabel, placeTextsIn } from '@parterre/shared/charts/place-names';
import { categoryOf, labelsOf } from '@parterre/shared/charts/plan';
import type { Caller } from '@parterre/shared/protocol/commands';
import type { Line } from '@parterre/shared/protocol/records';
import { maskOf } from '../reach/reach.ts';
import { type Hold, heldLines, quantityOfLines, type ReadState, unitsOfLines } from '../state/state.ts';
import { brokenBy, type Problem } from './broken-rules.ts';
import { orphansOf } from './orphans.ts';

/**
 * The refusal of these lines, null if they keep the event's rules. `replaced` is the hold that gives its units back.
 */
export function rulesBroken(
  state: ReadState,
  caller: Caller,
  lines: readonly Line[],
  replaced?: Readonly<Hold>,
): ReturnType<typeof brokenBy> | null {
  const { selectionRules } = state.config;
  if (selectionRules === undefined || caller.source !== 'buyer') return null;
  const { preventOrphans, categoryLimits = {}, tierLimits = {} } = selectionRules;
  const problems: Problem[] = [
    ...(preventOrphans ? orphansAmong(state, caller, lines, replaced) : []),
    ...Object.entries(categoryLimits).flatMap(([categoryKey, max]) => {
      const over = excessOf(state, lines, max, ({ unit }) => categoryOf(state.plan, unit).key === categoryKey);
      return over ? [{ rule: 'category_limit' as const, categoryKey, ...over }] : [];
    }),
    ...Object.entries(tierLimits).flatMap(([id, max]) => {
      const over = excessOf(state, lines, max, ({ tierId }) => tierId === id);
      return over ? [{ rule: 'tier_limit' as const, tierId: id, ...over }] : [];
    }),
  ];
  const texts = placeTextsIn(caller.locale);
  return problems.length === 0 ? null : brokenBy(problems, (label) => nameOfLabel(state.plan, label, texts));
}

function orphansAmong(
  state: ReadState,
  caller: Caller,
  lines: readonly Line[],
  replaced: Readonly<Hold> | undefined,
): Problem[] {
  // The lines exist, so the caller has a reach.
  const reach = maskOf(state, caller);
  const back = new Set(replaced ? unitsOfLines(heldLines(state, replaced)) : []);
  const taken = new Set(lines.map(({ unit }) => unit));
  const orphans = orphansOf(state, { taken, back, mask: reach.ok ? reach.value : null });
  return orphans.length === 0 ? [] : [{ rule: 'orphan_seat', labels: labelsOf(state.plan, orphans) }];
}

function excessOf({ plan }: ReadState, lines: readonly Line[], max: number, counts: (line: Line) => boolean) {
  const counted = lines.filter(counts);
  const asked = quantityOfLines(counted);
  return asked > max ? { labels: labelsOf(plan, unitsOfLines(counted)), max, asked } : null;
}
