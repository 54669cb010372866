/**
 * The steps that undo and redo go through, bounded by bytes alone. A step has the documents before and after its edit,
 * which share all objects that it does not change, so a step costs its changed objects and the lists around them.
 *
 * Where the document still is the step's own, undo puts the other document back. Where somebody else's changes came
 * between, undo is a merge: the step taken back is one side, theirs the other. Objects that both changed stay as they
 * are, and the answer lists them.
 *
 * A gesture (a drag) is one step. A change of somebody else parts it into several. A gesture that is given up takes all
 * of them back, and the steps that were undone before it can be redone again.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { MessageKey } from '../messages/words.ts';
import { type Changes, changesBetween } from './changes.ts';
import { bytesOf } from './fields.ts';
import { mergeDocuments } from './merge.ts';

const historyBytesMax = 64 * 1024 * 1024;

type Step = {
  name: MessageKey;
  /** Null once it was undone. */
  gesture: string | null;
  before: ChartDocument;
  after: ChartDocument;
  /** Null while a gesture may still go on. */
  bytes: number | null;
};

export type Stepped = {
  readonly name: MessageKey;
  readonly document: ChartDocument;
  /** Ids of objects that stay as they are, because somebody else changed them too. */
  readonly left: readonly string[];
};

type Allows = (after: ChartDocument) => boolean;

export class History {
  readonly #bytesMax: number;
  readonly #done: Step[] = [];
  readonly #undone: Step[] = [];
  /** The steps that were undone before the last gesture. */
  readonly #aside: Step[] = [];
  /** The gesture that may be given up. */
  #gesture: string | null = null;
  #bytes = 0;

  constructor(bytesMax = historyBytesMax) {
    this.#bytesMax = bytesMax;
  }

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** Adds a step, or joins it to the last one of its gesture. The steps that were undone are forgotten. */
  add(name: MessageKey, gesture: string | null, before: ChartDocument, after: ChartDocument): void {
    this.#begin(gesture);
    const last = this.#done.at(-1);
    if (gesture !== null && last?.gesture === gesture && last.bytes === null && last.after === before) {
      last.after = after;
      return;
    }
    this.#close();
    this.#done.push({ name, gesture, before, after, bytes: null });
    while (this.#bytes > this.#bytesMax && this.#done.length > 1) this.#bytes -= this.#done.shift()!.bytes ?? 0;
  }

  /** A step that `allows` forbids is not taken: the answer is null, as without a step. */
  undo(document: ChartDocument, allows: Allows): Stepped | null {
    this.#close();
    const step = this.#done.at(-1);
    if (!step) return null;
    return this.#take(stepped(step.name, step.after, step.before, document), allows, this.#done, this.#undone);
  }

  redo(document: ChartDocument, allows: Allows): Stepped | null {
    const step = this.#undone.at(-1);
    if (!step) return null;
    return this.#take(stepped(step.name, step.before, step.after, document), allows, this.#undone, this.#done);
  }

  /** Takes all steps of the last gesture back, and keeps none of them. Null where the gesture changed nothing. */
  giveUp(gesture: string, document: ChartDocument, allows: Allows): Stepped | null {
    if (gesture !== this.#gesture) return null;
    const first = this.#done.findLastIndex((step) => step.gesture !== gesture) + 1;
    const left: string[] = [];
    let present = document;
    for (const step of this.#done.slice(first).reverse()) {
      const earlier = stepped(step.name, step.after, step.before, present);
      present = earlier.document;
      left.push(...earlier.left);
    }
    if (!this.#done[first] || !allows(present)) return null;
    const { name } = this.#done[first];
    this.#forget(this.#done.splice(first));
    this.#undone.push(...this.#aside.splice(0));
    this.#gesture = null;
    return { name, document: present, left };
  }

  /** A gesture may be given up, so the steps that were undone before it are set aside. */
  #begin(gesture: string | null): void {
    if (gesture !== null && gesture === this.#gesture) return;
    this.#end();
    if (gesture !== null) this.#aside.push(...this.#undone.splice(0));
    else this.#forget(this.#undone);
    this.#gesture = gesture;
  }

  /** The last gesture can be given up no more. */
  #end(): void {
    this.#forget(this.#aside);
    this.#gesture = null;
  }

  #forget(steps: Step[]): void {
    for (const { bytes } of steps.splice(0)) this.#bytes -= bytes ?? 0;
  }

  #take(step: Stepped, allows: Allows, from: Step[], to: Step[]): Stepped | null {
    if (!allows(step.document)) return null;
    this.#end();
    to.push({ ...from.pop()!, gesture: null });
    return step;
  }

  /** Counts the last step. No further edit joins it. */
  #close(): void {
    const last = this.#done.at(-1);
    if (!last || last.bytes !== null) return;
    last.bytes = bytesBetween(last.before, last.after);
    this.#bytes += last.bytes;
  }
}

/** The document with the step from one document to the other. */
function stepped(name: MessageKey, from: ChartDocument, to: ChartDocument, document: ChartDocument): Stepped {
  if (document === from) return { name, document: to, left: [] };
  const merged = mergeDocuments(from, to, document, 'undo');
  return { name, document: merged.document, left: merged.conflicts.flatMap(({ id }) => (id === null ? [] : [id])) };
}

/** The memory of a step: both forms of each change, and the new lists of objects. */
function bytesBetween(before: ChartDocument, after: ChartDocument): number {
  const { objects, fields }: Changes = changesBetween(before, after);
  let bytes = 128;
  for (const change of objects) bytes += bytesOf(change.before) + bytesOf(change.after);
  for (const name of fields) if (name !== 'floors') bytes += bytesOf(before[name]) + bytesOf(after[name]);
  for (const { objects: list } of [before, after, ...(before.floors ?? []), ...(after.floors ?? [])]) {
    bytes += 8 * list.length;
  }
  return bytes;
}
