/** The parts of the designer that the panels use, and the values that all panels share. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import type { Bounds } from '../../src/rules/bounds.ts';
import type { Edit, Editor } from '../document/editor.ts';
import { idOf, objectsOf } from '../document/objects.ts';
import { type Selection, touchedIds } from '../document/selection.ts';
import type { LabelIndex } from '../labelling/label-index.ts';
import type { Preview } from '../labelling/preview.ts';
import { type MessageKey, tell, type Words } from '../messages/words.ts';
import type { PaintWhat } from '../painting/painting.ts';
import type { Fields } from './fields.ts';

export type PanelsHost = {
  readonly editor: Editor;
  words(): Words;
  /** Told to screen readers. */
  say(text: string): void;
  /** A refusal, or news that everybody must see: said, and shown over the map. */
  notice(text: string): void;
  redraw(): void;
  /** Shows objects on the map and selects them. */
  focus(objectIds: readonly string[]): void;
  /** Texts on seats that are only proposed; null ends it. */
  preview(labels: Preview | null): void;
  /** Objects that the map draws as wrong, by id, with the reason. */
  mark(issues: ReadonlyMap<string, string>): void;
  /** Chooses the brush and its paint; null puts the brush away. */
  brush(what: PaintWhat | null): void;
  painting(): PaintWhat | null;
  /** Around all that the floor in sight shows. */
  extent(): Bounds;
  /** The next point on the map is the focal point of a zone, or of the floor in sight (null). */
  pick(zone: string | null): void;
  /** Keys of categories that a published chart may have: prices and reports name them. */
  publishedKeys(): ReadonlySet<string>;
  /** Of the organisation: amounts with decimals have its digits. Null where the session does not tell it. */
  currency(): string | null;
  /** Whether the cards of sections show prices. */
  prices(areShown: boolean): void;
};

export type Panel = PanelsHost & { readonly fields: Fields; labels(): LabelIndex };

export const isReadOnly = ({ editor }: PanelsHost): boolean => editor.may.authority === 'read-only';

/** The sentence of the refusal, which is a notice too; null after the edit. Edits of one `gesture` are one step. */
export function applied(
  { editor, words, notice }: PanelsHost,
  edit: Edit,
  name: MessageKey,
  gesture: string | null = null,
): string | null {
  const refusal = editor.apply(edit, name, gesture);
  if (refusal === null) return null;
  const sentence = tell(words(), refusal);
  notice(sentence);
  return sentence;
}

export type SelectedObjects = {
  /** Objects of the selection, and objects of which seats are selected. */
  touched: readonly ChartObject[];
  /** The objects that are selected whole. */
  whole: readonly ChartObject[];
};

let last: (SelectedObjects & { document: ChartDocument; selection: Selection }) | null = null;

/** The last answer is kept: the same lists while document and selection stay. */
export function chosenBy({ editor: { document, selection } }: PanelsHost): SelectedObjects {
  if (last?.document !== document || last.selection !== selection) {
    const touched = objectsOf(document, touchedIds(selection));
    const whole = touched.filter((object) => selection.objects.has(idOf(object)));
    last = { touched, whole, document, selection };
  }
  return last;
}
