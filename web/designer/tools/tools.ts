/** All tools of a map, in the order of the bar: groups are parted by a line. Opens the room. */

import type { ChartObject } from '@parterre/shared/charts/document';
import { pointInOutline } from '@parterre/shared/charts/membership';
import type { Point } from '@parterre/shared/charts/plan';
import { idOf } from '../document/objects.ts';
import type { Feature, Permissions } from '../document/permissions.ts';
import { drawings } from './drawings.ts';
import { listsOf, withLists } from './handles.ts';
import { PaintTool } from './paint-tool.ts';
import { type Drawing, PointsTool } from './points-tool.ts';
import { SelectTool } from './select-tool.ts';
import { nameIn } from './selecting.ts';
import type { Tool, ToolName, Workbench } from './tool.ts';
import { bendObject } from './transforms.ts';

export type Tools = ReadonlyMap<ToolName, Tool>;

const toolGroups: readonly (readonly ToolName[])[] = [
  ['select', 'pan', 'paint'],
  ['seat', 'row', 'curve', 'path', 'block'],
  ['section', 'outline', 'hole'],
  ['round', 'rect', 'booth'],
  ['area', 'polygon'],
  ['text', 'shape', 'ellipse', 'image'],
];

/** A tool is there while the session allows one of these. The others only look. */
const featuresOf: Partial<Record<ToolName, readonly Feature[]>> = {
  paint: ['painting', 'accessibility', 'views', 'categories'],
  ...toEach(['seat', 'row', 'curve', 'path', 'block'], 'rows'),
  ...toEach(['section', 'outline'], 'sections'),
  hole: ['sections', 'areas'],
  ...toEach(['round', 'rect'], 'tables'),
  booth: ['booths'],
  ...toEach(['area', 'polygon'], 'areas'),
  ...toEach(['text', 'shape', 'ellipse', 'image'], 'decor'),
};

function toEach(names: readonly ToolName[], feature: Feature): Partial<Record<ToolName, readonly Feature[]>> {
  return Object.fromEntries(names.map((name) => [name, [feature]]));
}

/** The tools that a session allows. A group without tools is absent. */
export function groupsFor(tools: Tools, may: Permissions): readonly (readonly Tool[])[] {
  const isAllowed = (name: ToolName): boolean => {
    const features = featuresOf[name];
    return features === undefined || (may.authority !== 'read-only' && features.some((feature) => may.has(feature)));
  };
  const groups = toolGroups.map((group) => group.filter(isAllowed).map((name) => tools.get(name)!));
  return groups.filter(({ length }) => length > 0);
}

/**
 * The tool that cuts a hole into a section or an area.
 *
 * The hole belongs to the chosen section or area that holds its first point, else to the topmost one.
 */
const holeDrawing: Drawing = {
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

export function makeTools(bench: Workbench): Tools {
  const tools: Tool[] = [new SelectTool(bench), panTool, new PaintTool(bench)];
  for (const drawing of [...drawings, holeDrawing]) tools.push(new PointsTool(drawing, bench));
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** A drag that no tool takes moves the map. */
const panTool: Tool = {
  name: 'pan',
  icon: 'pan',
  key: 'h',
  press: () => null,
  hover() {},
  enter: null,
  onKey: () => false,
  leave: () => false,
  draw() {},
};
