/** The tools that make new objects: the object that some points make, each by its own rule. */
import type { ChartObject, Row } from '@parterre/shared/charts/document';
import { spacingOf } from '@parterre/shared/charts/geometry';
import { draftSeatTotal, isSeller } from '@parterre/shared/charts/places';
import type { Point } from '@parterre/shared/charts/plan';
import { type Bounds, boundsOf, middleOf } from '../../src/rules/bounds.ts';
import type { Edit } from '../document/editor.ts';
import { freshIds, idOf, withObjects } from '../document/objects.ts';
import { firstLabels } from '../edits/fresh-labels.ts';
import { tidy } from '../edits/motion.ts';
import { blockSeatsMax, rowsOf } from '../edits/rows/blocks.ts';
import type { Sentence } from '../messages/words.ts';
import { addCategory, freshKey } from '../painting/categories.ts';
import { countFor, rowThrough } from './arcs.ts';
import type { IconName } from './icons.ts';
import type { Drawing } from './points-tool.ts';
import type { ToolName, Workbench } from './tool.ts';

/** A block has at most this many rows, and a row this many seats. */
const ROWS_MAX = 200;
const SEATS_MAX = 500;
const two = { min: 2, max: 2 };
const one = { min: 1, max: 1 };
/** A click makes one of the usual size, a drag one of its own. */
const oneOrTwo = { min: 1, max: 2 };
const many = { min: 3, max: 1_000, lines: 1_000 };
const TEXT_HEIGHT = 24;

const degrees = (from: Point, to: Point): number => (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
const apart = (from: Point, to: Point): number => Math.hypot(to.x - from.x, to.y - from.y);

/** Why points make nothing, though they lie far enough apart. */
const tooLarge: Sentence = { key: 'draw.tooLarge', values: { row: SEATS_MAX, block: blockSeatsMax } };

type Make = (points: readonly Point[], bench: Workbench) => readonly object[] | Sentence;

export const drawings: readonly Drawing[] = [
  drawing('seat', 'seat', 'n', one, ([at], bench) => [rowOf(bench, { origin: at!, seatCount: 1 })]),
  drawing('row', 'row', 'r', { ...two, lines: 2 }, ([from, to], bench) => {
    if (!from || !to) return [];
    const { seatSpacing } = bench.settings;
    const seatCount = Math.min(countFor(apart(from, to), seatSpacing), SEATS_MAX);
    return [rowOf(bench, { origin: from, rotation: tidy(degrees(from, to)), seatCount })];
  }),
  drawing('curve', 'curve', 'u', { min: 3, max: 3, lines: 2 }, ([from, to, through], bench) => {
    if (!from || !to) return [];
    const row = rowThrough(from, to, through ?? to, bench.settings.seatSpacing);
    return row.seatCount > SEATS_MAX ? tooLarge : [rowOf(bench, { origin: from, ...row })];
  }),
  drawing('path', 'path', 'p', { min: 4, max: 4, lines: 4 }, ([start, control1, control2, end], bench) => {
    const last = end ?? control2 ?? control1;
    if (!start || !control1 || !last) return [];
    const path = { start, control1, control2: control2 ?? last, end: last };
    return [pathRow(bench, path)];
  }),
  drawing('block', 'block', 'b', two, ([from, to], bench) => (from && to ? blockIn(bench, boundsOf([from, to])) : [])),
  drawing('section', 'section', 's', two, ([from, to], bench) => boxes(from, to).map((box) => sectionOf(bench, box))),
  drawing('outline', 'outline', 'o', many, (points, bench) => (points.length < 3 ? [] : [sectionOf(bench, points)])),
  drawing('round', 'round', 't', oneOrTwo, ([center, edge], bench) => {
    const radius = edge ? Math.max(Math.round(apart(center!, edge)), 10) : 40;
    return [tableOf(bench, { center: center!, shape: 'round', radius, rotation: 0 })];
  }),
  drawing('rect', 'rect', 'q', oneOrTwo, ([from, to], bench) => [
    tableOf(bench, { shape: 'rect', rotation: 0, ...bodyOf(from!, to, { width: 120, height: 50 }) }),
  ]),
  drawing('booth', 'booth', 'k', oneOrTwo, ([from, to], bench) => [
    {
      type: 'booth',
      label: firstLabels(bench.editor.document, 'booth', 1, bench.words().text('draw.label.booth'))[0]!,
      ...bodyOf(from!, to, { width: 80, height: 80 }),
      rotation: 0,
      categoryKey: categoryOf(bench),
    },
  ]),
  drawing('area', 'area', 'g', two, ([from, to], bench) => boxes(from, to).map((box) => areaOf(bench, box))),
  drawing('polygon', 'polygon', 'a', many, (points, bench) => (points.length < 3 ? [] : [areaOf(bench, points)])),
  drawing('text', 'text', 'x', one, ([at], bench) => {
    const label = bench.settings.text.trim() || bench.words().text('draw.label.text');
    return [{ type: 'text', label, center: at!, fontSize: TEXT_HEIGHT, rotation: 0 }];
  }),
  drawing('shape', 'shape', 'd', oneOrTwo, ([from, to]) => [
    { type: 'shape', kind: 'rect', ...bodyOf(from!, to, { width: 240, height: 80 }), rotation: 0 },
  ]),
  drawing('ellipse', 'ellipse', 'l', oneOrTwo, ([from, to]) => [
    { type: 'shape', kind: 'ellipse', ...bodyOf(from!, to, { width: 160, height: 160 }), rotation: 0 },
  ]),
  drawing('image', 'image', 'i', oneOrTwo, ([from, to], bench) => [
    {
      type: 'decorImage',
      url: bench.settings.address,
      ...bodyOf(from!, to, { width: 200, height: 120 }),
      rotation: 0,
      opacity: 1,
    },
  ]),
];

function drawing(name: ToolName, icon: IconName, key: string, points: Drawing['points'], make: Make): Drawing {
  return {
    name,
    icon,
    key,
    points,
    make(at, bench) {
      const made = at.length === 0 ? [] : make(at, bench);
      return 'key' in made ? made : unnamed(made);
    },
    finish(ghosts, _, bench) {
      const { editor, settings, words, say, notice } = bench;
      if (name === 'image' && settings.address === '') {
        notice(words().text('draw.noImage'));
        return false;
      }
      const idFor = freshIds(editor.document);
      const made = ghosts.map((each) => ({ ...each, id: idFor(each.type) }) as ChartObject);
      const { edit, key } = firstCategory(bench, made);
      const objects = key === null ? made : made.map((each) => ({ ...each, categoryKey: key }) as ChartObject);
      const isDone = bench.apply(
        (document) => withObjects(edit(document), editor.floor, (present) => [...present, ...objects]),
        'draw.step.add',
      );
      if (!isDone) return false;
      editor.select({ objects: new Set(objects.map(idOf)), seats: new Map() });
      bench.drawn();
      say(words().text('draw.added', { name: noteOf(objects, bench) }));
      return true;
    },
    note: noteOf,
  };
}

/** The first places of a chart without categories bring one; `key` is null where the objects need none. */
function firstCategory(
  { editor, words }: Workbench,
  objects: readonly ChartObject[],
): { edit: Edit; key: string | null } {
  const { document, may } = editor;
  const isNeeded = document.categories.length === 0 && objects.some(isSeller) && may.has('categories');
  if (!isNeeded) return { edit: (present) => present, key: null };
  const label = words().text('category.first');
  return { edit: addCategory(label), key: freshKey(label, new Set()) };
}

/** A ghost has no id of its own yet. */
function unnamed(objects: readonly object[]): ChartObject[] {
  return objects.map((each) => ({ ...each, id: 'ghost' }) as unknown as ChartObject);
}

function noteOf(objects: readonly ChartObject[], { words }: Workbench): string {
  const { text } = words();
  const [first] = objects;
  if (!first) return '';
  const seats = draftSeatTotal({ categories: [], objects: [...objects] } as never);
  if (first.type === 'row' && objects.length > 1)
    return text('draw.size.block', { rows: objects.length, count: seats });
  if (first.type === 'row') return text('draw.size.row', { name: first.label, count: first.seatCount });
  const name = (first as { label?: string }).label ?? '';
  if (first.type === 'table') return text('draw.size.table', { name, count: first.seatCount });
  return text(`draw.kind.${first.type}`, { name });
}

/** Rows that fill a box. Curved rows stand under the middle of its upper edge. */
function blockIn(bench: Workbench, { left, top, right, bottom }: Bounds): readonly object[] | Sentence {
  const { seatSpacing, rowSpacing, stagger, aisleEvery, aisleWidth, radius, keepsEven } = bench.settings;
  const rowCount = Math.min(countFor(bottom - top, rowSpacing), ROWS_MAX);
  // An aisle takes the room of a part of a seat behind each group of seats.
  const room = aisleEvery > 0 ? seatSpacing + aisleWidth / aisleEvery : seatSpacing;
  const seatCount = Math.min(countFor(right - left, room), SEATS_MAX);
  const labels = firstLabels(bench.editor.document, 'row', rowCount);
  const rows = rowsOf(bench.editor.document, {
    origin: { x: radius > 0 ? (left + right) / 2 : left, y: top },
    rowCount,
    seatCount,
    seatSpacing,
    rowSpacing,
    stagger,
    aisleEvery,
    aisleWidth,
    keepsEven,
    ...(radius > 0 && { radius, grows: true }),
    categoryKey: categoryOf(bench),
    labelOf: (row) => labels[row]!,
  });
  return rows.length > 0 ? rows : tooLarge;
}

function rowOf(bench: Workbench, row: Partial<Row> & { origin: Point }): object {
  const { document } = bench.editor;
  return {
    type: 'row',
    label: firstLabels(document, 'row', 1)[0],
    rotation: 0,
    curve: 0,
    seatSpacing: bench.settings.seatSpacing,
    categoryKey: categoryOf(bench),
    ...row,
  };
}

/** Along a cubic, with as many seats as stand about their spacing apart. */
function pathRow(bench: Workbench, path: NonNullable<Row['path']>): object {
  const { seatSpacing } = bench.settings;
  const made = rowOf(bench, { origin: path.start, path, seatCount: SEATS_MAX }) as Row;
  const length = spacingOf(made) * (SEATS_MAX - 1);
  return { ...made, seatCount: Math.min(countFor(length, seatSpacing), SEATS_MAX) };
}

function tableOf(bench: Workbench, table: object): object {
  const name = bench.settings.tableName.trim();
  const word = name === '' ? bench.words().text('draw.label.table') : `${name} `;
  const label = firstLabels(bench.editor.document, 'table', 1, word)[0];
  return { type: 'table', label, seatCount: bench.settings.chairs, categoryKey: categoryOf(bench), ...table };
}

function sectionOf(bench: Workbench, outline: readonly Point[]): object {
  const label = firstLabels(bench.editor.document, 'section', 1, bench.words().text('draw.label.section'))[0];
  return { type: 'section', label, outline };
}

function areaOf(bench: Workbench, points: readonly Point[]): object {
  const label = firstLabels(bench.editor.document, 'gaArea', 1, bench.words().text('draw.label.area'))[0];
  return { type: 'gaArea', label, points, capacity: bench.settings.capacity, categoryKey: categoryOf(bench) };
}

/** The chosen category, or the chart's first. */
function categoryOf({ settings, editor }: Workbench): string {
  const { categories } = editor.document;
  const chosen = categories.find(({ key }) => key === settings.categoryKey) ?? categories[0];
  return chosen?.key ?? '';
}

function bodyOf(from: Point, to: Point | undefined, usual: { width: number; height: number }): object {
  if (!to) return { center: from, ...usual };
  const bounds = boundsOf([from, to]);
  const { left, top, right, bottom } = bounds;
  return { center: middleOf(bounds), width: Math.max(right - left, 4), height: Math.max(bottom - top, 4) };
}

/** The box between two corners; none for a box without ground. */
function boxes(from: Point | undefined, to: Point | undefined): Point[][] {
  if (!from || !to) return [];
  const { left, top, right, bottom } = boundsOf([from, to]);
  if (right - left < 1 || bottom - top < 1) return [];
  const corners = [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
  return [corners];
}
