/** Seats that an offer of a season reserves in one event. */
import type { Command } from '@parterre/shared/commands';
import type { OperationOwner } from '@parterre/shared/operations/operation';
import { expect, test } from 'vitest';
import { newState } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
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
  shrunkPlan,
  smallPlan,
} from '../../../support/inventory/house.ts';

type House = ReturnType<typeof house>;

const owner: OperationOwner = { kind: 'season', key: 'sea_1' };
const late = START + 15_000;
const DAY = 24 * 60 * MINUTE;

const reserve = (offerId: string, ...labels: string[]): Command & { type: 'reserve' } => ({
  ...{ type: 'reserve', callId: `reserve-${offerId}`, offerId, owner },
  ...{ selections: labels.map((label) => ({ label })), actsUntil: late },
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
    expect(again.reservations).toEqual(state.reservations);
    expect([again.counts, again.statuses, again.slotOf]).toEqual([state.counts, state.statuses, state.slotOf]);
  }
}

test('an offer reserves every seat or none, and a repetition gets the first answer', () => {
  const event = locked();
  event.ok(hold('other', 'A-3'));
  expect(event.refused(reserve('sro_1', 'A-1', 'A-3'))).toMatchObject({
    ...{ code: 'conflict', details: { conflicts: [{ label: 'A-3', status: 'held' }] } },
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
    ...{ code: 'conflict', reason: 'seats_reserved', details: { conflicts: [{ label: 'A-1', status: 'blocked' }] } },
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
    { type: 'unreserved', bookingRef: 'renewal' },
    { type: 'booked', bookingRef: 'renewal', holdId: null },
  ]);
  const records = event.journal.length;
  expect(event.ok(bookReserved('sro_1'))).toEqual(booked);
  expect(event.journal).toHaveLength(records);
  expect(event.refused(bookReserved('sro_1', 'other')).reason).toBe('offer_booked');
  expect(event.refused(unreserve('sro_1')).reason).toBe('offer_booked');
  expectSameAfterFolds(event);
});

test('seat by seat, the event tells what can be given and why not the rest', () => {
  const event = offered();
  event.ok(hold('h1', 'B-1'));
  event.ok(direct('order', 'B-2'));
  event.ok(block('B-3'));
  const selections = ['A-1', 'A-3', 'B-1', 'B-2', 'B-3', 'H-1', 'Z-9'].map((label) => ({ label }));
  selections.push({ label: 'Standing', quantity: 11 } as never, { label: 'Standing', quantity: 10 } as never);
  const records = event.journal.length;
  const { units } = event.ok({ type: 'inspect-units', selections });
  expect(event.journal).toHaveLength(records);
  expect(units.map(({ label, code, status }) => `${label} ${code} ${status}`)).toEqual([
    'A-1 conflict reserved',
    'A-3 null free',
    'B-1 conflict held',
    'B-2 conflict booked',
    'B-3 conflict blocked',
    'H-1 not_for_sale free',
    'Z-9 unknown_labels null',
    'Standing conflict null',
    'Standing null null',
  ]);
  expect(units[0]!.offerId).toBe('sro_1');
  expect(units.at(-1)!.available).toBe(10);
});
