import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import { describe, expect, it } from 'vitest';
import { plan } from '../../support/notifier/plan.ts';

const facts = { currency: 'EUR', accessSource: 'public' } as const;
const common = {
  categoryKey: 'stalls',
  tierId: null,
  unitPrice: 40,
  currency: 'EUR',
  bookingMode: 'individual',
  channelId: null,
  accessSource: 'public',
  releaseId: null,
};

describe('line items', () => {
  it.each([
    [0, { label: 'A-1', objectId: 'row1:0', objectType: 'seat' }],
    [1, { label: 'A-2', objectId: 'row1:1', objectType: 'seat' }],
    [2, { label: 'B1', objectId: 'booth1:0', objectType: 'booth' }],
    [5, { label: 'T3-1', objectId: 'ti:0', objectType: 'seat' }],
    [6, { label: '__sl_ga__ga__1', objectId: 'ga', objectType: 'ga' }],
  ])('shows unit %i by itself without the fields of tables', (unit, own) => {
    expect(lineItemsOf(plan, [{ unit, price: 40 }], facts)).toEqual([{ ...common, ...own }]);
  });

  it.each([
    [3, 8, { label: 'T1', objectId: 'tw', bookingMode: 'whole', capacity: 8, minOccupancy: 8, maxOccupancy: 8 }],
    [4, 5, { label: 'T2', objectId: 'tv', bookingMode: 'variable', capacity: 10, minOccupancy: 4, maxOccupancy: 10 }],
  ])('shows table unit %i with its guests and occupancy', (unit, quantity, own) => {
    const items = lineItemsOf(plan, [{ unit, price: 40, quantity }], facts);
    expect(items).toEqual([{ ...common, objectType: 'table', quantity, ...own }]);
  });

  it('folds the places of one group under the label of their area and leaves other places alone', () => {
    const lines = [
      { unit: 6, price: 40, group: 6 },
      { unit: 0, price: 40 },
      { unit: 7, price: 40, group: 6 },
      { unit: 8, price: 40 },
    ];
    const items = lineItemsOf(plan, lines, facts);
    expect(items.map((item) => item.label)).toEqual(['Floor', 'A-1', '__sl_ga__ga__3']);
    expect(items[0]).toMatchObject({ objectType: 'ga', quantity: 2, labels: ['__sl_ga__ga__1', '__sl_ga__ga__2'] });
    expect(items[2]).not.toHaveProperty('quantity');
  });

  it('carries tier, channel and release of the line, and the access source of the sale', () => {
    const line = { unit: 0, price: 25, tierId: 'child', channelId: 'chn_1', releaseId: 'rel_1' };
    const [item] = lineItemsOf(plan, [line], { currency: 'SEK', accessSource: 'partner' });
    expect(item).toMatchObject({
      unitPrice: 25,
      tierId: 'child',
      channelId: 'chn_1',
      releaseId: 'rel_1',
      currency: 'SEK',
      accessSource: 'partner',
    });
  });
});
