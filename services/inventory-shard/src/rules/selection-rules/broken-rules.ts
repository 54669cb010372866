/** The refusal of a choice or party that breaks rules of the event. It names every broken rule with its labels. */
import type { BrokenSelectionRule, SelectionRules } from '@parterre/shared/charts/selection-rules';
import { refuse } from '@parterre/shared/protocol/errors';

export type Problem = BrokenSelectionRule;

/** `nameOf` names a seat of the chart for the caller. */
export function brokenBy(problems: readonly Problem[], nameOf: (label: string) => string): ReturnType<typeof refuse> {
  const labels = [...new Set(problems.flatMap((problem) => problem.labels))];
  const texts = problems.map((problem) => textOf(problem, nameOf));
  return refuse('selection_rules_broken', `Nothing was held. ${texts.join(' ')}`, {
    reason: problems[0]!.rule,
    details: { labels, problems },
  });
}

/** The problems of a party whose number the rules do not allow. */
export function numbersBroken(
  { min, exact }: Pick<SelectionRules, 'min' | 'exact'>,
  asked: number,
  labels: () => string[],
): Problem[] {
  const problems: Problem[] = [];
  if (min !== undefined && asked < min) problems.push({ rule: 'min_places', labels: labels(), min, asked });
  if (exact !== undefined && asked !== exact) problems.push({ rule: 'exact_places', labels: labels(), exact, asked });
  return problems;
}

const labelsTold = 6;

function textOf(problem: Problem, nameOf: (label: string) => string): string {
  switch (problem.rule) {
    case 'orphan_seat': {
      const { labels } = problem;
      const more = labels.length > labelsTold ? `; and ${labels.length - labelsTold} more` : '';
      const names = labels.slice(0, labelsTold).map(nameOf).join('; ');
      return `The choice leaves single free seats: ${names}${more}. Choose neighbours of them.`;
    }
    case 'category_limit':
      return `A hold may have at most ${problem.max} places of the category ${problem.categoryKey}, not ${problem.asked}.`;
    case 'tier_limit':
      return `A hold may have at most ${problem.max} tickets of the tier ${problem.tierId}, not ${problem.asked}.`;
    case 'min_places':
      return `A hold has at least ${problem.min} places, not ${problem.asked}.`;
    case 'exact_places':
      return `A hold has exactly ${problem.exact} places, not ${problem.asked}.`;
    case 'not_consecutive':
      return 'The seats of a hold stand side by side in one row. Choose neighbours.';
  }
}
