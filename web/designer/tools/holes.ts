/** The tool that cuts a hole into a section or an area. */
import type { ChartObject } from '@parterre/shared/charts/document';
import { pointInOutline } from '@parterre/shared/charts/membership';
import type { Point } from '@parterre/shared/charts/plan';
import { idOf } from '../document/objects.ts';
import { listsOf, withLists } from './handles.ts';
import type { Drawing } from './points-tool.ts';
import { nameIn } from './selecting.ts';
import type { Workbench } from './tool.ts';
import { bendObject } from './transforms.ts';

/** The hole belongs to the chosen section or area that holds its first point, else to the topmost one. */
export const holeDrawing: Drawing = {
  name: 'hole',
  icon: 'hole',
  key: 'e',
  points: { min: 3, max: 1_000, lines: 1_000 },
  make(points) {
    return points.length < 3 ? [] : [{ type: 'section', id: 'hole', label: '', outline: [...points] }];
  },
  finish(_, points, bench) {
    const owner = ownerOf(points[0]!, bench);
    const { words, say, notice } = bench;
    if (!owner) {
      notice(words().text('draw.noOwner'));
      return false;
    }
    if (!bench.apply(bendObject(owner, withLists(owner, [...listsOf(owner), points])), 'draw.step.hole')) return false;
    say(words().text('draw.cut', { name: nameIn(words(), owner) }));
    return true;
  },
  note: (_, { words }) => words().text('draw.tool.hole'),
};

function ownerOf(point: Point, { board, editor }: Workbench): ChartObject | null {
  const holds = (object: ChartObject) =>
    (object.type === 'gaArea' || object.type === 'section') && pointInOutline(point, listsOf(object)[0]!);
  const found = board.live.objects.filter(holds);
  return found.find((each) => editor.selection.objects.has(idOf(each))) ?? found.at(-1) ?? null;
}
