/** The edits of the selection that tools and commands apply. */
import type { ChartObject } from '@parterre/shared/chart/document';
import type { Edit, Made } from '../document/editor.ts';
import { changeObjects, idOf } from '../document/objects.ts';
import { withContents } from '../document/selecting.ts';
import type { Selection } from '../document/selection.ts';
import type { MessageKey } from '../messages/words.ts';
import type { Workbench } from './tool.ts';

/** Puts an object in the place of another of its id. */
export function bendObject(object: ChartObject, to: ChartObject): Edit {
  return (document) => changeObjects(document, new Set([idOf(object)]), () => to);
}

/** The selection with all that its sections hold, for moves and turns. */
export const carried = ({ editor }: Workbench): Selection => withContents(editor.document, editor.selection);

/** Makes objects, and chooses them. */
export function make(bench: Workbench, { edit, selection }: Made, name: MessageKey): boolean {
  if (!bench.apply(edit, name)) return false;
  bench.editor.select(selection);
  return true;
}
