/**
 * Any document that the designer opens, changes, saves and takes back is the same document. The way to the server and
 * back is JSON.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChartDocument } from '../../../../shared/src/charts/document.ts';
import { templates } from '../../../../shared/src/charts/templates/templates.ts';
import { type Edit, Editor } from '../../../../web/designer/document/editor.ts';
import { floorCountOf, idOf, moveToFloor, objectsOn } from '../../../../web/designer/document/objects.ts';
import { type Selection, selectionOf } from '../../../../web/designer/document/selection.ts';
import { reorder } from '../../../../web/designer/edits/arrange.ts';
import { duplicate, remove } from '../../../../web/designer/edits/copies.ts';
import { addFloor, moveFloor } from '../../../../web/designer/edits/floors.ts';
import { addSeats, skipSeats } from '../../../../web/designer/edits/rows/rows.ts';
import { mirror, move, rotate, scale } from '../../../../web/designer/edits/transform.ts';
import { renumber } from '../../../../web/designer/labelling/numbers.ts';
import { newLabels, relabel } from '../../../../web/designer/labelling/relabel.ts';
import { imported } from '../../../support/imports/imported.ts';
import { seatsioHall } from '../../../support/imports/seatsio-charts.ts';
import { drawnVenue } from '../drawn.ts';
import { everyKind, onTwoFloors } from './every-kind.ts';

const throughServer = (document: ChartDocument): ChartDocument => JSON.parse(JSON.stringify(document));

const smallest = templates.map(({ id, sizes, draw }): [string, ChartDocument] => [
  `the template ${id}`,
  draw(Object.fromEntries(sizes.map(({ name, min }) => [name, min]))),
]);
const seatsio = imported(seatsioHall(22).text).document;
const documents: [string, ChartDocument][] = [
  ['every kind of object', everyKind],
  ['every kind of object on two floors', onTwoFloors(everyKind)],
  ['an imported chart', seatsio],
  ['an imported chart on two floors', onTwoFloors(seatsio)],
  ...smallest,
];

/** One edit of each sort, of all objects of a floor. */
function editsOf(document: ChartDocument, floor: number): Edit[] {
  const ids = new Set(objectsOn(document, floor).map(idOf));
  const all: Selection = selectionOf(ids);
  const firstSeats = new Map([...ids].map((id) => [id, new Set([0])]));
  const [first] = ids;
  const letters = { scheme: 'letters-upper', order: 'down', withSection: true, joinsLines: true } as const;
  return [
    move(all, 10, -5),
    rotate(all, 15),
    mirror(all, 'across', { labels: 'flip' }),
    scale(all, 1.5, 0.5),
    (present) => duplicate(present, all).edit(present),
    relabel(newLabels(document, ids, letters)),
    renumber(ids, { direction: 'rtl', scheme: 'odd', start: 7 }),
    addSeats(ids, 'start', 2),
    skipSeats(firstSeats, true),
    reorder(new Set(first === undefined ? [] : [first]), 'front'),
    addFloor('New', 'Old'),
    (present) => moveToFloor(present, new Set(first === undefined ? [] : [first]), floorCountOf(present) - 1),
    moveFloor(0, 1),
    remove(all),
  ];
}

/** Each edit is saved, and the answer of the server comes back to the page. Then all edits are taken back. */
function changedAndTakenBack(document: ChartDocument, floor: number): void {
  const editor = new Editor(throughServer(document));
  const opened = editor.document;
  const steps: ChartDocument[] = [opened];
  for (const edit of editsOf(opened, floor)) {
    expect(editor.apply(edit, 'did.property')).toBeNull();
    const present = editor.document;
    if (present === steps.at(-1)) continue;
    steps.push(present);
    expect(throughServer(present)).toStrictEqual(present);
    editor.replace(throughServer(present));
    expect(editor.document).toBe(present);
  }
  for (const before of steps.slice(0, -1).toReversed()) {
    editor.undo();
    expect(editor.left).toEqual([]);
    expect(editor.document).toStrictEqual(before);
  }
  expect(editor.canUndo).toBe(false);
  expect(editor.document).toStrictEqual(throughServer(document));
}

describe('a document through the designer comes back as it was', () => {
  test.each(documents)('%s', (_, document) => {
    for (let floor = 0; floor < floorCountOf(document); floor++) changedAndTakenBack(document, floor);
  });

  test('any venue', () => {
    const anyFloor = drawnVenue().chain((venue) => fc.tuple(fc.constant(venue), fc.nat(floorCountOf(venue) - 1)));
    fc.assert(
      fc.property(anyFloor, ([venue, floor]) => changedAndTakenBack(venue, floor)),
      { numRuns: 40 },
    );
  });
});
