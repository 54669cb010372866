/** The editor: history, selection, permissions, and what it tells its listeners. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChartDocument, ChartObject } from '../../../shared/src/charts/document.ts';
import { type Change, Editor } from '../../../web/designer/document/editor.ts';
import { changeObjects, everyObject, idOf, withObjects } from '../../../web/designer/document/objects.ts';
import type { Feature, Permissions } from '../../../web/designer/document/permissions.ts';
import { safeJudge } from '../../../web/designer/document/safe-mode.ts';
import { selectionOf } from '../../../web/designer/document/selection.ts';
import { remove } from '../../../web/designer/edits/copies.ts';
import { move } from '../../../web/designer/edits/transform.ts';
import type { DesignerSession, OpenChart } from '../../../web/designer/session/calls.ts';
import { judgeOf } from '../../../web/designer/session/opening.ts';
import { booth, chart, gaArea, point, row, section, table } from '../../support/charts.ts';
import { change, drawnVenue, someSteps } from './drawn.ts';

const name = 'edit.readOnly';
const copyOf = (document: ChartDocument): ChartDocument => JSON.parse(JSON.stringify(document));
const everything: Permissions = { authority: 'publish', safe: null, has: () => true };
const relabel = (id: string, label: string) => (document: ChartDocument) =>
  changeObjects(document, new Set([id]), (object) => ({ ...object, label }) as ChartObject);

describe('history', () => {
  test('a document without edits stays the same, and edits are undone and redone one by one', () => {
    fc.assert(
      fc.property(drawnVenue(), someSteps(), (document, steps) => {
        const before = JSON.stringify(document);
        const editor = new Editor(document);
        expect(JSON.stringify(editor.document)).toBe(before);
        const seen = [document];
        for (const step of steps) {
          editor.apply((now) => change(now, step), name);
          if (editor.document !== seen.at(-1)) seen.push(editor.document);
        }
        for (const earlier of seen.slice(0, -1).reverse()) {
          expect(editor.undo()).toBe(name);
          expect(editor.document).toBe(earlier);
        }
        expect(editor.canUndo).toBe(false);
        expect(JSON.stringify(editor.document)).toBe(before);
        for (const later of seen.slice(1)) {
          editor.redo();
          expect(editor.document).toBe(later);
        }
        expect(editor.redo()).toBeNull();
      }),
    );
  });

  test('edits of one gesture are one step, and the next gesture another', () => {
    const editor = new Editor(chart([row()]));
    const chosen = selectionOf(['row-a']);
    for (let at = 0; at < 20; at++) editor.apply(move(chosen, 1, 0), name, 'drag 1');
    editor.apply(move(chosen, 0, 7), name, 'drag 2');
    editor.undo();
    expect(editor.document).toEqual(chart([row({ origin: point(20, 0) })]));
    editor.apply(move(chosen, 1, 0), name, 'drag 1');
    editor.undo();
    editor.undo();
    expect(editor.document).toEqual(chart([row()]));
    expect(editor.canUndo).toBe(false);
  });

  test('its bytes are bounded: the oldest steps are forgotten', () => {
    const editor = new Editor(chart([row()]), { historyBytesMax: 20_000 });
    for (let at = 0; at < 200; at++) editor.apply(relabel('row-a', `${at}`.padEnd(100)), name);
    let steps = 0;
    while (editor.undo()) steps++;
    expect(steps).toBeGreaterThan(10);
    expect(steps).toBeLessThan(40);
  });

  test('undo goes on over somebody else’s changes, and leaves the objects that they changed', () => {
    const one = row();
    const other = row({ id: 'b', label: 'B' });
    const editor = new Editor(chart([one, other]));
    editor.apply(move(selectionOf(['row-a', 'b']), 5, 0), name);
    const theirs = copyOf(editor.document);
    (theirs.objects[1] as { origin: unknown }).origin = point(99, 99);
    theirs.objects.push(booth());
    editor.replace(theirs);
    expect(editor.undo()).toBe(name);
    expect(editor.left).toEqual(['b']);
    expect(editor.document).toEqual(chart([one, row({ id: 'b', label: 'B', origin: point(99, 99) }), booth()]));
    editor.redo();
    expect(editor.document).toEqual(theirs);
  });

  test('undo of a delete leaves the object that somebody else brought back, and makes no second one', () => {
    const editor = new Editor(chart([row(), booth()]));
    editor.apply(remove(selectionOf(['row-a'])), name);
    editor.replace(chart([row({ label: 'Theirs' }), booth()]));
    expect(editor.undo()).toBe(name);
    expect([editor.document, editor.left]).toEqual([chart([row({ label: 'Theirs' }), booth()]), ['row-a']]);
  });

  test('a gesture that is given up was never there: its redo is gone, and the redo of before is back', () => {
    const editor = new Editor(chart([row()]));
    const chosen = selectionOf(['row-a']);
    editor.apply(relabel('row-a', 'B'), name);
    editor.undo();
    for (let at = 0; at < 3; at++) editor.apply(move(chosen, 5, 0), name, 'drag');
    expect([editor.canUndo, editor.canRedo]).toEqual([true, false]);
    editor.giveUp('drag');
    expect(editor.document).toEqual(chart([row()]));
    expect(editor.canUndo).toBe(false);
    editor.giveUp('drag');
    editor.redo();
    expect(editor.document).toEqual(chart([row({ label: 'B' })]));
    expect(editor.canRedo).toBe(false);
  });

  test('a gesture that ended, or was undone, is not given up', () => {
    const editor = new Editor(chart([row()]));
    const chosen = selectionOf(['row-a']);
    editor.apply(move(chosen, 5, 0), name, 'drag 1');
    editor.apply(move(chosen, 1, 0), name, 'drag 2');
    editor.giveUp('drag 1');
    expect(editor.document).toEqual(chart([row({ origin: point(6, 0) })]));
    editor.undo();
    editor.giveUp('drag 2');
    expect(editor.document).toEqual(chart([row({ origin: point(5, 0) })]));
    editor.redo();
    editor.giveUp('drag 2');
    expect(editor.document).toEqual(chart([row({ origin: point(6, 0) })]));
  });

  test('a gesture is given up whole where somebody else’s changes came within it, and their changes stay', () => {
    const editor = new Editor(chart([row(), booth()]));
    const chosen = selectionOf(['row-a']);
    editor.apply(relabel('booth-1', 'Mine'), name);
    editor.apply(move(chosen, 5, 0), name, 'drag');
    editor.replace({ ...copyOf(editor.document), name: 'Theirs' });
    editor.apply(move(chosen, 5, 0), name, 'drag');
    expect(editor.document.objects[0]).toMatchObject({ origin: point(10, 0) });
    editor.giveUp('drag');
    expect(editor.document).toEqual(chart([row(), booth({ label: 'Mine' })], { name: 'Theirs' }));
    expect([editor.undo(), editor.undo(), editor.canRedo]).toEqual([name, null, true]);
  });

  test('the server’s equal document changes nothing, and an unequal one shares the objects that are equal', () => {
    const document = chart([row(), booth(), { type: 'text', label: 'Bar' } as ChartObject]);
    const editor = new Editor(document);
    const told: Change[] = [];
    editor.subscribe((each) => told.push(each));
    editor.replace(copyOf(document));
    expect(editor.document).toBe(document);
    expect(told).toEqual([]);
    editor.replace({ ...copyOf(document), objects: [...copyOf(document).objects, table()] });
    expect(editor.document.objects.slice(0, 3).every((object, at) => object === document.objects[at])).toBe(true);
    expect(told).toEqual([{ objects: new Set(['table-1']), isDocument: true, isSelection: false, isFloor: false }]);
  });
});

test('listeners are told the objects that changed, and the selection keeps what is left', () => {
  const editor = new Editor(chart([row(), booth(), section()]));
  const told: Change[] = [];
  const end = editor.subscribe((each) => told.push(each));
  editor.select(selectionOf(['row-a', 'booth-1'], [{ objectId: 'row-a', index: 30 }]));
  expect(editor.selection).toEqual(selectionOf(['row-a', 'booth-1']));
  editor.apply(remove(selectionOf(['row-a'])), name);
  expect(editor.selection).toEqual(selectionOf(['booth-1']));
  editor.apply((document) => withObjects(document, 0, (objects) => objects.toReversed()), name);
  editor.apply((document) => ({ ...document, name: 'Hall' }), name);
  end();
  editor.undo();
  expect(told.map(({ objects, isSelection }) => [objects && [...objects], isSelection])).toEqual([
    [[], true],
    [['row-a'], true],
    [null, false],
    [[], false],
  ]);
});

test('no edit makes a chart that the next page could not open, and one that is too large can be made smaller', () => {
  const resized = (seatCount: number) => (document: ChartDocument) =>
    changeObjects(document, new Set(['row-a']), (object) => ({ ...object, seatCount }) as ChartObject);
  const editor = new Editor(chart([row(), booth()]));
  const refusal = { key: 'edit.tooLarge', values: { count: 500_001, max: 500_000 } };
  expect(editor.apply(resized(500_000), name)).toEqual(refusal);
  expect(editor.apply(resized(499_999), name)).toBeNull();
  const large = new Editor(chart([row({ seatCount: 700_000 }), booth()]));
  expect(large.apply(relabel('row-a', 'B'), name)).toBeNull();
  expect(large.apply(resized(600_000), name)).toBeNull();
  expect(large.apply(resized(600_001), name)).toMatchObject({ key: 'edit.tooLarge' });
});

test('undo and redo bring no places back for which the chart has no room any more', () => {
  const wide = (id: string, seatCount: number) => row({ id, label: id, seatCount });
  const editor = new Editor(chart([wide('a', 300_000)]));
  editor.apply(remove(selectionOf(['a'])), name);
  editor.replace(chart([wide('b', 300_000)]));
  expect([editor.undo(), editor.refused]).toEqual([
    null,
    { key: 'edit.tooLarge', values: { count: 600_000, max: 500_000 } },
  ]);
  expect(editor.document).toEqual(chart([wide('b', 300_000)]));
  editor.replace(chart([]));
  expect([editor.undo(), editor.refused]).toEqual([name, null]);
  expect([editor.redo(), editor.document]).toEqual([name, chart([])]);
  editor.apply(() => chart([wide('c', 300_000)]), name);
  editor.undo();
  editor.replace(chart([wide('b', 300_000)]));
  expect([editor.redo(), editor.refused]).toEqual([null, expect.objectContaining({ key: 'edit.tooLarge' })]);
});

test('decoration without an id can be changed, and gets its id then', () => {
  const editor = new Editor(chart([{ type: 'text', label: 'Bar', x: 1, y: 1 } as ChartObject]));
  const id = idOf([...everyObject(editor.document)][0]!);
  editor.apply(move(selectionOf([id]), 1, 1), name);
  expect(editor.document.objects).toEqual([{ type: 'text', label: 'Bar', x: 2, y: 2, id }]);
});

describe('sessions', () => {
  test('with fewer rights than before neither undo nor redo what they forbid, and say why', () => {
    const editor = new Editor(chart([row()]));
    editor.apply(relabel('row-a', 'B'), name);
    editor.permit({ ...everything, has: (feature) => feature !== 'labels' });
    expect([editor.undo(), editor.document]).toEqual([null, chart([row({ label: 'B' })])]);
    expect(editor.refused).toEqual({ key: 'edit.feature', values: { feature: 'labels' } });
    editor.permit(everything);
    expect([editor.undo(), editor.refused]).toEqual([name, null]);
    editor.permit({ ...everything, has: (feature) => feature !== 'labels' });
    expect([editor.redo(), editor.document]).toEqual([null, chart([row()])]);
    editor.permit(everything);
    expect([editor.redo(), editor.canRedo]).toEqual([name, false]);
  });

  test('to look change nothing, not even by undo', () => {
    const editor = new Editor(chart([row()]));
    editor.apply(relabel('row-a', 'B'), name);
    editor.permit({ ...everything, authority: 'read-only' });
    expect(editor.apply(relabel('row-a', 'C'), name)).toEqual({ key: 'edit.readOnly' });
    expect([editor.undo(), editor.canUndo]).toEqual([null, false]);
    expect(editor.document).toEqual(chart([row({ label: 'B' })]));
  });

  const hall = chart([row(), table(), section(), { type: 'text', label: 'Bar' } as ChartObject]);
  const changed = (id: string, fields: object) => (document: ChartDocument) =>
    changeObjects(document, new Set([id]), (object) => ({ ...object, ...fields }) as ChartObject);
  test.each<[Feature, (document: ChartDocument) => ChartDocument]>([
    ['labels', relabel('row-a', 'B')],
    ['labels', changed('row-a', { overrides: [{ index: 1, label: 'X' }] })],
    ['rows', changed('row-a', { seatCount: 9 })],
    ['rows', changed('row-a', { overrides: [{ index: 1, skip: true }] })],
    ['rows', remove(selectionOf(['row-a']))],
    ['painting', changed('row-a', { categoryKey: 'vip' })],
    ['accessibility', changed('row-a', { overrides: [{ index: 1, accessibility: ['wheelchair'] }] })],
    ['tables', move(selectionOf(['table-1']), 1, 1)],
    ['sections', changed('west', { holes: [] })],
    ['zones', changed('west', { zone: 'z' })],
    ['categories', (document) => ({ ...document, categories: [] })],
    ['background', (document) => ({ ...document, backgroundImage: 'https://example.com/a.png' })],
    ['venue', (document) => ({ ...document, name: 'Hall' })],
  ])('without %s refuse its edits alone', (feature, edit) => {
    const without: Permissions = { ...everything, has: (asked) => asked !== feature };
    expect(new Editor(hall, { permissions: without }).apply(edit, name)).toEqual({
      key: 'edit.feature',
      values: { feature },
    });
    const only: Permissions = { ...everything, has: (asked) => asked === feature };
    expect(new Editor(hall, { permissions: only }).apply(edit, name)).toBeNull();
  });

  test('in safe mode keep the labels of the published seats, and allow the rest', () => {
    const published = chart([row(), gaArea({ capacity: 30 }), booth()]);
    const draft = chart([...published.objects, row({ id: 'new', label: 'N' })]);
    const editorFor = (mayDelete: boolean, mayChangeCapacity: boolean) => {
      const safe = { mayDelete, mayChangeCapacity };
      return new Editor(draft, { permissions: { ...everything, safe }, judge: safeJudge(published, safe) });
    };
    const strict = editorFor(false, false);
    expect(strict.apply(relabel('row-a', 'B'), name)).toMatchObject({ key: 'edit.safe', values: { count: 10 } });
    expect(strict.apply(changed('row-a', { seatCount: 8 }), name)).toEqual({
      key: 'edit.safe',
      values: { count: 2, labels: 'A-9, A-10' },
    });
    expect(strict.apply(remove(selectionOf(['booth-1'])), name)).toMatchObject({ values: { labels: 'B1' } });
    expect(strict.apply(changed('lawn', { capacity: 31 }), name)).toMatchObject({ values: { labels: 'Lawn' } });
    expect(strict.document).toBe(draft);
    for (const edit of [
      relabel('new', 'M'),
      remove(selectionOf(['new'])),
      move(selectionOf(['row-a', 'lawn', 'booth-1']), 3, 3),
      changed('row-a', { seatCount: 12, categoryKey: 'vip', curve: 20 }),
      changed('row-a', { overrides: [{ index: 0, displayLabel: 'first', accessibility: ['wheelchair'] }] }),
    ]) {
      expect(strict.apply(edit, name)).toBeNull();
    }
    expect(editorFor(true, false).apply(remove(selectionOf(['booth-1'])), name)).toBeNull();
    expect(editorFor(false, true).apply(changed('lawn', { capacity: 31 }), name)).toBeNull();
  });

  test('in safe mode judge in the page where the draft is the published version', () => {
    const session = {
      safeModeOptions: { allowDeletingObjects: false, allowEditingAreaCapacity: false },
      featurePolicy: {},
    };
    const judged = (safe: object, publishedAt: number | null) =>
      judgeOf(
        { ...session, ...safe } as DesignerSession,
        { doc: chart([row()]), meta: { publishedAt, updatedAt: 5 } } as OpenChart,
      ) !== null;
    expect(judged({}, 5)).toBe(true);
    expect([judged({}, 4), judged({}, null), judged({ safeModeOptions: null }, 5)]).toEqual([false, false, false]);
  });

  test('in safe mode let the places of an area go to another area', () => {
    const published = chart([gaArea({ capacity: 30 })]);
    const safe = { mayDelete: false, mayChangeCapacity: true };
    const editor = new Editor(published, { permissions: { ...everything, safe }, judge: safeJudge(published, safe) });
    const parts = [0, 10].map((startIndex, at) =>
      gaArea({
        id: at ? 'east' : 'lawn',
        label: `L${at}`,
        capacity: at ? 20 : 10,
        inventorySegments: [{ sourceAreaId: 'lawn', startIndex, count: at ? 20 : 10 }],
      }),
    );
    expect(editor.apply((document) => ({ ...document, objects: parts }), name)).toBeNull();
  });
});
