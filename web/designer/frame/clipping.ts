/**
 * Copying and pasting, within the chart and from one chart to another by the clipboard of the system. A section takes
 * its rows along. Single seats are no objects: their row is copied, or nothing.
 */
import { type Clip, clipOf, copyOf, duplicate, paste, remove } from '../edits/copies.ts';
import { chosenObjects, reveal, sayChoice } from '../tools/selecting.ts';
import { carried, make } from '../tools/transforms.ts';
import type { Bench } from './workbench.ts';

/** The last copy of this page, for browsers that do not let a page read the clipboard. */
let last: Clip | null = null;

/** False if nothing was chosen that can be copied. */
export function copied(bench: Bench): boolean {
  const { editor, words, say } = bench;
  if (!hasObjects(bench)) return false;
  const clip = copyOf(editor.document, carried(bench));
  last = clip;
  // A page without a right to the clipboard still has its own copy.
  globalThis.navigator?.clipboard?.writeText(JSON.stringify(clip)).catch(() => {});
  say(words().text('draw.copied', { count: clip.objects.length }));
  return true;
}

/** Chosen seats of other objects stay: no copy has them. */
export function cut(bench: Bench): void {
  if (!copied(bench)) return;
  const { objects } = carried(bench);
  if (bench.apply(remove({ objects, seats: new Map() }), 'draw.step.cut'))
    bench.say(bench.words().text('draw.cutOut', { count: objects.size }));
}

export async function pasted(bench: Bench): Promise<void> {
  const read = await globalThis.navigator?.clipboard?.readText().catch(() => '');
  const clip = clipOf(read ?? '') ?? last;
  if (!clip) return bench.notice(bench.words().text('draw.nothingToPaste'));
  const { document, floor } = bench.editor;
  if (!make(bench, paste(document, floor, clip, bench.cursor), 'draw.step.paste')) return;
  const [first] = chosenObjects(bench);
  if (first) reveal(bench, first);
  sayChoice(bench);
}

export function duplicated(bench: Bench): void {
  if (!hasObjects(bench)) return;
  if (make(bench, duplicate(bench.editor.document, carried(bench)), 'draw.step.duplicate')) sayChoice(bench);
}

function hasObjects({ editor, words, notice }: Bench): boolean {
  const { objects } = editor.selection;
  if (objects.size === 0) notice(words().text('draw.noSeatCopies'));
  return objects.size > 0;
}
