/** Edits of categories and tiers: objects follow their category, and no seat is left without one. */
import type { Category, ChartDocument } from '@parterre/shared/charts/document';
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
  removeCategory,
} from '../../../web/designer/painting/categories.ts';
import {
  addFee,
  amountFrom,
  amountsOf,
  amountText,
  changeFee,
  changeUnit,
  feeNameProblem,
  ownFees,
  removeFee,
} from '../../../web/designer/painting/money.ts';
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

  test('is told what is wrong with its key', () => {
    const document = both([]);
    expect(keyProblem(document, '', 'vip')?.key).toBe('category.keyEmpty');
    expect(keyProblem(document, '__proto__', 'vip')?.key).toBe('category.keyEmpty');
    expect(keyProblem(document, 'x'.repeat(129), 'vip')?.key).toBe('category.keyLong');
    expect(keyProblem(document, 'seat', 'vip')?.key).toBe('category.keyTaken');
    expect(keyProblem(document, 'vip', 'vip')).toBeNull();
  });
});

describe('amounts', () => {
  test.each([
    ['major', 'EUR', 60, 60, '60'],
    ['major', 'EUR', 1.5, 'category.badPrice', null],
    ['major', 'EUR', 10_000_001, 'category.badPrice', null],
    ['minor', 'EUR', 12.5, 1250, '12.50'],
    ['minor', 'EUR', 0.29, 29, '0.29'],
    ['minor', 'EUR', 12.505, 'category.badAmount', null],
    ['minor', 'EUR', -1, 'category.badAmount', null],
    ['minor', null, 12.5, 1250, '12.50'],
    ['minor', 'KWD', 12.505, 12_505, '12.505'],
    ['minor', 'JPY', 1250, 1250, '1,250'],
    ['minor', 'JPY', 12.5, 'category.badPrice', null],
  ] as const)('of a chart in %s units of %s: %f', (unit, currency, written, expected, shown) => {
    const amounts = amountsOf({ ...both([]), priceUnit: unit }, currency);
    const amount = amountFrom(written, amounts);
    expect(typeof amount === 'number' ? amount : amount.key).toBe(expected);
    if (typeof amount === 'number') expect(amountText('en', amount, amounts)).toBe(shown);
  });

  test('all change with the unit, and back; decimals keep the minor unit', () => {
    const fees = [{ name: 'Service', amount: 2 }];
    const priced = { ...both([]), categories: [{ ...both([]).categories[0]!, price: 20, previousPrice: 25, fees }] };
    const changed = (document: ChartDocument, unit: 'major' | 'minor') => {
      const edit = changeUnit(document, unit, 'EUR');
      return typeof edit === 'function' ? edit(document) : edit.key;
    };
    const minor = changed(priced, 'minor') as ChartDocument;
    expect(minor).toMatchObject({
      priceUnit: 'minor',
      categories: [{ price: 2000, previousPrice: 2500, fees: [{ amount: 200 }] }],
    });
    expect(changed(minor, 'major')).toEqual(priced);
    const [category] = minor.categories;
    expect(changed({ ...minor, categories: [{ ...category!, price: 1250 }] }, 'major')).toBe(
      'categories.unit.decimals',
    );
  });

  test('of fees have names of their own, and a tier has its category’s fees until it has its own', () => {
    const category = addFee(addFee({ key: 'a', label: 'A', color: '' } as Category, 'Service'), 'Service');
    expect(category.fees?.map(({ name }) => name)).toEqual(['Service', 'Service 2']);
    expect(feeNameProblem(category.fees!, 1, 'Service')?.key).toBe('fee.nameTaken');
    const one = removeFee(changeFee(category, 0, { amount: 150 }), 1, false);
    const tier = ownFees({ id: 't', name: 'T', price: 1 }, { ...one, allIn: true }, true);
    expect(tier).toMatchObject({ fees: [{ name: 'Service', amount: 150 }], allIn: true });
    expect(removeFee(tier, 0, true).fees).toEqual([]);
    expect(ownFees(tier, one, false)).toEqual({ id: 't', name: 'T', price: 1 });
    expect(removeFee(one, 0, false)).toEqual({ key: 'a', label: 'A', color: '' });
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
