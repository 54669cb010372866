/** All tools of a map, in the order of the bar: groups are parted by a line. Opens the room. */

import type { ChartObject } from '@parterre/shared/charts/document';
import { pointInOutline } from '@parterre/shared/charts/membership';
import type { Point } from '@parterre/shared/charts/plan';
import { focalFloor, setFocalPoint } from '../document/focal-points.ts';
import { idOf } from '../document/objects.ts';
import { type Feature, objectFeatures, type Permissions } from '../document/permissions.ts';
import { cutAisle } from '../edits/rows/aisles.ts';
import { changeZone } from '../edits/zones.ts';
import { withField } from '../painting/overrides.ts';
import { drawings } from './drawings.ts';
import { listsOf, withLists } from './handles.ts';
import { PaintTool } from './paint-tool.ts';
import { type Drawing, PointsTool } from './points-tool.ts';
import { SeatsTool } from './seats-tool.ts';
import { SelectTool } from './select-tool.ts';
import { chosenObjects, nameIn } from './selecting.ts';
import type { Tool, ToolName, Workbench } from './tool.ts';
import { bendObject } from './transforms.ts';

export type Tools = ReadonlyMap<ToolName, Tool>;

const toolGroups: readonly (readonly ToolName[])[] = [
  ['select', 'seats', 'lasso', 'pan', 'paint'],
  ['seat', 'row', 'curve', 'path', 'block', 'aisle'],
  ['section', 'outline', 'hole'],
  ['round', 'rect', 'booth'],
  ['area', 'polygon'],
  ['text', 'shape', 'ellipse', 'image', 'focal'],
];

/** A tool is there while the session allows one of these. The others only look. */
const featuresOf: Partial<Record<ToolName, readonly Feature[]>> = {
  paint: ['painting', 'accessibility', 'views', 'categories'],
  ...toEach(['seat', 'row', 'curve', 'path', 'block', 'aisle'], 'rows'),
  ...toEach(['section', 'outline'], 'sections'),
  hole: ['sections', 'areas'],
  ...toEach(['round', 'rect'], 'tables'),
  booth: ['booths'],
  ...toEach(['area', 'polygon'], 'areas'),
  ...toEach(['text', 'shape', 'ellipse', 'image'], 'decor'),
  ...toEach(['seats', 'lasso'], ...objectFeatures, 'labels', 'painting', 'accessibility', 'views'),
  focal: ['venue', 'floors', 'zones'],
};

function toEach(
  names: readonly ToolName[],
  ...features: readonly Feature[]
): Partial<Record<ToolName, readonly Feature[]>> {
  return Object.fromEntries(names.map((name) => [name, features]));
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

/** Cuts an aisle through the chosen rows, or through all rows that the line crosses. */
const aisleDrawing: Drawing = {
  name: 'aisle',
  icon: 'aisle',
  key: 'j',
  points: { min: 2, max: 2, lines: 2 },
  make: ([from, to], { settings }) =>
    from && to ? [{ type: 'section', id: 'aisle', label: '', outline: bandAlong(from, to, settings.aisleWidth) }] : [],
  finish(_, [from, to], bench) {
    const { editor, settings, words, say, notice } = bench;
    const rows = chosenObjects(bench).filter(({ type }) => type === 'row');
    const ids = rows.length > 0 ? new Set(rows.map(idOf)) : null;
    const aisle = { from: from!, to: to!, width: settings.aisleWidth };
    const { edit, rows: count, seats } = cutAisle(editor.document, editor.floor, ids, aisle);
    if (count === 0) notice(words().text(ids ? 'draw.noChosenRow' : 'draw.noRow'));
    else if (bench.apply(edit, 'draw.step.aisle')) say(words().text('draw.aisle', { count, seats }));
    return true;
  },
  note: (_, { words }) => words().text('draw.tool.aisle'),
};

/** As wide as an aisle on both sides of a line. */
function bandAlong(from: Point, to: Point, width: number): Point[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const x = (((to.y - from.y) / length) * width) / 2;
  const y = (((from.x - to.x) / length) * width) / 2;
  return [
    { x: from.x + x, y: from.y + y },
    { x: to.x + x, y: to.y + y },
    { x: to.x - x, y: to.y - y },
    { x: from.x - x, y: from.y - y },
  ];
}

/** Sets the focal point of the floor in sight, or of a zone that the panel names. */
const focalDrawing: Drawing = {
  name: 'focal',
  icon: 'focal',
  key: 'm',
  points: { min: 1, max: 1 },
  make: ([at]) =>
    at ? [{ type: 'shape', kind: 'ellipse', id: 'focal', center: at, width: 20, height: 20 } as ChartObject] : [],
  finish(_, [at], bench) {
    const { editor, settings, words, say } = bench;
    const { document, floor } = editor;
    const edit = settings.focalZone
      ? changeZone(settings.focalZone, (zone) => withField(zone, 'focalPoint', at))
      : setFocalPoint(focalFloor(document, floor), at!);
    if (!bench.apply(edit, 'did.focalPoint')) return false;
    bench.use('select');
    say(words().text('did.focalPoint'));
    return true;
  },
  note: (_, { words }) => words().text('draw.tool.focal'),
};

function ownerOf(point: Point, { board, editor }: Workbench): ChartObject | null {
  const holds = (object: ChartObject) =>
    (object.type === 'gaArea' || object.type === 'section') && pointInOutline(point, listsOf(object)[0]!);
  const found = board.live.objects.filter(holds);
  return found.find((each) => editor.selection.objects.has(idOf(each))) ?? found.at(-1) ?? null;
}

const seatsTools = (bench: Workbench): Tool[] => [
  new SeatsTool('seats', 'c', bench),
  new SeatsTool('lasso', 'w', bench),
];

export function makeTools(bench: Workbench): Tools {
  const tools: Tool[] = [new SelectTool(bench), ...seatsTools(bench), panTool, new PaintTool(bench)];
  for (const drawing of [...drawings, aisleDrawing, holeDrawing, focalDrawing])
    tools.push(new PointsTool(drawing, bench));
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
