/** Commands that change what the chosen rows and areas are made of, and copies in a line. */

import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { growBounds, noBounds } from '../../src/rules/bounds.ts';
import type { Edit, MakingEdit } from '../document/editor.ts';
import { freshId, idOf, objectsOf, withObjects } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { ofCategory, withContents } from '../document/selecting.ts';
import { isNothing, type Selection, selectionOf } from '../document/selection.ts';
import { mergeAreas, splitArea } from '../edits/areas.ts';
import { reorder } from '../edits/arrange.ts';
import { duplicate } from '../edits/copies.ts';
import { freshLabels } from '../edits/fresh-labels.ts';
import { outlineAround } from '../edits/outlines.ts';
import { addSeats, joinRows, partRows, skipSeats, splitRow } from '../edits/rows/rows.ts';
import { mirror } from '../edits/transform.ts';
import { type MessageKey, tell } from '../messages/words.ts';
import { overrideOf } from '../painting/overrides.ts';
import { chosenObjects, sayChoice, touchedObjects } from '../tools/selecting.ts';
import { make } from '../tools/transforms.ts';
import type { Bench } from './workbench.ts';

const ids = ({ editor }: Bench): ReadonlySet<string> => editor.selection.objects;

export const shaping = {
  forward: ['Mod+Alt+]', 'one', null, (bench) => change(bench, reorder(ids(bench), 'forward'), 'draw.step.order')],
  backward: ['Mod+Alt+[', 'one', null, (bench) => change(bench, reorder(ids(bench), 'backward'), 'draw.step.order')],
  split: ['Shift+D', 'one', null, (bench) => add(bench, splitOf(bench), 'draw.step.split', 'draw.cannotSplit')],
  join: ['Shift+J', 'two', null, (bench) => add(bench, joinOf(bench), 'draw.step.join', 'draw.cannotJoin')],
  part: ['Shift+U', 'one', null, (bench) => change(bench, partRows(ids(bench)), 'draw.step.part', 'draw.cannotPart')],
  longerEnd: ['Shift+E', 'one', null, (bench) => change(bench, addSeats(ids(bench), 'end', 1), 'draw.step.seats')],
  shorterEnd: ['Shift+W', 'one', null, (bench) => change(bench, addSeats(ids(bench), 'end', -1), 'draw.step.seats')],
  longerStart: ['Shift+Q', 'one', null, (bench) => change(bench, addSeats(ids(bench), 'start', 1), 'draw.step.seats')],
  shorterStart: [
    'Shift+A',
    'one',
    null,
    (bench) => change(bench, addSeats(ids(bench), 'start', -1), 'draw.step.seats'),
  ],
  bringBack: ['Shift+Z', 'one', null, bringBack],
  sectionAround: ['Shift+O', 'one', null, (bench) => add(bench, sectionAround(bench), 'draw.step.section')],
  copyBeside: ['Mod+Alt+E', 'one', null, (bench) => add(bench, copyOf(bench, 1, 0), 'draw.step.duplicate')],
  copyBelow: ['Mod+Alt+D', 'one', null, (bench) => add(bench, copyOf(bench, 0, 1), 'draw.step.duplicate')],
  mirrorNumbers: ['Shift+N', 'one', null, mirrorNumbers],
  category: ['Mod+Shift+Y', 'some', null, chooseCategory],
  seatsOf: ['Shift+P', 'some', null, chooseSeats],
} as const satisfies Record<
  string,
  readonly [keys: string, needs: 'some' | 'one' | 'two', icon: null, (bench: Bench) => void]
>;

/** `why` says why nothing changes. */
function change(bench: Bench, edit: Edit, name: MessageKey, why: MessageKey = 'draw.nothingDone'): void {
  const { editor, say, notice, words } = bench;
  const before = editor.document;
  if (!bench.apply(edit, name)) return;
  if (editor.document === before) notice(tell(words(), { key: why }));
  else say(tell(words(), { key: name }));
}

/** Applies the edit and chooses its objects. */
function add(bench: Bench, made: MakingEdit | null, name: MessageKey, why: MessageKey = 'draw.nothingDone'): void {
  if (!made || made.selection.objects.size === 0) bench.notice(tell(bench.words(), { key: why }));
  else if (make(bench, made, name)) sayChoice(bench);
}

/** Rows, each before its first chosen seat, else in its middle; an area across its longer side. */
function splitOf({ editor }: Bench): MakingEdit | null {
  const { document, selection } = editor;
  const chosen = objectsOf(document, selection.objects);
  const rows = chosen.filter((object) => object.type === 'row');
  const places = [
    ...Array.from(selection.seats, ([id, seats]): [string, number] => [id, Math.min(...seats)]),
    ...rows.map(({ id, seatCount }): [string, number] => [id, Math.ceil(seatCount / 2)]),
  ];
  if (places.length > 0) return splitRows(document, places);
  const [only, ...others] = chosen;
  if (only?.type !== 'gaArea' || others.length > 0) return null;
  const { bounds } = placementOf(only);
  const x = (bounds.left + bounds.right) / 2;
  const y = (bounds.top + bounds.bottom) / 2;
  const isWide = bounds.right - bounds.left >= bounds.bottom - bounds.top;
  const to = isWide ? { x, y: y - 1 } : { x: x + 1, y };
  return splitArea(document, only.id, { x, y }, to);
}

/** Rows that have no two parts stay whole. */
function splitRows(document: ChartDocument, places: readonly (readonly [id: string, at: number])[]): MakingEdit {
  const made = places
    .map(([id, at]) => splitRow(document, id, at))
    .filter(({ selection }) => selection.objects.size > 0);
  return {
    edit: (present) => made.reduce((before, { edit }) => edit(before), present),
    selection: selectionOf(made.flatMap(({ selection }) => [...selection.objects])),
  };
}

function joinOf(bench: Bench): MakingEdit | null {
  const { document } = bench.editor;
  const types = new Set(chosenObjects(bench).map(({ type }) => type));
  if (types.size !== 1) return null;
  if (types.has('row')) return joinRows(document, ids(bench));
  return types.has('gaArea') ? mergeAreas(document, ids(bench)) : null;
}

/** The chosen seats, and all seats of chosen objects, that were removed before. */
function bringBack(bench: Bench): void {
  const { document, selection } = bench.editor;
  const seats = new Map(selection.seats);
  for (const object of objectsOf(document, selection.objects)) {
    if (object.type !== 'row' && object.type !== 'table') continue;
    const skipped = (object.overrides ?? []).filter(({ skip }) => skip).map(({ index }) => index);
    if (skipped.length > 0) seats.set(object.id, new Set(skipped));
  }
  change(bench, skipSeats(seats, false), 'draw.step.seats', 'draw.nothingBack');
}

function sectionAround(bench: Bench): MakingEdit | null {
  const { document, floor } = bench.editor;
  const outline = outlineAround(chosenObjects(bench).filter(({ type }) => type !== 'section'));
  if (!outline) return null;
  const id = freshId(document, 'section');
  const label = freshLabels(document)('section', `${bench.words().text('draw.label.section')}1`);
  // An object belongs to the first section that holds it, so the new section comes first.
  const edit: Edit = (present) =>
    withObjects(present, floor, (objects) => [{ type: 'section', id, label, outline }, ...objects]);
  return { edit, selection: selectionOf([id]) };
}

/** As far away as the selection is wide or high, and a space between. */
function copyOf({ editor, settings }: Bench, across: number, down: number): MakingEdit {
  const { document } = editor;
  const carried: Selection = withContents(document, editor.selection);
  const bounds = noBounds();
  for (const object of objectsOf(document, carried.objects)) growBounds(bounds, placementOf(object).bounds);
  const dx = bounds.right - bounds.left + settings.seatSpacing;
  const dy = Math.max(bounds.bottom - bounds.top + settings.seatSpacing / 2, settings.rowSpacing);
  return duplicate(document, carried, { x: across * dx, y: down * dy });
}

function mirrorNumbers(bench: Bench): void {
  const { document, selection } = bench.editor;
  change(bench, mirror(withContents(document, selection), 'across', { labels: 'flip' }), 'draw.step.mirror');
}

function chooseCategory(bench: Bench): void {
  const { document, floor, selection } = bench.editor;
  const key = touchedObjects(bench)
    .map((object) => categoryIn(object, selection))
    .find((each) => typeof each === 'string');
  const found = typeof key === 'string' ? ofCategory(document, floor, key) : selection;
  // A locked area may be the only object of its category.
  if (!isNothing(found)) bench.editor.select(found);
  sayChoice(bench);
}

/** The category of a whole object, or of the first of its chosen seats. */
function categoryIn(object: ChartObject, { objects, seats }: Selection): unknown {
  const chosen = seats.get(idOf(object));
  const hasSeats = object.type === 'row' || object.type === 'table';
  if (!hasSeats || !chosen || objects.has(idOf(object))) return object.categoryKey;
  return overrideOf(object, Math.min(...chosen)).categoryKey ?? object.categoryKey;
}

function chooseSeats(bench: Bench): void {
  const seats = chosenObjects(bench).flatMap((object) => {
    if (object.type !== 'row' && object.type !== 'table') return [];
    return Array.from(placementOf(object).index, (index) => ({ objectId: object.id, index }));
  });
  if (seats.length > 0) bench.editor.select(selectionOf([], seats));
  sayChoice(bench);
}
