/** The report of an import: which notes it keeps, and the objects that they name. */
import { Notes, notesMax } from '@parterre/shared/charts/imports/report';
import { expect, test } from 'vitest';
import { imported } from '../../support/imports/imported.ts';

test('a flood of one cause leaves room for the notes of others, in their order', () => {
  const notes = new Notes();
  notes.changed('first', 'The first.');
  for (let i = 0; i < 5_000; i++) notes.ambiguous('flood', `Row ${i}`);
  for (let i = 0; i < 400; i++) notes.leftOut('some', `Shape ${i}`);
  notes.leftOut('last', 'The last.');
  const { list } = notes;
  const count = (code: string) => list.filter((note) => note.code === code).length;
  expect([list.length, notes.total]).toEqual([notesMax, 5_402]);
  expect([count('first'), count('some'), count('last')]).toEqual([1, 400, 1]);
  expect([list[0]!.code, list[1]!.message, list.at(-1)!.code]).toEqual(['first', 'Row 0', 'last']);
});

test('each object of a file has a name of its own', () => {
  const notes = new Notes();
  expect(['row A', 'row A (2)', 'row A', 'row A'].map((name) => notes.nameOf(name))).toEqual([
    'row A',
    'row A (2)',
    'row A (3)',
    'row A (4)',
  ]);
});

const seat = (label: string, x: number, y: number) => ({ label, x, y, categoryKey: 1 });
const categories = { list: [{ key: 1, label: 'One', color: '#112233' }] };

test('a note names the row that it is about, where two rows have one label', () => {
  const rows = [
    { label: 'A', seats: [seat('1', 0, 0), seat('2', 20, 0)] },
    { label: 'A', seats: [seat('3', 60, 0), { ...seat('4', 80, 0), categoryKey: 'gone' }] },
  ];
  const { document, report } = imported(JSON.stringify({ name: 'Twice', categories, subChart: { rows } }));
  const [, second] = document.objects;
  expect(report.notes.find(({ code }) => code === 'unknown_category')).toMatchObject({
    source: 'row A (2)',
    objectId: second!.id,
  });
});

test('a note names the object of a long source', () => {
  const uuid = '🎭'.repeat(60);
  const rows = [{ uuid, label: 'A', seats: [{ label: '1', x: 0, y: 0 }] }];
  const { report } = imported(JSON.stringify({ name: 'Long', categories, subChart: { rows } }));
  expect(report.notes.find(({ code }) => code === 'no_category')!.objectId).toBe('row-1');
});

test('lines and corners of shapes grow with the chart', () => {
  const rows = [{ label: 'A', seats: [seat('1', 0, 0), seat('2', 2, 0), seat('3', 4, 0)] }];
  const stage = {
    type: 'rectangle',
    center: { x: 2, y: -5 },
    width: 4,
    height: 2,
    strokeWidth: 0.5,
    cornerRadius: 0.2,
  };
  const { document, report } = imported(
    JSON.stringify({ name: 'Small', categories, subChart: { rows, shapes: [stage] } }),
  );
  expect(report.scale).toBe(10);
  expect(document.objects[0]).toMatchObject({ type: 'shape', width: 40, strokeWidth: 5, cornerRadius: 2 });
});
