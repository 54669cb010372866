/** The pace of sales by section, from the journal's records. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { velocityOf } from '../../../services/frontdoor/src/api/rules/control-room.ts';
import { chart, point, rectangle, row, section } from '../../support/charts.ts';

const plan = compilePlan(
  chart([
    section({ id: 'stalls', outline: rectangle(-10, -10, 300, 20) }),
    row({ seatCount: 4 }),
    row({ id: 'row-b', label: 'B', origin: point(0, 500), seatCount: 4 }),
  ]),
  'hash',
);
const plans = new Map([['hash', plan]]);
const by = { source: 'server', actor: null } as const;
const unitsOf = (labels: string[]) => labels.map((label) => plan.labels.unitOf(label)!);
const booked = (at: number, ...labels: string[]) => {
  const lines = unitsOf(labels).map((unit) => ({ unit, price: 20 }));
  const record = {
    type: 'booked',
    bookingRef: 'r',
    callId: 'c',
    holdId: null,
    accessSource: 'public',
    lines,
    by,
  };
  return { id: at, at, plan: 'hash', record: record as JournalRecord };
};
const unbooked = (at: number, ...labels: string[]) => {
  const record = { type: 'unbooked', bookingRef: 'r', callId: 'c', units: unitsOf(labels), by } as JournalRecord;
  return { id: at, at, plan: 'hash', record };
};

test('bookings and cancelled bookings of the window count by section, and its halves give the trend', () => {
  const entries = [
    booked(95, 'A-3', 'A-4'),
    unbooked(90, 'B-1'),
    booked(40, 'B-1', 'B-2'),
    booked(20, 'A-2'),
    booked(9, 'A-1'),
  ];
  expect(velocityOf(plans, entries, 10, 100)).toEqual([
    { sectionId: 'stalls', netBooked: 3, trend: 'rising', bookedValue: 60 },
    { sectionId: '__ungrouped__', netBooked: 1, trend: 'cooling', bookedValue: 40 },
  ]);
  expect(velocityOf(plans, [booked(95, 'A-3'), booked(20, 'A-2')], 10, 100)[0]!.trend).toBe('steady');
  expect(velocityOf(plans, [], 10, 100)).toEqual([]);
});
