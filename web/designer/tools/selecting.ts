/** The selection: changed by tools, drawn on the map, and said in words. */
import type { ChartObject } from '@parterre/shared/charts/document';
import { type Bounds, growBounds, noBounds } from '../../src/rules/bounds.ts';
import { seen } from '../../src/rules/camera.ts';
import type { PointedObject } from '../canvas/find.ts';
import { outlineOf } from '../canvas/ghost.ts';
import type { Overlay } from '../canvas/overlay.ts';
import { idOf } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { inBox } from '../document/selecting.ts';
import { touchedIds } from '../document/selection.ts';
import type { Words } from '../messages/words.ts';
import { listsOf } from './handles.ts';
import type { Workbench } from './tool.ts';

/** More selected objects are shown by their common frame alone. */
const DRAWN_MAX = 1_500;
const CHAIR_SIZE = 18;

export function choose({ editor }: Workbench, ids: readonly string[], way: 'only' | 'add' | 'toggle'): void {
  const objects = new Set(way === 'only' ? [] : editor.selection.objects);
  for (const id of ids) {
    if (way === 'toggle' && objects.has(id)) objects.delete(id);
    else objects.add(id);
  }
  editor.select({ objects, seats: way === 'only' ? new Map() : editor.selection.seats });
}

/** Chooses a single seat, or adds it to the chosen seats or takes it away. */
export function chooseSeat({ editor }: Workbench, { id, seat }: PointedObject, isMore: boolean): void {
  if (seat === null) return;
  const seats = new Map(isMore ? editor.selection.seats : []);
  const its = new Set(seats.get(id));
  if (!its.delete(seat)) its.add(seat);
  if (its.size === 0) seats.delete(id);
  else seats.set(id, its);
  editor.select({ objects: new Set(), seats });
}

/** The objects that are chosen whole. */
export function chosenObjects({ editor, board }: Workbench): ChartObject[] {
  const { objects } = editor.selection;
  return objects.size === 0 ? [] : board.live.objects.filter((each) => objects.has(idOf(each)));
}

/** The objects that are chosen, or have a chosen seat. */
export function touchedObjects({ editor, board }: Workbench): ChartObject[] {
  const ids = touchedIds(editor.selection);
  return board.live.objects.filter((each) => ids.has(idOf(each)));
}

/** The object that is chosen alone. */
export function onlyChosen(bench: Workbench): ChartObject | null {
  const { objects, seats } = bench.editor.selection;
  return objects.size === 1 && seats.size === 0 ? (chosenObjects(bench)[0] ?? null) : null;
}

/** Around the chosen objects; null for none. */
export function frameOf(bench: Workbench): Bounds | null {
  const frame = noBounds();
  for (const object of chosenObjects(bench)) growBounds(frame, placementOf(object).bounds);
  return frame.left <= frame.right ? frame : null;
}

/** The objects that lie within a box whole, without locked ones. */
export function idsIn({ editor }: Workbench, box: Bounds): string[] {
  return [...inBox(editor.document, editor.floor, box, 'whole').objects];
}

export function drawSelection(overlay: Overlay, bench: Workbench): void {
  const { editor, board } = bench;
  const chosen = chosenObjects(bench);
  if (chosen.length <= DRAWN_MAX) for (const object of chosen) drawChosen(overlay, bench, object);
  const frame = chosen.length > 0 ? frameOf(bench) : null;
  if (frame && (chosen.length > 1 || chosen[0]!.type === 'row')) overlay.box(frame, 'frame');
  const places: number[] = [];
  const { hall } = board;
  if (editor.selection.seats.size === 0) return;
  let width = CHAIR_SIZE;
  for (const object of board.live.objects) {
    const seats = editor.selection.seats.get(idOf(object));
    if (!seats) continue;
    for (const spot of board.live.spotsOf(object)) {
      if (!seats.has(hall.indexOf[spot]!)) continue;
      places.push(hall.x[spot]!, hall.y[spot]!);
      width = hall.size[spot]!;
    }
  }
  overlay.rings(places, width);
}

function drawChosen(overlay: Overlay, { board }: Workbench, object: ChartObject): void {
  const { x, y, bounds } = placementOf(object);
  if (object.type === 'row') {
    const points = Array.from(x, (each, index) => ({ x: each, y: y[index]! }));
    overlay.band(points, board.hall.size[board.live.spotsOf(object)[0] ?? -1] ?? CHAIR_SIZE);
    return;
  }
  const lists = listsOf(object);
  for (const points of lists) overlay.line(points, true);
  if (lists.length > 0) return;
  if (object.type === 'table' || object.type === 'booth') overlay.line(outlineOf(object), true);
  overlay.box(bounds, 'frame');
}

/** The name of an object with its kind: “Row A, 20 seats”. */
export function nameIn(words: Words, object: ChartObject): string {
  const { text } = words;
  const { label = '' } = object as { label?: string };
  if (object.type === 'row') return text('draw.size.row', { name: label, count: object.seatCount });
  if (object.type === 'table') return text('draw.size.table', { name: label, count: object.seatCount });
  return text(`draw.kind.${object.type}`, { name: label || idOf(object) });
}

/** The label of a seat of this floor; null for an object without seats. */
export function seatLabelIn({ board }: Workbench, { id, seat }: PointedObject): string | null {
  const object = seat === null ? undefined : board.live.objects.find((each) => idOf(each) === id);
  const spot = object && board.live.spotsOf(object).find((each) => board.hall.indexOf[each] === seat);
  return spot === undefined ? null : board.hall.labels[spot]!;
}

export function sayChoice(bench: Workbench): void {
  const { editor, words, say } = bench;
  const { objects, seats } = editor.selection;
  const { text } = words();
  const only = onlyChosen(bench);
  const found = [...seats].flatMap(([id, its]) => Array.from(its, (seat) => ({ id, seat })));
  const label = found.length === 1 ? seatLabelIn(bench, found[0]!) : null;
  if (label !== null) say(text('draw.chosen.seat', { label }));
  else if (only) say(text('draw.chosen.one', { name: nameIn(words(), only) }));
  else if (found.length > 0) say(text('draw.chosen.seats', { count: found.length }));
  else say(text('draw.chosen.many', { count: objects.size }));
}

/** Chooses the next object of the floor, or the one before, and shows it. */
export function walk(bench: Workbench, step: 1 | -1): void {
  const { objects } = bench.board.live;
  if (objects.length === 0) return;
  const chosen = chosenObjects(bench);
  const at = chosen.length > 0 ? objects.indexOf((step > 0 ? chosen.at(-1) : chosen[0])!) : step > 0 ? -1 : 0;
  const next = objects[(at + step + objects.length) % objects.length]!;
  choose(bench, [idOf(next)], 'only');
  reveal(bench, next);
  sayChoice(bench);
}

/** Moves the map no further than needed to show an object. */
export function reveal({ board }: Workbench, object: ChartObject): void {
  const { bounds } = placementOf(object);
  const { view } = board;
  const { left, top, right, bottom } = seen(view.camera, view.size);
  const isSeen = bounds.left >= left && bounds.right <= right && bounds.top >= top && bounds.bottom <= bottom;
  if (!isSeen) view.visit(bounds);
}
