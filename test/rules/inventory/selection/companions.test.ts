/**
 * Companions after the hold: bookings from a hold follow the companion rule, also after seats have left the hold.
 * Giving back is always allowed. selections.test.ts covers the pairing of places.
 */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { chart, row, table } from '../../../support/charts.ts';
import {
  book,
  buyer,
  callId,
  direct,
  hold,
  house,
  MINUTE,
  moveTo,
  START,
  server,
} from '../../../support/inventory/house.ts';

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

/** Row B far from its companions' places: a bay of two seats, a skipped seat, and an ordinary seat between. */
const far = compilePlan(
  chart([
    row({
      id: 'row-b',
      label: 'B',
      origin: { x: 0, y: 50 },
      overrides: [
        { index: 0, accessibility: ['wheelchair'] },
        { index: 1, accessibility: ['companion'], dx: 40 },
        { index: 2, skip: true },
        { index: 3, accessibility: ['companion'], dx: 80 },
        { index: 4, accessibility: ['companion'], dx: 200 },
        { index: 5, accessibility: ['companion'], dx: 200 },
        { index: 6, accessibility: ['wheelchair'], dx: 500 },
        { index: 8, accessibility: ['companion'], companionOf: 'C-2', dx: 500 },
      ],
    }),
    row({
      id: 'row-c',
      label: 'C',
      origin: { x: 0, y: 80 },
      overrides: [
        { index: 0, accessibility: ['companion'] },
        { index: 1, accessibility: ['wheelchair'] },
        { index: 5, accessibility: ['companion'] },
      ],
    }),
  ]),
  'far',
);

test.each<[string, string[], string[]]>([
  ['with its wheelchair place across a wide bay', ['B-1', 'B-2'], []],
  ['with two others behind a skipped seat', ['B-1', 'B-2', 'B-4', 'B-5'], []],
  ['as the fourth of one wheelchair place', ['B-1', 'B-2', 'B-4', 'B-5', 'B-6'], ['B-6']],
  ['as the fourth, with the wheelchair place on the other side', ['B-1', 'B-2', 'B-4', 'B-5', 'B-6', 'B-7'], []],
  ['with the place of another row that it names', ['C-2', 'B-9'], []],
  ['with the nearest place, where it names another', ['B-7', 'B-9'], ['B-9']],
  ['with an ordinary seat between', ['C-2', 'C-6'], []],
  ['with a wheelchair place of another row', ['B-1', 'C-1'], ['C-1']],
  ['alone', ['B-2'], ['B-2']],
])('a companion place is held %s', (_, labels, unpaired) => {
  const event = house('platform', far);
  if (unpaired.length === 0) expect(event.ok(hold('h', ...labels)).labels).toEqual(labels);
  else expect(event.refused(hold('h', ...labels))).toMatchObject({ details: { labels: unpaired } });
});

test('a booking that has the wheelchair place adds its companions, and no other booking does', () => {
  const event = house('platform', plan);
  event.ok(direct('order', 'A-1'));
  expect(event.refused(direct('another', 'A-2')).code).toBe('companion_pair_required');
  expect(event.ok(direct('order', 'A-2'))).toMatchObject({ booked: ['A-2'] });
  expect(event.ok(hold('h', 'A-4')).labels).toEqual(['A-4']);
  expect(event.ok({ ...hold('g', 'A-4', 'A-5'), replaceHoldId: 'h' }).labels).toEqual(['A-4', 'A-5']);
});

const withReason: Caller = { ...server, reason: 'A friend came later' };

test('an operator sells a companion place with a reason, which the record keeps', () => {
  const event = house('platform', plan);
  event.ok(direct('order', 'A-2'), withReason);
  event.ok(hold('h', 'A-3', 'A-7'), withReason);
  expect(event.ok(book('h', 'other'))).toMatchObject({ booked: ['A-3', 'A-7'] });
  const reasons = event.journal.flatMap((record) => ('reason' in record ? [record.reason] : []));
  expect(reasons).toEqual(['A friend came later', 'A friend came later']);
});

test('companion places are for everybody once no other ordinary place is left', () => {
  const event = house('platform', plan);
  event.ok(direct('order', 'A-6', 'A-7', 'A-8', 'A-9'));
  expect(event.refused(hold('h', 'A-2'), buyer).code).toBe('companion_pair_required');
  expect(event.refused({ type: 'hold-best', holdId: 'h', query: { qty: 5 } }, buyer).reason).toBe(
    'not_enough_together',
  );
  const { labels } = event.ok({ type: 'hold-best', holdId: 'h', query: { qty: 2 } }, buyer);
  expect(labels.toSorted()).toEqual(['A-10', 'A-5']);
  expect(event.ok(hold('g', 'A-2'), buyer).labels).toEqual(['A-2']);
});

test('a hold that has lost its wheelchair place books the companion place once no ordinary place is left', () => {
  const event = house('platform', plan);
  event.ok(hold('h', 'A-1', 'A-2'));
  event.ok({ type: 'end-holds', callId: callId(), labels: ['A-1'], reason: 'Abandoned' });
  expect(event.refused(book('h', 'order')).code).toBe('companion_pair_required');
  event.ok(direct('others', 'A-6', 'A-7', 'A-8', 'A-9', 'A-10'));
  expect(event.ok(book('h', 'order'))).toMatchObject({ booked: ['A-2'] });
});

test('a booking moves to a held companion place without its wheelchair place once no ordinary place is left', () => {
  const event = house('platform', plan);
  event.ok(direct('order', 'A-10'));
  event.ok(hold('h', 'A-1', 'A-2'));
  const exchange = (): Command & { type: 'exchange' } => ({
    type: 'exchange',
    callId: callId(),
    exchangeId: 'exc_1',
    bookingRef: 'order',
    from: [{ label: 'A-10' }],
    to: { holdId: 'h', labels: ['A-2'] },
    reason: 'A pillar',
  });
  expect(event.refused(exchange()).code).toBe('companion_pair_required');
  event.ok(direct('others', 'A-6', 'A-7', 'A-8', 'A-9'));
  expect(event.ok(exchange())).toMatchObject({ from: ['A-10'], to: ['A-2'] });
});

test('a held companion place is booked alone with a reason, or once its time has passed', () => {
  const event = house('platform', plan);
  event.ok({ type: 'configure', callId: callId(), saleSettings: { companionsUntil: START + MINUTE } });
  event.ok(hold('h', 'A-1', 'A-2', 'A-4', 'A-5'));
  expect(event.refused(book('h', 'order', ['A-2'])).code).toBe('companion_pair_required');
  expect(event.ok(book('h', 'order', ['A-2']), withReason)).toMatchObject({ booked: ['A-2'] });
  event.ok(book('h', 'another', ['A-4']));
  expect(event.refused(book('h', 'order', ['A-5'])).code).toBe('companion_pair_required');
  event.pass(MINUTE);
  expect(event.ok(book('h', 'order', ['A-5']))).toMatchObject({ booked: ['A-5'] });
});

test('a companion place is for everybody once its wheelchair places are sold and its time has passed', () => {
  const event = house('platform', plan);
  event.ok({ type: 'configure', callId: callId(), saleSettings: { companionsUntil: START + MINUTE } });
  event.ok(direct('order', 'A-1'));
  expect(event.refused(hold('h', 'A-2'), buyer).code).toBe('companion_pair_required');
  event.pass(MINUTE);
  // The wheelchair place on the other side is for sale.
  expect(event.refused(hold('h', 'A-2', 'A-5'), buyer).details).toEqual({ labels: ['A-2', 'A-5'] });
  event.ok(direct('other', 'A-4'));
  expect(event.ok(hold('h', 'A-2'), buyer).labels).toEqual(['A-2']);
  const best = { type: 'hold-best', holdId: 'g', query: { qty: 6 } } as const;
  // Ordinary places come first.
  expect(event.ok(best, buyer).labels.toSorted()).toEqual(['A-10', 'A-5', 'A-6', 'A-7', 'A-8', 'A-9']);
  event.ok({ type: 'configure', callId: callId(), saleSettings: { companionsUntil: null } });
  event.ok({ type: 'release', callId: callId(), holdId: 'h' });
  event.ok({ type: 'release', callId: callId(), holdId: 'g' });
  expect(event.refused(hold('i', 'A-2'), buyer).code).toBe('companion_pair_required');
});

test('a companion without a wheelchair place has no claim on the wheelchair place of another', () => {
  const event = house('platform', plan);
  event.ok(direct('order', 'A-4', 'A-3'));
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order', labels: ['A-4'] });
  event.ok(hold('h', 'A-4', 'A-5'));
  expect(event.ok(book('h', 'order'))).toMatchObject({ booked: ['A-4', 'A-5'] });
});

test('a wheelchair place may be unbooked alone, and its companion stays booked', () => {
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
