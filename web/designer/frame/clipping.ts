/** Copying and pasting, within the chart and from one chart to another by the clipboard of the system. */
import { type Clip, clipOf, copyOf, paste } from '../edits/copies.ts';
import { sayChoice } from '../tools/selecting.ts';
import { make } from '../tools/transforms.ts';
import type { Bench } from './workbench.ts';

/** The last copy of this page, for browsers that do not let a page read the clipboard. */
let last: Clip | null = null;

/** False if nothing was chosen that can be copied. */
export function copied({ editor, words, say }: Bench): boolean {
  const clip = copyOf(editor.document, editor.selection);
  if (clip.objects.length === 0) return false;
  last = clip;
  // A page without a right to the clipboard still has its own copy.
  navigator.clipboard?.writeText(JSON.stringify(clip)).catch(() => {});
  say(words().text('draw.copied', { count: clip.objects.length }));
  return true;
}

export async function pasted(bench: Bench): Promise<void> {
  const read = await navigator.clipboard?.readText().catch(() => '');
  const clip = clipOf(read ?? '') ?? last;
  if (!clip) return bench.notice(bench.words().text('draw.nothingToPaste'));
  const { document, floor } = bench.editor;
  if (make(bench, paste(document, floor, clip, bench.cursor), 'draw.step.paste')) sayChoice(bench);
}
