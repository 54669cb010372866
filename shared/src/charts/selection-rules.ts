/** The selection rules of an event, and whether they name parts of its chart. Pure. */
import type { Issue } from '../protocol/errors.ts';
import type { Category } from './document.ts';

/**
 * Rules for the seats that a buyer may choose in one hold. `categoryLimits` by category and `tierLimits` by tier id (in
 * all categories) count guests, and so do `min` and `exact`. `consecutive`: the seats stand side by side in one row or
 * at one table; places of areas are not looked at. `highlightOnly`: a broken rule is told and refuses nothing. [each:
 * off]
 */
export type SelectionRules = {
  preventOrphans?: true;
  categoryLimits?: Record<string, number>;
  tierLimits?: Record<string, number>;
  min?: number;
  exact?: number;
  consecutive?: true;
  highlightOnly?: true;
};

/** A rule that a choice breaks. `labels` of an orphan are the seats that would be left single. */
export type BrokenSelectionRule =
  | { rule: 'orphan_seat' | 'not_consecutive'; labels: string[] }
  | { rule: 'category_limit'; labels: string[]; categoryKey: string; max: number; asked: number }
  | { rule: 'tier_limit'; labels: string[]; tierId: string; max: number; asked: number }
  | { rule: 'min_places'; labels: string[]; min: number; asked: number }
  | { rule: 'exact_places'; labels: string[]; exact: number; asked: number };

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
