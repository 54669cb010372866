/** Pure rules of the counter and of bookings: choices, references, sums, tickets of an exchange, times in a zone. */
import { describe, expect, test } from 'vitest';
import { amountIn, keptTickets, labelsIn } from '../../../web/console/bookings/booking.ts';
import { isOtherChoice, madeReference, noteOf, selectionsOf } from '../../../web/console/counter/rules/draft.ts';
import {
  feesOfItems,
  type Item,
  placesOfItems,
  selectionOf,
  totalOfItems,
} from '../../../web/console/event/line-items.ts';
import { wantedLabels } from '../../../web/console/event/wanted-labels.ts';
import { epochOf, localTime } from '../../../web/console/frame/zoned-time.ts';

const item = (more: Partial<Item>): Item => ({
  label: 'A-1',
  place: { name: 'Row A, seat 1' },
  objectType: 'seat',
  categoryKey: 'stalls',
  categoryLabel: 'Stalls',
  tierId: null,
  tierName: null,
  unitPrice: 40,
  fees: [],
  allIn: false,
  total: 40,
  currency: 'EUR',
  priceUnit: 'major',
  bookingMode: 'individual',
  ...more,
});

describe('the choice of a sale', () => {
  test('names tickets, guests and places of areas, and leaves out areas without places', () => {
    const selections = selectionsOf({
      labels: ['A-1', 'T1'],
      tierOf: new Map([['A-1', 'child']]),
      guestsOf: new Map([['T1', 4]]),
      placesOf: new Map([
        ['Floor', 2],
        ['Lawn', 0],
      ]),
    });
    expect(selections).toEqual([
      { label: 'A-1', tierId: 'child' },
      { label: 'T1', quantity: 4 },
      { label: 'Floor', quantity: 2 },
    ]);
  });

  test('is another one when a place comes or goes, and not when nothing is chosen', () => {
    expect(isOtherChoice(new Set(['A-1', 'A-2']), ['A-2', 'A-1'])).toBe(false);
    expect(isOtherChoice(new Set(['A-1']), ['A-2', 'A-1'])).toBe(true);
    expect(isOtherChoice(new Set(['A-1', 'A-3']), ['A-2', 'A-1'])).toBe(true);
    expect(isOtherChoice(new Set(), ['A-1'])).toBe(false);
  });

  test('has a reference without letters that look alike, and a note of what is filled', () => {
    expect(madeReference(Uint8Array.from([0, 7, 8, 30, 31, 255, 12, 1]))).toMatch(/^D-[2-9A-HJKMNP-Z]{8}$/);
    expect(noteOf('Cash', ' two programmes ')).toBe('Cash · two programmes');
    expect(noteOf('', ' ')).toBeUndefined();
  });
});

describe('line items', () => {
  const items = [
    item({ fees: [{ name: 'Service', amount: 3 }], total: 43 }),
    item({ label: 'Floor', tierId: 'child', quantity: 2, fees: [{ name: 'Service', amount: 1 }], total: 32 }),
    item({ fees: [{ name: 'Hall', amount: 2 }], allIn: true }),
  ];

  test('add up with their fees, each place of an area by itself', () => {
    expect(totalOfItems(items)).toBe(115);
    expect(totalOfItems([...items, item({ total: null })])).toBeNull();
    expect(placesOfItems(items)).toBe(4);
    expect(feesOfItems(items)).toEqual([
      { name: 'Service', amount: 5, isInside: false },
      { name: 'Hall', amount: 2, isInside: true },
    ]);
  });

  test('name the same units again', () => {
    expect(items.map(selectionOf)).toEqual([
      { label: 'A-1' },
      { label: 'Floor', tierId: 'child', quantity: 2 },
      { label: 'A-1' },
    ]);
  });
});

test('new places keep the ticket types that they have', () => {
  const from = [item({ tierId: 'child' }), item({ tierId: 'adult' }), item({})];
  const tickets = keptTickets(from, ['B-1', 'B-2', 'B-3'], (_, tierId) => tierId === 'child');
  expect(tickets).toEqual([{ label: 'B-1', tierId: 'child' }, { label: 'B-2' }, { label: 'B-3' }]);
});

test('typed labels are found in any case, with commas or spaces between, and with spaces of their own', () => {
  const labels = ['A-1', 'A-2', 'Table 1'];
  expect(wantedLabels('a-1 A-2', labels)).toEqual({ found: ['A-1', 'A-2'], unknown: [] });
  expect(wantedLabels('table 1, a-1; a-1', labels)).toEqual({ found: ['Table 1', 'A-1'], unknown: [] });
  expect(wantedLabels('a-2 z-9', labels)).toEqual({ found: ['A-2'], unknown: ['z-9'] });
  expect(wantedLabels(' , ', labels)).toEqual({ found: [], unknown: [] });
});

test('labels and amounts are read as people write them', () => {
  expect(labelsIn(' A-1, Table 1;\nB-2,')).toEqual(['A-1', 'Table 1', 'B-2']);
  expect(['5', '5,50', '19.99', '5.005', 'x', '-1'].map((text) => amountIn(text, 2))).toEqual([
    500,
    550,
    1999,
    null,
    null,
    null,
  ]);
  expect(amountIn('5.50', 0)).toBeNull();
});

describe('a time in a field', () => {
  test.each([
    ['Europe/Berlin', '2027-01-31T19:30', '2027-01-31T18:30Z'],
    ['America/New_York', '2026-07-01T00:05', '2026-07-01T04:05Z'],
    ['Asia/Kathmandu', '2026-07-01T00:00', '2026-06-30T18:15Z'],
    // The clocks show this time twice.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30Z'],
  ])('in %s, %s is %s', (zone, text, at) => {
    expect(epochOf(text, zone)).toBe(Date.parse(at));
    expect(localTime(Date.parse(at), zone)).toBe(text);
  });

  test('that the clocks leave out is an hour later, and another text is no time', () => {
    expect(epochOf('2026-03-29T02:30', 'Europe/Berlin')).toBe(Date.parse('2026-03-29T01:30Z'));
    expect(epochOf('tomorrow', 'Europe/Berlin')).toBeNull();
  });
});
