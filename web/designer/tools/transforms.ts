/** The edits of the selection that tools and commands apply. */
import type { ChartObject } from '@parterre/shared/chart/document';
import type { Edit, Made } from '../document/editor.ts';
import type { Fields } from '../document/fields.ts';
import { changeObjects, idOf } from '../document/objects.ts';
import { withContents } from '../document/selecting.ts';
import type { Selection } from '../document/selection.ts';
import type { MessageKey } from '../messages/words.ts';
import type { Workbench } from './tool.ts';

/** The fields that handles change. */
const shapeFields = ['origin', 'rotation', 'curve', 'seatSpacing', 'path', 'outline', 'points', 'holes'];

/** Gives an object another shape. Everything else of it stays as the document has it: a merge may come between. */
export function bendObject(object: ChartObject, to: ChartObject): Edit {
  if (to === object) return (document) => document;
  return (document) =>
    changeObjects(document, new Set([idOf(object)]), (present) => {
      const changed: Record<string, unknown> = { ...present };
      for (const name of shapeFields) {
        if ((to as Fields)[name] === undefined) delete changed[name];
        else changed[name] = (to as Fields)[name];
      }
      return changed as unknown as ChartObject;
    });
}

/** The selection with all that its sections hold, for moves and turns. */
export const carried = ({ editor }: Workbench): Selection => withContents(editor.document, editor.selection);

/** Makes objects, and chooses them. */
export function make(bench: Workbench, { edit, selection }: Made, name: MessageKey): boolean {
  if (!bench.apply(edit, name)) return false;
  bench.editor.select(selection);
  return true;
}
