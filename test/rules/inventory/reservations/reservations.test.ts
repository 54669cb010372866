/**
 * Reservations by name: what they take, what others may not, their ends, and bookings of a part. The model draws the
 * same commands at random (test/support/model).
 */
import type { Command } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import {
  capture,
  fromSnapshot,
  readSnapshot,
  toSnapshot,
} from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { encodeKept } from '../../../../shared/src/protocol/wire.ts';
import { create } from '../../../support/inventory/channels.ts';
import {
  block,
  buyer,
  callId,
  direct,
  eventConfig,
  hold,
  house,
  MINUTE,
  START,
  server,
  smallPlan,
} from '../../../support/inventory/house.ts';

type House = ReturnType<typeof house>;

const DAY = 24 * 60 * MINUTE;
const until = START + 40 * DAY;

const make = (labels: string[], more: Partial<Command & { type: 'make-reservation' }> = {}) =>
  ({
    type: 'make-reservation',
    callId: callId(),
    reservationId: 'rsv_1',
    labels,
    name: 'Class 4b',
    until,
    note: null,
    ...more,
  }) as const;
const change = (more: Partial<Command & { type: 'change-reservation' }>) =>
  ({ type: 'change-reservation', callId: callId(), reservationId: 'rsv_1', ...more }) as const;
const end = () => ({ type: 'end-reservation', callId: callId(), reservationId: 'rsv_1' }) as const;
const book = (bookingRef: string, labels?: string[]) =>
  ({
    type: 'book-reservation',
    callId: callId(),
    reservationId: 'rsv_1',
    bookingRef,
    ...(labels && { labels }),
  }) as const;
const inspect = { type: 'inspect-reservation', reservationId: 'rsv_1' } as const;

/** The reservation rsv_1 has. */
function reserved(): House {
  const event = house();
  event.ok(make(['A-1', 'A-2', 'A-3']));
  return event;
}

function expectSameAfterFolds({ state, journal, times }: House): void {
  const replayed = newState(eventConfig(), smallPlan);
  journal.forEach((record, index) => {
    apply(replayed, record, times[index]!);
  });
  const stored = readSnapshot('test', encodeKept(toSnapshot(capture(state))))!;
  for (const again of [replayed, fromSnapshot(stored, smallPlan)]) {
    expect([...again.reservations.values()]).toEqual([...state.reservations.values()]);
    expect(again.reservations.bytes).toBe(state.reservations.bytes);
    expect([again.counts, again.statuses, again.slotOf]).toEqual([state.counts, state.statuses, state.slotOf]);
  }
}

test('a reservation takes every unit or none, and nobody else takes or frees them', () => {
  const event = house();
  event.ok(hold('other', 'A-3'));
  event.ok(block('B-1'));
  expect(event.refused(make(['A-1', 'A-3', 'B-1']))).toMatchObject({
    code: 'conflict',
    details: {
      conflicts: [
        { label: 'A-3', status: 'held' },
        { label: 'B-1', status: 'blocked' },
      ],
    },
  });
  expect(event.ok(make(['A-2', 'A-1', 'A-2'])).reservation).toEqual({
    id: 'rsv_1',
    name: 'Class 4b',
    labels: ['A-1', 'A-2'],
    until,
    note: null,
    state: 'active',
    createdAt: START,
    createdBy: server.actor,
  });
  expect(event.refused(hold('h1', 'A-1'))).toMatchObject({ code: 'conflict' });
  expect(event.refused(hold('h1', 'A-1'), buyer)).toMatchObject({
    details: { conflicts: [{ label: 'A-1', status: 'not_for_sale' }] },
  });
  expect(event.refused(block('A-1'))).toMatchObject({ code: 'conflict', reason: 'seats_reserved' });
  expect(event.ok({ type: 'unblock', callId: callId(), labels: null })).toEqual({ unblocked: ['B-1'] });
  expect(event.refused({ ...direct('o-1', 'A-1'), fromBlock: true })).toMatchObject({ code: 'conflict' });
  expect(event.ok({ type: 'report' })).toMatchObject({ reserved: 2, byStatus: { not_for_sale: 3 } });
  expectSameAfterFolds(event);
});

test.each([
  ['in the past', START],
  ['more than 400 days ahead', START + 400 * DAY + 1],
])('a time %s is refused by its place', (_, until) => {
  expect(house().refused(make(['A-1'], { until }))).toMatchObject({
    code: 'invalid_request',
    details: { issues: [{ path: 'until' }] },
  });
});

test('a label that the chart lacks, and an unknown reservation, are refused', () => {
  const event = reserved();
  expect(event.refused(make(['Z-9'], { reservationId: 'rsv_2' }))).toMatchObject({
    code: 'unknown_labels',
    details: { labels: ['Z-9'] },
  });
  for (const command of [change({ name: 'x' }), end(), book('o-1'), inspect]) {
    expect(event.refused({ ...command, reservationId: 'rsv_0' }).code).toBe('reservation_not_found');
  }
});

test('an area that is named twice gives two places, and a change keeps those that the reservation has', () => {
  const event = house();
  const first = event.ok(make(['Standing', 'Standing'])).reservation.labels;
  expect(first).toEqual(['__sl_ga__ga__1', '__sl_ga__ga__2']);
  event.ok(direct('o-1', '__sl_ga__ga__3'));
  expect(event.ok(change({ labels: ['Standing', 'Standing', 'Standing'] })).reservation.labels).toEqual([
    ...first,
    '__sl_ga__ga__4',
  ]);
  expect(event.refused(change({ labels: Array.from({ length: 10 }, () => 'Standing') }))).toMatchObject({
    details: { conflicts: [{ label: 'Standing', available: 9 }] },
  });
  expect(event.ok(book('o-2')).items).toMatchObject([{ objectType: 'ga', quantity: 3, unitPrice: 10 }]);
});

test('a late copy of a call gets the first answer and does nothing', () => {
  const event = house();
  const made = make(['A-1', 'A-2'], { fingerprint: 'body' });
  const first = event.ok(made);
  const ended = { ...end(), fingerprint: 'end' };
  expect(event.ok(ended)).toEqual({ freed: ['A-1', 'A-2'] });
  event.ok(hold('h1', 'A-1'));
  const records = event.journal.length;
  expect(event.ok(made)).toEqual(first);
  expect(event.ok(ended)).toEqual({ freed: ['A-1', 'A-2'] });
  expect(event.refused({ ...made, fingerprint: 'other' })).toMatchObject({ reason: 'idempotency_key_reused' });
  expect(event.journal).toHaveLength(records);
});

test('a change frees the units that the reservation loses, and refuses those of others', () => {
  const event = reserved();
  event.ok(hold('h1', 'B-1'));
  expect(event.refused(change({ labels: ['A-1', 'B-1'] }))).toMatchObject({
    details: { conflicts: [{ label: 'B-1', status: 'held' }] },
  });
  const changed = event.ok(change({ labels: ['A-1', 'B-2'], note: 'Invoice', until: until + 1, name: 'Class 4c' }));
  expect(changed.reservation).toMatchObject({
    labels: ['A-1', 'B-2'],
    note: 'Invoice',
    until: until + 1,
    name: 'Class 4c',
  });
  event.ok(hold('h2', 'A-2', 'A-3'));
  expectSameAfterFolds(event);
});

test('a reservation ends by itself, to the millisecond, and its units are free', () => {
  const event = reserved();
  event.ok(change({ until: START + MINUTE }));
  event.pass(START + MINUTE - 1 - event.now());
  expect(event.ok(inspect).reservation.state).toBe('active');
  event.pass(START + MINUTE - event.now());
  expect(event.ok(inspect).reservation).toMatchObject({ state: 'ended', labels: ['A-1', 'A-2', 'A-3'] });
  event.ok(hold('h1', 'A-1'));
  expect(event.refused(book('o-1'))).toMatchObject({ code: 'conflict', reason: 'reservation_ended' });
  expect(event.refused(change({ name: 'x' }))).toMatchObject({ reason: 'reservation_ended' });
  expect(event.ok(end())).toEqual({ freed: [] });
  event.pass(START + MINUTE + 30 * DAY - event.now());
  expect(event.refused(inspect).code).toBe('reservation_not_found');
  expectSameAfterFolds(event);
});

test('a part is booked at the prices of now and the rest stays reserved, then all is booked', () => {
  const event = reserved();
  const part = book('o-1', ['A-2']);
  expect(event.ok(part)).toMatchObject({
    booked: ['A-2'],
    items: [{ label: 'A-2', unitPrice: 40 }],
    reservation: { state: 'active', labels: ['A-1', 'A-3'] },
  });
  expect(event.ok(part)).toMatchObject({ booked: ['A-2'], items: [{ label: 'A-2' }] });
  expect(event.ok(book('o-1', ['A-2']))).toMatchObject({ booked: [], items: [{ label: 'A-2' }] });
  expect(event.refused(book('o-2', ['A-2']))).toMatchObject({ reason: 'not_in_reservation' });
  expect(event.refused(book('o-2', ['A-1', 'B-1']))).toMatchObject({
    reason: 'not_in_reservation',
    details: { conflicts: [{ label: 'B-1', status: 'free' }] },
  });
  event.ok({ type: 'move', callId: callId(), move: 'close' });
  expect(event.ok(book('o-2')).reservation).toMatchObject({ state: 'booked', labels: ['A-2', 'A-1', 'A-3'] });
  expect(event.ok(book('o-2')).booked).toEqual([]);
  expect(event.refused(book('o-3'))).toMatchObject({ code: 'conflict', reason: 'reservation_booked' });
  expect(event.refused(end())).toMatchObject({ reason: 'reservation_booked' });
  expect(event.ok({ type: 'unbook', callId: callId(), bookingRef: 'o-1' })).toEqual({ unbooked: ['A-2'] });
  expectSameAfterFolds(event);
});

test('units of a channel are sold in its name, and the audit tells the reservation', () => {
  const event = reserved();
  event.ok(create('club'));
  const assigned = { callId: callId(), channelId: 'club', labels: ['A-1'], assignmentVersion: 0, reason: null };
  expect(event.ok({ type: 'assign-channel', ...assigned })).toMatchObject({ applied: 1 });
  expect(event.ok(book('o-1')).items).toMatchObject([
    { label: 'A-1', channelId: 'club', accessSource: 'staff_override' },
    { label: 'A-2', channelId: null },
    { label: 'A-3' },
  ]);
  const booked = event.journal.findLast(({ type }) => type === 'booked');
  expect(booked).toMatchObject({ counter: true, overridden: { units: [0], reason: 'Reservation Class 4b' } });
});

test('a list is newest first, page by page, of one state', () => {
  const event = house();
  for (const n of [1, 2, 3]) {
    event.pass(START + n - event.now());
    event.ok(make([`A-${n}`], { reservationId: `rsv_${n}` }));
  }
  event.ok(end());
  const page = event.ok({ type: 'list-reservations', limit: 2 });
  expect([page.reservations.map(({ id }) => id), page.hasMore]).toEqual([['rsv_3', 'rsv_2'], true]);
  const { createdAt, id } = page.reservations[1]!;
  const rest = event.ok({ type: 'list-reservations', limit: 2, after: { createdAt, id } });
  expect([rest.reservations.map((each) => each.id), rest.hasMore]).toEqual([['rsv_1'], false]);
  const ended = event.ok({ type: 'list-reservations', limit: 2, state: 'ended' });
  expect(ended.reservations.map((each) => each.id)).toEqual(['rsv_1']);
  expect(event.ok({ type: 'reserved-places' }).places.map(({ labels }) => labels)).toEqual([['A-2'], ['A-3']]);
});

test('of two counters that want one seat, one gets a conflict, and one books what the other wants to free', () => {
  const event = reserved();
  expect(event.refused(make(['A-3', 'A-4'], { reservationId: 'rsv_2' }))).toMatchObject({
    details: { conflicts: [{ label: 'A-3', status: 'blocked' }] },
  });
  event.ok(book('o-1', ['A-1']));
  expect(event.ok(end())).toEqual({ freed: ['A-2', 'A-3'] });
  expect(event.refused(book('o-2', ['A-2']))).toMatchObject({ reason: 'reservation_ended' });
});

test('a reservation moves with the chart, and a chart that lacks its seats is refused', () => {
  const event = reserved();
  event.ok(change({ labels: ['A-1', 'A-3', 'Standing'] }));
  const update = (planHash: string) => ({
    type: 'update-chart' as const,
    callId: callId(),
    planHash,
    chartVersion: 2,
    acknowledgeMoved: true,
    reason: 'A new chart',
  });
  expect(event.refused(update('shrunk-plan'))).toMatchObject({
    code: 'seats_would_vanish',
    details: { missingLabels: ['A-3'] },
  });
  event.ok(update('moved-plan'));
  expect(event.ok(inspect).reservation.labels.toSorted()).toEqual(['A-1', 'A-3', '__sl_ga__ga__1']);
  event.pass(until - event.now());
  expect(event.counts()).toMatchObject({ blocked: 0 });
});
