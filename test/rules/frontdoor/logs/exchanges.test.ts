/** Bookings with exchanges, as callers read them. */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { KeptBooking } from '@parterre/shared/protocol/catalog/history';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { bookingOf, shareOfOperation } from '../../../../services/frontdoor/src/logs/logs.ts';
import { smallPlan } from '../../../support/inventory/house.ts';

const plans = new Map([[smallPlan.hash, smallPlan]]);
const by = { source: 'server', actor: 'key_1' } as const;
const unitsOf = (...labels: string[]): number[] => labels.map((label) => smallPlan.labels.unitOf(label)!);
const linesOf = (...labels: string[]) => unitsOf(...labels).map((unit) => ({ unit, price: 40 }));
const sale = { callId: 'c', bookingRef: 'o-1', holdId: null, accessSource: 'public', by } as const;
const booked = (...labels: string[]): JournalRecord => ({ type: 'booked', ...sale, lines: linesOf(...labels) });
const ofOperation = (id: string, ...labels: string[]): JournalRecord => {
  const owner = { kind: 'season', key: 'sea_1' } as const;
  return { ...booked(...labels), operation: { id, owner, operationId: 'sop_1' } } as JournalRecord;
};
const exchanged = (exchangeId: string, from: string[], to: string[]): JournalRecord => {
  return { type: 'exchanged', exchangeId, ...sale, units: unitsOf(...from), lines: linesOf(...to), reason: null };
};
const kept = (...records: JournalRecord[]): KeptBooking => {
  const entries = records.map((record, n) => ({ id: n + 1, at: 10 + n, plan: smallPlan.hash, record }));
  return { bookingRef: 'o-1', state: 'booked', bookedAt: 10, updatedAt: 20, cancelledAt: null, entries };
};

test('A seat that is exchanged back appears twice, and each object names the exchange that gave it up', () => {
  const history = kept(
    booked('A-1', 'A-2'),
    exchanged('exc_1', ['A-1'], ['B-1']),
    exchanged('exc_2', ['B-1'], ['A-1']),
  );
  const { booking, activity } = bookingOf(plans, history, { key: 'e', mode: 'test', currency: 'EUR' } as EventRecord);
  const told = booking.objects.map(({ label, state, cancelledAt, exchangeId }) => [
    label,
    state,
    cancelledAt,
    exchangeId,
  ]);
  expect(told).toEqual([
    ['A-1', 'cancelled', 11, 'exc_1'],
    ['A-2', 'booked', null, undefined],
    ['B-1', 'cancelled', 12, 'exc_2'],
    ['A-1', 'booked', null, undefined],
  ]);
  expect(booking).toMatchObject({ labels: ['A-1', 'A-2', 'B-1'], activeQuantity: 2, activeConfiguredValue: 80 });
  expect(activity.map(({ action, labels }) => [action, labels])).toEqual([
    ['reconcile', ['B-1', 'A-1']],
    ['reconcile', ['A-1', 'B-1']],
    ['book', ['A-1', 'A-2']],
  ]);
});

test('A seat that came by an exchange belongs to the operation of the seat before it', () => {
  const history = kept(
    ofOperation('op_1', 'A-1', 'A-2'),
    booked('C-1'),
    exchanged('exc_1', ['A-1'], ['B-1']),
    exchanged('exc_2', ['C-1'], ['C-2']),
    { type: 'unbooked', ...sale, units: unitsOf('A-2') },
  );
  expect(shareOfOperation(plans, history, 'op_1')).toMatchObject({ labels: ['B-1'] });
});
