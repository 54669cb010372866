/** The refusal of a choice or party that breaks rules of the event. It names every broken rule with its labels. */
import { refuse } from '@parterre/shared/protocol/errors';

export type Problem =
  | { rule: 'orphan_seat'; labels: string[] }
  | { rule: 'category_limit'; labels: string[]; categoryKey: string; max: number; asked: number }
  | { rule: 'tier_limit'; labels: string[]; tierId: string; max: number; asked: number };

/** `nameOf` names a seat of the chart for the caller. */
export function brokenBy(problems: readonly Problem[], nameOf: (label: string) => string): ReturnType<typeof refuse> {
  const labels = [...new Set(problems.flatMap((problem) => problem.labels))];
  const texts = problems.map((problem) => textOf(problem, nameOf));
  return refuse('selection_rules_broken', `Nothing was held. ${texts.join(' ')}`, {
    reason: problems[0]!.rule,
    details: { labels, problems },
  });
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
  }
}
