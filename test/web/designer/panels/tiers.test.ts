/** The places of a tier are painted by their labels, and counted as the server prices them. */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { Category, ChartDocument, ChartObject, Tier } from '@parterre/shared/charts/document';
import { isSeller, occupancyOf, placesOf } from '@parterre/shared/charts/places';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LabelIndex } from '../../../../web/designer/labelling/label-index.ts';
import { tiersIn } from '../../../../web/designer/painting/applicability.ts';
import { paint } from '../../../../web/designer/painting/painting.ts';
import { forAllPlaces, tierGuests } from '../../../../web/designer/painting/tier-places.ts';
import { booth, chart, gaArea, row, seatCategory, table } from '../../../support/charts.ts';
import { anyVenue } from '../../../support/venues.ts';

const vip: Category = { key: 'vip', label: 'VIP', color: '#aa0000', price: 50 };
const tiered = (applicability?: Tier['applicability']): Category[] => [
  { ...seatCategory, tiers: [{ id: 'some', name: 'Some', price: 5, ...(applicability && { applicability }) }] },
  vip,
];
const drawn = (objects: ChartObject[], applicability?: Tier['applicability']) =>
  chart(objects, { categories: tiered(applicability) });
const named = ({ categories }: ChartDocument) => categories[0]!.tiers![0]!.applicability?.seatLabels;
const what = (isOn: boolean) => ({ kind: 'tier', category: 'seat', tier: 'some', isOn }) as const;
const seats = (id: string, ...indexes: number[]) => ({
  objects: new Set<string>(),
  seats: new Map([[id, new Set(indexes)]]),
});
const whole = (...ids: string[]) => ({ objects: new Set(ids), seats: new Map() });
const guests = (document: ChartDocument) => {
  const index = new LabelIndex(document);
  return tierGuests(document, tiersIn(document)[0]!, (labels) => index.objectsWith(labels));
};

describe('a tier', () => {
  test('for all places is limited to the painted ones, and grows with each stroke', () => {
    const first = paint(seats('row-a', 1, 0), what(true))(drawn([row()]));
    expect(named(first)).toEqual(['A-1', 'A-2']);
    expect(named(paint(seats('row-a', 1, 2), what(true))(first))).toEqual(['A-1', 'A-2', 'A-3']);
    expect(first.objects).toEqual([row()]);
  });

  test('for all places loses the erased ones alone', () => {
    const after = paint(seats('row-a', 1), what(false))(drawn([row({ seatCount: 3 }), booth()]));
    expect(named(after)).toEqual(['A-1', 'A-3', 'B1']);
  });

  test('keeps its last place, since an empty list means all places', () => {
    const document = drawn([row()], { seatLabels: ['A-1'] });
    expect(paint(whole('row-a'), what(false))(document)).toBe(document);
    const free = document.categories[0]!.tiers!.map(forAllPlaces);
    expect(free).toEqual([{ id: 'some', name: 'Some', price: 5 }]);
  });

  test('takes no place of another category, and no missing seat', () => {
    const overrides = [
      { index: 0, categoryKey: 'vip' },
      { index: 1, skip: true },
    ];
    const document = drawn([row({ seatCount: 3, overrides }), booth({ categoryKey: 'vip' })]);
    expect(named(paint(whole('row-a', 'booth-1'), what(true))(document))).toEqual(['A-3']);
    expect(paint(whole('booth-1'), what(true))(document)).toBe(document);
  });

  test('names an area and a whole table by their own labels', () => {
    const objects = [gaArea(), table({ bookAsWhole: true }), table({ id: 'table-2', label: 'T2', seatCount: 2 })];
    const after = paint(whole('lawn', 'table-1', 'table-2'), what(true))(drawn(objects));
    expect(named(after)).toEqual(['Lawn', 'T1', 'T2-1', 'T2-2']);
    expect(guests(after)).toBe(3 + 4 + 2);
  });

  test('of any venue counts the places for which it is', () => {
    const kinds = fc.option(fc.subarray([...accessibilityKinds], { minLength: 1 }), { nil: undefined });
    fc.assert(
      fc.property(anyVenue(), kinds, fc.nat(), fc.boolean(), (venue, accessibility, seed, hasLabels) => {
        const labels = venue.objects.flatMap((object) =>
          isSeller(object)
            ? [...(object.type === 'gaArea' ? [object.label] : []), ...placesOf(object).map(({ label }) => label)]
            : [],
        );
        const seatLabels = hasLabels ? labels.filter((_, at) => (at * 7 + seed) % 3 === 0) : [];
        const applicability = { ...(seatLabels.length > 0 && { seatLabels }), ...(accessibility && { accessibility }) };
        const document: ChartDocument = { ...venue, categories: tiered(applicability) };
        expect(guests(document)).toBe(countedPlainly(document, new Set(seatLabels), accessibility ?? []));
      }),
    );
  });
});

function countedPlainly({ objects }: ChartDocument, labels: ReadonlySet<string>, kinds: readonly string[]): number {
  let sum = 0;
  for (const object of objects) {
    if (!isSeller(object)) continue;
    for (const { label, categoryKey, accessibility } of placesOf(object)) {
      const isNamed = labels.size === 0 || labels.has(label) || (object.type === 'gaArea' && labels.has(object.label));
      const isOfKind =
        kinds.length === 0 ||
        accessibilityKinds.some((kind, bit) => kinds.includes(kind) && accessibility & (1 << bit));
      if (categoryKey === 'seat' && isNamed && isOfKind) sum += occupancyOf(object).capacity;
    }
  }
  return sum;
}
