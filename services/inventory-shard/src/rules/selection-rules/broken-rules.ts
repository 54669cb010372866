/** The refusal of a choice or party that breaks rules of the event. It names every broken rule with its labels. */
import { refuse } from '@parterre/shared/protocol/errors';

export type Problem =
  | { rule: 'orphan_seat'; labels: string[] }
  | { rule: 'category_limit'; labels: string[]; categoryKey: string; max: number; asked: number }
  | { rule: 'tier_limit'; labels: string[]; tierId: string; max: number; asked: number };

export function brokenBy(problems: readonly Problem[]): ReturnType<typeof refuse> {
  const labels = [...new Set(problems.flatMap((problem) => problem.labels))];
  return refuse('selection_rules_broken', `Nothing was held. ${problems.map(textOf).join(' ')}`, {
    reason: problems[0]!.rule,
    details: { labels, problems },
  });
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
