/** The commands that choose objects and seats. */
import { describe, expect, test } from 'vitest';
import { selectionOf } from '../../../../web/designer/document/selection.ts';
import { chart, gaArea, row, section, table } from '../../../support/charts.ts';
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
