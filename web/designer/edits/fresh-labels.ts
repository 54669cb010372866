/** Labels for copies and new objects: labels that no object of their kind has. Pure. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { letters } from '@parterre/shared/charts/numbering';
import { everyObject } from '../document/objects.ts';

/** Gives the wanted label where it is free, else the next free one after it; a different one each time. */
export type FreshLabels = (type: ChartObject['type'], wanted: string) => string;

/** More letters than a row has are a word. */
const ROW_LETTERS_MAX = 2;

/** Seats of rows and of tables are labelled alike, so objects with places share no label. Sections have names. */
export function freshLabels(document: ChartDocument): FreshLabels {
  const taken = new Map<string, Set<string>>();
  const of = (type: string): Set<string> => {
    const kind = type === 'section' ? type : 'place';
    const labels = taken.get(kind) ?? new Set<string>();
    taken.set(kind, labels);
    return labels;
  };
  for (const { type, label } of everyObject(document)) if (typeof label === 'string') of(type).add(label);
  return (type, wanted) => {
    const labels = of(type);
    let label = wanted;
    while (labels.has(label)) label = nextLabel(type, label);
    labels.add(label);
    return label;
  };
}

const known = new WeakMap<ChartDocument, Set<unknown>>();

/** Letters that houses leave out, since they look like numbers. */
const OFTEN_LEFT_OUT = ['I', 'O', 'Q'];

/**
 * The letters among these that the rows of a chart leave out: a row has the letter before, another row the letter
 * after, and none the letter itself.
 */
function leftOut(taken: ReadonlySet<unknown>): Set<string> {
  const beside = (letter: string, by: number) => String.fromCharCode(letter.charCodeAt(0) + by);
  return new Set(
    OFTEN_LEFT_OUT.filter(
      (letter) => !taken.has(letter) && taken.has(beside(letter, -1)) && taken.has(beside(letter, 1)),
    ),
  );
}

/**
 * The first labels that nothing in the chart has. Rows begin with A, others with a word and 1. Letters that the chart
 * leaves out stay left out. A ghost asks at each move, so the labels of a document are kept.
 */
export function firstLabels(document: ChartDocument, type: ChartObject['type'], count: number, word = ''): string[] {
  const taken = known.get(document) ?? new Set(Array.from(everyObject(document), ({ label }) => label));
  known.set(document, taken);
  const skipped = type === 'row' ? leftOut(taken) : new Set<string>();
  const isSkipped = (label: string) => [...label].some((letter) => skipped.has(letter));
  const found: string[] = [];
  let label = type === 'row' ? 'A' : `${word}1`;
  while (found.length < count) {
    if (!taken.has(label) && !isSkipped(label)) found.push(label);
    label = nextLabel(type, label);
  }
  return found;
}

/** B after A, AA after Z, 13 after 12, A-10 after A-9, "Bar 2" after "Bar". */
export function nextLabel(type: ChartObject['type'], label: string): string {
  const number = /^(.*?)(\d{1,12})$/su.exec(label);
  if (number) return number[1]! + String(Number(number[2]) + 1).padStart(number[2]!.length, '0');
  const lettered = type === 'row' ? /^(.*?)([A-Z]+|[a-z]+)$/su.exec(label) : null;
  if (!lettered || lettered[2]!.length > ROW_LETTERS_MAX) return `${label} 2`;
  const [, stem, text] = lettered as unknown as [string, string, string];
  const next = letters(letterValue(text.toUpperCase()) + 1);
  return stem + (text === text.toUpperCase() ? next : next.toLowerCase());
}

/** A = 1, Z = 26, AA = 27. */
function letterValue(text: string): number {
  return [...text].reduce((value, letter) => value * 26 + letter.charCodeAt(0) - 64, 0);
}
