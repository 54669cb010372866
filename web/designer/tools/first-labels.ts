/** Labels for what a tool draws: the first that the chart has not. A ghost asks at each move, so they are kept. */
import type { ChartDocument, ChartObject } from '@parterre/shared/chart/document';
import { everyObject } from '../document/objects.ts';
import { nextLabel } from '../edits/fresh-labels.ts';

const known = new WeakMap<ChartDocument, Set<unknown>>();

/** Rows begin with A, others with a word and 1. */
export function firstLabels(document: ChartDocument, type: ChartObject['type'], count: number, word = ''): string[] {
  const taken = known.get(document) ?? new Set(Array.from(everyObject(document), ({ label }) => label));
  known.set(document, taken);
  const found: string[] = [];
  let label = type === 'row' ? 'A' : `${word}1`;
  while (found.length < count) {
    if (!taken.has(label)) found.push(label);
    label = nextLabel(type, label);
  }
  return found;
}
