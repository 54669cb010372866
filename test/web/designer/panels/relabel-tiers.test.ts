/** Tiers that name seats follow the labels of their seats, in the same step. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { isSeller, placesOf } from '@parterre/shared/charts/places';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Editor } from '../../../../web/designer/document/editor.ts';
import { changeObjects } from '../../../../web/designer/document/objects.ts';
import { everythingAllowed } from '../../../../web/designer/document/permissions.ts';
import { renumber } from '../../../../web/designer/labelling/numbers.ts';
import { relabel } from '../../../../web/designer/labelling/relabel.ts';
import { lostTierLabels } from '../../../../web/designer/labelling/tier-labels.ts';
import { booth, chart, gaArea, row, seatCategory, table } from '../../../support/charts.ts';

const tiered = (...seatLabels: string[]) => [
  {
    ...seatCategory,
    tiers: [
      { id: 'all', name: 'All', price: 9 },
      { id: 'some', name: 'Some', price: 5, applicability: { seatLabels } },
    ],
  },
];
const named = ({ categories }: ChartDocument) => categories[0]!.tiers![1]!.applicability?.seatLabels;
const rename = (to: Record<string, string>) =>
  relabel(new Map(Object.entries(to).map(([id, label]) => [id, { label, displayLabel: undefined }])));
const two = row({ id: 'row-b', label: 'B' });

function edited(objects: ChartObject[], labels: string[], edit: ReturnType<typeof rename>): Editor {
  const editor = new Editor(chart(objects, { categories: tiered(...labels) }));
  expect(editor.apply(edit, 'did.labels')).toBeNull();
  return editor;
}

describe('a tier that names seats', () => {
  test('follows a row to its new label, and one undo takes both back', () => {
    const editor = edited([row(), two], ['A-1', 'B-2'], rename({ 'row-a': 'Q' }));
    expect(named(editor.document)).toEqual(['Q-1', 'B-2']);
    editor.undo();
    expect(editor.document).toEqual(chart([row(), two], { categories: tiered('A-1', 'B-2') }));
    expect(editor.canUndo).toBe(false);
    editor.redo();
    expect(named(editor.document)).toEqual(['Q-1', 'B-2']);
  });

  test('follows two rows that exchange their labels', () => {
    const editor = edited([row(), two], ['A-1', 'B-2'], rename({ 'row-a': 'B', 'row-b': 'A' }));
    expect(named(editor.document)).toEqual(['B-1', 'A-2']);
  });

  test('follows new numbers, labels of single seats, booths, areas and whole tables', () => {
    const objects = [row(), booth(), gaArea(), table({ bookAsWhole: true })];
    const labels = ['A-1', 'B1', 'Lawn', 'T1'];
    const numbered = edited(objects, labels, renumber(new Set(['row-a']), { start: 101 }));
    expect(named(numbered.document)).toEqual(['A-101', 'B1', 'Lawn', 'T1']);
    const others = edited(objects, labels, rename({ 'booth-1': 'Bar', lawn: 'Pit', 'table-1': 'VIP' }));
    expect(named(others.document)).toEqual(['A-1', 'Bar', 'Pit', 'VIP']);
    const single = (document: ChartDocument) =>
      changeObjects(document, new Set(['row-a']), (object) => ({ ...object, overrides: [{ index: 0, label: 'Box' }] }));
    expect(named(edited(objects, labels, single).document)).toEqual(['Box', 'B1', 'Lawn', 'T1']);
  });

  test('keeps a label that another seat still has', () => {
    const twin = row({ id: 'twin' });
    expect(named(edited([row(), twin], ['A-1'], rename({ twin: 'C' })).document)).toEqual(['A-1', 'C-1']);
    const own = row({ id: 'own', label: 'Z', overrides: [{ index: 4, label: 'A-1' }] });
    expect(named(edited([row(), own], ['A-1'], rename({ 'row-a': 'C' })).document)).toEqual(['A-1', 'C-1']);
  });

  test('follows in a session that may not change categories', () => {
    const permissions = { ...everythingAllowed, has: (feature: string) => feature !== 'categories' };
    const editor = new Editor(chart([row()], { categories: tiered('A-1') }), { permissions });
    expect(editor.apply(rename({ 'row-a': 'Q' }), 'did.labels')).toBeNull();
    expect(named(editor.document)).toEqual(['Q-1']);
    // Undo is judged as an edit is.
    expect([editor.undo(), editor.refused]).toEqual(['did.labels', null]);
    expect(named(editor.document)).toEqual(['A-1']);
    expect(editor.redo()).toBe('did.labels');
    expect(named(editor.document)).toEqual(['Q-1']);
    const dearer = (document: ChartDocument) => ({ ...document, categories: [] });
    expect(editor.apply(dearer, 'did.category')).toMatchObject({ values: { feature: 'categories' } });
  });

  test('stays as it is when nothing that it names has another label', () => {
    const editor = edited([row(), two], ['A-1'], rename({ 'row-b': 'C' }));
    expect(editor.document.categories).toEqual(tiered('A-1'));
    const before = editor.document.categories;
    editor.apply(
      (document) => changeObjects(document, new Set(['row-a']), (object) => ({ ...object, rotation: 9 })),
      'did.property',
    );
    expect(editor.document.categories).toBe(before);
  });

  test('names the same seats after any new labels', () => {
    const labels = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'A-1', 'D'), { minLength: 3, maxLength: 3 });
    const objects = [row({ seatCount: 4 }), row({ id: 'row-b', label: 'B', seatCount: 4 }), booth({ label: 'C' })];
    const ids = objects.map(({ id }) => id as string);
    const seatOf = (document: ChartDocument) =>
      new Map(
        document.objects
          .filter(isSeller)
          .flatMap((object) => placesOf(object).map(({ label, index }) => [label, `${object.id} ${index}`] as const)),
      );
    fc.assert(
      fc.property(labels, fc.subarray(['A-1', 'A-4', 'B-2', 'C']), (names, tier) => {
        fc.pre(tier.length > 0);
        const editor = edited(objects, tier, rename(Object.fromEntries(ids.map((id, at) => [id, names[at]!]))));
        fc.pre(seatOf(editor.document).size === 9);
        const before = seatOf(chart(objects));
        const seats = named(editor.document)!.map((label) => seatOf(editor.document).get(label));
        expect(seats.sort()).toEqual(tier.map((label) => before.get(label)).sort());
      }),
    );
  });
});

test('labels of a tier that no place of its category has are told', () => {
  const lost = (objects: ChartObject[], ...labels: string[]) =>
    lostTierLabels(chart(objects, { categories: tiered(...labels) })).flatMap(({ labels }) => labels);
  expect(lost([row(), gaArea()], 'A-1', 'A-11', 'Lawn', '__sl_ga__lawn__1')).toEqual(['A-11']);
  expect(lost([row({ overrides: [{ index: 0, skip: true }] })], 'A-1', 'A-2')).toEqual(['A-1']);
  expect(lost([row({ overrides: [{ index: 0, categoryKey: 'vip' }] })], 'A-1', 'A-2')).toEqual(['A-1']);
  expect(lostTierLabels(chart([row()]))).toEqual([]);
});
