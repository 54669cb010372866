/** Labels for new objects: the next that no object of their kind has. */
import type { ChartDocument, ChartObject } from '@parterre/shared/chart/document';
import { seatNumberer } from '@parterre/shared/chart/numbering';
import { partsOf } from '@parterre/shared/chart/places';

const taken = new WeakMap<ChartDocument, Map<ChartObject['type'], Set<string>>>();

/** Letters for rows: A to Z, then AA. Other kinds have a word and a number. */
export function freshLabels(document: ChartDocument, type: ChartObject['type'], count: number, word = ''): string[] {
  const labels = labelsOf(document, type);
  const found: string[] = [];
  for (let number = 1; found.length < count; number++) {
    const label = type === 'row' ? letter(number) : `${word}${number}`;
    if (!labels.has(label)) found.push(label);
  }
  return found;
}

const letter = (number: number): string =>
  seatNumberer({
    seatCount: 1,
    seatLabelStart: number,
    seatNumbering: { direction: 'ltr', scheme: 'letters-upper' },
  })(0);

function labelsOf(document: ChartDocument, type: ChartObject['type']): Set<string> {
  const kinds = taken.get(document) ?? new Map<ChartObject['type'], Set<string>>();
  taken.set(document, kinds);
  const known = kinds.get(type);
  if (known) return known;
  const labels = new Set<string>();
  for (const { objects } of partsOf(document)) {
    for (const object of objects) if (object.type === type) labels.add((object as { label?: string }).label ?? '');
  }
  kinds.set(type, labels);
  return labels;
}
