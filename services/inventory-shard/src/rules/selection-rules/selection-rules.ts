/**
 * Opens the room of selection rules, which an event may have for the holds that buyers choose seat by seat. The refusal
 * names every broken rule with its labels. Best-available's own choice, servers and operators pass.
 */
import { categoryOf, labelsOf } from '@parterre/shared/chart/plan';
import type { Caller } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import type { Line } from '@parterre/shared/records';
import { maskOf } from '../reach/reach.ts';
import { type Hold, heldLines, quantityOfLines, type ReadState, unitsOfLines } from '../state/state.ts';
import { orphansOf } from './orphans.ts';

type Problem =
  | { rule: 'orphan_seat'; labels: string[] }
  | { rule: 'category_limit'; labels: string[]; categoryKey: string; max: number; asked: number }
  | { rule: 'tier_limit'; labels: string[]; tierId: string; max: number; asked: number };

/** The refusal of these lines, null if they keep the event's rules. `replaced` is the hold that gives its units back. */
export function rulesBroken(
  state: ReadState,
  caller: Caller,
  lines: readonly Line[],
  replaced?: Readonly<Hold>,
): ReturnType<typeof refuse> | null {
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
  if (problems.length === 0) return null;
  const labels = [...new Set(problems.flatMap((problem) => problem.labels))];
  return refuse('selection_rules_broken', `Nothing was held. ${problems.map(textOf).join(' ')}`, {
    reason: problems[0]!.rule,
    details: { labels, problems },
  });
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

const labelsTold = 6;

function textOf(problem: Problem): string {
  switch (problem.rule) {
    case 'orphan_seat': {
      const { labels } = problem;
      const more = labels.length > labelsTold ? ` and ${labels.length - labelsTold} more` : '';
      return `The choice leaves single free seats: ${labels.slice(0, labelsTold).join(', ')}${more}. Choose neighbours of them.`;
    }
    case 'category_limit':
      return `A hold may have at most ${problem.max} places of the category ${problem.categoryKey}, not ${problem.asked}.`;
    case 'tier_limit':
      return `A hold may have at most ${problem.max} tickets of the tier ${problem.tierId}, not ${problem.asked}.`;
  }
}
