/**
 * The rules of one event, case by case: bookings, blocks, reports, snapshots. Each case plays commands in order and
 * checks the outcome.
 */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Command } from '@parterre/shared/protocol/commands';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import { describe, expect, test } from 'vitest';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { applyDue } from '../../../../services/inventory-shard/src/rules/turn/turn.ts';
import {
  book,
  callId,
  direct,
  hold,
  house,
  MINUTE,
  START,
  smallChart,
  smallPlan,
} from '../../../support/inventory/house.ts';

describe('booking', () => {
  test(
    'shows places of an area with different prices as separate items, ' +
      'even if both calls began with the same place',
    () => {
      const event = house();
      const places = {
        type: 'book-direct' as const,
        bookingRef: 'order',
        selections: [{ label: 'Standing', quantity: 2 }],
      };
      event.ok({ ...places, callId: callId() });
      event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order', labels: ['__sl_ga__ga__1'] });
      const plain = { previousPrice: null, quota: null, startsAt: null, endsAt: null, actionUrl: null };
      event.ok({
        type: 'set-releases',
        callId: callId(),
        releases: [{ ...plain, isNew: true, id: 'late', name: 'Late', price: 5, categoryKey: 'floor', action: 'buy' }],
      });
      event.ok({ ...places, callId: callId() });
      const { lines } = event.state.bookings.get('order')!;
      const items = lineItemsOf(smallPlan, lines, { currency: 'EUR', accessSource: 'public' });
      expect(items.map(({ unitPrice, releaseId, labels }) => ({ unitPrice, releaseId, labels }))).toEqual([
        { unitPrice: 10, releaseId: null, labels: ['__sl_ga__ga__2'] },
        { unitPrice: 5, releaseId: 'late', labels: ['__sl_ga__ga__1'] },
      ]);
      expect(items.map(({ quantity }) => quantity)).toEqual([1, 1]);
    },
  );

  test('books a hold once; a replay books nothing', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    expect(event.ok(book('h1', 'order-1')).booked).toEqual(['A-1', 'A-2']);
    expect(event.ok(book('h1', 'order-1')).booked).toEqual([]);
    expect(event.ok({ type: 'inspect-hold', holdId: 'h1' })).toMatchObject({ status: 'booked', bookingRef: 'order-1' });
    expect(event.counts()).toMatchObject({ booked: 2, held: 0 });
  });

  test('a repetition under the first of two references books nothing, even if the chart has lost its seats', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'B-1'));
    expect(event.ok(book('h1', 'one', ['A-1'])).booked).toEqual(['A-1']);
    expect(event.ok(book('h1', 'two')).booked).toEqual(['B-1']);
    event.ok({ type: 'unbook', callId: callId(), bookingRef: 'one' });
    expect(event.ok(book('h1', 'one')).booked).toEqual([]);
    const objects = smallChart.objects.filter(({ label }) => label !== 'A');
    event.moveTo(compilePlan({ ...smallChart, objects } as unknown as ChartDocument, 'without-A'));
    expect(event.ok(book('h1', 'one')).booked).toEqual([]);
    expect(event.counts().booked).toBe(1);
  });

  test('gives a call whose answer was lost its first answer', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    const booking = book('h1', 'order-1');
    const unbooking: Command & { type: 'unbook' } = { type: 'unbook', callId: callId(), bookingRef: 'order-1' };
    for (const command of [booking, unbooking]) {
      const first = event.ok(command);
      const records = event.journal.length;
      expect(Object.values(first)[0]).toEqual(['A-1', 'A-2']);
      expect(event.ok(command)).toEqual(first);
      expect(event.journal).toHaveLength(records);
    }
  });

  test('books part of a hold and leaves the rest held', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    expect(event.ok(book('h1', 'order-1', ['A-2'])).booked).toEqual(['A-2']);
    expect(event.counts()).toMatchObject({ booked: 1, held: 1 });
    expect(event.ok(book('h1', 'order-1')).booked).toEqual(['A-1']);
  });

  test('lets one reference book more seats with another hold', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    event.ok(book('h1', 'order-1'));
    event.ok(hold('h2', 'A-2'));
    expect(event.ok(book('h2', 'order-1')).booked).toEqual(['A-2']);
  });

  test('leaves a seat of the reference unchanged, even if the call names it twice and beside places of an area', () => {
    const event = house();
    event.ok(direct('order-1', 'A-1'));
    const selections = [{ label: 'A-1' }, { label: 'A-1', quantity: 2 }, { label: 'Standing', quantity: 1 }];
    expect(event.ok({ ...direct('order-1'), selections }).booked).toEqual(['__sl_ga__ga__1']);
    expect(event.refused(direct('order-1', 'A-2', 'A-2')).code).toBe('invalid_request');
    expect(event.counts()).toMatchObject({ booked: 2 });
  });

  test('refuses an expired hold, and a hold that was booked under another reference', () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: MINUTE });
    event.ok(hold('h2', 'A-2'));
    event.ok(book('h2', 'order-2'));
    event.pass(MINUTE);
    expect(event.refused(book('h1', 'order-1'))).toMatchObject({
      code: 'conflict',
      reason: 'hold_expired',
      details: { conflicts: [{ label: 'A-1', status: 'free' }] },
    });
    expect(event.refused(book('h2', 'order-1')).details?.conflicts).toEqual([{ label: 'A-2', status: 'booked' }]);
    expect(event.refused(book('nobody', 'order-1')).code).toBe('hold_not_found');
  });

  test('books labels directly, all or none, and repeats safely', () => {
    const event = house();
    event.ok(hold('h1', 'A-3'));
    const direct = (...labels: string[]): Command => ({
      type: 'book-direct',
      callId: callId(),
      bookingRef: 'order-1',
      selections: labels.map((label) => ({ label })),
    });
    expect(event.ok(direct('A-1', 'A-2'))).toMatchObject({ booked: ['A-1', 'A-2'] });
    expect(event.ok(direct('A-1', 'A-2'))).toMatchObject({ booked: [] });
    expect(event.refused(direct('A-2', 'A-3')).details?.conflicts).toEqual([{ label: 'A-3', status: 'held' }]);
    expect(event.ok(direct('A-2', 'A-4'))).toMatchObject({ booked: ['A-4'] });
  });

  test('is cancelled in part and as a whole, by its reference only', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2'));
    event.ok(book('h1', 'order-1'));
    event.ok(hold('h2', 'A-3'));
    event.ok(book('h2', 'order-2'));
    expect(event.refused({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: ['A-3'] }).reason).toBe(
      'not_owned_by_booking_ref',
    );
    expect(event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1', labels: ['A-1'] }).unbooked).toEqual([
      'A-1',
    ]);
    expect(event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' }).unbooked).toEqual(['A-2']);
    expect(event.ok({ type: 'unbook', callId: callId(), bookingRef: 'order-1' }).unbooked).toEqual([]);
    expect(event.refused({ type: 'unbook', callId: callId(), bookingRef: 'nobody' }).code).toBe('booking_not_found');
    expect(event.counts()).toMatchObject({ booked: 1 });
  });

  test('is cancelled only on events that a platform owns', () => {
    const event = house('managed');
    event.ok(hold('h1', 'A-1'));
    event.ok(book('h1', 'order-1'));
    for (const bookingRef of ['order-1', 'nobody']) {
      expect(event.refused({ type: 'unbook', callId: callId(), bookingRef }).code).toBe('not_platform_owned');
    }
  });
});

describe('blocking', () => {
  test('takes free seats off sale until they are unblocked or their time comes', () => {
    const event = house();
    event.ok({ type: 'block', callId: callId(), labels: ['A-1', 'A-2'], releaseAt: START + MINUTE, reason: 'camera' });
    event.ok({ type: 'block', callId: callId(), labels: ['A-2'], releaseAt: null, reason: null });
    event.pass(MINUTE);
    expect(event.counts().blocked).toBe(1);
    expect(event.ok({ type: 'unblock', callId: callId(), labels: null }).unblocked).toEqual(['A-2']);
  });

  test('refuses held and booked seats, and a time that has passed', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'));
    expect(
      event.refused({ type: 'block', callId: callId(), labels: ['A-1'], releaseAt: null, reason: null }).code,
    ).toBe('conflict');
    expect(
      event.refused({ type: 'block', callId: callId(), labels: ['A-2'], releaseAt: START, reason: null }).code,
    ).toBe('invalid_request');
  });
});

test('the report adds up by status, category and section', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'C-1'));
  event.ok(book('h1', 'order-1'));
  event.ok(hold('h2', 'T1'));
  event.ok(book('h2', 'order-2'));
  event.ok({ type: 'block', callId: callId(), labels: ['B-1'], releaseAt: null, reason: null });
  const report = event.ok({ type: 'report' });
  expect(report.byStatus).toEqual({ free: smallPlan.unitCount - 5, held: 0, booked: 3, not_for_sale: 2 });
  expect(report.byCategory.find(({ category }) => category === 'stalls')?.bookedValue).toBe(40 + 4 * 40);
  expect(report.bySection.map(({ total }) => total)).toEqual([smallPlan.unitCount]);
});

test('a snapshot restores its state', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'A-2'));
  event.ok(book('h1', 'order-1', ['A-1']));
  event.ok({ type: 'block', callId: callId(), labels: ['B-1'], releaseAt: START + MINUTE, reason: null });
  const snapshot = toSnapshot(capture(event.state));
  const copy = fromSnapshot(structuredClone(snapshot), smallPlan);
  expect(toSnapshot(capture(copy))).toEqual(snapshot);
  expect(copy.slotOf).toEqual(event.state.slotOf);
  expect(copy.counts).toEqual(event.state.counts);
  expect(applyDue(copy, START + MINUTE)).toHaveLength(1);
});
