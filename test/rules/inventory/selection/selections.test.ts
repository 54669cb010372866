/**
 * The selections of a call and their results: every kind of unit, tiers and the units they apply to, companions beside
 * their wheelchair places. Each case is one hold. The refusals name every label concerned.
 */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { refusingMissingPrices } from '@parterre/shared/charts/publish-issues';
import type { Selection } from '@parterre/shared/protocol/commands';
import type { RefusalCode } from '@parterre/shared/protocol/errors';
import { describe, expect, test } from 'vitest';
import { booth, chart, gaArea, row, table } from '../../../support/charts.ts';
import { buyer, callId, house } from '../../../support/inventory/house.ts';

const adult = { id: 'adult', name: 'Adult', price: 40 };
const child = { id: 'child', name: 'Child', price: 20 };

/**
 * W and C are the wheelchair and companion places, B a place of both kinds, - a seat that is left out.
 * Row A: W C C W . . C, row P: W B C, row S: W - C, row K: four seats, of which K-1 and K-2 have a tier of their own.
 */
const document: ChartDocument = chart(
  [
    row({
      overrides: [
        { index: 0, accessible: true },
        { index: 1, accessibility: ['companion'] },
        { index: 2, accessibility: ['companion'] },
        { index: 3, accessibility: ['wheelchair'] },
        { index: 6, accessibility: ['companion'] },
      ],
    }),
    row({
      id: 'row-p',
      label: 'P',
      overrides: [
        { index: 0, accessible: true },
        { index: 1, accessibility: ['wheelchair', 'companion'] },
        { index: 2, accessibility: ['companion'] },
      ],
    }),
    row({
      id: 'row-s',
      label: 'S',
      overrides: [
        { index: 0, accessible: true },
        { index: 1, skip: true },
        { index: 2, accessibility: ['companion'] },
      ],
    }),
    row({
      id: 'row-k',
      label: 'K',
      seatCount: 4,
      categoryKey: 'tiered',
      overrides: [{ index: 3, accessibility: ['wheelchair', 'hearing'] }],
    }),
    row({ id: 'row-n', label: 'N', seatCount: 2, categoryKey: 'named' }),
    row({ id: 'row-h', label: 'H', seatCount: 2, categoryKey: 'house' }),
    row({ id: 'row-w', label: 'W', seatCount: 3, categoryKey: 'paired', overrides: [{ index: 0, accessible: true }] }),
    row({
      id: 'row-v',
      label: 'V',
      seatCount: 5,
      categoryKey: 'cared',
      overrides: [
        { index: 0, accessible: true },
        { index: 1, accessibility: ['companion'] },
        { index: 2, accessibility: ['wheelchair', 'companion'] },
        { index: 4, accessibility: ['hearing'] },
      ],
    }),
    row({ id: 'row-o', label: 'O', seatCount: 1, categoryKey: 'only' }),
    booth(),
    table(),
    table({ id: 'table-2', label: 'T2', bookAsWhole: true }),
    table({ id: 'table-3', label: 'T3', variableOccupancy: true, minOccupancy: 2 }),
    gaArea({ capacity: 6 }),
    gaArea({ id: 'pit', label: 'Pit', capacity: 4, categoryKey: 'pit' }),
    gaArea({ id: 'terrace', label: 'Terrace', capacity: 2, categoryKey: 'named' }),
  ],
  {
    categories: [
      { key: 'seat', label: 'Seat', color: '#336699', price: 20 },
      {
        key: 'tiered',
        label: 'Tiered',
        color: '#336699',
        tiers: [
          { id: 'front', name: 'Front', price: 90, applicability: { seatLabels: ['K-1', 'K-2', 'Elsewhere'] } },
          { id: 'loop', name: 'Hearing loop', price: 10, applicability: { accessibility: ['hearing', 'wheelchair'] } },
          {
            id: 'both',
            name: 'Front with loop',
            price: 5,
            applicability: { seatLabels: ['K-1'], accessibility: ['hearing'] },
          },
          { ...adult, applicability: { seatLabels: [], accessibility: [] } },
          child,
        ],
      },
      {
        key: 'named',
        label: 'Named',
        color: '#336699',
        tiers: [{ ...adult, applicability: { seatLabels: ['N-1'] } }],
      },
      {
        key: 'pit',
        label: 'Pit',
        color: '#336699',
        tiers: [{ ...child, applicability: { seatLabels: ['__sl_ga__pit__2', '__sl_ga__pit__4'] } }, adult],
      },
      {
        key: 'paired',
        label: 'Paired',
        color: '#336699',
        tiers: [adult, { id: 'companion', name: 'Companion', price: 0, restriction: 'companion' }],
      },
      {
        key: 'cared',
        label: 'Cared',
        color: '#336699',
        tiers: [
          { id: 'companion', name: 'Companion', price: 0, restriction: 'companion' },
          { ...child, applicability: { accessibility: ['hearing'] } },
          adult,
        ],
      },
      {
        key: 'only',
        label: 'Only',
        color: '#336699',
        tiers: [{ id: 'companion', name: 'Companion', price: 0, restriction: 'companion' }],
      },
      { key: 'house', label: 'House', color: '#000000', price: 0, notForSale: true },
    ],
  },
);
const plan = compilePlan(document, 'selections');

const named = (...labels: string[]): Selection[] => labels.map((label) => ({ label }));
const holding = (selections: Selection[]) => ({ type: 'hold' as const, holdId: 'h', selections });

function refusalOf(selections: Selection[]) {
  const event = house('platform', plan);
  const { code, details } = event.refused(holding(selections));
  expect(event.journal).toEqual([]);
  return { code, labels: details?.labels };
}

test('one call takes every kind of unit', () => {
  const event = house('platform', plan);
  const selections = [
    { label: 'A-5' },
    { label: 'B1' },
    { label: 'T1-2' },
    { label: 'T2' },
    { label: 'T3', quantity: 3 },
    { label: '__sl_ga__lawn__2' },
    { label: 'Lawn', quantity: 2 },
  ];
  const { items, labels } = event.ok(holding(selections));
  expect(
    items.map(({ label, objectType, bookingMode, quantity }) => [label, objectType, bookingMode, quantity]),
  ).toEqual([
    ['A-5', 'seat', 'individual', undefined],
    ['B1', 'booth', 'individual', undefined],
    ['T1-2', 'seat', 'individual', undefined],
    ['T2', 'table', 'whole', 4],
    ['T3', 'table', 'variable', 3],
    ['__sl_ga__lawn__2', 'ga', 'individual', undefined],
    ['Lawn', 'ga', 'individual', 2],
  ]);
  expect(labels.slice(-2)).toEqual(['__sl_ga__lawn__1', '__sl_ga__lawn__3']);
  expect(event.counts()).toMatchObject({ held: 8 });
});

test.each<[string, Selection[], RefusalCode, string[]]>([
  ['labels the chart lacks', named('A-5', 'X', 'Y'), 'unknown_labels', ['X', 'Y']],
  [
    'quantities',
    [
      { label: 'A-5', quantity: 2 },
      { label: 'T2', quantity: 3 },
      { label: 'T3', quantity: 1 },
      { label: 'Lawn', quantity: 0 },
    ],
    'invalid_quantity',
    ['A-5', 'T2', 'T3', 'Lawn'],
  ],
  ['guests over the most', [{ label: 'T3', quantity: 5 }], 'invalid_quantity', ['T3']],
  ['guests at a booth', [{ label: 'B1', quantity: 2 }], 'invalid_quantity', ['B1']],
  ['categories that are not for sale', named('H-1', 'A-5', 'H-2'), 'not_for_sale', ['H-1', 'H-2']],
  [
    'tiers that a category lacks',
    [
      { label: 'K-1', tierId: 'senior' },
      { label: 'A-5', tierId: 'adult' },
      { label: 'Pit', quantity: 2, tierId: 'senior' },
    ],
    'unknown_tier',
    ['K-1', 'A-5', 'Pit'],
  ],
  [
    'tiers of other units',
    [
      { label: 'K-3', tierId: 'front' },
      { label: 'K-1', tierId: 'loop' },
      { label: 'K-2', tierId: 'adult' },
    ],
    'ticket_option_not_applicable',
    ['K-3', 'K-1'],
  ],
  [
    'a tier of which only one condition is met',
    [
      { label: 'K-1', tierId: 'both' },
      { label: 'K-4', tierId: 'both' },
    ],
    'ticket_option_not_applicable',
    ['K-1', 'K-4'],
  ],
  ['units to which no tier applies', named('N-1', 'N-2'), 'ticket_option_not_applicable', ['N-2']],
  [
    'an area to which no tier applies',
    [{ label: 'Terrace', quantity: 1 }],
    'ticket_option_not_applicable',
    ['Terrace'],
  ],
  [
    'quantities before tiers',
    [
      { label: 'K-1', tierId: 'senior' },
      { label: 'A-5', quantity: 2 },
    ],
    'invalid_quantity',
    ['A-5'],
  ],
])('a refusal because of %s names every label', (_name, selections, code, labels) => {
  expect(refusalOf(selections)).toEqual({ code, labels });
});

describe('the default tier', () => {
  test('is the first tier that applies to the unit', () => {
    const event = house('platform', plan);
    const { items } = event.ok(holding(named('K-1', 'K-3', 'K-4', 'N-1')));
    expect(items.map(({ tierId, unitPrice }) => [tierId, unitPrice])).toEqual([
      ['front', 90],
      ['adult', 40],
      ['loop', 10],
      ['adult', 40],
    ]);
  });

  test('is a companion tier only at a companion’s place, even if that tier is listed first', () => {
    const event = house('platform', plan);
    const { items } = event.ok(holding(named('V-1', 'V-2', 'V-3', 'V-4', 'V-5')));
    expect(items.map(({ tierId }) => tierId)).toEqual(['adult', 'companion', 'adult', 'adult', 'child']);
    expect(refusalOf(named('W-2', 'V-2'))).toEqual({ code: 'companion_pair_required', labels: ['V-2'] });
  });

  test('is a companion tier if no other tier applies to the unit', () => {
    expect(refusalOf(named('O-1'))).toEqual({ code: 'companion_pair_required', labels: ['O-1'] });
  });

  test('is decided for each place of an area, and places sold alike are one item', () => {
    const event = house('platform', plan);
    const { items } = event.ok(holding([{ label: 'Pit', quantity: 4 }]));
    expect(items.map(({ tierId, quantity, labels }) => [tierId, quantity, labels])).toEqual([
      ['adult', 2, ['__sl_ga__pit__1', '__sl_ga__pit__3']],
      ['child', 2, ['__sl_ga__pit__2', '__sl_ga__pit__4']],
    ]);
  });
});

test('an area gives the places to which the named tier applies, and refuses when they are too few', () => {
  const event = house('platform', plan);
  const { labels } = event.ok(holding([{ label: 'Pit', quantity: 2, tierId: 'child' }]));
  expect(labels).toEqual(['__sl_ga__pit__2', '__sl_ga__pit__4']);
  const refusal = event.refused({ ...holding([{ label: 'Pit', quantity: 1, tierId: 'child' }]), holdId: 'h2' });
  expect(refusal.details?.conflicts).toEqual([{ label: 'Pit', status: 'sold_out', available: 0 }]);
});

describe('a place without a price', () => {
  const unpriced = chart(
    [row(), row({ id: 'row-b', label: 'B', categoryKey: 'open' }), gaArea({ categoryKey: 'open' })],
    {
      categories: [
        { key: 'seat', label: 'Seat', color: '#336699', price: 0 },
        { key: 'open', label: 'Open', color: '#336699' },
      ],
    },
  );
  const on = (document: ChartDocument) => house('platform', compilePlan(document, 'unpriced'));
  const missing = refusingMissingPrices(unpriced);

  test('is refused to buyers on a chart that is published now, with every label', () => {
    const refusal = on(missing).refused(holding(named('A-1', 'B-2', 'B-3', 'Lawn')), buyer);
    expect(refusal).toMatchObject({ code: 'price_missing', details: { labels: ['B-2', 'B-3', 'Lawn'] } });
    const best = { type: 'hold-best', holdId: 'h', query: { qty: 2, categoryKey: 'open' } } as const;
    expect(on(missing).refused(best, buyer).code).toBe('price_missing');
  });

  test('costs what the call of a server or an operator names, else 0', () => {
    const selections = [
      { label: 'B-1', price: 25 },
      { label: 'B-2', price: 0 },
      { label: 'Lawn', quantity: 2, price: 7 },
    ];
    const { items } = on(missing).ok(holding(selections));
    expect(items.map(({ unitPrice, quantity }) => [unitPrice, quantity])).toEqual([
      [25, undefined],
      [0, undefined],
      [7, 2],
    ]);
    expect(on(missing).ok(holding(named('B-1'))).items[0]!.unitPrice).toBe(0);
    expect(on(missing).refused(holding([{ label: 'A-1', price: 5 }]))).toMatchObject({
      code: 'invalid_request',
      details: { labels: ['A-1'], issues: [{ path: 'selections' }] },
    });
  });

  test('costs the price of a ticket release or a channel, and 0 on a chart of before', () => {
    const event = on(missing);
    const release = {
      id: 'r',
      name: 'Early',
      price: 12,
      previousPrice: null,
      quota: null,
      startsAt: null,
      endsAt: null,
    };
    const rest = { categoryKey: 'open', action: 'buy', actionUrl: null, position: 0, isNew: true } as const;
    event.ok({ type: 'set-releases', callId: callId(), releases: [{ ...release, ...rest }] });
    expect(event.ok(holding(named('B-1')), buyer).items[0]!.unitPrice).toBe(12);
    expect(on(unpriced).ok(holding(named('B-1')), buyer).items[0]!.unitPrice).toBe(0);
  });
});

describe('companions', () => {
  const atTier = (label: string): Selection => ({ label, tierId: 'companion' });
  test.each<[string, Selection[]]>([
    ['a wheelchair place and the companion place beside it', named('A-1', 'A-2')],
    ['two pairs back to back, in any order', named('A-3', 'A-2', 'A-4', 'A-1')],
    ['a wheelchair place alone', named('A-1')],
    ['a place of both kinds alone, as a wheelchair place', named('P-2')],
    ['a place of both kinds with a companion of its own', named('P-2', 'P-3')],
    ['any seat at a companion’s tier beside a wheelchair place', [{ label: 'W-1' }, atTier('W-2')]],
    ['two companions for one wheelchair place', named('A-2', 'A-3', 'A-4')],
    ['a place with a gap between', named('S-1', 'S-3')],
    ['any seat at another tier', [{ label: 'W-2', tierId: 'adult' }]],
  ])('may take %s', (_name, selections) => {
    expect(house('platform', plan).ok(holding(selections)).labels).toEqual(selections.map(({ label }) => label));
  });

  test.each<[string, Selection[], string[]]>([
    ['a companion’s place alone, and another', named('A-2', 'A-5', 'A-7'), ['A-2', 'A-7']],
    ['a place beside a wheelchair place of another row', named('A-10', 'P-1', 'P-3'), ['P-3']],
    ['a seat at a companion’s tier without its pair', [{ label: 'W-1' }, atTier('W-3')], ['W-3']],
    ['the wheelchair place itself at a companion’s tier', [atTier('W-1'), atTier('W-2')], ['W-1', 'W-2']],
  ])('may not take %s', (_name, selections, labels) => {
    expect(refusalOf(selections)).toEqual({ code: 'companion_pair_required', labels });
  });

  test('may be added to a booking by a call that also names its wheelchair place', () => {
    const event = house('platform', plan);
    const booking = (...labels: string[]) => ({
      type: 'book-direct' as const,
      callId: callId(),
      bookingRef: 'r',
      selections: named(...labels),
    });
    event.ok(booking('A-1'));
    expect(event.ok(booking('A-1', 'A-2'))).toMatchObject({ booked: ['A-2'] });
    expect(event.ok(booking('A-2', 'A-5'))).toMatchObject({ booked: ['A-5'] });
  });
});
