/**
 * Companions after the hold: bookings from a hold follow the companion rule, also after seats have left the hold.
 * Giving back is always allowed. selections.test.ts covers the pairing of places.
 */
import { compilePlan } from '@parterre/shared/charts/compile';
import { expect, test } from 'vitest';
import { chart, row, table } from '../../../support/charts.ts';
import { book, callId, direct, hold, house, moveTo } from '../../../support/inventory/house.ts';

/** W C C W C, and ordinary seats. */
type Kind = 'wheelchair' | 'companion' | 'hearing';
const kinds: Kind[] = ['wheelchair', 'companion', 'companion', 'wheelchair', 'companion'];
const rowOf = (named: readonly Kind[]) =>
  row({ overrides: named.map((kind, index) => ({ index, accessibility: [kind] })) });
const plan = compilePlan(chart([rowOf(kinds)]), 'companions');

function heldPair() {
  const event = house('platform', plan);
  event.ok(hold('h', 'A-1', 'A-2', 'A-7'));
  return event;
}
const release = (...labels: string[]) => ({ type: 'release' as const, callId: callId(), holdId: 'h', labels });

test('a companion of a hold is not booked without the wheelchair place beside it', () => {
  const event = heldPair();
  const refusal = event.refused(book('h', 'order', ['A-2', 'A-7']));
  expect(refusal).toMatchObject({ code: 'companion_pair_required', details: { labels: ['A-2'] } });
  expect(refusal.message).toMatch(/book .*wheelchair place.* release/i);
  expect(event.counts()).toMatchObject({ held: 3, booked: 0 });
  expect(event.ok(book('h', 'order', ['A-1', 'A-2']))).toMatchObject({ booked: ['A-1', 'A-2'] });
  expect(event.ok(book('h', 'order'))).toMatchObject({ booked: ['A-7'] });
});

test('a wheelchair place may be released alone, and the rest is booked only without its companion', () => {
  const event = heldPair();
  expect(event.ok(release('A-1'))).toEqual({ released: ['A-1'] });
  expect(event.refused(book('h', 'order'))).toMatchObject({
    code: 'companion_pair_required',
    details: { labels: ['A-2'] },
  });
  event.ok(release('A-2'));
  expect(event.ok(book('h', 'order'))).toMatchObject({ booked: ['A-7'] });
});

test('a companion may be booked later under the reference with the wheelchair place, and under no other', () => {
  const event = heldPair();
  event.ok(book('h', 'order', ['A-1']));
  expect(event.refused(book('h', 'another', ['A-2'])).code).toBe('companion_pair_required');
  expect(event.ok(book('h', 'order'))).toMatchObject({ booked: ['A-2', 'A-7'] });
});

test('the wheelchair place of a reference pairs with one companion only', () => {
  const event = house('platform', plan);
  event.ok(direct('order', 'A-4', 'A-5'));
  const third = event.refused(direct('order', 'A-3', 'A-4', 'A-5'));
  expect(third).toMatchObject({ code: 'companion_pair_required', details: { labels: ['A-3'] } });
});

test('a companion without a wheelchair place has no claim on the wheelchair place of another', () => {
  const event = house('platform', plan);
  event.ok(direct('order', 'A-4', 'A-3'));
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order', labels: ['A-4'] });
  event.ok(hold('h', 'A-4', 'A-5'));
  expect(event.ok(book('h', 'order'))).toMatchObject({ booked: ['A-4', 'A-5'] });
});

test('a wheelchair place may be unbooked alone', () => {
  const event = heldPair();
  event.ok(book('h', 'order'));
  expect(event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order', labels: ['A-1'] })).toEqual({
    unbooked: ['A-1'],
  });
  expect(event.counts()).toMatchObject({ booked: 2 });
});

test('a pair that a new chart parts is booked as it was held', () => {
  const event = heldPair();
  moveTo(event, chart([rowOf(['hearing', ...kinds.slice(1)])]));
  expect(event.ok(book('h', 'order', ['A-2']))).toMatchObject({ booked: ['A-2'] });
});

test('the last chair of a round table is beside the first', () => {
  const overrides = [
    { index: 0, accessibility: ['companion' as const] },
    { index: 5, accessibility: ['wheelchair' as const] },
  ];
  const event = house('platform', compilePlan(chart([table({ seatCount: 6, overrides })]), 'ring'));
  expect(event.ok(hold('h', 'T1-1', 'T1-6')).labels).toEqual(['T1-1', 'T1-6']);
  const open = house('platform', compilePlan(chart([table({ seatCount: 6, seatArc: 270, overrides })]), 'arc'));
  expect(open.refused(hold('h', 'T1-1', 'T1-6')).code).toBe('companion_pair_required');
});
