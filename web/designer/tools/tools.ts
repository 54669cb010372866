/** All tools of a map, in the order of the bar: groups are parted by a line. Opens the room. */
import { drawings } from './drawings.ts';
import { holeDrawing } from './holes.ts';
import { PaintTool } from './paint-tool.ts';
import { PointsTool } from './points-tool.ts';
import { SelectTool } from './select-tool.ts';
import type { Tool, ToolName, Workbench } from './tool.ts';

export type Tools = ReadonlyMap<ToolName, Tool>;

export const toolGroups: readonly (readonly ToolName[])[] = [
  ['select', 'pan', 'paint'],
  ['seat', 'row', 'curve', 'path', 'block'],
  ['section', 'outline', 'hole'],
  ['round', 'rect', 'booth'],
  ['area', 'polygon'],
  ['text', 'shape', 'ellipse', 'image'],
];

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
