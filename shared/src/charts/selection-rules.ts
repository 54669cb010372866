/** The selection rules of an event, and whether they name parts of its chart. Pure. */
import type { Issue } from '../protocol/errors.ts';
import type { Category } from './document.ts';

/**
 * Rules for the seats that a buyer may choose in one hold. `categoryLimits` by category and `tierLimits` by tier id (in
 * all categories) count guests. [each: off]
 */
export type SelectionRules = {
  preventOrphans?: true;
  categoryLimits?: Record<string, number>;
  tierLimits?: Record<string, number>;
};

/** One issue for each limit of a category or tier that the chart lacks. */
export function selectionRuleIssues(categories: readonly Category[], rules: SelectionRules): Issue[] {
  const keys = new Set(categories.map(({ key }) => key));
  const tiers = new Set(categories.flatMap(({ tiers = [] }) => tiers.map(({ id }) => id)));
  return [
    ...unknownIn('categoryLimits', rules.categoryLimits, keys, 'category'),
    ...unknownIn('tierLimits', rules.tierLimits, tiers, 'tier'),
  ];
}

function unknownIn(field: string, limits: object | undefined, known: ReadonlySet<string>, what: string): Issue[] {
  const unknown = Object.keys(limits ?? {}).filter((name) => !known.has(name));
  return unknown.map((name) => ({
    path: `selectionRules.${field}.${name}`,
    message: `The chart has no such ${what}.`,
  }));
}
