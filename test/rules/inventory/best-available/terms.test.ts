/**
 * The terms of best-available beside categories and zones: rows, bounds of the price, the aisle, ways without steps;
 * and alternatives, of which nothing is held. properties.test.ts compares the search itself with a judge.
 */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { Row, Section } from '@parterre/shared/charts/document';
import type { Command, SeatQuery } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chart, row } from '../../../support/charts.ts';
import { block, buyer, callId, house } from '../../../support/inventory/house.ts';
import { draft, set } from '../../../support/inventory/ticket-releases.ts';

const best = (query: SeatQuery): Command & { type: 'hold-best' } => ({ type: 'hold-best', holdId: callId(), query });
const dry = (query: SeatQuery, count = 3): Command & { type: 'choose-best' } => ({ type: 'choose-best', query, count });

describe('rows', () => {
  test('by their labels, in the order of the search; no area takes the rest', () => {
    const event = house();
    expect(event.ok(best({ qty: 2, rowLabels: ['B'] })).labels).toEqual(['B-4', 'B-5']);
    expect(event.ok(best({ qty: 8, rowLabels: ['C', 'A'] })).labels[0]).toBe('A-1');
    expect(event.refused(best({ qty: 8, rowLabels: ['B', 'A'] })).reason).toBe('not_enough_together');
  });

  test('by the labels that people see', () => {
    const plan = compilePlan(chart([row({ id: 'row-b', label: '103-B', displayLabel: 'B' } as Partial<Row>)]), 'named');
    const event = house('platform', plan);
    for (const label of ['B', '103-B']) {
      expect(event.ok(best({ qty: 1, rowLabels: [label] })).labels[0]).toMatch(/^103-B-/);
    }
  });

  test('that the chart lacks are refused by place, with all other parts that it lacks', () => {
    const { code, details } = house().refused(best({ qty: 2, rowLabels: ['A', 'Z', 'T1'], sectionId: 'gallery' }));
    expect(code).toBe('invalid_request');
    expect(details).toMatchObject({ issues: [{ path: 'sectionId' }, { path: 'rowLabels' }, { path: 'rowLabels' }] });
  });
});

describe('bounds of the price', () => {
  const pricesOf = ({ items }: { items: { unitPrice: number; quantity?: number }[] }): number[] =>
    items.flatMap(({ unitPrice, quantity = 1 }) => Array<number>(quantity).fill(unitPrice));

  test('leave the places of other prices, at the default tier', () => {
    const event = house();
    expect(pricesOf(event.ok(best({ qty: 3, maxUnitPrice: 30 })))).toEqual([30, 30, 30]);
    expect(pricesOf(event.ok(best({ qty: 2, minUnitPrice: 35 })))).toEqual([40, 40]);
    expect(event.ok(best({ qty: 2, maxUnitPrice: 29, minUnitPrice: 10 })).items[0]).toMatchObject({
      label: 'Standing',
      quantity: 2,
    });
    expect(event.refused(best({ qty: 1, maxUnitPrice: 9 })).reason).toBe('sold_out');
    const block = { type: 'block-best', callId: callId(), releaseAt: null, reason: null } as const;
    expect(event.refused({ ...block, query: { qty: 1, minUnitPrice: 31, maxUnitPrice: 39 } }).reason).toBe('sold_out');
  });

  test('count the tiers of the tickets', () => {
    const event = house();
    const tickets = [{ tierId: 'child', qty: 2 }];
    expect(pricesOf(event.ok(best({ qty: 2, maxUnitPrice: 20, tickets })))).toEqual([15, 15]);
    expect(event.refused(best({ qty: 2, minUnitPrice: 20, tickets })).code).toBe('conflict');
  });

  test('know the ticket release of the moment, and no choice takes more places than its quota has', () => {
    const event = house();
    event.ok(set(draft('r', { quota: 3, categoryKey: 'stalls' })));
    const query = { qty: 2, maxUnitPrice: 28, minUnitPrice: 20 };
    expect(pricesOf(event.ok(best(query)))).toEqual([25, 25]);
    expect(event.refused(best(query)).reason).toBe('not_enough_together');
    expect(pricesOf(event.ok(best({ ...query, qty: 1 })))).toEqual([25]);
    expect(event.refused(best({ ...query, qty: 1 })).reason).toBe('sold_out');
    expect(pricesOf(event.ok(best({ qty: 1, minUnitPrice: 40 })))).toEqual([40]);
  });
});

/** Row A with an aisle behind its fourth seat. */
const aisle = compilePlan(
  chart([row({ seatCount: 8, overrides: [4, 5, 6, 7].map((index) => ({ index, dx: 60 })) })]),
  'aisle',
);

describe('the aisle', () => {
  test('is the end of a row and a gap in it', () => {
    const event = house('platform', aisle);
    const ends = new Set(['A-1', 'A-4', 'A-5', 'A-8']);
    for (let call = 0; call < 4; call++) {
      const [label] = event.ok(best({ qty: 1, aisle: true, preventOrphans: false })).labels;
      expect(ends.delete(label!)).toBe(true);
    }
    expect(event.refused(best({ qty: 1, aisle: true })).reason).toBe('sold_out');
    expect(event.ok(best({ qty: 1 })).labels).toHaveLength(1);
  });

  test('is beside each part of the choice', () => {
    const event = house('platform', aisle);
    event.ok(block('A-2', 'A-3'));
    const { parts } = event.ok(best({ qty: 5, aisle: true }));
    expect(parts.toSorted()).toEqual([['A-4'], ['A-5', 'A-6', 'A-7', 'A-8']]);
  });
});

describe('ways without steps', () => {
  const section = (words: object): Section => ({
    type: 'section',
    id: 'low',
    label: 'Low',
    outline: [
      { x: -50, y: -50 },
      { x: 5_000, y: -50 },
      { x: 5_000, y: 10 },
      { x: -50, y: 10 },
    ],
    ...words,
  });
  const rows = (words: object, overrides: Row['overrides'] = []) => [
    section(words),
    row({ seatCount: 3, overrides }),
    row({ id: 'row-b', label: 'B', origin: { x: 0, y: 40 }, seatCount: 3 }),
  ];

  test.each<[string, object, Row['overrides'], string[]]>([
    ['the words of seats', {}, [{ index: 1, stepFree: true }], ['A-2']],
    ['a lift', {}, [{ index: 2, lift: true }], ['A-3']],
    ['the word of the section', { stepFree: true }, [], ['A-1', 'A-2', 'A-3']],
    ['a seat with steps in such a section', { lift: true }, [{ index: 0, stepFree: false }], ['A-2', 'A-3']],
    ['no word', {}, [], []],
  ])('%s', (_, words, overrides, labels) => {
    const event = house('platform', compilePlan(chart(rows(words, overrides)), 'ways'));
    if (labels.length > 0) {
      const held = event.ok(best({ qty: labels.length, stepFree: true }));
      expect(held.labels.toSorted()).toEqual(labels);
    }
    expect(event.refused(best({ qty: 1, stepFree: true })).reason).toBe('sold_out');
  });
});

describe('alternatives', () => {
  test('are ranked, have no place in common, and hold nothing', () => {
    const event = house();
    const { alternatives, currency } = event.ok(dry({ qty: 2 }), buyer);
    expect(alternatives.map(({ labels }) => labels)).toEqual([
      ['A-4', 'A-5'],
      ['B-4', 'B-5'],
      ['C-4', 'C-5'],
    ]);
    expect(alternatives[0]).toMatchObject({ parts: [['A-4', 'A-5']], items: [{ unitPrice: 40 }, { unitPrice: 40 }] });
    expect(currency).toBe('EUR');
    expect(event.counts()).toMatchObject({ held: 0 });
    expect(event.journal).toEqual([]);
  });

  test('are fewer where no more places are left, and a refusal where none is', () => {
    const event = house();
    expect(event.ok(dry({ qty: 8, categoryKey: 'stalls' }, 5)).alternatives).toHaveLength(2);
    expect(event.refused(dry({ qty: 9, rowLabels: ['A'] })).reason).toBe('not_enough_together');
  });

  test('have the lowest places of an area once each', () => {
    const { alternatives } = house().ok(dry({ qty: 4, categoryKey: 'floor' }, 5));
    const labels = alternatives.flatMap((each) => each.labels);
    expect(alternatives).toHaveLength(2);
    expect(new Set(labels).size).toBe(8);
    expect(alternatives[0]!.items).toMatchObject([{ label: 'Standing', quantity: 4 }]);
  });

  const query = fc.record(
    {
      qty: fc.integer({ min: 1, max: 6 }),
      rowLabels: fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 2 }),
      minUnitPrice: fc.constantFrom(10, 30),
      maxUnitPrice: fc.constantFrom(30, 40),
      aisle: fc.boolean(),
      preventOrphans: fc.boolean(),
    },
    { requiredKeys: ['qty'] },
  );
  const taken = fc.uniqueArray(
    fc.constantFrom(...['A', 'B', 'C'].flatMap((r) => [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${r}-${n}`))),
  );

  test('each is the choice of the event after the choices before it were taken, and meets every term', () => {
    fc.assert(
      fc.property(query, taken, (asked, labels) => {
        const event = house();
        if (labels.length > 0) event.ok(block(...labels));
        if (!event.tries(dry(asked, 4), buyer)) {
          expect(event.refused(best(asked), buyer).code).toBe('conflict');
          return;
        }
        const { alternatives } = event.ok(dry(asked, 4), buyer);
        for (const { labels, items } of alternatives) {
          for (const { unitPrice } of items) {
            expect(unitPrice).toBeGreaterThanOrEqual(asked.minUnitPrice ?? 0);
            expect(unitPrice).toBeLessThanOrEqual(asked.maxUnitPrice ?? 99);
          }
          if (asked.rowLabels)
            expect(labels.every((label) => asked.rowLabels!.some((row) => label.startsWith(row)))).toBe(true);
          expect(event.ok(best(asked), buyer).labels).toEqual(labels);
        }
        if (alternatives.length < 4) event.refused(best(asked), buyer);
      }),
      { numRuns: 150 },
    );
  });
});
