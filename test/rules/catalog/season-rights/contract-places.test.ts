/** The places of a contract behind the exchanges of its nights. */
import type { Contract } from '@parterre/shared/protocol/catalog/rights';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { followedContract, nightOf } from '../../../../services/catalog/src/rights/rules/contract-places.ts';
import { smallPlan } from '../../../support/inventory/house.ts';

const plans = new Map([[smallPlan.hash, smallPlan]]);
const by = { source: 'server', actor: 'key_1' } as const;
const unitsOf = (...labels: string[]): number[] =>
  labels.map((label) => {
    const unit = smallPlan.labels.unitOf(label);
    if (unit === undefined) throw new Error(`the chart has no ${label}`);
    return unit;
  });
/** A numbered place of the area Standing. */
const place = (number: number): string => `__sl_ga__ga__${number}`;
const linesOf = (labels: readonly string[]) =>
  unitsOf(...labels).map((unit) => ({
    unit,
    price: 40,
    ...(smallPlan.labels.at(unit).startsWith('__') && { group: 1 }),
  }));
const sale = { callId: 'c', bookingRef: 'o-1', holdId: null, accessSource: 'public', by } as const;

/** The season's sale, and another sale under the same reference. */
const sold = (...labels: string[]): JournalRecord => {
  const operation = { id: 'op_1', owner: { kind: 'season', key: 'sea_1' }, operationId: 'sop_1' } as const;
  return { type: 'booked', ...sale, lines: linesOf(labels), operation };
};
const besides = (...labels: string[]): JournalRecord => ({ type: 'booked', ...sale, lines: linesOf(labels) });
const renewed = (...labels: string[]): JournalRecord =>
  ({ ...besides(...labels), callId: 'offer.sro_1' }) as JournalRecord;
const back = (...labels: string[]): JournalRecord => ({ type: 'unbooked', ...sale, units: unitsOf(...labels) });
const moved = (from: string[], to: string[], more: object = {}): JournalRecord => {
  const sides = { exchangeId: 'exc_1', units: unitsOf(...from), lines: linesOf(to), reason: null };
  return { type: 'exchanged-with', ...sale, ...sides, ...more } as JournalRecord;
};
const other = (side: 'from' | 'to') => ({
  other: { side, eventKey: 'elsewhere', labels: ['X-1'], priceDifference: 0 },
});
const renumbered = (labels: string[], to: string[]): JournalRecord => {
  return { type: 'renumbered', ...sale, exchangeId: 'exc_1', labels, lines: linesOf(to) } as JournalRecord;
};

const contract = { contractId: 'sco_1', seasonKey: 'sea_1', operationId: 'sop_1', offerId: null } as Contract;

/** The labels of the contract, and `exchanged` by night. A night is named by its number. */
function followed(labels: string[], nights: JournalRecord[][], more: Partial<Contract> = {}): unknown[] {
  const before = { ...contract, labels, ...more };
  const read = nights.map((records, night) => {
    const entries = records.map((record, n) => ({ id: n + 1, at: 10 + n, plan: smallPlan.hash, record }));
    const times = { bookedAt: 10, updatedAt: 20, cancelledAt: null };
    return nightOf(before, `${night}`, { bookingRef: 'o-1', state: 'booked', ...times, entries }, plans);
  });
  const after = followedContract(before, read);
  expect(followedContract(after, read)).toBe(after);
  return [after.labels, ...(after.exchanged ?? []).map((night) => [night.eventKey, ...night.labels])];
}

const [a, ab] = [sold('A-1'), sold('A-1', 'A-2')];
const toB = moved(['A-1'], ['B-1']);

test.each<[name: string, labels: string[], nights: JournalRecord[][], told: unknown[]]>([
  ['nothing is exchanged', ['A-1'], [[a], [a]], [['A-1']]],
  ['one night is told beside the places', ['A-1'], [[a, toB], [a]], [['A-1'], ['0', 'B-1']]],
  [
    'two nights that differ are told each',
    ['A-1'],
    [
      [a, toB],
      [a, moved(['A-1'], ['B-2'])],
    ],
    [['A-1'], ['0', 'B-1'], ['1', 'B-2']],
  ],
  [
    'all nights move the contract',
    ['A-1'],
    [
      [a, toB],
      [a, toB],
    ],
    [['B-1']],
  ],
  ['a night that is exchanged back is as it was', ['A-1'], [[a, toB, moved(['B-1'], ['A-1'])], [a]], [['A-1']]],
  [
    'one of two places moves, and the order stays',
    ['A-1', 'A-2'],
    [
      [ab, toB],
      [ab, toB],
    ],
    [['B-1', 'A-2']],
  ],
  [
    'the order of a night does not matter',
    ['A-1', 'A-2'],
    [
      [ab, moved(['A-1', 'A-2'], ['B-1', 'B-2'])],
      [ab, moved(['A-1', 'A-2'], ['B-2', 'B-1'])],
    ],
    [['B-1', 'B-2']],
  ],
  [
    'a swap is an exchange of each side',
    ['A-1'],
    [
      [a, moved(['A-1'], ['B-1'], { swappedWith: 'o-2' })],
      [a, toB],
    ],
    [['B-1']],
  ],
  [
    'a place of another sale is none of the contract',
    ['A-1'],
    [
      [a, besides('C-1'), moved(['C-1', 'A-1'], ['C-2', 'B-1'])],
      [a, toB],
    ],
    [['B-1']],
  ],
  [
    'a place that was given back has no say',
    ['A-1', 'A-2'],
    [
      [ab, back('A-1')],
      [ab, toB],
      [ab, toB],
    ],
    [['B-1', 'A-2']],
  ],
  [
    'a night that was given back has no say',
    ['A-1'],
    [
      [a, back('A-1')],
      [a, toB],
    ],
    [['B-1']],
  ],
  [
    'a night that gave a place back may still differ',
    ['A-1', 'A-2'],
    [
      [ab, back('A-2')],
      [ab, toB],
    ],
    [
      ['A-1', 'A-2'],
      ['1', 'B-1', 'A-2'],
    ],
  ],
  [
    'every night has given the place back',
    ['A-1', 'A-2'],
    [
      [ab, back('A-2'), toB],
      [ab, back('A-2'), toB],
    ],
    [['B-1', 'A-2']],
  ],
  ['a place that went to another event is given back', ['A-1'], [[a, moved(['A-1'], [], other('to'))], [a]], [['A-1']]],
  [
    'a place that came from another event is none of the contract',
    ['A-1'],
    [
      [a, toB, moved([], ['C-1'], other('from'))],
      [a, toB],
    ],
    [['B-1']],
  ],
  ['a night that is not counted keeps the places', ['A-1'], [[a, toB], []], [['A-1'], ['0', 'B-1']]],
  [
    'places of an area have its label',
    ['A-1', 'A-2'],
    [
      [ab, moved(['A-1', 'A-2'], [place(1), place(2)])],
      [ab, moved(['A-1', 'A-2'], [place(3), place(4)])],
    ],
    [['Standing']],
  ],
  [
    'other numbers of an area are the same area',
    ['Standing'],
    [[sold(place(9)), renumbered([place(9)], [place(1)])], [sold(place(2))]],
    [['Standing']],
  ],
  [
    'a table takes the place of its guests',
    ['A-1', 'A-2'],
    [
      [ab, moved(['A-1', 'A-2'], ['T1'])],
      [ab, moved(['A-1', 'A-2'], ['T1'])],
    ],
    [['T1']],
  ],
])('%s', (_, labels, nights, told) => {
  expect(followed(labels, nights)).toEqual(told);
});

test('the contracts of renewals and imports follow too', () => {
  const renewal = { operationId: null, offerId: 'sro_1' };
  expect(
    followed(
      ['A-1'],
      [
        [renewed('A-1'), toB],
        [renewed('A-1'), toB],
      ],
      renewal,
    ),
  ).toEqual([['B-1']]);
  const imported = { operationId: null, offerId: null };
  const night = [besides('A-1', 'C-1'), toB, moved(['C-1'], ['C-2'])];
  expect(followed(['A-1'], [night, night], imported)).toEqual([['B-1']]);
  expect(followed(['B-1'], [night, night], imported)).toEqual([['B-1']]);
});
