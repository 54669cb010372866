/** The commands that choose objects and seats. */
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../../shared/src/charts/document.ts';
import { placesOf } from '../../../../shared/src/charts/places.ts';
import { selectionOf } from '../../../../web/designer/document/selection.ts';
import { chart, gaArea, point, row, section, table } from '../../../support/charts.ts';
import { openBench } from './bench.ts';

describe('choosing', () => {
  const hall = chart([row(), row({ id: 'b', label: 'B', categoryKey: 'vip' }), table(), section()]);

  test.each([
    ['kind', ['row-a', 'b']],
    ['invert', ['b', 'table-1', 'west']],
    ['all', ['row-a', 'b', 'table-1', 'west']],
    ['category', ['row-a', 'table-1']],
    ['next', ['b']],
    ['previous', ['west']],
    ['none', []],
  ] as const)('%s', async (name, wanted) => {
    const { run, select, editor } = openBench(hall);
    select('row-a');
    await run(name);
    expect([...editor.selection.objects]).toEqual(wanted);
  });

  test.each([
    ['kind', ['row-a', 'b'], []],
    ['category', ['b'], ['row-a']],
  ] as const)('%s of a single seat', async (name, objects, seats) => {
    const painted = row({ overrides: [{ index: 3, categoryKey: 'vip' }] });
    const { run, editor } = openBench(chart([painted, ...hall.objects.slice(1)]));
    editor.select(selectionOf([], [{ objectId: 'row-a', index: 3 }]));
    await run(name);
    expect([[...editor.selection.objects], [...editor.selection.seats.keys()]]).toEqual([objects, seats]);
  });

  test.each(['all', 'invert', 'kind', 'category'] as const)('%s leaves locked objects out', async (name) => {
    const locked = gaArea({ id: 'fixed', locked: true });
    const { run, select, editor } = openBench(chart([locked, gaArea(), row({ categoryKey: 'vip' })]));
    select(name === 'invert' ? 'row-a' : 'lawn');
    await run(name);
    expect(editor.selection.objects.has('lawn')).toBe(true);
    expect(editor.selection.objects.has('fixed')).toBe(false);
    editor.apply((document) => ({ ...document, objects: [locked] }), 'draw.step.delete');
    select('fixed');
    await run('kind', 'category');
    expect([...editor.selection.objects]).toEqual(['fixed']);
  });

  test('the seats of a row', async () => {
    const { run, select, editor, said } = openBench(hall);
    select('row-a');
    await run('seatsOf');
    expect(editor.selection.seats.get('row-a')!.size).toBe(10);
    expect(said.at(-1)).toBe('10 seats selected');
  });
});

/** Two rows of ten seats, from (0, 0) and (0, 40) to the right, 20 apart. */
const twoRows = chart([row(), row({ id: 'b', label: 'B', origin: point(0, 40) })]);
const seatsIn = ({ editor }: ReturnType<typeof openBench>) =>
  [...editor.selection.seats].flatMap(([id, its]) => Array.from(its, (seat) => `${id} ${seat}`)).toSorted();

describe('seats by the mouse', () => {
  const withSeat = () => {
    const hands = openBench(twoRows);
    hands.click('select', [40, 0]);
    hands.click('select', [40, 0]);
    expect(seatsIn(hands)).toEqual(['row-a 2']);
    return hands;
  };

  test.each(['holdShift', 'holdCtrl'] as const)('%s and a click add a seat, and take it away', (hold) => {
    const hands = withSeat();
    hands[hold]();
    hands.click('select', [100, 0]);
    hands.click('select', [60, 40]);
    expect(seatsIn(hands)).toEqual(['b 3', 'row-a 2', 'row-a 5']);
    hands.click('select', [40, 0]);
    expect(seatsIn(hands)).toEqual(['b 3', 'row-a 5']);
    expect(hands.editor.selection.objects.size).toBe(0);
  });

  test.each(['holdShift', 'holdCtrl'] as const)('%s and a click take whole rows while rows are chosen', (hold) => {
    const { click, editor, ...hands } = openBench(twoRows);
    click('select', [40, 0]);
    hands[hold]();
    click('select', [40, 40]);
    expect([...editor.selection.objects]).toEqual(['row-a', 'b']);
    click('select', [40, 0]);
    expect([...editor.selection.objects]).toEqual(['b']);
  });

  test('a drag with Ctrl moves an object freely, and toggles nothing', () => {
    const { drag, holdCtrl, editor, objects } = openBench(twoRows);
    holdCtrl();
    drag('select', [40, 0], [47, -3]);
    expect(objects()[0]).toMatchObject({ origin: point(7, -3) });
    expect([...editor.selection.objects]).toEqual(['row-a']);
  });

  test('a box with Shift adds seats while seats are chosen', () => {
    const hands = withSeat();
    hands.holdShift();
    hands.drag('select', [70, 25], [130, 55]);
    expect(seatsIn(hands)).toEqual(['b 4', 'b 5', 'b 6', 'row-a 2']);
  });

  test('a box takes the seats of several rows, Shift adds some, Ctrl takes some away', () => {
    const hands = openBench(twoRows);
    hands.drag('seats', [70, -10], [110, 50]);
    expect(seatsIn(hands)).toEqual(['b 4', 'b 5', 'row-a 4', 'row-a 5']);
    expect(hands.said.at(-1)).toBe('4 seats selected');
    hands.holdShift();
    hands.drag('seats', [-10, -10], [10, 10]);
    hands.holdShift(false);
    hands.holdCtrl();
    hands.drag('seats', [70, 30], [130, 50]);
    expect(seatsIn(hands)).toEqual(['row-a 0', 'row-a 4', 'row-a 5']);
    hands.holdCtrl(false);
    hands.click('seats', [20, 40]);
    expect(seatsIn(hands)).toEqual(['b 1']);
    hands.click('seats', [300, 300]);
    expect(seatsIn(hands)).toEqual([]);
  });

  test('Enter sets the corners of a box, and of a line around seats', () => {
    const hands = openBench(twoRows);
    hands.enter('seats', [70, -10]);
    hands.enter('seats', [110, 50]);
    expect(seatsIn(hands)).toEqual(['b 4', 'b 5', 'row-a 4', 'row-a 5']);
    for (const at of [
      [-10, -10],
      [50, -10],
      [-10, 60],
      [-10, 60],
    ] as const)
      hands.enter('lasso', at);
    expect(seatsIn(hands)).toEqual(['b 0', 'row-a 0', 'row-a 1', 'row-a 2']);
  });

  test('a line that is drawn around seats takes what is inside', () => {
    const { editor, tools } = openBench(twoRows);
    const at = (x: number, y: number) =>
      ({ at: { x, y }, reach: 2, isMore: false, isToggle: false, isFree: true, clicks: 1 }) as const;
    const drag = tools.get('lasso')!.press(at(-10, -10))!;
    for (const [x, y] of [
      [50, -10],
      [50, 10],
      [10, 10],
      [10, 50],
      [-10, 50],
    ] as const)
      drag.move(at(x, y));
    drag.end(at(-10, 50));
    expect(Object.fromEntries(Array.from(editor.selection.seats, ([id, its]) => [id, [...its]]))).toEqual({
      'row-a': [0, 1, 2],
      b: [0],
    });
  });

  test('seats of locked rows and of tables that are sold as a whole stay out', () => {
    const whole = table({ bookAsWhole: true, center: point(100, 100) });
    const hands = openBench(chart([row({ locked: true }), row({ id: 'b', label: 'B', origin: point(0, 40) }), whole]));
    hands.drag('seats', [-10, -10], [200, 200]);
    expect([...hands.editor.selection.seats.keys()]).toEqual(['b']);
  });
});

describe('an aisle', () => {
  const labels = ({ objects }: ReturnType<typeof openBench>) =>
    objects().map((object) =>
      placesOf(object as Row)
        .map(({ label }) => label.slice(2))
        .join(' '),
    );
  const middle = (places: readonly { x: number; y: number }[]) => places.map(({ x, y }) => [x, y] as const);

  test('goes through all rows that its line crosses, and the numbers go on behind it', () => {
    const hands = openBench(twoRows);
    hands.bench.settings.aisleWidth = 20;
    hands.click('aisle', [90, -20]);
    hands.click('aisle', [90, 50]);
    expect(labels(hands)).toEqual(['1 2 3 4 5 6 7 8', '1 2 3 4 5 6 7 8']);
    expect(placesOf(hands.objects()[0] as Row).map(({ x }) => x)).toEqual([0, 20, 40, 60, 120, 140, 160, 180]);
    expect(hands.said.at(-1)).toBe('An aisle through 2 rows. Seats removed: 4.');
  });

  test('goes through the chosen rows alone', () => {
    const hands = openBench(twoRows);
    hands.select('b');
    hands.drag('aisle', [90, -20], [90, 50]);
    expect(labels(hands).map((each) => each.split(' ').length)).toEqual([10, 6]);
    hands.drag('aisle', [900, -20], [900, 50]);
    expect(hands.said.at(-1)).toBe('None of the selected rows crosses this line.');
  });

  test('is straight through curved rows with odd and even counts', () => {
    const hands = openBench(chart([]));
    Object.assign(hands.bench.settings, { radius: 300, aisleWidth: 30 });
    hands.drag('block', [0, 0], [400, 320]);
    hands.editor.select({ objects: new Set(), seats: new Map() });
    hands.drag('aisle', [200, -20], [200, 400]);
    for (const object of hands.objects()) {
      const places = middle(placesOf(object as Row));
      expect(Math.min(...places.map(([x]) => Math.abs(x - 200)))).toBeGreaterThanOrEqual(26.9);
      expect(places.some(([x]) => x < 200) && places.some(([x]) => x > 200)).toBe(true);
    }
  });

  test('leaves the numbers of a row that had a gap before', () => {
    const hands = openBench(chart([row({ overrides: [{ index: 1, skip: true }] })]));
    hands.bench.settings.aisleWidth = 20;
    hands.drag('aisle', [90, -20], [90, 50]);
    expect(labels(hands)).toEqual(['1 3 4 7 8 9 10']);
  });
});
