/** All tools of a map, in the order of the bar: groups are parted by a line. Opens the room. */
import type { Feature, Permissions } from '../document/permissions.ts';
import { drawings } from './drawings.ts';
import { holeDrawing } from './holes.ts';
import { PaintTool } from './paint-tool.ts';
import { PointsTool } from './points-tool.ts';
import { SelectTool } from './select-tool.ts';
import type { Tool, ToolName, Workbench } from './tool.ts';

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
