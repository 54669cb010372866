/** The prices that the picker shows before a hold are those that the hold has. */
import { noFees } from '@parterre/shared/protocol/money';
import { expect, test } from 'vitest';
import type { ChartDocument, Tier } from '../../shared/src/charts/document.ts';
import { hallOf } from '../../web/src/rules/hall.ts';
import {
  bareOffers,
  cheapestOf,
  costsOf,
  defaultPricesOf,
  fromPriceOf,
  type Offers,
  pricedAt,
  priceOf,
  pricesOf,
} from '../../web/src/rules/prices.ts';
import { chosenSpot, tiersOf } from '../../web/src/rules/selection.ts';
import { noStatuses, takeSnapshot } from '../../web/src/rules/statuses.ts';

const tiers = [
  { id: 'adult', name: 'Adult', price: 90 },
  { id: 'wheel', name: 'Wheelchair', price: 60, applicability: { accessibility: ['wheelchair'] } },
  { id: 'helper', name: 'Companion', price: 10, restriction: 'companion' },
];
const hall = hallOf({
  version: 1,
  name: 'Prices',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  categories: [
    { key: 'hall', label: 'Hall', color: '#333333', tiers },
    { key: 'floor', label: 'Floor', color: '#444444', price: 57 },
  ],
  objects: [
    {
      type: 'row',
      id: 'a',
      label: 'A',
      origin: { x: 0, y: 0 },
      rotation: 0,
      curve: 0,
      seatCount: 6,
      seatSpacing: 20,
      categoryKey: 'hall',
      overrides: [
        { index: 0, accessibility: ['wheelchair'] },
        { index: 3, skip: true },
        { index: 4, accessibility: ['wheelchair'] },
      ],
    },
    {
      type: 'gaArea',
      id: 'floor',
      label: 'Floor',
      capacity: 20,
      categoryKey: 'floor',
      points: [0, 1, 2].map((each) => ({ x: each * 50, y: 100 + (each % 2) * 50 })),
    },
  ],
} as unknown as ChartDocument);

const early = {
  offerId: 'rel_1',
  offerName: 'Early bird',
  categoryKey: null,
  price: 45,
  previousPrice: 57,
  remaining: null,
};
const offersWith = (change: Partial<Offers>): Offers[] => [{ ...bareOffers, ...change }];
const floor = (quantity: number) => ({ label: 'Floor', category: 1, tier: null, quantity });

test('a ticket release with too few units left prices the rest at the usual price, over all lines of a hold', () => {
  const offers = offersWith({ releases: [{ ...early, remaining: 3 }] });
  expect(costsOf(hall, offers, [floor(2), floor(3)])).toEqual([
    { total: 90, parts: [{ price: 45, quantity: 2 }], fees: noFees },
    {
      total: 45 + 2 * 57,
      parts: [
        { price: 45, quantity: 1 },
        { price: 57, quantity: 2 },
      ],
      fees: noFees,
    },
  ]);
  expect(costsOf(hall, offersWith({ releases: [early] }), [floor(5)])[0]!.total).toBe(5 * 45);
});

test('the lowest price of a category is one that everybody may buy, with the ticket release behind it', () => {
  expect(pricesOf(hall, [bareOffers], 0)).toEqual({
    ...{ from: 90, to: 90, previous: null, offer: null, ticket: null },
    fees: noFees,
  });
  expect(pricesOf(hall, offersWith({ releases: [early] }), 1)).toEqual({
    from: 45,
    to: 45,
    previous: 57,
    fees: noFees,
    offer: 'Early bird',
    ticket: null,
  });
  const channels = [{ channelId: 'chn_1', priceOverrides: [{ categoryKey: 'hall', tierId: 'adult', price: 70 }] }];
  const offers = offersWith({ channels, channelOf: new Map([['A-2', 'chn_1']]) });
  expect(pricesOf(hall, offers, 0)).toMatchObject({ from: 70, to: 90 });
});

test('fees and the price before follow the ticket: fees on top are in the total, fees inside are not', () => {
  const service = { name: 'Service', amount: 5 };
  const facility = { name: 'Facility', amount: 2 };
  const own = { id: 'own', name: 'Own', price: 20, fees: [facility], allIn: true, previousPrice: 30 };
  const bare = { id: 'bare', name: 'Bare', price: 10, fees: [] };
  const priced = hallOf({
    ...{ version: 1, name: 'Fees', venueType: 'SIMPLE', focalPoint: { x: 0, y: 0 }, objects: [] },
    categories: [
      { key: 'floor', label: 'Floor', color: '#444444', price: 57, previousPrice: 60, fees: [service, facility] },
      { key: 'hall', label: 'Hall', color: '#444444', fees: [service], tiers: [tiers[0], own, bare] },
    ],
  } as unknown as ChartDocument);
  const line = (category: number, tier: Tier | null, quantity: number) => ({ label: 'X', category, tier, quantity });
  const fees = (service: number, facility: number) => [
    { name: 'Service', amount: service },
    { name: 'Facility', amount: facility },
  ];
  const offers = offersWith({ releases: [{ ...early, remaining: 1 }] });
  const two = [bareOffers, bareOffers];
  expect(costsOf(priced, offers, [line(0, null, 2), line(1, own, 2), line(1, bare, 1)])).toMatchObject([
    { total: 45 + 57 + 2 * 7, parts: [{ price: 45 }, { price: 57 }], fees: { fees: fees(10, 4), allIn: false } },
    { total: 40, fees: { fees: [{ name: 'Facility', amount: 4 }], allIn: true } },
    { total: 10, fees: noFees },
  ]);
  // Of two performances, the buyer pays the fees of both.
  expect(pricedAt(priced, two, 0, 'X', null)).toEqual({
    ...{ price: 114, previous: 120 },
    fees: { fees: fees(10, 4), allIn: false },
  });
  expect(pricesOf(priced, [bareOffers], 0)).toMatchObject({ from: 57, previous: 60, fees: { fees: fees(5, 2) } });
  expect(pricesOf(priced, offers, 0)).toMatchObject({ from: 45, previous: 57, fees: { fees: fees(5, 2) } });
  expect(pricedAt(priced, [bareOffers], 1, 'X', own)).toMatchObject({ previous: 30, fees: { allIn: true } });
  // A channel's price below the fees that are in it cannot have more in it than it is.
  const channels = [{ channelId: 'chn_1', priceOverrides: [{ categoryKey: 'hall', tierId: 'own', price: 1 }] }];
  const cheap = offersWith({ channels, channelOf: new Map([['X', 'chn_1']]) });
  expect(pricedAt(priced, cheap, 1, 'X', own)).toEqual({
    ...{ price: 1, previous: null },
    fees: { fees: [{ name: 'Facility', amount: 1 }], allIn: true },
  });
  expect(cheapestOf(priced, [bareOffers], 1)).toMatchObject({ price: 90, fees: { fees: [service] } });
});

test('the places of an area that a channel has cost the channel’s price, and come first', () => {
  const channels = [{ channelId: 'chn_1', priceOverrides: [{ categoryKey: 'floor', tierId: null, price: 30 }] }];
  const channelOf = new Map([7, 8].map((place) => [`__sl_ga__floor__${place}`, 'chn_1']));
  const offers = offersWith({ channels, channelOf });
  expect(costsOf(hall, offers, [floor(3)])[0]!.parts).toEqual([
    { price: 30, quantity: 2 },
    { price: 57, quantity: 1 },
  ]);
  expect(priceOf(hall, offers, 1, 'Floor', null)).toBe(30);
});

test('a companion’s tier is offered beside a wheelchair place alone; a skipped seat parts them', () => {
  const idsOf = (label: string) => tiersOf(hall, chosenSpot(hall, hall.spotOf.get(label)!)).map(({ id }) => id);
  expect(idsOf('A-2')).toEqual(['adult', 'helper']);
  expect(idsOf('A-3')).toEqual(['adult']);
  expect(idsOf('A-6')).toEqual(['adult', 'helper']);
});

/** Two sections of one category, each with a row of three seats. */
const twoSections = hallOf({
  version: 1,
  name: 'Sections',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  categories: [{ key: 'hall', label: 'Hall', color: '#333333', tiers }],
  objects: ['S', 'B'].flatMap((label, index) => {
    const top = index * 100;
    const corners = [
      { x: -20, y: top - 20 },
      { x: 120, y: top - 20 },
      { x: 120, y: top + 20 },
      { x: -20, y: top + 20 },
    ];
    return [
      { type: 'section', id: `of-${label}`, label: `Section ${label}`, outline: corners },
      {
        type: 'row',
        id: label,
        label,
        origin: { x: 0, y: top },
        rotation: 0,
        curve: 0,
        seatCount: 3,
        seatSpacing: 20,
        categoryKey: 'hall',
        overrides: [{ index: 2, accessibility: ['wheelchair'] }],
      },
    ];
  }),
} as unknown as ChartDocument);

test('a section costs from the lowest price of its own free places, whatever another section costs', () => {
  const priced = (channelId: string, price: number) => {
    return { channelId, priceOverrides: [{ categoryKey: 'hall', tierId: 'adult', price }] };
  };
  const channels = [priced('chn_1', 45), priced('chn_2', 60)];
  const channelOf = new Map([
    ['S-1', 'chn_1'],
    ['S-3', 'chn_2'],
  ]);
  const offers = offersWith({ channels, channelOf });
  const from = (gone: string[] = []) => {
    const statuses = noStatuses(twoSections);
    const seats = Object.fromEntries(gone.map((label) => [label, 'booked']));
    const frame = { type: 'snapshot' as const, snapshotVersion: 1, default: 'free', seats, hidden: [], closed: [] };
    takeSnapshot(statuses, twoSections, { ...frame, ga: {} });
    return [0, 1].map((block) => fromPriceOf(twoSections, offers, statuses, block)?.price ?? null);
  };
  expect(from()).toEqual([45, 90]);
  expect(from(['S-1'])).toEqual([90, 90]);
  // A wheelchair place is the price of its section only once no other place is free.
  expect(from(['S-1', 'S-2'])).toEqual([60, 90]);
  expect(from(['S-1', 'S-2', 'S-3'])).toEqual([null, 90]);
});

test('best seats and the filter name the price of the default tier, not of the cheapest', () => {
  const child = { id: 'child', name: 'Child', price: 45 };
  const doc = { version: 1, name: 'Two tickets', venueType: 'SIMPLE', focalPoint: { x: 0, y: 0 } };
  const row = { type: 'row', id: 'a', label: 'A', origin: { x: 0, y: 0 }, rotation: 0, curve: 0, seatCount: 2 };
  const two = hallOf({
    ...doc,
    categories: [{ key: 'hall', label: 'Hall', color: '#333333', tiers: [tiers[0], child] }],
    objects: [{ ...row, seatSpacing: 20, categoryKey: 'hall' }],
  } as unknown as ChartDocument);
  expect(pricesOf(two, [bareOffers], 0)).toMatchObject({ from: 45, to: 90, ticket: 'Child' });
  expect(defaultPricesOf(two, [bareOffers], 0)).toEqual([90]);
  const channels = [{ channelId: 'chn_1', priceOverrides: [{ categoryKey: 'hall', tierId: 'adult', price: 70 }] }];
  const offers = offersWith({ channels, channelOf: new Map([['A-2', 'chn_1']]) });
  expect(defaultPricesOf(two, offers, 0)).toEqual([70, 90]);
  expect(defaultPricesOf(hall, offersWith({ releases: [{ ...early, remaining: 3 }] }), 1)).toEqual([45]);
});

test('a tier for thousands of named seats is read once, not again for each seat', () => {
  const count = 2_000;
  let reads = 0;
  const names = Array.from({ length: count / 2 }, (_, index) => `N-${index + 1}`);
  const seatLabels = new Proxy(names, {
    get(list, name) {
      reads++;
      return Reflect.get(list, name);
    },
  });
  const named = { id: 'named', name: 'Named', price: 50, applicability: { seatLabels } };
  const many = hallOf({
    version: 1,
    name: 'Named seats',
    venueType: 'SIMPLE',
    focalPoint: { x: 0, y: 0 },
    categories: [{ key: 'hall', label: 'Hall', color: '#333333', tiers: [tiers[0], named] }],
    objects: [
      {
        type: 'row',
        id: 'n',
        label: 'N',
        origin: { x: 0, y: 0 },
        rotation: 0,
        curve: 0,
        seatCount: count,
        seatSpacing: 20,
        categoryKey: 'hall',
      },
    ],
  } as unknown as ChartDocument);
  const statuses = noStatuses(many);
  const frame = { type: 'snapshot' as const, snapshotVersion: 1, default: 'free', seats: {}, hidden: [], closed: [] };
  takeSnapshot(statuses, many, { ...frame, ga: {} });
  expect(fromPriceOf(many, [bareOffers], statuses, 0)?.price).toBe(90);
  expect(fromPriceOf(many, [{ ...bareOffers }], statuses, 0)?.price).toBe(90);
  const tiersAt = (label: string) => tiersOf(many, chosenSpot(many, many.spotOf.get(label)!)).map(({ id }) => id);
  expect([tiersAt(`N-${count / 2}`), tiersAt(`N-${count / 2 + 1}`)]).toEqual([['adult', 'named'], ['adult']]);
  // Each seat asks how long the list is.
  expect(reads).toBeLessThan(count * 20);
});
