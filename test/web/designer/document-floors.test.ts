/** The floor in sight and its selection, while the list of floors changes. */
import { describe, expect, test } from 'vitest';
import type { ChartDocument } from '../../../shared/src/charts/document.ts';
import { Editor } from '../../../web/designer/document/editor.ts';
import { moveToFloor } from '../../../web/designer/document/objects.ts';
import { selectionOf } from '../../../web/designer/document/selection.ts';
import { addFloor, moveFloor, removeFloor } from '../../../web/designer/edits/floors.ts';
import { move } from '../../../web/designer/edits/transform.ts';
import { chart, point, row } from '../../support/charts.ts';

const name = 'did.floors';

describe('the floor in sight', () => {
  const floorsOf = (...ids: string[]) =>
    ids.map((id) => ({ id, name: id, objects: [row({ id: `row-${id}` })], focalPoint: point(0, 0) }));
  const hallOf = (...ids: string[]): ChartDocument => {
    const floors = floorsOf(...ids);
    return chart(floors[0]!.objects, { floors });
  };
  const showing = (floor: number, ...ids: string[]): Editor => {
    const editor = new Editor(hallOf(...ids));
    editor.showFloor(floor);
    editor.select(selectionOf([`row-${ids[floor]}`]));
    return editor;
  };
  const seen = ({ document, floor, selection }: Editor) => [document.floors![floor]!.id, ...selection.objects];

  test('is another one after a choice, and the selection of the first is left', () => {
    const editor = showing(0, 'a', 'b');
    editor.showFloor(7);
    expect([editor.floor, editor.selection.objects.size]).toEqual([1, 0]);
    editor.apply(move(selectionOf(['row-a']), 1, 1), name);
    expect(editor.document.objects).toBe(editor.document.floors![0]!.objects);
    editor.apply((document) => ({ ...document, floors: [document.floors![0]!] }), name);
    expect(editor.floor).toBe(0);
  });

  test('stays in sight with its selection, wherever the list has it', () => {
    const editor = showing(1, 'a', 'b', 'c');
    const told: boolean[] = [];
    editor.subscribe(({ isFloor }) => told.push(isFloor));
    editor.apply(removeFloor(0, 1), name);
    expect([editor.floor, ...seen(editor)]).toEqual([0, 'b', 'row-b']);
    editor.apply(moveFloor(0, 1), name);
    expect([editor.floor, ...seen(editor)]).toEqual([1, 'b', 'row-b']);
    editor.undo();
    expect([editor.floor, ...seen(editor)]).toEqual([0, 'b', 'row-b']);
    editor.replace(hallOf('c', 'a', 'b'));
    expect([editor.floor, ...seen(editor)]).toEqual([2, 'b', 'row-b']);
    expect(told).toEqual([true, true, true, true]);
    editor.apply(move(selectionOf(['row-b']), 1, 1), name);
    expect(told.at(-1)).toBe(false);
  });

  test('that is removed gives way to the floor before it, which takes its objects', () => {
    const editor = showing(1, 'a', 'b', 'c');
    editor.apply(removeFloor(1, 0), name);
    expect(seen(editor)).toEqual(['a']);
    const first = showing(0, 'a', 'b', 'c');
    const told: boolean[] = [];
    first.subscribe(({ isFloor }) => told.push(isFloor));
    first.apply(removeFloor(0, 1), name);
    expect([seen(first), told]).toEqual([['b'], [true]]);
    first.apply(removeFloor(1, 0), name);
    first.apply(removeFloor(0, null), name);
    expect([first.floor, first.document.floors]).toEqual([0, undefined]);
    first.apply(addFloor('Balcony', 'Stalls'), name);
    expect([first.floor, told.slice(1)]).toEqual([0, [false, false, false]]);
  });

  test('has all that is selected', () => {
    const editor = showing(1, 'a', 'b');
    editor.select(selectionOf(['row-a', 'row-b'], [{ objectId: 'row-a', index: 0 }]));
    expect(editor.selection).toEqual(selectionOf(['row-b']));
    editor.apply((document) => moveToFloor(document, new Set(['row-b']), 0), name);
    expect(editor.selection.objects.size).toBe(0);
  });

  test('stays where two floors of a draft have one id', () => {
    const editor = showing(1, 'a', 'a');
    editor.apply((document) => ({ ...document, name: 'Hall' }), name);
    expect(editor.floor).toBe(1);
  });
});
