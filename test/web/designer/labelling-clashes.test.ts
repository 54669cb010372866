/** Labels that two objects share are found while they are typed, object by object. */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { isSeller, placesOf } from '@parterre/shared/charts/places';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LabelIndex } from '../../../web/designer/labelling/label-index.ts';
import { previewOf } from '../../../web/designer/labelling/preview.ts';
import { booth, chart, gaArea, row, table } from '../../support/charts.ts';

const other = row({ id: 'row-b', label: 'B', seatCount: 3 });

describe('labels', () => {
  test('of two objects clash, once for each pair, with the number of further labels', () => {
    const twin = row({ id: 'twin', seatCount: 4 });
    const index = new LabelIndex(chart([row(), twin, other]));
    const clash = { objectId: 'twin', otherId: 'row-a', label: 'A-1', more: 3 };
    expect(index.clashes(9)).toEqual([clash]);
    expect(index.clashesOf(new Set(['twin']))).toEqual([clash]);
    expect(index.clashesOf(new Set(['row-a']))).toEqual([{ ...clash, objectId: 'row-a', otherId: 'twin' }]);
    expect(index.clashesOf(new Set(['row-b']))).toEqual([]);
  });

  test('of one object clash with themselves', () => {
    const index = new LabelIndex(chart([row({ overrides: [{ index: 0, label: 'A-2' }] })]));
    expect(index.clashes(9)).toEqual([{ objectId: 'row-a', otherId: 'row-a', label: 'A-2', more: 0 }]);
    expect(index.clashesOf(new Set(['row-a']))).toHaveLength(1);
  });

  test('that are typed are compared with all others, and among themselves', () => {
    const index = new LabelIndex(chart([row(), other, booth(), gaArea({ label: 'Floor' })]));
    const named = (object: ChartObject, label: string) => ({ ...object, label }) as ChartObject;
    expect(index.clashesIf([named(other, 'A')])).toEqual([
      { objectId: 'row-b', otherId: 'row-a', label: 'A-1', more: 2 },
    ]);
    expect(index.clashesIf([named(other, 'B')])).toEqual([]);
    // They exchange their labels.
    expect(index.clashesIf([named(other, 'A'), named(row(), 'B')])).toEqual([]);
    expect(index.clashesIf([named(other, 'C'), named(row(), 'C')])[0]).toMatchObject({ objectId: 'row-a', more: 2 });
    expect(index.clashesIf([named(booth(), 'Floor')])[0]).toMatchObject({ otherId: gaArea().id });
    expect(index.clashes(9)).toEqual([]);
  });

  test('follow edits, new objects and deleted ones as an index made anew does', () => {
    const object = fc
      .record({ id: fc.nat(5), label: fc.constantFrom('A', 'B', 'A-1'), seatCount: fc.nat(4), type: fc.nat(2) })
      .map(({ id, label, seatCount, type }): ChartObject => {
        const shared = { id: `o${id}`, label };
        if (type === 0) return row({ ...shared, seatCount });
        return type === 1 ? table({ ...shared, seatCount }) : booth(shared);
      });
    const documents = fc.array(
      fc.uniqueArray(object, { selector: ({ id }) => id, maxLength: 6 }).map((objects) => chart(objects)),
      { minLength: 2, maxLength: 5 },
    );
    fc.assert(
      fc.property(documents, (documents) => {
        const index = new LabelIndex(documents[0]!);
        for (const document of documents.slice(1)) {
          index.update(document);
          expect(labelsIn(index, document)).toEqual(labelsIn(new LabelIndex(document), document));
          expect(new Set(index.clashes(99).map(({ label }) => label)).size > 0).toBe(hasRepeated(document));
        }
      }),
    );
  });
});

test('a preview has the text of each seat by its index', () => {
  const objects = [row({ seatCount: 3, overrides: [{ index: 1, skip: true }] }), gaArea()];
  expect(previewOf(objects, 'whole')).toEqual(new Map([['row-a', ['A-1', undefined, 'A-3']]]));
  expect(previewOf(objects, 'number')).toEqual(new Map([['row-a', ['1', undefined, '3']]]));
});

function labelsIn(index: LabelIndex, document: ChartDocument): string[] {
  const ids = document.objects.map(({ id }) => id as string);
  return index.clashesOf(new Set(ids)).map((clash) => JSON.stringify(Object.entries(clash).sort()));
}

function hasRepeated({ objects }: ChartDocument): boolean {
  const labels = objects.filter(isSeller).flatMap((object) => placesOf(object).map(({ label }) => label));
  return new Set(labels).size < labels.length;
}
