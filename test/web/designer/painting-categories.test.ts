/** Edits of categories and tiers: objects follow their category, and no seat is left without one. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { draftCategorySeats } from '@parterre/shared/charts/places';
import { publishIssues } from '@parterre/shared/charts/publish-issues';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restrictTier } from '../../../web/designer/painting/applicability.ts';
import {
  addCategory,
  changeCategory,
  changeKey,
  freshKey,
  isUsed,
  keyProblem,
  moveCategory,
  nameCategory,
  priceProblem,
  removeCategory,
} from '../../../web/designer/painting/categories.ts';
import { addTier, changeTier, moveTier, removeTier } from '../../../web/designer/painting/tiers.ts';
import { booth, chart, gaArea, row, seatCategory, table } from '../../support/charts.ts';
import { anyVenue } from '../../support/venues.ts';

const vip = { key: 'vip', label: 'VIP', color: '#aa0000' };
const both = (objects: ChartDocument['objects'], more: Partial<ChartDocument> = {}) =>
  chart(objects, { categories: [seatCategory, vip], ...more });
const keys = ({ categories }: ChartDocument) => categories.map(({ key }) => key);

describe('a category', () => {
  test('is added with a key and a colour that no other has', () => {
    const after = addCategory('Stalls – Müller!')(addCategory('seat')(both([])));
    expect(keys(after)).toEqual(['seat', 'vip', 'seat-2', 'stalls-muller']);
    expect(new Set(after.categories.map(({ color }) => color)).size).toBe(4);
    expect(freshKey('舞台', new Set(['category']))).toBe('category-2');
  });

  test('has a key of its first name, until the chart is published with the key', () => {
    const usual = ['New category'];
    const fresh = addCategory('New category')(both([booth({ categoryKey: 'new-category' })]));
    const name = (document: ChartDocument, key: string, label: string, known: string[] = []) => {
      const named = nameCategory(document, key, label, { usual, known: new Set(known) });
      return { ...named, document: named.edit(document) };
    };
    const stalls = name(fresh, 'new-category', 'Parkett');
    expect([stalls.key, ...keys(stalls.document)]).toEqual(['parkett', 'seat', 'vip', 'parkett']);
    expect(stalls.document.objects[0]).toMatchObject({ categoryKey: 'parkett' });
    expect(stalls.document.categories[2]).toMatchObject({ label: 'Parkett' });
    // A second name, a key that a person chose, and a published key stay.
    expect(name(stalls.document, 'parkett', 'Stalls').key).toBe('parkett');
    expect(name(changeKey('new-category', 'p1')(fresh), 'p1', 'Parkett').key).toBe('p1');
    expect(name(fresh, 'new-category', 'Parkett', ['new-category']).key).toBe('new-category');
    expect(name(fresh, 'new-category', 'VIP').key).toBe('vip-2');
  });

  test('gets another key with all its objects and seats, on every floor', () => {
    const objects = [row({ overrides: [{ index: 2, categoryKey: 'vip' }] }), booth({ categoryKey: 'vip' }), gaArea()];
    const floors = [
      { id: 'f1', name: 'Low', objects, focalPoint: { x: 0, y: 0 } },
      {
        id: 'f2',
        name: 'High',
        objects: [table({ categoryKey: 'vip', bookAsWhole: true })],
        focalPoint: { x: 0, y: 0 },
      },
    ];
    const before = both(objects, { floors });
    const after = changeKey('vip', 'gold')(before);
    expect(keys(after)).toEqual(['seat', 'gold']);
    expect(draftCategorySeats(after)).toEqual({ seat: draftCategorySeats(before).seat, gold: 6 });
    expect(isUsed(after, 'vip')).toBe(false);
    expect(after.objects).toBe(after.floors![0]!.objects);
    expect(after.objects[2]).toBe(before.objects[2]);
    expect(changeKey('gold', 'vip')(after)).toEqual(before);
  });

  test('leaves its seats to another when it is deleted, with no entry that repeats the row', () => {
    const overrides = [
      { index: 0, categoryKey: 'vip' },
      { index: 1, categoryKey: 'vip', label: 'Z' },
    ];
    const after = removeCategory('vip', 'seat')(both([row({ overrides })]));
    expect(after).toEqual(chart([row({ overrides: [{ index: 1, label: 'Z' }] })]));
    expect(removeCategory('vip', null)(both([row()]))).toEqual(chart([row()]));
  });

  test('of any venue is deleted without an issue', () => {
    fc.assert(
      fc.property(anyVenue(), (venue) => {
        const document = { ...venue, categories: [seatCategory, vip] };
        const seats = draftCategorySeats(document).seat;
        const after = removeCategory('seat', 'vip')(document);
        expect(draftCategorySeats(after)).toEqual({ vip: seats });
        expect(publishIssues(after)).toEqual(publishIssues(document));
      }),
    );
  });

  test('moves in the list, and stays at its ends', () => {
    const document = both([]);
    expect(keys(moveCategory('vip', -1)(document))).toEqual(['vip', 'seat']);
    expect(moveCategory('vip', 1)(document)).toBe(document);
    expect(moveCategory('lost', -1)(document)).toBe(document);
    expect(changeCategory('vip', (category) => category)(document)).toBe(document);
  });

  test('is told what is wrong with its key or price', () => {
    const document = both([]);
    expect(keyProblem(document, '', 'vip')?.key).toBe('category.keyEmpty');
    expect(keyProblem(document, '__proto__', 'vip')?.key).toBe('category.keyEmpty');
    expect(keyProblem(document, 'x'.repeat(129), 'vip')?.key).toBe('category.keyLong');
    expect(keyProblem(document, 'seat', 'vip')?.key).toBe('category.keyTaken');
    expect(keyProblem(document, 'vip', 'vip')).toBeNull();
    expect([0, 10_000_000].map(priceProblem)).toEqual([null, null]);
    expect([1.5, -1, 10_000_001].map((price) => priceProblem(price)?.key)).toEqual(Array(3).fill('category.badPrice'));
  });
});

describe('tiers', () => {
  test('take over the price of their category, and give it back', () => {
    const one = addTier(seatCategory, 'Adult');
    expect(one).toEqual({
      key: 'seat',
      label: 'Seat',
      color: '#336699',
      tiers: [{ id: 'adult', name: 'Adult', price: 20 }],
    });
    const two = addTier(one, 'Adult');
    expect(two.tiers!.map(({ id }) => id)).toEqual(['adult', 'adult-2']);
    expect(moveTier(two, 'adult-2', -1).tiers!.map(({ id }) => id)).toEqual(['adult-2', 'adult']);
    expect(moveTier(two, 'adult', -1)).toBe(two);
    expect(removeTier(removeTier(two, 'adult-2'), 'adult')).toEqual(seatCategory);
  });

  test('apply to places and kinds, and to all without either', () => {
    const tier = { id: 'a', name: 'A', price: 1 };
    const some = restrictTier(restrictTier(tier, 'seatLabels', ['A-1']), 'accessibility', ['cart']);
    expect(some.applicability).toEqual({ seatLabels: ['A-1'], accessibility: ['cart'] });
    expect(restrictTier(restrictTier(some, 'seatLabels', []), 'accessibility', [])).toEqual(tier);
    const category = { ...seatCategory, tiers: [tier] };
    expect(changeTier(category, 'a', (before) => before)).toBe(category);
    expect(changeTier(category, 'a', (before) => ({ ...before, price: 2 }))).toMatchObject({
      tiers: [{ price: 2 }],
    });
  });
});
