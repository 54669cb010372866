/** Seats that an offer of a season reserves in one event. */
import type { Command } from '@parterre/shared/protocol/commands';
import type { OperationOwner } from '@parterre/shared/protocol/operations/operation';
import { expect, test } from 'vitest';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
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
  movedPlan,
  START,
  server,
  shrunkPlan,
  smallPlan,
} from '../../../support/inventory/house.ts';

type House = ReturnType<typeof house>;

const owner: OperationOwner = { kind: 'season', key: 'sea_1' };
const late = START + 15_000;
const DAY = 24 * 60 * MINUTE;

const reserve = (offerId: string, ...labels: string[]): Command & { type: 'reserve' } => ({
  type: 'reserve',
  callId: `reserve-${offerId}`,
  offerId,
  owner,
  selections: labels.map((label) => ({ label })),
  actsUntil: late,
});
const unreserve = (offerId: string) => ({ type: 'unreserve', callId: `free-${offerId}`, offerId }) as const;
const bookReserved = (offerId: string, bookingRef = 'renewal') =>
  ({ type: 'book-reserved', callId: `book-${offerId}`, offerId, bookingRef }) as const;
const unlock = { type: 'unlock', owner, lockId: 'activation' } as const;
const move = (step: 'close' | 'archive') => ({ type: 'move', callId: callId(), move: step }) as const;

/** An event that a season has locked, as seasons do for as long as they sell. */
function locked(): House {
  const event = house();
  event.ok({ type: 'lock', owner, lockId: 'activation', actsUntil: late });
  return event;
}

/** The offer sro_1 has. */
function offered(): House {
  const event = locked();
  event.ok(reserve('sro_1', 'A-1', 'A-2'));
  return event;
}

/** A replay and a snapshot give the state that the event has. */
function expectSameAfterFolds({ state, journal, times }: House): void {
  const replayed = newState(eventConfig(), smallPlan);
  journal.forEach((record, index) => {
    apply(replayed, record, times[index]!);
  });
  for (const again of [replayed, fromSnapshot(structuredClone(toSnapshot(capture(state))), smallPlan)]) {
    expect(again.offers).toEqual(state.offers);
    expect([again.counts, again.statuses, again.slotOf]).toEqual([state.counts, state.statuses, state.slotOf]);
  }
}

test('an offer reserves every seat or none, and a repetition gets the first answer', () => {
  const event = locked();
  event.ok(hold('other', 'A-3'));
  expect(event.refused(reserve('sro_1', 'A-1', 'A-3'))).toMatchObject({
    code: 'conflict',
    details: { conflicts: [{ label: 'A-3', status: 'held' }] },
  });
  const answer = event.ok(reserve('sro_1', 'A-1', 'A-2'));
  expect(answer.reserved).toEqual(['A-1', 'A-2']);
  expect(answer.items).toMatchObject([{ unitPrice: 40 }, { unitPrice: 40 }]);
  event.pass(20_000);
  const records = event.journal.length;
  expect(event.ok(reserve('sro_1', 'A-1', 'A-2'))).toEqual(answer);
  expect(event.journal).toHaveLength(records);
  expect(event.counts()).toMatchObject({ blocked: 2, held: 1 });
  expectSameAfterFolds(event);
});

test('a reserved seat is not for sale to anybody else', () => {
  const event = offered();
  expect(event.refused(hold('h1', 'A-1'), buyer).details).toEqual({
    conflicts: [{ label: 'A-1', status: 'not_for_sale' }],
  });
  expect(event.tries(hold('h2', 'A-1'))).toBe(false);
  expect(event.tries(direct('order', 'A-2'))).toBe(false);
  expect(event.refused(reserve('sro_2', 'A-2', 'A-3')).code).toBe('conflict');
  expect(event.counts()).toMatchObject({ blocked: 2, held: 0, booked: 0 });
});

test('blocks by hand leave reserved seats alone', () => {
  const event = offered();
  event.ok(block('A-3'));
  expect(event.refused(block('A-1', 'A-4'))).toMatchObject({
    code: 'conflict',
    reason: 'seats_reserved',
    details: { conflicts: [{ label: 'A-1', status: 'blocked' }] },
  });
  const unblock = { type: 'unblock', callId: callId(), labels: null } as const;
  expect(event.ok(unblock)).toEqual({ unblocked: ['A-3'] });
  expect(event.ok({ ...unblock, callId: callId(), labels: ['A-1'] })).toEqual({ unblocked: [] });
  expect(event.counts().blocked).toBe(2);
});

test('time does not free reserved seats', () => {
  const event = offered();
  event.pass(400 * DAY);
  event.ok(hold('tick', 'B-1'));
  expect(event.counts().blocked).toBe(2);
  expect(event.ok(bookReserved('sro_1')).booked).toEqual(['A-1', 'A-2']);
});

test('an offer that is given up frees its seats, once', () => {
  const event = offered();
  expect(event.ok(unreserve('sro_1'))).toEqual({ unreserved: ['A-1', 'A-2'] });
  event.ok(hold('h1', 'A-1'), buyer);
  expect(event.ok(unreserve('sro_1'))).toEqual({ unreserved: ['A-1', 'A-2'] });
  expect(event.refused(bookReserved('sro_1')).reason).toBe('offer_over');
  expect(event.refused(reserve('sro_1', 'A-2')).reason).toBe('offer_over');
  expect(event.counts()).toMatchObject({ blocked: 0, held: 1 });
  expectSameAfterFolds(event);
});

test('an offer books its seats at their frozen prices, once', () => {
  const event = locked();
  event.ok(reserve('sro_1', 'C-1', 'Standing', 'Standing', 'T1'));
  const booked = event.ok(bookReserved('sro_1'));
  expect(booked.booked).toEqual(['C-1', '__sl_ga__ga__1', '__sl_ga__ga__2', 'T1']);
  expect(event.journal.slice(-2)).toMatchObject([
    { type: 'unreserved', bookingRef: 'renewal', owner },
    { type: 'booked', bookingRef: 'renewal', holdId: null },
  ]);
  const records = event.journal.length;
  expect(event.ok(bookReserved('sro_1'))).toEqual(booked);
  expect(event.journal).toHaveLength(records);
  expect(event.refused(bookReserved('sro_1', 'other')).reason).toBe('offer_booked');
  expect(event.refused(unreserve('sro_1')).reason).toBe('offer_booked');
  expectSameAfterFolds(event);
});

test.each<[string, (event: House) => void, string]>([
  ['without a lock of its season', (event) => event.ok(unlock), 'owner_not_active'],
  ['under a draining lock', (event) => event.ok({ ...unlock, type: 'drain-lock' }), 'owner_not_active'],
  ['after its last time', (event) => event.pass(15_001), 'too_late'],
  ['behind an end that came first', (event) => event.ok(unreserve('sro_1')), 'offer_over'],
])('an offer does not reserve %s', (_, prepare, reason) => {
  const event = locked();
  prepare(event);
  expect(event.refused(reserve('sro_1', 'A-1')).reason).toBe(reason);
  expect(event.counts().blocked).toBe(0);
});

test('an event that reserved nothing books nothing, and has nothing to free', () => {
  const event = locked();
  expect(event.refused(bookReserved('sro_1')).reason).toBe('offer_not_reserved');
  expect(event.ok(unreserve('sro_1'))).toEqual({ unreserved: [] });
  const records = event.journal.length;
  expect(event.ok(unreserve('sro_1'))).toEqual({ unreserved: [] });
  expect(event.journal).toHaveLength(records);
  expectSameAfterFolds(event);
});

test('a closed season and an archived event still free and book the seats of offers', () => {
  const event = offered();
  event.ok(reserve('sro_2', 'B-1'));
  event.ok(unlock);
  event.ok(move('archive'));
  expect(event.ok(unreserve('sro_2'))).toEqual({ unreserved: ['B-1'] });
  expect(event.ok(bookReserved('sro_1')).booked).toEqual(['A-1', 'A-2']);
  expect(event.counts()).toMatchObject({ booked: 2, blocked: 0 });
});

test('two offers may book under one reference, and each keeps its own answer', () => {
  const event = offered();
  event.ok(reserve('sro_2', 'B-1'));
  expect(event.ok(bookReserved('sro_1'))).toMatchObject({ booked: ['A-1', 'A-2'] });
  expect(event.ok(bookReserved('sro_2'))).toMatchObject({ booked: ['B-1'] });
  expect(event.ok(bookReserved('sro_1'))).toMatchObject({ booked: ['A-1', 'A-2'] });
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'renewal', labels: ['A-2'] });
  expect(event.ok(bookReserved('sro_1'))).toMatchObject({ booked: ['A-1', 'A-2'] });
  expect(event.counts()).toMatchObject({ booked: 2 });
});

test('a day after its booking an offer is forgotten, and its booking still answers a repetition', () => {
  const event = offered();
  event.ok(bookReserved('sro_1'));
  event.ok(unreserve('sro_9'));
  event.pass(DAY);
  event.ok(unreserve('sro_2'));
  expect([...event.state.offers.ended.keys()]).toEqual(['sro_2']);
  expect(event.ok(bookReserved('sro_1'))).toMatchObject({ booked: ['A-1', 'A-2'] });
  expect(event.refused(bookReserved('sro_1', 'other')).reason).toBe('offer_not_reserved');
});

test('a change of chart keeps reserved seats with their prices, and is refused where they would vanish', () => {
  const event = offered();
  event.ok(reserve('sro_2', 'Standing'));
  event.ok(reserve('sro_3', 'B-8'));
  event.ok(unreserve('sro_3'));
  event.ok(reserve('sro_4', 'A-3'));
  event.ok(unlock);
  const update = (planHash: string, chartVersion: number) =>
    ({
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: callId(),
      planHash,
      chartVersion,
    }) as const;
  event.ok(update(movedPlan.hash, 2));
  expect(event.refused(hold('h1', 'A-1')).details).toMatchObject({ conflicts: [{ label: 'A-1' }] });
  expect(event.ok(unreserve('sro_3'))).toEqual({ unreserved: ['B-8'] });
  expect(event.ok(bookReserved('sro_2')).booked).toEqual(['__sl_ga__ga__1']);
  expect(event.journal.at(-1)).toMatchObject({ lines: [{ price: 10 }] });
  expect(event.refused(update(shrunkPlan.hash, 3))).toMatchObject({
    code: 'seats_would_vanish',
    details: { missingLabels: ['A-3'] },
  });
  const adjust = { type: 'adjust-chart', callId: callId(), planHash: shrunkPlan.hash, from: movedPlan.hash } as const;
  const inTheWay = ['A-1', 'A-2', 'A-3'].map((label) => ({ label, status: 'blocked' }));
  expect(event.refused(adjust).details?.conflicts).toEqual([
    { label: '__sl_ga__ga__1', status: 'booked' },
    ...inTheWay,
  ]);
  expect(event.ok(bookReserved('sro_1')).booked).toEqual(['A-1', 'A-2']);
  expect(event.journal.at(-1)).toMatchObject({ lines: [{ price: 40 }, { price: 40 }] });
});

test('frozen prices keep their currency, and reserved seats their channel', () => {
  const event = offered();
  event.ok(unlock);
  expect(event.refused({ type: 'configure', callId: callId(), currency: 'USD' }).reason).toBe('event_has_sales');
  event.ok(create('ch_1'));
  const { buckets, applied } = event.ok({
    type: 'assign-channel',
    callId: callId(),
    channelId: 'ch_1',
    labels: ['A-1', 'A-3'],
    assignmentVersion: event.state.channels.version,
    reason: null,
  });
  expect([applied, buckets.skippedHeld.labels]).toEqual([1, ['A-1']]);
});

test('the booking of a channel’s seat keeps the access source of its reservation', () => {
  const event = offered();
  event.ok(create('ch_1'));
  event.ok({
    type: 'assign-channel',
    callId: callId(),
    channelId: 'ch_1',
    labels: ['B-1'],
    assignmentVersion: event.state.channels.version,
    reason: null,
  });
  const reach = { channelIds: ['ch_1'], includePublic: true };
  const partner = { ...server, accessSource: 'partner' as const, reach };
  const { items } = event.ok(reserve('sro_2', 'B-1'), partner);
  expect(items).toMatchObject([{ channelId: 'ch_1', accessSource: 'partner' }]);
  event.ok(bookReserved('sro_2'));
  expect(event.journal.at(-1)).toMatchObject({ accessSource: 'public', lines: [{ accessSource: 'partner' }] });
});

test('a reservation takes places of a quota until it is freed, and its booking takes no more', () => {
  const event = locked();
  const release = { id: 'early', isNew: true, name: 'Early', price: 5, previousPrice: null, quota: 2 };
  const always = { startsAt: null, endsAt: null, categoryKey: 'stalls', action: 'buy', actionUrl: null } as const;
  event.ok({ type: 'set-releases', callId: callId(), releases: [{ ...release, ...always }] });
  event.ok(reserve('sro_1', 'A-1'));
  event.ok(reserve('sro_2', 'A-2'));
  const consumed = () => event.state.releaseUse.get('early')!.consumed;
  expect(consumed()).toBe(2);
  event.ok(unreserve('sro_2'));
  expect(consumed()).toBe(1);
  event.ok({ type: 'close-release', callId: callId(), releaseId: 'early' });
  event.ok(bookReserved('sro_1'));
  expect(consumed()).toBe(1);
  expect(event.journal.at(-1)).toMatchObject({ type: 'booked', lines: [{ price: 5, releaseId: 'early' }] });
});

test('the sale of the last free seats is a sold-out, and the booking of reserved seats is not another', () => {
  const event = offered();
  const others = event.state.plan.labels.all().filter((label) => !['A-1', 'A-2', 'H-1'].includes(label));
  event.ok(direct('all', ...others));
  event.ok(bookReserved('sro_1'));
  expect(event.journal.filter(({ type }) => type === 'sold-out')).toHaveLength(1);
});
