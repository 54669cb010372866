/** The merge of two people's documents. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChartDocument } from '../../../shared/src/charts/document.ts';
import { mergeDocuments } from '../../../web/designer/document/merge.ts';
import { withSide } from '../../../web/designer/document/merge-choice.ts';
import { everyObject, idOf } from '../../../web/designer/document/objects.ts';
import { chart, gaArea, point, row, seatCategory, section } from '../../support/charts.ts';
import { changedBy, drawnVenue, someSteps } from './drawn.ts';

const copyOf = (document: ChartDocument): ChartDocument => JSON.parse(JSON.stringify(document));
const ids = (document: ChartDocument): string[] => Array.from(everyObject(document), idOf);

test('a side without changes leaves the other side', () => {
  fc.assert(
    fc.property(drawnVenue(), someSteps(), (base, steps) => {
      const changed = changedBy(base, steps);
      expect(mergeDocuments(base, copyOf(base), changed).document).toEqual(changed);
      expect(mergeDocuments(base, changed, copyOf(base)).document).toEqual(changed);
      expect(mergeDocuments(base, changed, copyOf(changed)).document).toEqual(changed);
      expect(mergeDocuments(base, changed, copyOf(changed)).conflicts).toEqual([]);
    }),
  );
});

test('no object is lost but those that a side deleted, and the other did not change', () => {
  fc.assert(
    fc.property(drawnVenue(), someSteps(), someSteps(), (base, ours, others) => {
      const mine = changedBy(base, ours);
      const theirs = changedBy(base, others);
      const { document, renamed } = mergeDocuments(base, mine, theirs);
      const kept = new Set(ids(document));
      const [old, one, other] = [ids(base), ids(mine), ids(theirs)].map((each) => new Set(each));
      for (const id of one!) if (other!.has(id) || !old!.has(id)) expect(kept).toContain(renamed.get(id) ?? id);
      for (const id of other!) if (one!.has(id) || !old!.has(id)) expect(kept).toContain(id);
      if (document.floors?.length) expect(document.objects).toBe(document.floors[0]!.objects);
    }),
  );
});

test('the merge of both sides has every field of each that the other side left', () => {
  const base = chart([row(), section()]);
  const mine = chart([row({ label: 'AA' }), section()]);
  const theirs = chart([row({ seatCount: 12, overrides: [{ index: 2, skip: true }] }), section({ label: 'East' })]);
  const merged = mergeDocuments(base, mine, theirs);
  expect(merged.conflicts).toEqual([]);
  expect(merged.document).toEqual(
    chart([row({ label: 'AA', seatCount: 12, overrides: [{ index: 2, skip: true }] }), section({ label: 'East' })]),
  );
  expect(merged.theirs).toEqual([
    { kind: 'object', id: 'row-a', how: 'changed', fields: ['seatCount', 'overrides'], label: 'A', type: 'row' },
    { kind: 'object', id: 'west', how: 'changed', fields: ['label'], label: 'East', type: 'section' },
  ]);
});

test('a field that both changed is a conflict, and either side can be chosen', () => {
  const [base, mine, theirs] = ['A', 'B', 'C'].map((label) => chart([row({ label })]));
  const { document, conflicts } = mergeDocuments(base!, mine!, theirs!);
  expect(conflicts).toMatchObject([{ kind: 'object', id: 'row-a', fields: ['label'] }]);
  expect(document).toEqual(mine);
  expect(withSide(document, conflicts[0]!, 'theirs')).toEqual(theirs);
  expect(withSide(withSide(document, conflicts[0]!, 'theirs'), conflicts[0]!, 'mine')).toEqual(mine);
});

test('two people change different seats of a row', () => {
  const base = chart([row({ overrides: [{ index: 0, skip: true }] })]);
  const mine = chart([
    row({
      overrides: [
        { index: 0, skip: true },
        { index: 3, label: 'X' },
      ],
    }),
  ]);
  const theirs = chart([
    row({
      overrides: [
        { index: 3, dx: 4 },
        { index: 5, skip: true },
      ],
    }),
  ]);
  const merged = mergeDocuments(base, mine, theirs);
  expect(merged.conflicts).toEqual([]);
  const overrides = [
    { index: 3, label: 'X', dx: 4 },
    { index: 5, skip: true },
  ];
  expect(merged.document).toEqual(chart([row({ overrides })]));
  const other = chart([row({ overrides: [{ index: 3, label: 'Y' }] })]);
  const { document, conflicts } = mergeDocuments(base, mine, other);
  expect(conflicts[0]!.fields).toEqual(['overrides.3.label']);
  expect(withSide(document, conflicts[0]!, 'theirs')).toEqual(other);
});

test('an object that one side deleted and the other changed stays, and either side can be chosen', () => {
  const base = chart([row(), section()]);
  const without = chart([section()]);
  const moved = chart([row({ origin: point(9, 9) }), section()]);
  for (const [mine, theirs] of [
    [without, moved],
    [moved, without],
  ] as const) {
    const { document, conflicts } = mergeDocuments(base, mine, theirs);
    expect(document).toEqual(moved);
    expect(conflicts).toMatchObject([{ id: 'row-a', fields: [] }]);
    expect(withSide(document, conflicts[0]!, mine === without ? 'mine' : 'theirs')).toEqual(without);
    expect(withSide(document, conflicts[0]!, mine === without ? 'theirs' : 'mine')).toEqual(moved);
  }
});

test('two new objects of one id both stay, and mine gets another', () => {
  const { document, renamed } = mergeDocuments(chart([]), chart([row({ label: 'B' })]), chart([row({ label: 'C' })]));
  expect(document.objects.map((object) => (object as { label: string }).label)).toEqual(['C', 'B']);
  expect(renamed.get('row-a')).toBe(document.objects[1]!.id);
});

test('labels that only the merge brings together are told', () => {
  const mine = chart([row({ id: 'b', label: 'B' })]);
  const theirs = chart([row({ id: 'c', label: 'B', seatCount: 1 })]);
  const { document, collisions } = mergeDocuments(chart([]), mine, theirs);
  expect(ids(document).sort()).toEqual(['b', 'c']);
  expect(collisions).toEqual([{ label: 'B-1', objectIds: expect.arrayContaining(['b', 'c']) }]);
  expect(mergeDocuments(chart([]), chart([...document.objects]), chart([section()])).collisions).toEqual([]);
});

test('capacity and segments of an area change together', () => {
  const base = chart([gaArea()]);
  const mine = chart([gaArea({ capacity: 9 })]);
  const theirs = chart([
    gaArea({ capacity: 3, inventorySegments: [{ sourceAreaId: 'old', startIndex: 0, count: 3 }] }),
  ]);
  const { document, conflicts } = mergeDocuments(base, mine, theirs);
  expect(document).toEqual(mine);
  expect(withSide(document, conflicts[0]!, 'theirs')).toEqual(theirs);
});

test('a category or zone that one side deleted stays where the other side began to use it', () => {
  const vip = { ...seatCategory, key: 'vip' };
  const zone = { id: 'z', label: 'Z' };
  const base = chart([row()], { categories: [seatCategory, vip], zones: [zone] });
  const without = chart([row()], { categories: [seatCategory] });
  const using = chart(
    [row(), row({ id: 'b', label: 'B', overrides: [{ index: 1, categoryKey: 'vip' }] }), section({ zone: 'z' })],
    { categories: [seatCategory, vip], zones: [zone] },
  );
  for (const [mine, theirs] of [
    [without, using],
    [using, without],
  ] as const) {
    const { document, conflicts } = mergeDocuments(base, mine, theirs);
    expect([document.categories, document.zones]).toEqual([[seatCategory, vip], [zone]]);
    const deleted = mine === without ? { mine: null, theirs: vip } : { mine: vip, theirs: null };
    expect(conflicts).toMatchObject([
      { kind: 'category', id: 'vip', ...deleted },
      { kind: 'zone', id: 'z' },
    ]);
    expect(withSide(document, conflicts[0]!, mine === without ? 'mine' : 'theirs').categories).toEqual([seatCategory]);
  }
  // A side that leaves its own objects without their category has decided so.
  const dangling = { ...base, categories: [seatCategory], objects: [row({ categoryKey: 'vip' })] };
  expect(mergeDocuments({ ...base, objects: [row({ categoryKey: 'vip' })] }, dangling, using).conflicts).toEqual([]);
});

test('an object on a floor that the other side removed keeps its floor', () => {
  const floor = (id: string, ...objects: ChartDocument['objects']) => ({
    id,
    name: id,
    objects,
    focalPoint: point(0, 0),
  });
  const lower = floor('lower', row());
  const on = (floors: ReturnType<typeof floor>[]) => chart(floors[0]!.objects, { floors });
  const base = on([lower, floor('upper', row({ id: 'b', label: 'B' }))]);
  const theirs = on([lower, floor('upper', row({ id: 'b', label: 'C' }))]);
  const { document, conflicts } = mergeDocuments(base, on([lower]), theirs);
  expect(document).toEqual(theirs);
  expect(conflicts).toMatchObject([{ kind: 'object', id: 'b' }]);
});

test('a floor that they deleted stays with my new object on it, and goes where the object goes too', () => {
  const floor = (id: string, name: string, ...objects: ChartDocument['objects']) => ({
    id,
    name,
    objects,
    focalPoint: point(0, 0),
  });
  const on = (...floors: ReturnType<typeof floor>[]) => chart(floors[0]!.objects, { floors });
  const lower = floor('lower', 'Lower', row());
  const old = row({ id: 'b', label: 'B' });
  const base = on(lower, floor('upper', 'Upper', old));
  const added = on(lower, floor('upper', 'Balcony', old, row({ id: 'n', label: 'N' })));
  const merged = mergeDocuments(base, added, on(lower));
  expect(merged.conflicts).toMatchObject([{ kind: 'floor', id: 'upper' }]);
  const kept = withSide(merged.document, merged.conflicts[0]!, 'theirs');
  expect(ids(kept)).toEqual(['row-a', 'n']);
  const changed = on(lower, floor('upper', 'Balcony', row({ id: 'b', label: 'C' })));
  const both = mergeDocuments(base, changed, on(lower));
  const chosen = both.conflicts.reduce((document, each) => withSide(document, each, 'theirs'), both.document);
  expect(chosen).toEqual(on(lower));
});

test('a new object of both sides is one object for a draft, and theirs for an undo', () => {
  const one = chart([row({ label: 'B', displayLabel: 'Mine' })]);
  const other = chart([row({ label: 'C' })]);
  const draft = mergeDocuments(chart([]), one, other, 'draft');
  expect(draft.document.objects).toEqual([row({ label: 'B', displayLabel: 'Mine' })]);
  expect(draft.conflicts).toMatchObject([{ id: 'row-a', fields: ['label'] }]);
  const undo = mergeDocuments(chart([]), one, other, 'undo');
  expect([undo.document.objects, undo.renamed.size]).toEqual([[row({ label: 'C' })], 0]);
  expect(undo.conflicts).toMatchObject([{ id: 'row-a' }]);
});

test('categories and fields of the document merge too', () => {
  const one = { ...seatCategory, key: 'x' };
  const other = { ...seatCategory, key: 'y' };
  const mine = chart([], { categories: [{ ...seatCategory, price: 30 }, one], name: 'Mine' });
  const theirs = chart([], { categories: [{ ...seatCategory, label: 'Chair' }, other], theme: 'dark' });
  const { document, conflicts } = mergeDocuments(chart([]), mine, theirs);
  expect(conflicts).toEqual([]);
  const categories = [{ ...seatCategory, price: 30, label: 'Chair' }, one, other];
  expect(document).toEqual(chart([], { categories, name: 'Mine', theme: 'dark' }));
});
