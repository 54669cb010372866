/** The edits of the selection that tools and commands apply. */
import type { ChartObject, Row } from '@parterre/shared/charts/document';
import { seatPositions } from '@parterre/shared/charts/geometry';
import type { Point } from '@parterre/shared/charts/plan';
import type { Edit, MakingEdit } from '../document/editor.ts';
import type { Fields } from '../document/fields.ts';
import { changeObjects, idOf } from '../document/objects.ts';
import { withContents } from '../document/selecting.ts';
import type { Selection } from '../document/selection.ts';
import { turn } from '../edits/motion.ts';
import type { MessageKey } from '../messages/words.ts';
import { changeOverrides } from '../painting/overrides.ts';
import type { Workbench } from './tool.ts';

/** The fields that handles change. */
const shapeFields = ['origin', 'rotation', 'curve', 'seatSpacing', 'path', 'outline', 'points', 'holes'];

/**
 * Gives an object another shape. Offsets of single seats turn with their row. Everything else stays as the document has
 * it: a merge may come between.
 */
export function bendObject(object: ChartObject, to: ChartObject): Edit {
  if (to === object) return (document) => document;
  return (document) =>
    changeObjects(document, new Set([idOf(object)]), (present) => {
      const changed: Record<string, unknown> = { ...present };
      for (const name of shapeFields) {
        if ((to as Fields)[name] === undefined) delete changed[name];
        else changed[name] = (to as Fields)[name];
      }
      const bent = changed as unknown as ChartObject;
      return bent.type === 'row' && present.type === 'row' ? withTurnedOffsets(bent, present) : bent;
    });
}

/** Seats beside the line of a row stay on their side of it: their offsets turn with the line at each seat. */
function withTurnedOffsets(row: Row, before: Row): Row {
  const beside = (row.overrides ?? []).filter(({ dx, dy }) => dx !== undefined || dy !== undefined);
  if (beside.length === 0) return row;
  const from = seatPositions(before);
  const to = seatPositions(row);
  return changeOverrides(row, new Set(beside.map(({ index }) => index)), (entry) => {
    const by = turn(headingAt(to, entry.index) - headingAt(from, entry.index), { x: 0, y: 0 });
    const { x, y } = by.point({ x: entry.dx ?? 0, y: entry.dy ?? 0 });
    return { ...entry, dx: x, dy: y };
  });
}

/** The direction of the line at this seat, in degrees, from the seats beside it. */
function headingAt(seats: readonly Point[], index: number): number {
  const from = seats[index - 1] ?? seats[index];
  const to = seats[index + 1] ?? seats[index];
  return from && to ? (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI : 0;
}

/** The selection with all that its sections hold, for moves and turns. */
export const carried = ({ editor }: Workbench): Selection => withContents(editor.document, editor.selection);

/** Makes objects, and chooses them. */
export function make(bench: Workbench, { edit, selection }: MakingEdit, name: MessageKey): boolean {
  if (!bench.apply(edit, name)) return false;
  bench.editor.select(selection);
  return true;
}
