/** Whether the selection rules of an event name parts of its chart. Pure. */
import type { Issue } from '../errors.ts';
import type { SelectionRules } from '../records.ts';
import type { Category } from './document.ts';

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
