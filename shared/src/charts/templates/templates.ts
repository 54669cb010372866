/**
 * Templates of venues: charts to start from, drawn in sizes that the caller chooses. Each publishes as it is.
 *
 * - template.ts: the form of a template.
 * - arcs.ts, rows.ts, tiers.ts, stands.ts: rows of seats and the sections around them; decor.ts: the rest of a hall.
 * - a file for each venue.
 *
 * Pure: the same sizes always give the same chart.
 */

import type { Issue } from '../../protocol/errors.ts';
import type { ChartDocument } from '../document.ts';
import { withDisplayLabels } from '../place-names.ts';
import { arena } from './arena.ts';
import { banquet } from './banquet.ts';
import { cabaret } from './cabaret.ts';
import { classroom } from './classroom.ts';
import { club } from './club.ts';
import { stadium } from './stadium.ts';
import type { Sizes, Template } from './template.ts';
import { theatre } from './theatre.ts';

export type { Sizes, Template } from './template.ts';

export const templates: readonly Template[] = [theatre, arena, stadium, cabaret, banquet, classroom, club];

export function usualSizes({ sizes }: Template): Sizes {
  return Object.fromEntries(sizes.map((size) => [size.name, size.default]));
}

/**
 * The chart in the given sizes, and in usual sizes where none are given; or every fault of the given sizes, with paths
 * below `sizes`.
 */
export function drawTemplate(
  template: Template,
  given: Readonly<Record<string, unknown>>,
): { document: ChartDocument } | { issues: Issue[] } {
  const issues = Object.entries(given).flatMap(([name, value]) => issueOf(template, name, value));
  if (issues.length > 0) return { issues };
  return { document: documentOf(template, { ...usualSizes(template), ...(given as Sizes) }) };
}

/** Buyers read rows without their section, which the labels begin with. */
export function documentOf(template: Template, sizes: Sizes): ChartDocument {
  const drawn = template.draw(sizes);
  return { ...drawn, objects: withDisplayLabels(drawn.objects) };
}

function issueOf({ id, sizes }: Template, name: string, value: unknown): Issue[] {
  const path = `sizes.${name}`;
  const size = sizes.find((each) => each.name === name);
  if (!size) {
    const names = sizes.map((each) => each.name).join(', ');
    return [{ path, message: `The template ${id} has no size ${name}. Its sizes: ${names}.` }];
  }
  if (Number.isInteger(value) && Number(value) >= size.min && Number(value) <= size.max) return [];
  return [{ path, message: `Must be a whole number of ${size.min} to ${size.max}.` }];
}
