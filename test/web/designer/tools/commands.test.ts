/** Each command of the designer by its result, for a selection of a small hall. */
import { describe, expect, test } from 'vitest';
import type { ChartObject, GaArea, Row } from '../../../../shared/src/charts/document.ts';
import { placesOf } from '../../../../shared/src/charts/places.ts';
import { publishIssues } from '../../../../shared/src/charts/publish-issues.ts';
import { idOf } from '../../../../web/designer/document/objects.ts';
import { placementOf } from '../../../../web/designer/document/placement.ts';
import { selectionOf } from '../../../../web/designer/document/selection.ts';
import { addFloor } from '../../../../web/designer/edits/floors.ts';
import { booth, chart, gaArea, point, rectangle, row, section, table } from '../../../support/charts.ts';
import { openBench } from './bench.ts';

const booths = [0, 30, 200].map((x, at) =>
  booth({ id: `b${at}`, label: `B${at}`, center: point(x, 10 * at), width: 20 + 10 * at, height: 20 + 10 * at }),
);
const bounds = (objects: readonly ChartObject[]) => objects.map((object) => placementOf(object).bounds);
type Boxes = ReturnType<typeof bounds>;
const rounded = (value: number) => Math.round(value * 1_000) / 1_000 + 0;
const labels = (objects: readonly ChartObject[]) => objects.map(({ label }) => label);
const middles = (objects: readonly ChartObject[]) =>
  bounds(objects).map(({ left, top, right, bottom }) => [(left + right) / 2, (top + bottom) / 2].map(rounded));

describe('arranging', () => {
  test.each([
    ['alignLeft', (b: Boxes) => b.map(({ left }) => left), [-10, -10, -10]],
    ['alignRight', (b: Boxes) => b.map(({ right }) => right), [220, 220, 220]],
    ['alignTop', (b: Boxes) => b.map(({ top }) => top), [-10, -10, -10]],
    ['alignBottom', (b: Boxes) => b.map(({ bottom }) => bottom), [40, 40, 40]],
    ['alignCentre', (b: Boxes) => b.map(({ left, right }) => left + right), [210, 210, 210]],
    ['alignMiddle', (b: Boxes) => b.map(({ top, bottom }) => top + bottom), [30, 30, 30]],
    ['distributeAcross', (b: Boxes) => [b[1]!.left - b[0]!.right, b[2]!.left - b[1]!.right], [70, 70]],
    ['distributeDown', (b: Boxes) => [b[1]!.top - b[0]!.bottom, b[2]!.top - b[1]!.bottom], [-20, -20]],
  ] as const)('%s', async (name, read, wanted) => {
    const { run, select, objects, said } = openBench(chart(booths));
    select('b0', 'b1', 'b2');
    await run(name);
    expect(read(bounds(objects()))).toEqual(wanted);
    expect(said.at(-1)).toMatch(/Aligned|Distributed/);
  });

  test.each([
    ['front', 'b0', ['b1', 'b2', 'b0']],
    ['forward', 'b0', ['b1', 'b0', 'b2']],
    ['back', 'b2', ['b2', 'b0', 'b1']],
    ['backward', 'b2', ['b0', 'b2', 'b1']],
  ] as const)('%s', async (name, id, wanted) => {
    const { run, select, objects } = openBench(chart(booths));
    select(id);
    await run(name);
    expect(objects().map(idOf)).toEqual(wanted);
  });

  test('mirrors and turns a section with its rows', async () => {
    const hall = chart([
      section(),
      row({ origin: point(10, 20), seatCount: 3 }),
      row({ id: 'far', label: 'Z', origin: point(900, 0) }),
    ]);
    const { run, select, objects } = openBench(hall);
    select('west');
    await run('mirrorAcross');
    expect(middles(objects())).toEqual([
      [50, 50],
      [70, 20],
      [990, 0],
    ]);
    await run('mirrorDown', 'quarterRight');
    expect(middles(objects())).toEqual([
      [50, 50],
      [20, 70],
      [990, 0],
    ]);
    await run('undo', 'undo', 'undo');
    expect(objects()).toEqual(hall.objects);
  });
});

describe('copies', () => {
  const hall = chart([
    section(),
    row({ origin: point(10, 20), seatCount: 3 }),
    row({ id: 'far', label: 'C', origin: point(900, 0) }),
  ]);

  test('of a section have its rows, with the next free labels', async () => {
    for (const names of [['duplicate'], ['copy', 'paste']] as const) {
      const { run, select, objects, editor } = openBench(hall);
      select('west');
      await run(...names);
      expect(labels(objects())).toEqual(['West', 'A', 'C', 'West 2', 'B']);
      expect(middles(objects()).slice(3)).toEqual([
        [70, 70],
        [50, 40],
      ]);
      expect(editor.selection.objects.size).toBe(2);
      expect(publishIssues(editor.document)).toEqual([]);
    }
  });

  test('that are pasted again lie beside the first', async () => {
    const { run, select, objects } = openBench(hall);
    select('row-a');
    await run('copy', 'paste', 'paste', 'paste');
    expect(middles(objects()).slice(3)).toEqual([
      [50, 40],
      [70, 60],
      [90, 80],
    ]);
    expect(labels(objects()).slice(3)).toEqual(['B', 'D', 'E']);
  });

  test('after a cut are the objects that were cut, with all their names', async () => {
    const named = row({
      origin: point(10, 20),
      seatCount: 3,
      displayLabel: 'Front',
      overrides: [{ index: 1, label: 'Throne' }],
    });
    const places = [{ sourceAreaId: 'lawn', startIndex: 4, count: 3 }];
    const before = chart([
      section({ logicalSectionId: 'l' }),
      named,
      gaArea({ points: rectangle(0, 50, 90, 40), inventorySegments: places }),
    ]);
    const { run, select, objects } = openBench(before);
    select('west');
    await run('cut');
    expect(objects()).toEqual([]);
    await run('paste');
    expect(objects()).toEqual(before.objects);
    await run('paste');
    expect(labels(objects()).slice(3)).toEqual(['West 2', 'B', 'Lawn 2']);
    expect(objects()[4]).not.toHaveProperty('displayLabel');
    expect(
      objects()
        .flatMap((each) => (each.type === 'section' ? [] : placesOf(each as Row | GaArea)))
        .filter(({ label }) => label === 'Throne'),
    ).toHaveLength(1);
    expect(publishIssues({ ...before, objects: [...objects()] })).toEqual([]);
  });

  test('of single seats are refused, and a cut leaves these seats', async () => {
    const { run, editor, objects, said } = openBench(hall);
    for (const name of ['copy', 'cut', 'duplicate'] as const) {
      editor.select(selectionOf([], [{ objectId: 'row-a', index: 0 }]));
      await run(name);
      expect(said.at(-1)).toBe('Single seats are not copied. Select their row or table.');
      expect(objects()).toEqual(hall.objects);
    }
    editor.select(selectionOf(['far'], [{ objectId: 'row-a', index: 0 }]));
    await run('cut');
    expect(objects()).toEqual(hall.objects.slice(0, 2));
  });

  test.each([
    ['copyBeside', [960, 0]],
    ['copyBelow', [900, 32]],
  ] as const)('%s', async (name, wanted) => {
    const { run, select, objects } = openBench(chart([row({ origin: point(900, 0), seatCount: 2 })]));
    select('row-a');
    await run(name);
    const { x, y } = (objects()[1] as Row).origin;
    expect([Math.round(x), Math.round(y)]).toEqual(wanted);
  });
});

describe('shaping', () => {
  test('a section around the selection', async () => {
    const { run, select, objects, editor } = openBench(
      chart([row({ seatCount: 3 }), table({ center: point(900, 0) })]),
    );
    select('row-a');
    await run('sectionAround');
    expect(objects()[0]).toMatchObject({ type: 'section', label: 'Section 1' });
    const { left, top, right, bottom } = bounds(objects())[0]!;
    expect([left < 0, top < 0, right > 40, right < 200, bottom > 0]).toEqual([true, true, true, true, true]);
    expect([...editor.selection.objects]).toEqual([objects()[0]!.id]);
  });

  test('an area is split across its longer side, and joined again', async () => {
    const { run, select, objects } = openBench(chart([gaArea({ points: rectangle(0, 0, 200, 100), capacity: 40 })]));
    select('lawn');
    await run('split');
    expect(objects()).toMatchObject([
      { capacity: 20, label: 'Lawn' },
      { capacity: 20, label: 'Lawn 2' },
    ]);
    expect(bounds(objects()).map(({ left, right }) => right - left)).toEqual([100, 100]);
    await run('join');
    expect(objects()).toMatchObject([{ id: 'lawn', capacity: 40 }]);
  });

  test('a row is split at its chosen seat', async () => {
    const { run, editor, objects } = openBench(chart([row()]));
    editor.select(selectionOf([], [{ objectId: 'row-a', index: 3 }]));
    await run('split');
    expect(objects().map((each) => (each as Row).seatCount)).toEqual([3, 7]);
  });

  test('several rows are split at once, each in its middle or before its chosen seat', async () => {
    const two = chart([row(), row({ id: 'b', label: 'B', seatCount: 7 })]);
    const counts = (all: readonly ChartObject[]) => all.map((each) => (each as Row).seatCount);
    const whole = openBench(two);
    whole.select('row-a', 'b');
    await whole.run('split');
    expect(counts(whole.objects())).toEqual([5, 5, 4, 3]);
    const seated = openBench(two);
    const seats = [
      { objectId: 'row-a', index: 3 },
      { objectId: 'b', index: 2 },
    ];
    seated.editor.select(selectionOf([], seats));
    await seated.run('split');
    expect(counts(seated.objects())).toEqual([3, 7, 2, 5]);
  });

  test.each([
    ['split', /Nothing can be split here/],
    ['part', /None of these rows is joined/],
    ['bringBack', /No seat was removed/],
  ] as const)('%s says why it changes nothing', async (name, why) => {
    const { run, select, said } = openBench(chart([row({ seatCount: 1 })]));
    select('row-a');
    await run(name);
    expect(said.at(-1)).toMatch(why);
  });

  test('a deleted seat leaves a gap, and comes back', async () => {
    const { run, editor, objects, select } = openBench(chart([row()]));
    editor.select(selectionOf([], [{ objectId: 'row-a', index: 3 }]));
    await run('delete');
    expect(placesOf(objects()[0] as Row).map(({ label }) => label)).not.toContain('A-4');
    select('row-a');
    await run('bringBack');
    expect(objects()).toEqual([row()]);
  });
});

describe('floors', () => {
  const hall = addFloor(
    'Balcony',
    'Stalls',
  )(chart([section(), row({ origin: point(10, 20), seatCount: 3 }), booth({ center: point(900, 0) })]));

  test('the objects move to another floor, a section with its rows', () => {
    const { listed, select, editor, said } = openBench(hall);
    const moves = () => listed().filter(({ name }) => name.startsWith('toFloor'));
    expect(moves().map((each) => [each.label(), each.canRun()])).toEqual([['Move to floor: Balcony', false]]);
    select('west');
    moves()[0]!.run();
    expect(editor.document.floors!.map(({ objects }) => objects.map(idOf))).toEqual([['booth-1'], ['west', 'row-a']]);
    expect(said.at(-1)).toBe('2 objects moved to Balcony');
    expect(editor.selection.objects.size).toBe(0);
    editor.showFloor(1);
    expect(moves().map((each) => each.label())).toEqual(['Move to floor: Stalls']);
  });

  test('a chart of one floor, and a session that leaves floors alone, have no such command', () => {
    const names = ({ listed }: ReturnType<typeof openBench>) =>
      listed()
        .map(({ name }) => name)
        .filter((name) => name.startsWith('toFloor'));
    expect(names(openBench(chart([row()])))).toEqual([]);
    expect(names(openBench(hall, { has: (feature) => feature !== 'floors' }))).toEqual([]);
  });
});

describe('sessions', () => {
  const names = (may: Parameters<typeof openBench>[1]) =>
    openBench(chart([row()]), may)
      .listed()
      .map(({ name }) => name);
  const all = names({});

  test('that only look have no command that changes the chart', () => {
    expect(names({ authority: 'read-only' })).toEqual([
      'copy',
      'all',
      'invert',
      'kind',
      'none',
      'next',
      'previous',
      'category',
      'seatsOf',
      'zoomIn',
      'zoomOut',
      'fit',
      'fitSelection',
      'grid',
      'below',
      'snapping',
      'find',
      'palette',
      'help',
    ]);
  });

  test('without features lack their commands', () => {
    const lost = (...features: string[]) => {
      const left = names({ has: (feature) => !features.includes(feature) });
      return all.filter((name) => !left.includes(name));
    };
    expect(lost('rows')).toEqual(['part', 'longerEnd', 'shorterEnd', 'longerStart', 'shorterStart']);
    expect(lost('rows', 'areas')).toContain('split');
    expect(lost('sections')).toEqual(['sectionAround']);
    expect(lost('labels')).toEqual(['mirrorNumbers']);
    expect(lost('rows', 'tables', 'booths', 'areas', 'sections', 'decor')).toEqual(
      expect.arrayContaining(['delete', 'paste', 'alignLeft', 'larger']),
    );
  });
});
