/** Who has a unit: free, held, booked, reserved, listed, and listed in checkout. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { expect, test } from 'vitest';
import { callId, direct, hold, house, list, START, smallChart } from '../../../support/inventory/house.ts';

test('tells the holder of each unit', () => {
  const event = house();
  event.ok(hold('hold', 'A-1', 'A-2'));
  event.ok(direct('order', 'A-3'));
  const until = START + 3_600_000;
  const name = 'Class 4b';
  const terms = { reservationId: 'rsv_1', labels: ['B-1'], name, note: null, until };
  event.ok({ type: 'make-reservation', callId: callId(), ...terms });
  const nobody = { channelId: null, bookingRef: null, hold: null, reservation: null, listing: null };
  const { holders } = event.ok({ type: 'inspect-holders', labels: ['A-1', 'A-3', 'B-1', 'B-2'] });
  expect(holders).toMatchObject([
    { ...nobody, label: 'A-1', status: 'held', hold: { holdId: 'hold', labels: ['A-1', 'A-2'], buyerRef: null } },
    { ...nobody, label: 'A-3', status: 'booked', bookingRef: 'order', unitPrice: expect.any(Number) },
    { ...nobody, label: 'B-1', status: 'blocked', reservation: { id: 'rsv_1', name: 'Class 4b', until } },
    { ...nobody, label: 'B-2', status: 'free', unitPrice: null, tierId: null },
  ]);
  expect(event.refused({ type: 'inspect-holders', labels: ['Z-9'] }).code).toBe('unknown_labels');
});

test('a listed unit in checkout has its booking, its listing, and the hold of the next buyer', () => {
  const event = house();
  event.ok(direct('order', 'A-1', 'A-2'));
  event.ok(list('listing', 'order', 'A-1', 'A-2'));
  event.ok(hold('hold', 'A-1', 'A-2'));
  const { holders } = event.ok({ type: 'inspect-holders', labels: ['A-1'] });
  expect(holders).toMatchObject([
    { bookingRef: 'order', hold: { holdId: 'hold' }, listing: { listingId: 'listing', labels: ['A-1', 'A-2'] } },
  ]);
});

test('an answer that would grow with the square of a large hold is refused', () => {
  const objects = smallChart.objects.map((object) => (object.id === 'ga' ? { ...object, capacity: 400 } : object));
  const event = house('platform', compilePlan({ ...smallChart, objects } as ChartDocument, 'large-area'));
  event.ok({ ...hold('small'), selections: [{ label: 'Standing', quantity: 100 }] });
  const look = { type: 'inspect-holders' as const, labels: ['Standing'] };
  expect(event.ok(look).holders).toHaveLength(400);
  event.ok({ ...hold('large'), selections: [{ label: 'Standing', quantity: 300 }] });
  expect(event.refused(look).code).toBe('invalid_request');
  expect(event.ok({ ...look, labels: ['A-1'] }).holders).toHaveLength(1);
});
